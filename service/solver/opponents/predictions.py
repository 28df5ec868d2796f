"""Predictions of all styles for one decision.

All styles share one normal form; each valuation of kept cards changes its payoffs only.  The rows
depend on the canonical position and the library, not on names, seats or history.  They can
therefore be cached for all tables.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from service.core.arrays import Floats, Ints
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame, SimultaneousGame
from service.core.styles import WIN_SHARES, Style, StyleLibrary, Valuation
from service.core.violations import OutOfTime
from service.core.vocabulary import EQUILIBRIUM, STANDARD, WIN
from service.solver.budget import WorkMeter
from service.solver.canonical import move_counts, with_any_asker
from service.solver.codec import are_probabilities
from service.solver.normal_forms import NormalForms
from service.solver.opponents.styles.chance import chance
from service.solver.opponents.styles.equilibrium import over_stage_moves
from service.solver.opponents.styles.greedy import greedy
from service.solver.opponents.styles.level_1 import level_1
from service.solver.opponents.styles.level_2 import level_2
from service.solver.opponents.styles.quantal import quantal
from service.solver.opponents.styles.regret_matching import regret_matching
from service.solver.opponents.styles.solver import solver
from service.solver.search.checked_games import stage_game_of
from service.solver.solution import Solution

Rows = NDArray[np.float32]
"""float32[styles, moves], the probability of each move of one player under each style."""

Family = Callable[[NormalForms, float], Floats]
"""Returns float64[games, sum of shape], the strategies of a family with a precision."""

FAMILIES: Final[Mapping[str, Family]] = {
    "chance": chance,
    "greedy": greedy,
    "level-1": level_1,
    "level-2": level_2,
    "quantal": quantal,
    "regret-matching": regret_matching,
    "solver": solver,
}
"""The families that need nothing but payoffs and a precision."""
ALONE: Final[Mapping[str, Family]] = {
    **FAMILIES,
    "level-2": level_1,
    "quantal": level_1,
    "regret-matching": greedy,
    "solver": greedy,
}
"""The same families if only one player has a choice: what the others expect does not matter."""
BLOCK_ENTRIES: Final = 20_000
"""Payoffs of the games that are solved together; more would not fit into a processor's cache."""


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

    def plus(self, added: Predictions) -> Predictions:
        """Return the predictions of these styles and of more styles for the same decision."""
        rows = zip(self.rows, added.rows, strict=True)
        return Predictions([np.concatenate(own) for own in rows])

    def of(self, styles: Sequence[int]) -> Predictions:
        """Return the predictions of some of the styles, by index."""
        return Predictions([own[list(styles)] for own in self.rows])

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
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    added: Sequence[Style] = (),
) -> bytes:
    """Return everything that predictions depend on, except the versions of code and rules."""
    question = canonical.question
    key = game.style_library.version, game.position_key(question), question.decision.name
    return repr((*key, [style.name for style in added]) if added else key).encode()


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
    styles = game.style_library.styles
    by_question = []
    for asked, solution in zip(equilibrium_questions(canonical), solutions, strict=True):
        assert solution.strategies is not None
        own = _rows_of_question(game, asked, styles, solution.strategies, meter)
        by_question.append(own)
    return _by_player(canonical, len(styles), by_question)


def predict_added(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    added: Sequence[Style],
    meter: WorkMeter,
) -> Predictions:
    """Return the predictions of styles that were added at a table; see :func:`predict`."""
    by_question = [
        _rows_of_question(game, asked, added, (), meter)
        for asked in equilibrium_questions(canonical)
    ]
    return _by_player(canonical, len(added), by_question)


def plus_added(
    library: StyleLibrary,
    canonical: CanonicalQuestion[Position, Choice],
    predictions: Predictions,
    predict_added: Callable[[Sequence[Style]], Predictions],
) -> Predictions:
    """Return the predictions of the styles of a library with added ones.

    At later decisions of a round, an added style chooses like the one that it comes from: small
    differences in value hardly matter there.

    Args:
        library: the styles.
        canonical: the decision.
        predictions: of the styles that were not added.
        predict_added: returns those of added styles.
    """
    if not library.added:
        return predictions
    if canonical.question.revealed:
        return predictions.plus(predictions.of(library.origins))
    return predictions.plus(predict_added(library.added))


def _by_player(
    canonical: CanonicalQuestion[Position, Choice],
    styles: int,
    by_question: Sequence[Sequence[Rows]],
) -> Predictions:
    """Return the predictions for all players from those of all questions that were asked."""
    if canonical.mutual:
        return Predictions(by_question[0])
    # The choices of other players are fixed, so each player with a choice has its own game.
    rows = [np.ones((styles, 1), np.float32)] * len(canonical.players)
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
    styles: Sequence[Style],
    strategies: Sequence[Floats],
    meter: WorkMeter,
) -> list[Rows]:
    stage_game = stage_game_of(game, canonical.question, canonical.owners)
    meter.nodes += stage_game.rounds
    hints = over_stage_moves(strategies, stage_game.counts) if strategies else ()
    return style_rows(stage_game, styles, hints, meter)


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
        hints: by player, float64[moves], the strategies of players who follow hints; not used
            without the style ``equilibrium``.
        meter: checks the deadline.

    Raises:
        OutOfTime: if the deadline passed.
    """
    alone = sum(count > 1 for count in stage_game.counts) <= 1
    rows = np.empty((len(styles), sum(stage_game.counts)), np.float32)
    for place, style in enumerate(styles):
        if style.family == EQUILIBRIUM:
            rows[place] = np.concatenate(hints)
    together = max(1, BLOCK_ENTRIES // stage_game.payoffs.size)
    for group in _groups(tuple(styles), alone):
        for first in range(0, len(group.valuations), together):
            meter.check()
            games = valued_games(stage_game, group.valuations[first : first + together])
            for (family, precision), places in group.calls.items():
                rows[places[first : first + together]] = family(games, precision)[:, None]
    ends = np.cumsum(stage_game.counts)[:-1]
    return [np.ascontiguousarray(own) for own in np.split(rows, ends, axis=1)]


@dataclass(frozen=True, slots=True)
class _Group:
    """Valuations for which the same is computed.

    Attributes:
        valuations: what the players count; the shares of the win are alone.
        calls: families with a precision, each with int64[valuations, k], the indices of the styles
            that it predicts.
    """

    valuations: Sequence[Valuation]
    calls: Mapping[tuple[Family, float], Ints]


@lru_cache(maxsize=64)
def _groups(styles: tuple[Style, ...], alone: bool) -> Sequence[_Group]:
    """Return what has to be computed for all styles but the equilibrium.

    Args:
        styles: of a library.
        alone: whether at most one player has a choice.
    """
    families = ALONE if alone else FAMILIES
    by_valuation: dict[Valuation, dict[tuple[Family, float], list[int]]] = {}
    for place, style in enumerate(styles):
        if style.family != EQUILIBRIUM:
            calls = by_valuation.setdefault(style.valuation, {})
            calls.setdefault((families[style.family], style.precision), []).append(place)
    alike: dict[Hashable, list[Valuation]] = {}
    for valuation, calls in by_valuation.items():
        kind = frozenset((call, len(places)) for call, places in calls.items())
        alike.setdefault((valuation == WIN_SHARES, kind), []).append(valuation)
    return [
        _Group(
            valuations,
            {
                call: np.array([by_valuation[own][call] for own in valuations])
                for call in by_valuation[valuations[0]]
            },
        )
        for valuations in alike.values()
    ]


def valued_games(
    stage_game: SimultaneousGame[Choice, Position], valuations: Sequence[Valuation]
) -> NormalForms:
    """Return the games with the payoffs of some valuations.

    Args:
        stage_game: the decision under the objective ``win``.
        valuations: what the players count: spaces and kept items, or the shares of the win alone.
    """
    if WIN_SHARES in valuations:
        [_] = valuations
        payoffs = stage_game.payoffs[None]
    else:
        payoffs = stage_game.heuristic_payoffs(
            [own.values for own in valuations],
            ignore_losses=[own.ignores_losses for own in valuations],
            throughout=True,
        )
    for own, valuation in zip(payoffs, valuations, strict=True):
        if valuation.leads:
            own -= (own.sum(axis=0) - own) / (len(own) - 1)
    return NormalForms(payoffs, np.array(stage_game.counts), np.array(stage_game.symmetry_classes))
