"""Predictions of all styles for one decision.

All styles share one normal form; each valuation of kept cards changes its payoffs only.  The rows
depend on the canonical position and the library, not on names, seats or history.  They can
therefore be cached for all tables.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame, SimultaneousGame
from service.core.styles import WIN_SHARES, Style, Valuation
from service.core.violations import OutOfTime
from service.core.vocabulary import EQUILIBRIUM, STANDARD, WIN
from service.solver.budget import WorkMeter
from service.solver.canonical import move_counts, with_any_asker
from service.solver.codec import are_probabilities
from service.solver.normal_form import NormalForm
from service.solver.opponents.styles.chance import chance
from service.solver.opponents.styles.equilibrium import over_stage_moves
from service.solver.opponents.styles.greedy import greedy
from service.solver.opponents.styles.level_1 import level_1
from service.solver.opponents.styles.level_2 import level_2
from service.solver.opponents.styles.quantal import quantal
from service.solver.opponents.styles.regret_matching import regret_matching
from service.solver.opponents.styles.solver import solve_all, solver
from service.solver.solution import Solution

Rows = NDArray[np.float32]
"""float32[styles, moves], the probability of each move of one player under each style."""

FAMILIES: Final[Mapping[str, Callable[[NormalForm, float], Floats]]] = {
    "chance": chance,
    "greedy": greedy,
    "level-1": level_1,
    "level-2": level_2,
    "quantal": quantal,
    "regret-matching": regret_matching,
    "solver": solver,
}
"""The families that need nothing but payoffs and a precision."""
ALONE: Final[Mapping[str, Callable[[NormalForm, float], Floats]]] = {
    **FAMILIES,
    "level-2": level_1,
    "quantal": level_1,
    "regret-matching": greedy,
    "solver": greedy,
}
"""The same families if only one player has a choice: what the others expect does not matter."""


@dataclass(frozen=True, slots=True)
class Predictions:
    """How each player chooses under each style.

    Attributes:
        rows: by number of the player in canonical order, see :data:`Rows`; moves in the order of
            :func:`~service.solver.opponents.fixed_models.joint_moves`.
    """

    method: ClassVar[str] = "predictions"
    complete: ClassVar[bool] = True
    epsilon: ClassVar[None] = None
    nodes: ClassVar[int] = 0

    rows: Sequence[Rows]

    def pack(self) -> bytes:
        """Return the rows as bytes, bit for bit; :func:`unpack` needs their shapes."""
        return b"".join(own.astype("<f4").tobytes() for own in self.rows)


def unpack(packed: bytes, styles: int, counts: Sequence[int]) -> Predictions:
    """Return the predictions that :meth:`Predictions.pack` packed.

    Args:
        packed: the bytes.
        styles: number of styles.
        counts: number of moves of each player, in canonical order.

    Raises:
        ValueError: if the bytes do not have these shapes, or are not probabilities.
    """
    numbers = np.frombuffer(packed, "<f4").astype(np.float32)
    if len(numbers) != styles * sum(counts):
        raise ValueError("the bytes are not predictions of this decision")
    ends = np.cumsum([styles * count for count in counts])[:-1]
    rows = [own.reshape(styles, -1) for own in np.split(numbers, ends)]
    if not all(are_probabilities(own) for own in rows):
        raise ValueError("the bytes are not probabilities")
    return Predictions(rows)


def prediction_key(
    game: RoundGame[Position, Choice], canonical: CanonicalQuestion[Position, Choice]
) -> bytes:
    """Return everything that predictions depend on, except the versions of code and rules."""
    question = canonical.question
    key = game.style_library.version, game.position_key(question), question.decision.name
    return repr(key).encode()


def equilibrium_questions(
    canonical: CanonicalQuestion[Position, Choice],
) -> list[CanonicalQuestion[Position, Choice]]:
    """Return the questions whose solutions :func:`predict` needs.

    If the solution depends on the asker, there is one for each player with a choice.
    """
    question = replace(
        canonical.question,
        objective=WIN,
        model=EQUILIBRIUM,
        effort=STANDARD,
        depth=1,
        weights={},
    )
    if canonical.mutual:
        return [with_any_asker(replace(canonical, question=question))]
    return [
        replace(canonical, question=_asked_by(question, canonical.owners, str(player)))
        for player in _choosers(canonical)
    ]


def predict(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    solutions: Sequence[Solution],
    meter: WorkMeter,
) -> Predictions:
    """Return the predictions of all styles of the game's library.

    Args:
        game: the game.
        canonical: the decision; objective, model, effort and depth are ignored.
        solutions: of :func:`equilibrium_questions`, in their order.
        meter: counts the work and checks the deadline.

    Raises:
        OutOfTime: if the deadline passed, or if a solution is not complete.
    """
    if not all(solution.complete for solution in solutions):
        raise OutOfTime
    by_question = [
        _rows_of_question(game, own, solution, meter)
        for own, solution in zip(equilibrium_questions(canonical), solutions, strict=True)
    ]
    if canonical.mutual:
        return Predictions(by_question[0])
    # The choices of other players are fixed, so each player with a choice has its own game.
    no_choice = np.ones((len(game.style_library.styles), 1), np.float32)
    rows = [no_choice] * len(canonical.players)
    for player, own_rows in zip(_choosers(canonical), by_question, strict=True):
        rows[player] = own_rows[player]
    return Predictions(rows)


def _choosers(canonical: CanonicalQuestion[Position, Choice]) -> list[int]:
    """Return the players with more than one move."""
    return [player for player, count in enumerate(move_counts(canonical)) if count > 1]


def _asked_by(
    question: Question[Position, Choice], owners: Mapping[str, str], player: str
) -> Question[Position, Choice]:
    actors = [actor for actor in question.decision.choices if owners[actor] == player]
    return replace(question, player=player, actors=tuple(actors))


def _rows_of_question(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    solution: Solution,
    meter: WorkMeter,
) -> list[Rows]:
    stage_game = game.stage_game(canonical.question)
    meter.nodes += stage_game.rounds
    assert solution.strategies is not None
    hints = over_stage_moves(solution.strategies, stage_game.counts)
    return style_rows(stage_game, game.style_library.styles, hints, meter)


def style_rows(
    stage_game: SimultaneousGame[Choice, Position],
    styles: Sequence[Style],
    hints: Sequence[Floats],
    meter: WorkMeter,
) -> list[Rows]:
    """Return the rows of each player of a decision.

    Args:
        stage_game: the decision under the objective ``win``.
        styles: of the library.
        hints: by player, float64[moves], the strategies of players who follow hints.
        meter: checks the deadline.

    Raises:
        OutOfTime: if the deadline passed.
    """
    alone = sum(count > 1 for count in stage_game.counts) <= 1
    games: dict[Valuation, NormalForm] = {}
    strategies: dict[Style, Floats] = {}
    for family, precision, valuations, members in _calls(tuple(styles), alone):
        for valuation in valuations:
            if valuation not in games:
                meter.check()
                games[valuation] = valued_game(stage_game, valuation)
        # Games of one shape are solved together, which saves most of the time of small ones.
        own_games = [games[valuation] for valuation in valuations]
        solved = (
            solve_all(own_games)
            if family is solver
            else [family(game, precision) for game in own_games]
        )
        for style, place in members:
            strategies[style] = solved[place]
    followed = np.concatenate(hints)
    by_style = [strategies.get(style, followed) for style in styles]
    together = np.stack(by_style).astype(np.float32)
    ends = np.cumsum(stage_game.counts)[:-1]
    return [np.ascontiguousarray(own) for own in np.split(together, ends, axis=1)]


_Call = tuple[
    Callable[[NormalForm, float], Floats], float, Sequence[Valuation], Sequence[tuple[Style, int]]
]
"""A family and a precision, the valuations of its games, and the styles with their game."""


@lru_cache(maxsize=8)
def _calls(styles: tuple[Style, ...], alone: bool) -> Sequence[_Call]:
    """Return the distinct calls of families that give the strategies of some styles.

    Args:
        styles: of a library.
        alone: whether at most one player has a choice.
    """
    families = ALONE if alone else FAMILIES
    by_family: dict[tuple[Callable[[NormalForm, float], Floats], float], list[Style]] = {}
    for style in styles:
        if style.family in families:
            by_family.setdefault((families[style.family], style.precision), []).append(style)
    calls = []
    for (family, precision), members in by_family.items():
        valuations = list(dict.fromkeys(style.valuation for style in members))
        places = [(style, valuations.index(style.valuation)) for style in members]
        calls.append((family, precision, valuations, places))
    return calls


def valued_game(stage_game: SimultaneousGame[Choice, Position], valuation: Valuation) -> NormalForm:
    """Return the normal form with the payoffs of a valuation.

    Args:
        stage_game: the decision under the objective ``win``.
        valuation: what the players count.
    """
    payoffs = stage_game.payoffs
    if valuation != WIN_SHARES:
        payoffs = stage_game.heuristic_payoffs(
            valuation.values, ignore_losses=valuation.ignores_losses, throughout=True
        )
    if valuation.leads:
        total = payoffs.sum(axis=0)
        payoffs = payoffs - (total - payoffs) / (len(payoffs) - 1)
    return NormalForm(payoffs, np.array(stage_game.counts), np.array(stage_game.symmetry_classes))
