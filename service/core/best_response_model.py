"""What a solver needs from a game to compute a best response in one round.

The *asker* is the player who wants a hint.  A *plan* is a choice at each of the asker's decisions
in the round.  A *line* is the same for all other players together; the model draws it from given,
independent strategies.  A line is revealed step by step: nothing before the first decision, its
*first label* before the second decision, its *second label* before the third.  The asker chooses
best at each decision and knows the labels revealed so far.  A solver therefore works on tables of
expected outcomes by plan and labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from service.core.arrays import Bools, Floats, Ints, Ints32, no_numbers
from service.core.game import Choice
from service.core.hints import Position, Question


@dataclass(frozen=True, slots=True)
class OutcomeColumns:
    """The column of each number in an outcome vector.

    Attributes:
        gains: spaces (or points) gained, by player.
        shares: share of the win, by player.
        measures: further numbers defined by the game, by name.
        estimated: probability that the shares are an evaluator's estimate or depend on one.
        mass: probability of the labels of this outcome; all other numbers are weighted by it.
        width: number of columns.
    """

    gains: slice
    shares: slice
    measures: Mapping[str, int]
    estimated: int
    mass: int
    width: int

    def exchanged(self, outcomes: Floats, one: int, other: int) -> Floats:
        """Return float64[..., width], outcomes in which two players have exchanged their roles.

        Args:
            outcomes: float64[..., width].
            one, other: the players.
        """
        exchanged = outcomes.copy()
        for columns in (self.gains, self.shares):
            here, there = columns.start + one, columns.start + other
            exchanged[..., [here, there]] = outcomes[..., [there, here]]
        return exchanged


@dataclass(frozen=True, slots=True)
class Continuation:
    """Expected values after the round.

    Attributes:
        positions: int32[plans * lines], the position reached, as an index into ``values``.
        values: float64[positions, 2 * players + 1]: gains and shares by player, and the
            probability that the shares are estimated.  Rows of finished positions are not read.
    """

    positions: Ints32
    values: Floats


@dataclass(frozen=True, slots=True)
class ReachablePositions:
    """A block of the positions that a round can lead to.

    Attributes:
        indices: int32[joint lines of the block], indices into the distinct positions so far.
        positions: the positions that are new in this block, in the game's representation.
        rounds: int64[positions], :attr:`BestResponseModel.rounds` after each new position, over
            all chance outcomes; 0 if the game is over.
        outcomes: int64[positions], how many outcomes
            :meth:`BestResponseModel.expected_outcomes` adds up there, which determines its
            running time; 0 if the game is over.
    """

    indices: Ints32
    positions: Sequence[Any]
    rounds: Ints
    outcomes: Ints


@dataclass(frozen=True, slots=True)
class OutcomeTables:
    """Expected outcomes, one table for each plan.

    Attributes:
        plans: for each move and each choice at the second decision, the plans that remain for the
            third decision, as indices into ``by_plan``.  Equivalent plans are listed once.
        by_plan: float64[batch, ..., width] each.  The axes in between are one for each other
            player's actor, over the labels that distinguish the plan's outcomes (size 1 where
            none do).
        first_label_starts: for each of these axes, the index of the first second label of each
            first label (see ``numpy.add.reduceat``).
    """

    plans: Sequence[Sequence[Sequence[int]]]
    by_plan: Sequence[Floats]
    first_label_starts: Sequence[Ints]


@dataclass(frozen=True, slots=True)
class PlanTree:
    """The plans of a round.

    Attributes:
        plans: see :class:`OutcomeTables`.
        first_label_starts: see :class:`OutcomeTables`.
    """

    plans: Sequence[Sequence[Sequence[int]]]
    first_label_starts: Sequence[Ints]


@dataclass(frozen=True, slots=True)
class PlanValues:
    """Expected values of plans, by the labels that distinguish them.

    Arrays have an axis for each other player's actor, see :class:`OutcomeTables`.

    Attributes:
        values: by plan, float64[...], weighted by the probability of the labels.
        masses: by plan, float64[...], the probability of the labels.
        estimated: by plan, float64[...], the probability of the labels and that the shares are an
            estimate; empty unless asked for.
    """

    values: Mapping[int, Floats]
    masses: Mapping[int, Floats]
    estimated: Mapping[int, Floats]


class BestResponseModel(Protocol[Choice]):
    """One round from one position, or from a batch that differs in a chance outcome only.

    Members with a body suit a game of one round; its class inherits from this one.
    """

    @property
    def players(self) -> tuple[str, ...]:
        """The players by number."""

    @property
    def asker(self) -> int:
        """Index of the asker in ``players``."""

    @property
    def moves(self) -> tuple[Mapping[str, Choice], ...]:
        """The asker's joint moves at the decision in question, in deck order."""

    @property
    def columns(self) -> OutcomeColumns:
        """The columns of the outcomes of this round."""

    @property
    def batch(self) -> int:
        """Number of positions."""
        return 1

    @property
    def rounds(self) -> int:
        """How many rounds of final choices one call of :meth:`expected_outcomes` resolves."""

    @property
    def joint_lines(self) -> int:
        """Plans times lines: how many combinations :meth:`reachable_positions` enumerates."""

    def expected_outcomes(self, continuation: Continuation | None) -> OutcomeTables:
        """Return the expected outcome of every plan, of this round alone or with later rounds."""

    @property
    def two_steps(self) -> bool:
        """Whether this is a single position for which the following methods are faster.

        They compute the values of this round alone, and then the outcomes of the plans that the
        asker chooses.
        """
        return False

    @property
    def plans(self) -> PlanTree:
        """The plans that :meth:`plan_values` and :meth:`plan_outcomes` know."""
        raise LookupError("only with two steps")

    def plan_values(self, weights: Floats, on_shares: bool, plans: Sequence[int]) -> PlanValues:
        """Return the values of some plans.

        Args:
            weights: float64[width], the objective as a linear function of an outcome: either of
                the gains or of the asker's share.
            on_shares: whether to return the probability of an estimate, too.
            plans: ascending.
        """
        raise LookupError("only with two steps")

    def plan_outcomes(self, taken: Sequence[Bools | None]) -> Floats:
        """Return float64[plans, width], the expected outcome of each plan where it is taken.

        Args:
            taken: for each plan, whether it is taken, by the labels that distinguish its
                outcomes; None if always.
        """
        raise LookupError("only with two steps")

    def plan_parts(self, taken: Sequence[Bools | None], *, merged: bool) -> Floats:
        """Return float64[plans, parts], what each plan gains and loses where it is taken.

        Only for a single position; see :meth:`~.simultaneous.SimultaneousGame.parts`.

        Args:
            taken: see :meth:`plan_outcomes`, for the plans of :attr:`plans` or for those of
                :meth:`expected_outcomes` with continuation values.
            merged: whether for those of :attr:`plans`, which merge equivalent plans.
        """
        return no_numbers(len(taken))

    def reachable_positions(self) -> Iterator[ReachablePositions]:
        """Yield all positions that a round from a single position can lead to, in blocks."""
        return iter(())

    def next_round(self, position: Any) -> tuple[Floats, BestResponseModel[Choice]] | None:
        """Return the model of the next round over all chance outcomes before it.

        Returns:
            float64[batch] probabilities and the model; None if the game is over.
        """
        return None


class BestResponseGame(Protocol[Position, Choice]):
    """A game in rounds that provides best-response models."""

    @property
    def evaluator(self) -> str:
        """Version of the evaluator that estimates the shares of unfinished positions."""

    def best_response_model(
        self, question: Question[Position, Choice]
    ) -> BestResponseModel[Choice]:
        """Return the round in question, with the other players' strategies as given there."""
