"""The games of the service, by name.  A new game is added here and nowhere else."""

from __future__ import annotations

from typing import Final

from service.games.definition import GameDefinition
from service.games.slopecrashers.api.definition import SLOPECRASHERS
from service.games.snow_time.api.definition import SNOW_TIME
from service.games.snowcrest.api.definition import SNOWCREST

GAMES: Final[dict[str, GameDefinition]] = {
    entry.game.name: entry for entry in (SNOW_TIME, SLOPECRASHERS, SNOWCREST)
}
