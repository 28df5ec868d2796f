"""What a solver needs from a turn-based game: one turn as a tree of decisions and chance.

A turn is a sequence of actions of one player, the *asker*.  Draws interrupt it, the *events*, and
*attacks*, which other players may answer.  The positions that the asker can reach before the next
event or attack form a *reach*; there the turn ends or goes on with one of these.  The game itself
evaluates the end of a turn, after the turns of the other players.  If cards are hidden, it
does so in several *determinizations*: sampled deals of the hidden cards.

The game defines nodes, ends and events.  Equal ones are equal as dictionary keys.  Shares are
shares of the win, by player in the order of :attr:`TurnTree.players`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from service.core.advice import UNKNOWN
from service.core.arrays import Floats, Ints
from service.core.game import Choice, Game, Play
from service.core.turn_budgets import TurnBudget
from service.core.turn_hints import Bounds, CanonicalTurn, TurnQuestion

Choice_contra = TypeVar("Choice_contra", contravariant=True)
Node: TypeAlias = Hashable
OTHERS: Final = "others"
"""Part of an estimate: everything that concerns the other players."""
NEXT_TURN: Final = "next-turn"
"""Part of an estimate: the asker's next turn, and that nobody may go first before it, see
:class:`Waiting`."""
RESULT: Final = "result"
"""Part of a value: finished games."""


# The tree --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Reach:
    """What the asker can reach from a node before the next event.

    Attributes:
        ends: positions in which the turn is over, the most promising for the asker first.
        events: positions in which chance decides, in the same order.
        positions: number of positions searched.
        cut: whether ends, events or attacks were left out.
        actions: the number of actions before each end, then each event and each attack; empty if
            unknown.
        attacks: positions in which other players answer, in the same order.  They have outcomes as
            events have, but do not count as events.
        assumed: whether others are assumed to play in some way before or here, so that nothing is
            proven.
    """

    ends: Sequence[Node]
    events: Sequence[Node]
    positions: int
    cut: bool
    actions: Sequence[int] = ()
    attacks: Sequence[Node] = ()
    assumed: bool = False


class Outcomes(NamedTuple):
    """What follows an event or attack.

    Attributes:
        nodes: probabilities, which sum to 1, and the nodes after the outcomes.
        positions: number of positions searched to find them.
        all: whether nothing else can follow.
    """

    nodes: Sequence[tuple[float, Node]]
    positions: int = 0
    all: bool = False


@dataclass(frozen=True, slots=True)
class Replies:
    """The decision of another player during the asker's turn.

    Attributes:
        seat: index of the player in ``TurnTree.players``.
        nodes: after each choice.
    """

    seat: int
    nodes: Sequence[Node]


class Waiting(NamedTuple):
    """What bounds the value of the end of a turn from above if every player could wait.

    If each player expected another one to make progress first, all would wait, and the game would
    not end. So waiting is worth at most what the asker gets by going first.

    Attributes:
        first: the best progress if the asker plays once more before all others: one end, or one
            event after which no other player can be asked to go first.  None if another player has
            to go first by the game's order.
        passes: whether the asker leaves everything as it was before the turn; then going first is
            one of its choices, and limited itself.
        spends: whether the asker has fewer cards than before the turn, and made no progress.
    """

    first: Reach | None
    passes: bool
    spends: bool


@dataclass(frozen=True, slots=True)
class SimilarNode:
    """A choice that is valued like another one, up to a difference that needs no search.

    Attributes:
        node: the node after the other choice.
        shares: by player, the share of this choice minus that of the other one, as estimated by
            the game.
        positions: the positions after the other choice and after this one, as if the turn ended
            there; their estimated shares differ by ``shares``.
    """

    node: Node
    shares: tuple[float, ...]
    positions: tuple[Node, Node]


@dataclass(frozen=True, slots=True)
class EndValue:
    """The value of the end of a turn, after the other players' turns.

    Attributes:
        shares: float64[rows, players]: one row for each determinization of a sample, all equally
            likely; a single row if all deals were evaluated or nothing is hidden.
        determinizations: number of deals of the hidden cards.
        positions: number of positions searched.
        forced: if the asker wins whatever the others do, the number of turns up to then; if it
            cannot avoid a loss, minus this number; 0 if the value is an estimate.
        bounds: see :data:`Bounds`.
    """

    shares: Floats
    determinizations: int
    positions: int
    forced: int = 0
    bounds: Bounds = UNKNOWN


@dataclass(frozen=True, slots=True)
class Leaves:
    """The positions in which the ends of turns are evaluated.

    The features of a position are the sum of the terms of its parts; a function of the features
    estimates the asker's share, see :meth:`TurnTree.estimate`.

    Attributes:
        ends: int64[leaves], the index of the end that each leaf belongs to.
        probabilities: float64[leaves], given the end.
        results: float64[leaves], the asker's share if the game is over, otherwise NaN.
        terms: float64[leaves, parts, features], in the order of :attr:`TurnGame.parts`; anything
            if the game is over.
    """

    ends: Ints
    probabilities: Floats
    results: Floats
    terms: Floats


Check: TypeAlias = Callable[[int], None]
"""Takes the number of positions that a method has searched so far; raises to stop it."""


class TurnTree(Protocol[Choice_contra]):
    """One decision of a turn, as the deciding player sees it.

    ``reach``, ``outcomes`` and ``evaluate_end`` depend only on their arguments, the asker and the
    effort, so that the decisions of one plan share their results.
    """

    @property
    def players(self) -> tuple[str, ...]:
        """The players by number: the columns of all values of this decision."""

    @property
    def asker(self) -> int:
        """Index of the asker in ``players``."""

    @property
    def looks_ahead(self) -> bool:
        """Whether the turns of other players can follow; if not, an end is only estimated."""

    def watch(self, check: Check) -> None:
        """Call a function during :meth:`reach` and :meth:`outcomes` if they may take long."""

    def after(self, choice: Choice_contra) -> Node | SimilarNode:
        """Return the node after a choice, or the node that it resembles."""

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        """Return at most so many ends, and events and attacks, reachable from a node.

        The reach of an event or attack is itself.
        """

    def outcomes(self, event: Node, most: int) -> Outcomes:
        """Return the outcomes of an event or attack, or a sample of about ``most``."""

    def replies(self, node: Node) -> Replies | None:
        """Return the replies to an attack if another player decides at the node, else None."""

    def cut_off(self, node: Node) -> Node:
        """Return the end that stands for a node which is searched no further."""

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        """Return the value of an end after ``rounds`` rounds of the other players' turns.

        Args:
            end: of the turn.
            rounds: of the other players.
            determinizations: about how many deals of the hidden cards to evaluate.
        """

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        """Return the leaves of ends that :meth:`evaluate_end` has evaluated, or of positions of
        a :class:`SimilarNode`.

        The mean of the leaves' results and estimates is the asker's share of the end.
        """

    def estimate(self, features: Floats) -> Floats:
        """Return the asker's shares, float64[n], for features, float64[n, features]."""

    def preference(self, end: Node) -> Sequence[float]:
        """Return what makes an end better than another one of equal value, most important first.

        Larger numbers are better; the number of actions counts after all of them, but before them
        if the asker wins by force.
        """

    def waiting(self, end: Node) -> Waiting | None:
        """Return what an end is worth at most; None in games whose turns make progress."""


class ErrorModel(NamedTuple):
    """How wrong the values of a game's search are, measured by ``scripts/research/errors.py``.

    Attributes:
        deal_variance: usual variance of a share s between deals of the hidden cards, as a part of
            s (1 - s).
        share: bound for the error of a share s for other reasons than hidden cards that holds in
            nine of ten positions, as a part of √(s (1 - s)).
        difference: the same for the difference between a share and the best one, s.
    """

    deal_variance: float
    share: float
    difference: float


class TurnGame(Protocol[Play, Choice]):
    """A turn-based game."""

    @property
    def rules(self) -> Game[Any, Play, Choice, Any, Any]:
        """The rules."""

    @property
    def evaluator(self) -> str:
        """Version of the evaluator that estimates shares."""

    @property
    def budgets(self) -> Mapping[str, TurnBudget]:
        """The work budget of each effort."""

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the parts of an estimate, see :class:`Leaves`."""

    def error_model(self, question: TurnQuestion[Play, Choice]) -> ErrorModel:
        """Return how wrong the values of a decision are, see :class:`ErrorModel`."""

    def tree(self, question: TurnQuestion[Play, Choice]) -> TurnTree[Choice]:
        """Return the search tree of the decision in question."""

    def canonical(self, question: TurnQuestion[Play, Choice]) -> CanonicalTurn[Play, Choice] | None:
        """Return the canonical form of a question; None if that is the question itself."""

    def assumes(self, question: TurnQuestion[Play, Choice], choice: Choice) -> bool:
        """Return whether a choice names a card of the asker that the question calls unknown."""

    def position_key(self, question: TurnQuestion[Play, Choice]) -> bytes:
        """Return everything that the search depends on except the effort, without names."""
