"""What is played in a tournament: who sits with whom, how often, and what is hoped for.

A *cell* is an odd one out at a table of others who are all alike.  It takes every place equally
often: a *group* is as many games as there are players, with the same dice and the odd one in
another place each time.  The dice of group k are the same in all cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from league.roster import agent
from service.games.snowcrest.rules.solo import DIFFICULTIES

OPPONENTS: Final = ("random", "greedy", "level-1", "quantal", "round-solver", "tree")
SLOW: Final = "tree"
EXPLOITER: Final = "exploiter"
SMALLER: Final = 5
"""Tables of other sizes play this fraction of the games."""
AT_LEAST: Final = {
    "random": 0.55,
    "greedy": 0.60,
    "level-1": 0.50,
    "quantal": 0.45,
    "round-solver": 0.33,
    "tree": 0.30,
}
"""What one service seat of four has to win for certain against three of a kind (issue 3)."""
AT_MOST: Final = 0.28
"""What anybody may win at most, for certain, at a table of three service seats."""
RACERS: Final = {"random": None, "greedy": 0.45, "tree": 0.30}
"""Opponents in Slopecrashers, and what one service seat of four has to win for certain against
three of a kind (issue 5)."""
VILLAGERS: Final = {"random": None, "greedy": 0.45}
"""Likewise in Snowcrest (issue 6)."""
ALONE: Final = {f"difficulty-{level}": 0.70 if level == 1 else None for level in DIFFICULTIES}
"""Difficulties that the service plays against alone, and what it has to win."""
SNOW_TIME, SLOPECRASHERS, SNOWCREST = "snow-time", "slopecrashers", "snowcrest"


@dataclass(frozen=True)
class Target:
    """A bound that the interval of a win share has to keep, on its lower or its upper side."""

    share: float
    at_least: bool

    def met(self, low: float, high: float) -> bool:
        """Whether the whole interval keeps the bound."""
        return low >= self.share if self.at_least else high <= self.share

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.share:.0%}"


@dataclass(frozen=True)
class Cell:
    """A composition of a table.

    Attributes:
        odd: the agent whose win share is measured, see ``roster.agent``.
        rest: the agent of all other players.
        players: 2 (with two seats each in Snow Time) to 5; or 1, against a difficulty.
        target: for its win share, if any.
        game: that is played.
    """

    odd: str
    rest: str
    players: int
    target: Target | None = None
    game: str = SNOW_TIME

    @property
    def name(self) -> str:
        of = "" if self.game == SNOW_TIME else f" of {self.game}"
        return f"{self.odd} vs {self.rest} @ {self.players}{of}"

    @property
    def seats(self) -> int:
        return 4 if self.players == 2 else self.players

    @property
    def par(self) -> float:
        """The win share of equals."""
        return 1.0 / self.players

    @property
    def slow(self) -> bool:
        return any(spec.partition(":")[0] == SLOW for spec in (self.odd, self.rest))


@dataclass(frozen=True)
class Fixture:
    """One game to be played.

    Attributes:
        cell: its composition.
        group: games of one group have the same dice.
        place: of the odd one out, among the players.
        seed: of the game.
    """

    cell: Cell
    group: int
    place: int
    seed: int

    @property
    def key(self) -> tuple[str, int, int]:
        return self.cell.name, self.group, self.place


def default_cells(tier: str = "standard") -> list[Cell]:
    """All cells: four players first, then the smaller tables for other numbers of players."""
    service = _with_tier("service", tier)
    exploiter = _with_tier(EXPLOITER, tier)
    cells = []
    for players in (4, 3, 5, 2):
        four = players == 4
        for opponent in OPPONENTS:
            target = Target(AT_LEAST[opponent], at_least=True) if four else None
            cells.append(Cell(service, opponent, players, target))
        # Of two players each is the odd one out: those games would be the same.
        alone = (*OPPONENTS, exploiter) if players > 2 else (exploiter,)
        for opponent in alone:
            target = Target(AT_MOST, at_least=False) if four else None
            cells.append(Cell(opponent, service, players, target))
    return cells


def racing_cells(tier: str = "standard") -> list[Cell]:
    """The cells of Slopecrashers, four players."""
    service = _with_tier("service", tier)
    against = [
        Cell(service, racer, 4, Target(share, at_least=True) if share else None, SLOPECRASHERS)
        for racer, share in RACERS.items()
    ]
    return [*against, *(Cell(racer, service, 4, None, SLOPECRASHERS) for racer in RACERS)]


def crest_cells(tier: str = "standard") -> list[Cell]:
    """The cells of Snowcrest: four players, and alone against all difficulties."""
    service = _with_tier("service", tier)
    return [
        Cell(service, rest, players, Target(share, at_least=True) if share else None, SNOWCREST)
        for players, wanted in ((4, VILLAGERS), (1, ALONE))
        for rest, share in wanted.items()
    ]


def cells_named(names: Sequence[str], tier: str = "standard") -> list[Cell]:
    """Cells by name: ``default``, ``four``, ``smaller``, ``slopecrashers``,
    ``snowcrest``, or ``ODD vs REST @ PLAYERS``, with `` of GAME`` where that is not Snow Time.

    Raises:
        ValueError: if a name says nothing, or an agent of it is unknown.
    """
    known = default_cells(tier)
    some = {
        "default": known,
        "four": [cell for cell in known if cell.players == 4],
        "smaller": [cell for cell in known if cell.players != 4],
        SLOPECRASHERS: racing_cells(tier),
        SNOWCREST: crest_cells(tier),
    }
    found: dict[str, Cell] = {}
    for name in names:
        for cell in some.get(name) or [_read(name, known)]:
            found.setdefault(cell.name, cell)
    return list(found.values())


def _read(name: str, known: Sequence[Cell]) -> Cell:
    shape = r"\s*(\S+)\s+vs\s+(\S+)\s*@\s*([1-5])(?:\s+of\s+(\S+))?\s*"
    told = re.fullmatch(shape, name)
    if told is None:
        raise ValueError(f"{name!r} is no cell; write 'service vs greedy @ 4', or a set of them")
    odd, rest, players, game = told[1], told[2], int(told[3]), told[4] or SNOW_TIME
    for spec in (odd, rest):
        agent(spec, game)
    cell = Cell(odd, rest, players, game=game)
    return next((same for same in known if same.name == cell.name), cell)


def games_of(cell: Cell, games: int, slow_games: int) -> int:
    """How many games a cell plays: whole groups, fewer at tables that are not of four."""
    wanted = slow_games if cell.slow else games
    if cell.players != 4:
        wanted = -(-wanted // SMALLER)
    return -(-wanted // cell.players) * cell.players


def fixtures(cell: Cell, games: int, seed: int) -> Iterator[Fixture]:
    """A cell's games; group k has the seed ``seed + k``."""
    for group in range(games // cell.players):
        for place in range(cell.players):
            yield Fixture(cell, group, place, seed + group)


def _with_tier(spec: str, tier: str) -> str:
    return spec if tier == "standard" else f"{spec}:tier={tier}"
