"""The schedule of a tournament: compositions of tables and numbers of games.

A *cell* seats one odd player with others who are all alike. The odd player takes every place
equally often: a *group* has as many games as players, with the same dice and the odd player in
another place each time. Group k has the same dice in all cells.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from research.league.roster import agent
from service.games.snowcrest.rules.solo import DIFFICULTIES

OPPONENTS: Final = ("random", "greedy", "level-1", "quantal", "round-solver", "tree")
SLOW: Final = "tree"
EXPLOITER: Final = "exploiter"
OTHER_SIZES_DIVISOR: Final = 5
"""Cells of other than four players have this fraction of the games."""
SLOPECRASHERS_OPPONENTS: Final = ("random", "greedy", "tree")
SNOWCREST_OPPONENTS: Final = {
    4: ("random", "greedy"),
    2: ("greedy",),
    1: tuple(f"difficulty-{level}" for level in DIFFICULTIES),
}
"""Opponents in Snowcrest by number of players; alone, the difficulties of solo games."""
ROUND_SOLVERS: Final = (
    "round-solver:champion=0.35,watcher=1.1,blizzard=1.1",
    "round-solver:champion=0.55,watcher=1.5,blizzard=2.2",
    "round-solver:champion=0.8,watcher=1,blizzard=1.5",
)
"""Settings that are not in the library of styles."""
LEARNED: Final = "learned"
MIXED: Final = "mixed"
MIXED_TABLE: Final = (
    "random", "greedy", "level-1", "quantal", *ROUND_SOLVERS, "minimax-regret", "habitual", "tree",
    "service",
)  # fmt: skip
"""Agents from which the players of a mixed table are drawn."""
LEARNED_ROUNDS: Final = (1, 2, 4, 8)
"""Numbers of rounds after which a learner stops to learn, see :func:`learning_cells`."""
LEARNER_AND_SERVICE: Final = "learned+service+service"
SNOW_TIME, SLOPECRASHERS, SNOWCREST = "snow-time", "slopecrashers", "snowcrest"


@dataclass(frozen=True)
class Cell:
    """A composition of a table.

    Attributes:
        odd: the agent whose win share is measured, see ``roster.agent``.
        rest: the agent of all other players; or several agents, joined by ``+``, who take the
            seats after the odd player in turn; or ``mixed``.
        players: 2 (with two seats each in Snow Time) to 5; or 1, a solo game.
        game: to play.
    """

    odd: str
    rest: str
    players: int
    game: str = SNOW_TIME

    @property
    def name(self) -> str:
        """The composition in words, unique among cells, for example ``a vs b @ 4``."""
        of = "" if self.game == SNOW_TIME else f" of {self.game}"
        return f"{self.odd} vs {self.rest} @ {self.players}{of}"

    @property
    def seats(self) -> int:
        """Number of seats in Snow Time: two players have two each."""
        return 4 if self.players == 2 else self.players

    @property
    def par(self) -> float:
        """The win share of equally strong players."""
        return 1.0 / self.players

    @property
    def slow(self) -> bool:
        """Whether an agent searches a tree, which takes far longer than the others."""
        return any(spec.partition(":")[0] == SLOW for spec in (self.odd, *self.rest.split("+")))


@dataclass(frozen=True)
class ScheduledGame:
    """One game to play.

    Attributes:
        cell: composition of the table.
        group: games of one group have the same dice.
        place: of the odd player, among the players.
        seed: of the game.
    """

    cell: Cell
    group: int
    place: int
    seed: int

    @property
    def key(self) -> tuple[str, int, int]:
        """What identifies the game in the records of a tournament."""
        return self.cell.name, self.group, self.place

    @property
    def specs(self) -> list[str]:
        """The agent of each player. A mixed table is drawn once for each group."""
        count = self.cell.players - 1
        if self.cell.rest == MIXED:
            others = Random(f"{self.seed} table").choices(MIXED_TABLE, k=count)
        else:
            named = self.cell.rest.split("+")
            others = [named[number % len(named)] for number in range(count)]
        # The seats after the odd player, then those before it.
        after = count - self.place
        return [*others[after:], self.cell.odd, *others[:after]]


def default_cells(effort: str = "standard") -> list[Cell]:
    """Return all cells of Snow Time, those of four players first."""
    service = _with_effort("service", effort)
    exploiter = _with_effort(EXPLOITER, effort)
    cells = []
    for players in (4, 3, 5, 2):
        cells += [Cell(service, opponent, players) for opponent in OPPONENTS]
        # With two players "A vs B" and "B vs A" are the same games.
        odd_players = (*OPPONENTS, exploiter) if players > 2 else (exploiter,)
        cells += [Cell(odd, service, players) for odd in odd_players]
    return cells


def learned_cells() -> list[Cell]:
    """Return the cells of the model ``learned``: strength, adversaries, and other table sizes."""
    return [
        *(Cell(LEARNED, rest, 4) for rest in (*MIXED_TABLE, MIXED)),
        Cell("service", "service", 4),
        *(Cell(odd, LEARNER_AND_SERVICE, 4) for odd in (EXPLOITER, "pretender")),
        *(Cell(EXPLOITER, rest, 4) for rest in ("service", LEARNED)),
        Cell("service", LEARNED, 4),
        *(
            Cell(LEARNED, rest, players)
            for players in (3, 5, 2)
            for rest in (ROUND_SOLVERS[0], "habitual", "service")
        ),
    ]


def ablation_cells() -> list[Cell]:
    """Return cells that show what each part of the model ``learned`` is worth."""
    variants = ("service", "learned:rounds=0", "learned:safe=no", LEARNED)
    return [
        *(
            Cell(odd, rest, 4)
            for rest in (ROUND_SOLVERS[0], "habitual", MIXED, "service")
            for odd in variants
        ),
        *(Cell(EXPLOITER, f"{odd}+service+service", 4) for odd in variants),
    ]


def learning_cells() -> list[Cell]:
    """Return cells that show what more rounds are worth: learners that stop to learn."""
    learners = [f"{LEARNED}:rounds={rounds}" for rounds in LEARNED_ROUNDS]
    return [
        Cell(odd, rest, 4)
        for rest in (ROUND_SOLVERS[0], "level-1", MIXED)
        for odd in ("service", *learners, LEARNED)
    ]


def slopecrashers_cells(effort: str = "standard") -> list[Cell]:
    """Return the cells of Slopecrashers, all of four players."""
    service = _with_effort("service", effort)
    against = [Cell(service, other, 4, SLOPECRASHERS) for other in SLOPECRASHERS_OPPONENTS]
    return [*against, *(Cell(cell.rest, cell.odd, 4, SLOPECRASHERS) for cell in against)]


def snowcrest_cells(effort: str = "standard") -> list[Cell]:
    """Return the cells of Snowcrest: four and two players, and all difficulties of solo games."""
    service = _with_effort("service", effort)
    return [
        Cell(service, rest, players, SNOWCREST)
        for players, opponents in SNOWCREST_OPPONENTS.items()
        for rest in opponents
    ]


def parse_cells(names: Sequence[str], effort: str = "standard") -> list[Cell]:
    """Return cells by name.

    Args:
        names: ``default``, ``four``, ``smaller``, ``learned``, ``ablation``, ``learning``,
            ``slopecrashers``, ``snowcrest``, or ``ODD vs REST @ PLAYERS``, followed by
            `` of GAME`` for a game other than Snow Time.
        effort: of the service, if its specification has none.

    Raises:
        ValueError: for a name of another form, or an unknown agent or game.
    """
    known = default_cells(effort)
    sets = {
        "default": known,
        "four": [cell for cell in known if cell.players == 4],
        "smaller": [cell for cell in known if cell.players != 4],
        LEARNED: learned_cells(),
        "ablation": ablation_cells(),
        "learning": learning_cells(),
        SLOPECRASHERS: slopecrashers_cells(effort),
        SNOWCREST: snowcrest_cells(effort),
    }
    cells: dict[str, Cell] = {}
    for name in names:
        for cell in sets.get(name) or [_parse_cell(name, effort)]:
            cells.setdefault(cell.name, cell)
    return list(cells.values())


def _parse_cell(name: str, effort: str) -> Cell:
    pattern = r"\s*(\S+)\s+vs\s+(\S+)\s*@\s*([1-5])(?:\s+of\s+(\S+))?\s*"
    match = re.fullmatch(pattern, name)
    if match is None:
        raise ValueError(
            f"{name!r} is not a cell; write 'service vs greedy @ 4' or the name of a set"
        )
    odd, rest = (
        "+".join(
            _with_effort(spec, effort) if spec == "service" else spec for spec in side.split("+")
        )
        for side in (match[1], match[2])
    )
    players, game = int(match[3]), match[4] or SNOW_TIME
    for spec in (odd, *(rest.split("+") if rest != MIXED else ())):
        agent(spec, game)
    return Cell(odd, rest, players, game)


def game_count(cell: Cell, games: int, slow_games: int) -> int:
    """Return how many games a cell has: whole groups, fewer for other than four players."""
    count = slow_games if cell.slow else games
    if cell.players != 4:
        count = -(-count // OTHER_SIZES_DIVISOR)
    return -(-count // cell.players) * cell.players


def schedule(cell: Cell, games: int, seed: int) -> Iterator[ScheduledGame]:
    """Yield the games of a cell; group k has the seed ``seed + k``."""
    for group in range(games // cell.players):
        for place in range(cell.players):
            yield ScheduledGame(cell, group, place, seed + group)


def _with_effort(spec: str, effort: str) -> str:
    return spec if effort == "standard" else f"{spec}:effort={effort}"
