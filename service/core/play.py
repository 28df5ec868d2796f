"""What the service needs of a game, and checked play, written once for all games.

A game is played in *rounds* (everybody chooses at once) or *turns* (one player acts, others
answer).  Either is a play: a chain of chance events and decisions that leads from one resting
state to the next.  Who decides is the key set of a decision; nothing tells simultaneous from
turn-based play but the number of those keys.

Terms are OpenSpiel's (Lanctot et al. 2019, arXiv:1908.09453): state, chance outcome, legal
choices, simultaneous node.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

from service.core.faults import Fault, Rejected

State = TypeVar("State")
Play = TypeVar("Play")
Choice = TypeVar("Choice")
Outcome = TypeVar("Outcome")
Event = TypeVar("Event")

Choice_co = TypeVar("Choice_co", covariant=True)
Outcome_co = TypeVar("Outcome_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Decision(Generic[Choice]):
    """Somebody has to choose; several at once choose without seeing each other.

    Attributes:
        name: the game's word for this decision.
        choices: for each who has to decide, all legal choices, in the game's order.
    """

    name: str
    choices: Mapping[str, tuple[Choice, ...]]


@dataclass(frozen=True, slots=True)
class Chance(Generic[Outcome]):
    """Something is drawn or rolled.

    Attributes:
        name: the game's word for this draw.
        outcomes: every distinct outcome with its probability; they sum to 1.
    """

    name: str
    outcomes: tuple[tuple[Outcome, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Step(Generic[Play, Event]):
    """A play after one node, and the frozen record of what happened there."""

    play: Play
    events: tuple[Event, ...] = ()


class Game(Protocol[State, Play, Choice, Outcome, Event]):
    """The rules of one game.  ``choose`` and ``draw`` are unchecked and pure."""

    @property
    def name(self) -> str: ...

    def begin(self, state: State) -> Play:
        """The play that leads on from a resting state, before its first node."""

    def pending(self, play: Play) -> Decision[Choice] | Chance[Outcome] | None:
        """What has to happen next; None once the round or turn is complete."""

    def choose(self, play: Play, choices: Mapping[str, Choice]) -> Step[Play, Event]:
        """Applies a legal choice of everybody who has to decide."""

    def draw(self, play: Play, outcome: Outcome) -> Step[Play, Event]:
        """Applies a possible outcome of the pending chance event."""

    def rest(self, play: Play) -> State:
        """The resting state that a complete play leads to."""

    def winners(self, state: State) -> tuple[str, ...]:
        """The players who have won; empty while the game goes on."""

    def refusal(self, play: Play, actor: str, choice: Choice) -> tuple[Fault, ...]:
        """The rules that the choice breaks; paths are relative to the actor's choice."""


class Script(Protocol[Choice_co, Outcome_co]):
    """What a caller says about a play: choices and draws, as far as they are told."""

    def choices(self, node: Decision[Any], index: int) -> Mapping[str, Choice_co]:
        """The choices told for the ``index``-th node; whoever is left out has not chosen."""

    def outcome(self, node: Chance[Any], index: int) -> Outcome_co | None:
        """The outcome told for the ``index``-th node, or None."""

    def where(self, index: int, actor: str | None) -> str:
        """JSON pointer to what is told there, or to where it would have to stand."""


@dataclass(frozen=True, slots=True)
class Followed(Generic[Play, Choice, Outcome, Event]):
    """How far a script leads.

    Attributes:
        play: the play at the first node that the script leaves open, else the complete play.
        open: that node, with those alone who still have to choose; None if complete.
        index: how many nodes were passed.
        events: the record so far.
    """

    play: Play
    open: Decision[Choice] | Chance[Outcome] | None
    index: int
    events: tuple[Event, ...]

    def require_complete(self, script: Script[Choice, Outcome]) -> None:
        """Raises :class:`Rejected` naming whatever is still open."""
        if isinstance(self.open, Chance):
            detail = f"The {self.open.name} is due here and is not told."
            raise Rejected([Fault(script.where(self.index, None), "open-draw", detail)])
        if self.open is not None:
            detail = f"The decision {self.open.name} is due here and is not told."
            raise Rejected(
                Fault(script.where(self.index, actor), "open-decision", detail)
                for actor in self.open.choices
            )


def follow(
    game: Game[State, Play, Choice, Outcome, Event],
    play: Play,
    script: Script[Choice, Outcome],
) -> Followed[Play, Choice, Outcome, Event]:
    """Plays what a script tells, checking every choice and draw, to the first open node.

    Raises:
        Rejected: with everything wrong at the first node where something is.
    """
    events: tuple[Event, ...] = ()
    for index in count():
        node = game.pending(play)
        if node is None:
            break
        if isinstance(node, Chance):
            outcome = script.outcome(node, index)
            if outcome is None:
                return Followed(play, node, index, events)
            if all(outcome != possible for possible, _ in node.outcomes):
                detail = f"This cannot come of the {node.name}."
                raise Rejected([Fault(script.where(index, None), "impossible-draw", detail)])
            step = game.draw(play, outcome)
        else:
            told = script.choices(node, index)
            faults = tuple(_refusals(game, play, node, script, index))
            if faults:
                raise Rejected(faults)
            silent = {actor: legal for actor, legal in node.choices.items() if actor not in told}
            if silent:
                return Followed(play, Decision(node.name, silent), index, events)
            step = game.choose(play, told)
        play = step.play
        events += step.events
    return Followed(play, None, index, events)


def _refusals(
    game: Game[State, Play, Choice, Outcome, Event],
    play: Play,
    node: Decision[Choice],
    script: Script[Choice, Outcome],
    index: int,
) -> Iterator[Fault]:
    for actor, choice in script.choices(node, index).items():
        at = script.where(index, actor)
        if actor not in node.choices:
            detail = f"{actor} has nothing to decide here; the decision is {node.name}."
            yield Fault(at, "not-deciding", detail)
        elif choice not in node.choices[actor]:
            # A choice may break no rule by itself and still be none of this decision.
            detail = f"This is not a choice of the decision {node.name}."
            reasons = game.refusal(play, actor, choice) or (Fault("", "not-a-choice", detail),)
            for fault in reasons:
                yield fault.under(at)
