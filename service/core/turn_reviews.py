"""A game in turns that was played, and what a review says of it.

What a player does is judged by what that player could see, so every decision is a question for a
hint with its answer already known (:class:`~service.core.sequential.TurnQuestion`).  Between two
decisions of a player the share of the win that it may expect moves without its doing: by what was
drawn and answered, or by what the others did.  Backgammon's analysts call the one skill and the
other luck; in shares of the win both add up to how the game went.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from service.core.game import Choice
from service.core.sequential import Play, TurnQuestion


@dataclass(frozen=True, slots=True)
class PastDecision(Generic[Play, Choice]):
    """A decision with more than one choice.

    Attributes:
        turn: which turn of the game, from 0.
        atom: how many atoms of it, draws and answers included, came before.
        mover: whose turn it was.
        chances: how many draws and decisions of others came before in that turn.
        question: what had to be decided, as its player saw it; ``chosen`` is what was.
    """

    turn: int
    action: int
    mover: str
    chances: int
    question: TurnQuestion[Play, Choice]


@dataclass(frozen=True, slots=True)
class PlayedTurns(Generic[Play, Choice]):
    """A legal stretch of a game.

    Attributes:
        players: in the order of seats.
        decisions: in the order in which they were taken.
        turns: how many there were.
        chances: how many draws and decisions of others there were in the last one.
        last: the last turn, complete.
        over: whether the game has ended.
        winners: none while the game goes on, or if nobody has won.
        tier: how much work each decision is worth.
        deadline_ms: milliseconds from receipt after which no more decisions are judged.
    """

    players: tuple[str, ...]
    decisions: Sequence[PastDecision[Play, Choice]]
    turns: int
    chances: int
    last: Play
    over: bool
    winners: tuple[str, ...]
    effort: str
    deadline_ms: int


@dataclass(frozen=True, slots=True)
class Luck:
    """What came to a player between two decisions.

    Attributes:
        source: ``draws`` if the player was in the same turn and something was drawn or answered,
            ``others`` if others had turns, ``search`` if nothing happened but that the search
            looked again from nearer.
        share: of the win, gained.
    """

    source: str
    share: float


@dataclass(frozen=True, slots=True)
class JudgedDecision(Generic[Play, Choice]):
    """A decision and how good it was, in shares of the win as printed.

    Attributes:
        past: the decision.
        best: what would have been best.
        best_value: the share of whoever decides best.
        value: the share of what was chosen.
        loss: the one minus the other.
        class_: the loss as a class.
        luck: since the player's decision before; None at the first.
    """

    past: PastDecision[Play, Choice]
    best: Choice
    best_value: float
    value: float
    loss: float
    class_: str
    luck: Luck | None


@dataclass(frozen=True, slots=True)
class Account:
    """A player's game in shares of the win: start - loss + all luck = end.

    Attributes:
        classes: how many decisions were of each class.
        loss: given away by decisions.
        luck: by source.
        start: what the first decision began with; None if there was none.
        end: the share won if the game is over, else what the last decision led to.
    """

    classes: Mapping[str, int]
    loss: float
    luck: Mapping[str, float]
    start: float | None
    end: float | None


@dataclass(frozen=True, slots=True)
class TurnsReview(Generic[Play, Choice]):
    """What a review says.

    Attributes:
        decisions: all, or the first ones if time was short.
        accounts: by player.
        method: of the search.
        complete: whether it is all.
        resolved: positions looked at.
    """

    decisions: Sequence[JudgedDecision[Play, Choice]]
    accounts: Mapping[str, Account]
    method: str
    complete: bool
    nodes: int
