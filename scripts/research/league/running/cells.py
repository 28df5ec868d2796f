"""The schedule of a tournament: compositions of tables, numbers of games and targets.

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
AT_LEAST: Final = {
    "random": 0.55,
    "greedy": 0.60,
    "level-1": 0.50,
    "quantal": 0.45,
    "round-solver": 0.33,
    "tree": 0.30,
}
"""Lower bound of the win share of one service player against three of a kind (issue 3)."""
AT_MOST: Final = 0.28
"""Upper bound of the win share of any player against three service players."""
SLOPECRASHERS_OPPONENTS: Final = {"random": None, "greedy": 0.85, "tree": 0.30}
"""Opponents in Slopecrashers, and the lower bound of the win share of one service player against
three of a kind."""
SNOWCREST_OPPONENTS: Final = {"random": None, "greedy": 0.65}
"""The same in Snowcrest."""
SNOWCREST_DUELS: Final = {"greedy": 0.80}
"""The same with two players."""
SOLO_TARGETS: Final = {
    f"difficulty-{level}": {1: 0.90, 10: 0.35}.get(level) for level in DIFFICULTIES
}
"""Difficulties of solo games, and the lower bound of the service's win rate."""
ROUND_SOLVERS: Final = (
    "round-solver:champion=0.35,watcher=1.1,blizzard=1.1",
    "round-solver:champion=0.55,watcher=1.5,blizzard=2.2",
    "round-solver:champion=0.8,watcher=1,blizzard=1.5",
)
"""Settings that are not in the library of styles."""
LEARNED: Final = "learned"
LEARNED_AT_LEAST: Final = {
    "random": 0.78,
    "greedy": 0.95,
    "level-1": 0.60,
    "quantal": 0.34,
    **dict.fromkeys(ROUND_SOLVERS, 0.60),
    "minimax-regret": 0.45,
    "habitual": 0.45,
    "tree": 0.38,
    "service": 0.22,
}
"""Lower bound of the win share of one learner against three of a kind (issue 23)."""
MIXED: Final = "mixed"
MIXED_TABLE: Final = tuple(LEARNED_AT_LEAST)
"""Agents from which the players of a mixed table are drawn."""
MIXED_AT_LEAST: Final = 0.60
LEARNED_ROUNDS: Final = (1, 2, 4, 8)
"""Numbers of rounds after which a learner stops to learn, see :func:`learning_cells`."""
LEARNER_AND_SERVICE: Final = "learned+service+service"
PRETENDER_AT_MOST: Final = 0.35
SNOW_TIME, SLOPECRASHERS, SNOWCREST = "snow-time", "slopecrashers", "snowcrest"


@dataclass(frozen=True)
class Target:
    """A bound for the whole confidence interval of a win share.

    Attributes:
        share: the bound.
        at_least: whether it is a lower bound.
    """

    share: float
    at_least: bool

    def met(self, low: float, high: float) -> bool:
        """Return whether the whole interval satisfies the bound."""
        return low >= self.share if self.at_least else high <= self.share

    def __str__(self) -> str:
        return f"{'≥' if self.at_least else '≤'} {self.share:.0%}"


@dataclass(frozen=True)
class Cell:
    """A composition of a table.

    Attributes:
        odd: the agent whose win share is measured, see ``roster.agent``.
        rest: the agent of all other players; or several agents, joined by ``+``, who take the
            seats after the odd player in turn; or ``mixed``.
        players: 2 (with two seats each in Snow Time) to 5; or 1, a solo game.
        target: for the win share, if any.
        game: to play.
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
        """The win share of equally strong players."""
        return 1.0 / self.players

    @property
    def slow(self) -> bool:
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
        four = players == 4
        for opponent in OPPONENTS:
            target = Target(AT_LEAST[opponent], at_least=True) if four else None
            cells.append(Cell(service, opponent, players, target))
        # With two players "A vs B" and "B vs A" are the same games.
        odd_players = (*OPPONENTS, exploiter) if players > 2 else (exploiter,)
        for opponent in odd_players:
            target = Target(AT_MOST, at_least=False) if four else None
            cells.append(Cell(opponent, service, players, target))
    return cells


def learned_cells() -> list[Cell]:
    """Return the cells of the model ``learned``: strength, adversaries, and other table sizes."""
    strength = {**LEARNED_AT_LEAST, MIXED: MIXED_AT_LEAST}
    return [
        *(Cell(LEARNED, rest, 4, Target(share, at_least=True)) for rest, share in strength.items()),
        Cell("service", "service", 4),
        Cell(EXPLOITER, LEARNER_AND_SERVICE, 4),
        Cell(EXPLOITER, "service", 4),
        Cell("pretender", LEARNER_AND_SERVICE, 4, Target(PRETENDER_AT_MOST, at_least=False)),
        Cell(EXPLOITER, LEARNED, 4),
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
    against = [
        Cell(service, opponent, 4, Target(share, at_least=True) if share else None, SLOPECRASHERS)
        for opponent, share in SLOPECRASHERS_OPPONENTS.items()
    ]
    reverse = [Cell(odd, service, 4, None, SLOPECRASHERS) for odd in SLOPECRASHERS_OPPONENTS]
    return [*against, *reverse]


def snowcrest_cells(effort: str = "standard") -> list[Cell]:
    """Return the cells of Snowcrest: four and two players, and all difficulties of solo games."""
    service = _with_effort("service", effort)
    return [
        Cell(service, rest, players, Target(share, at_least=True) if share else None, SNOWCREST)
        for players, targets in ((4, SNOWCREST_OPPONENTS), (2, SNOWCREST_DUELS), (1, SOLO_TARGETS))
        for rest, share in targets.items()
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
        for cell in sets.get(name) or [_parse_cell(name, known, effort)]:
            cells.setdefault(cell.name, cell)
    return list(cells.values())


def _parse_cell(name: str, known: Sequence[Cell], effort: str) -> Cell:
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
    cell = Cell(odd, rest, players, game=game)
    return next((same for same in [*known, *learned_cells()] if same.name == cell.name), cell)


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
