"""The games of the service, by name.  A new game is added here and nowhere else."""

from __future__ import annotations

from typing import Final

from service.games.entry import Entry
from service.games.slopecrashers.entry import SLOPECRASHERS
from service.games.snow_time.entry import SNOW_TIME
from service.games.snowcrest.entry import SNOWCREST

GAMES: Final[dict[str, Entry]] = {
    entry.game.name: entry for entry in (SNOW_TIME, SLOPECRASHERS, SNOWCREST)
}
