"""What a solver needs of simultaneous play: one round on packed arrays, seen by one asker.

A *plan* is everything the asker may do in the round: a choice at each of its own decisions.  A
*line* is the same for everybody else together, drawn from given, independent strategies.  What a
line reveals grows from decision to decision: nothing before the first, its first *label* before
the second, its second label before the third.  The asker chooses best at each of its decisions,
knowing the labels so far, so a solver folds a table of expected outcomes by plan and labels.

Arrays are NumPy's; this package stays free of it and calls them :data:`Array`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

from service.core.game import Choice
from service.core.hints import Position, Question

Array: TypeAlias = Any


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """Where each number of an outcome stands.

    Attributes:
        gains: spaces (or points) gained, by player.
        shares: share of the win, by player.
        measures: further numbers of the game's own, by name.
        estimated: the probability that the shares are an evaluator's estimate or owe to one.
        mass: the probability of what the outcome is told apart by; every other number is
            weighted by it.
    """

    gains: slice
    shares: slice
    measures: Mapping[str, int]
    estimated: int
    mass: int
    width: int


@dataclass(frozen=True, slots=True)
class Continuation:
    """What is expected after the round.

    Attributes:
        positions: int32[plans * lines], the position reached, an index into ``values``.
        values: float64[positions, 2 * players + 1], gains and shares by player, and the
            probability that the shares are estimated; rows of finished positions are not read.
    """

    positions: Array
    values: Array


@dataclass(frozen=True, slots=True)
class ReachablePositions:
    """Some of the positions that a round can lead to.

    Attributes:
        indices: int32[some joint lines] into the distinct positions found so far.
        positions: those not found before, in the game's own form.
        rounds: int64[positions], :attr:`BestResponseModel.rounds` after each, over all chance
            outcomes; 0 where the game is over.
        outcomes: int64[positions], the outcomes that :meth:`BestResponseModel.expect` will weigh
            there, which take its time; 0 where the game is over.
    """

    indices: Array
    positions: Sequence[Any]
    rounds: Array
    outcomes: Array


@dataclass(frozen=True, slots=True)
class OutcomeTables:
    """Expected outcomes, one table a plan.

    Attributes:
        plans: for each move, for each way to go on at the second decision, the plans that are
            left to the third, as indices into ``by_plan``; equivalent ones stand once.
        by_plan: float64[batch, ..., width] each; between them one axis for each of the others,
            the labels the plan's outcome is told apart by (sizes 1 where it is not).
        first_label_starts: for each of the others, where each first label begins among the
            second labels (see ``numpy.add.reduceat``).
    """

    plans: Sequence[Sequence[Sequence[int]]]
    by_plan: Sequence[Array]
    first_label_starts: Sequence[Array]


class BestResponseModel(Protocol[Choice]):
    """One round from one position, or from a batch that differs by a chance outcome only."""

    @property
    def players(self) -> tuple[str, ...]: ...

    @property
    def asker(self) -> int:
        """Index of the asker among ``players``."""

    @property
    def moves(self) -> tuple[Mapping[str, Choice], ...]:
        """The asker's joint moves at the decision in question, in deck order."""

    @property
    def columns(self) -> OutcomeColumns: ...

    @property
    def batch(self) -> int: ...

    @property
    def rounds(self) -> int:
        """How many rounds of final choices one call of :meth:`expect` resolves."""

    @property
    def joint_lines(self) -> int:
        """Plans times lines: the size of what :meth:`reach` enumerates."""

    def expected_outcomes(self, beyond: Continuation | None) -> OutcomeTables:
        """The expected outcome of every plan, this round alone or with what follows."""

    def reachable_positions(self) -> Iterator[ReachablePositions]:
        """Every position that a round from a single position can lead to, in blocks."""

    def next_round(self, position: Any) -> tuple[Array, BestResponseModel[Choice]] | None:
        """Chance outcomes before the next round: float64[batch] probabilities and the stage
        over all of them; None where the game is over.
        """


class BestResponseGame(Protocol[Position, Choice]):
    """A game that is played in rounds of simultaneous choices."""

    @property
    def evaluator(self) -> str:
        """Version of the evaluator that the shares of unfinished positions come from."""

    def best_response_model(
        self, question: Question[Position, Choice]
    ) -> BestResponseModel[Choice]:
        """The round in question, the others playing as the question says."""
