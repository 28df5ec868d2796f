"""What a solver needs of turn-based play: one player's turn as a tree of decisions and chance.

A turn is a chain of atoms by one player, broken by *events* that the asker does not decide:
something is drawn, or another player answers by what only that player can see.  Between two events
everything the player can come to is a *reach*; from there the turn ends, or an event is met.  After
the end of the turn the others play, which a game settles by itself: how a position stands once they
have had their turns, in several *worlds* where something is hidden.

Nodes, ends and events are the game's own; equal ones are equal as keys of a dictionary.  Shares are
of the win, by player in the order of :attr:`TurnTree.players`.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeAlias, TypeVar

from service.core.best_response_model import Array
from service.core.game import Choice, Decision

Play = TypeVar("Play")
Choice_contra = TypeVar("Choice_contra", contravariant=True)
Node: TypeAlias = Hashable


@dataclass(frozen=True, slots=True)
class TurnQuestion(Generic[Play, Choice]):
    """A legal question for a hint in a turn.

    Attributes:
        play: the turn as far as it is told, as the asker sees it.
        decision: what has to be decided now.
        player: who asks, and decides.
        tier: how much work may be done.
        deadline_ms: milliseconds from receipt after which the search stops early, if any.
        chosen: what the asker chose, to be graded, if given.
    """

    play: Play
    decision: Decision[Choice]
    player: str
    effort: str
    deadline_ms: int | None
    chosen: Choice | None


@dataclass(frozen=True, slots=True)
class Breadth:
    """How much of a turn is followed.

    Attributes:
        ends: of each node, by how many events lie before it.
        events: likewise; beyond the last number none are.
        worlds: in how many ways hidden cards are dealt.
        outcomes: of an event, where a game takes a sample of more than that.
    """

    ends: Sequence[int]
    events: Sequence[int]
    determinizations: int
    outcomes: int = 1000


@dataclass(frozen=True, slots=True)
class TurnBudget:
    """How much work a tier is.

    Attributes:
        breadths: the narrowest first; all choices are valued by the widest that can be afforded.
        rounds: of the others' turns, after the end of one's own.
        positions: that may be looked at, but for the narrowest.
    """

    breadths: Sequence[Breadth]
    rounds: int
    positions: int


@dataclass(frozen=True, slots=True)
class Reach:
    """What a node can come to without chance.

    Attributes:
        ends: positions in which the turn is over, the most promising for the asker first.
        events: likewise those in which chance or somebody else decides.
        positions: how many were looked at.
        cut: whether there are more than these.
    """

    ends: Sequence[Node]
    events: Sequence[Node]
    positions: int
    cut: bool


@dataclass(frozen=True, slots=True)
class SimilarNode:
    """A choice that comes to the same as another one but for what needs no search.

    Attributes:
        node: where the other one leads.
        shares: by player, what this one is better than it, by the game's own estimate.
    """

    node: Node
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class EndValue:
    """How a position stands after the others' turns.

    Attributes:
        shares: float64[rows, players]: in each world of a sample, all equally likely; a single row
            if every deal was looked at, or nothing is hidden.
        worlds: in how many ways hidden cards were dealt.
        positions: how many were looked at.
        waits: whether the asker waits for others though it is the asker who has to go first, by
            the game's own order; if everybody waited, the game would not end.
    """

    shares: Array
    determinizations: int
    positions: int
    waits: bool = False


class TurnTree(Protocol[Choice_contra]):
    """One decision of a turn, seen by the player who has it."""

    @property
    def players(self) -> tuple[str, ...]: ...

    @property
    def asker(self) -> int:
        """Index of the asker among ``players``."""

    def after(self, choice: Choice_contra) -> Node | SimilarNode:
        """Where a choice leads, or which node that is like."""

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        """What can be come to from there, so many at most; of an event, nothing but itself."""

    def outcomes(self, event: Node, most: int) -> Sequence[tuple[float, Node]]:
        """What an event may come to, or about so many of that, with probabilities that sum to 1."""

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        """How an end stands after the others' turns; hidden cards dealt in about so many ways."""


class TurnGame(Protocol[Play, Choice]):
    """A game that is played in turns."""

    @property
    def evaluator(self) -> str:
        """Version of the evaluator that shares come from."""

    @property
    def budgets(self) -> Mapping[str, TurnBudget]:
        """How much work each tier is."""

    def tree(self, question: TurnQuestion[Play, Choice]) -> TurnTree[Choice]:
        """The decision in question."""

    def position_key(self, question: TurnQuestion[Play, Choice]) -> bytes:
        """All that a search of the decision depends on but for the tier; no names are in it."""


@dataclass(frozen=True, slots=True)
class ChoiceValue(Generic[Choice]):
    """What a choice is worth to the asker, in win shares.

    Attributes:
        value: as printed.
        loss: the best value minus this one.
        error: the standard error that hidden cards, being sampled, leave in the value.
        shares: of all players, as printed.
    """

    choice: Choice
    value: float
    loss: float
    error: float
    shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class TurnHint(Generic[Choice]):
    """The answer to a question.

    Attributes:
        choices: every legal one, the best first.
        grade: what was chosen and its class, if something was.
        outlook: the share of each player, the best being chosen; they sum to 1.
        method: the algorithm.
        rounds: how many rounds of the others' turns were looked ahead.
        worlds: in how many ways hidden cards were dealt.
        exact: nothing of the stated values was estimated, cut or sampled.
        complete: False if the deadline stopped the search.
        resolved: positions looked at.
    """

    choices: Sequence[ChoiceValue[Choice]]
    grade: tuple[ChoiceValue[Choice], str] | None
    win_shares: Mapping[str, float]
    method: str
    rounds: int
    determinizations: int
    exact: bool
    complete: bool
    nodes: int
