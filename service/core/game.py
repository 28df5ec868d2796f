"""What the service needs of a game, and checked play, written once for all games.

A game is played in *rounds* (everybody chooses at once) or *turns* (one player acts, others
answer).  Either is a play: a chain of chance events and decisions that leads from one resting
state to the next.  Simultaneous and turn-based play differ in nothing but how many a decision
asks.

Terms are OpenSpiel's (Lanctot et al. 2019, arXiv:1908.09453): state, chance outcome, legal
choices, simultaneous node.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, Protocol, TypeVar

from service.core.violations import Rejected, Violation

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
        choices: for each who has to decide, the legal choices, in the game's order; see
            :meth:`Game.refusal` where not all are listed.
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

    def begin(self, state: State) -> Step[Play, Event]:
        """The play that leads on from a resting state, before its first node.

        Its events are what happens before anybody decides or draws, such as a turn passed over.
        """

    def pending(self, play: Play) -> Decision[Choice] | Chance[Outcome] | None:
        """What has to happen next; None once the round or turn is complete.

        A turn that leaves nothing to choose or to draw is complete from its beginning.
        """

    def choose(self, play: Play, choices: Mapping[str, Choice]) -> Step[Play, Event]:
        """Applies a legal choice of everybody who has to decide."""

    def draw(self, play: Play, outcome: Outcome) -> Step[Play, Event]:
        """Applies a possible outcome of the pending chance event."""

    def rest(self, play: Play) -> State:
        """The resting state that a complete play leads to."""

    def over(self, state: State) -> bool:
        """Whether the game has ended, with winners or without."""

    def winners(self, state: State) -> tuple[str, ...]:
        """The players who have won; empty while the game goes on."""

    def violations_of(self, play: Play, actor: str | None, told: Any) -> tuple[Violation, ...]:
        """Why what is told is illegal, where the pending node does not list it.

        Empty if it is legal all the same: a node may list only some of what is legal, such as
        the payments that no other one dominates, or the outcomes that can really be drawn but
        not the one that nobody saw.  ``actor`` is None for a draw; paths are relative to what
        is told.
        """


class Script(Protocol[Choice_co, Outcome_co]):
    """What a caller says about a play: choices and draws, as far as they are told.

    It is asked once for each node, in the order in which they come, and may keep its place; so
    a list of atoms can be followed whose draws are made from a seed instead of being told.
    """

    def choices(self, node: Decision[Any]) -> Mapping[str, Choice_co]:
        """The choices told for the node; whoever is left out has not chosen."""

    def outcome(self, node: Chance[Any]) -> Outcome_co | None:
        """The outcome told for the node, or drawn for it; None if neither."""

    def path_of(self, actor: str | None) -> str:
        """JSON pointer to what is told for the node asked last, or to where it had to stand."""

    def surplus(self) -> tuple[Violation, ...]:
        """What is told beyond the end of the play, once that is reached."""


@dataclass(frozen=True, slots=True)
class TakenDecision(Generic[Play, Choice]):
    """A decision that was taken on the way.

    Attributes:
        play: as it stood there.
        node: the decision.
        choices: what each chose.
        nodes_before: how many nodes of the play came before.
    """

    play: Play
    node: Decision[Choice]
    choices: Mapping[str, Choice]
    nodes_before: int


@dataclass(frozen=True, slots=True)
class FollowResult(Generic[Play, Choice, Outcome, Event]):
    """How far a script leads.

    Attributes:
        play: the play at the first node that the script leaves open, else the complete play.
        open: that node, with those alone who still have to choose; None if complete.
        missing: where what is open had to be told.
        events: the record so far.
        decided: the decisions taken so far, in order.
    """

    play: Play
    open: Decision[Choice] | Chance[Outcome] | None
    missing: tuple[str, ...]
    events: tuple[Event, ...]
    decided: tuple[TakenDecision[Play, Choice], ...] = ()

    def require_complete(self) -> None:
        """Raises :class:`Rejected` naming whatever is still open."""
        if self.open is None:
            return
        kind = "draw" if isinstance(self.open, Chance) else "decision"
        detail = f"The {kind} {self.open.name} is due here and is not told."
        raise Rejected(Violation(at, f"open-{kind}", detail) for at in self.missing)


def follow(
    game: Game[State, Play, Choice, Outcome, Event],
    start: Step[Play, Event],
    script: Script[Choice, Outcome],
) -> FollowResult[Play, Choice, Outcome, Event]:
    """Plays what a script tells, checking every choice and draw, to the first open node.

    Raises:
        Rejected: with everything wrong at the first node where something is, or with what is
            told beyond the end.
    """
    play, events = start.play, start.events
    decided: list[TakenDecision[Play, Choice]] = []
    passed = 0
    while (node := game.pending(play)) is not None:
        if isinstance(node, Chance):
            outcome = script.outcome(node)
            at = script.path_of(None)
            if outcome is None:
                return FollowResult(play, node, (at,), events, tuple(decided))
            if all(outcome != possible for possible, _ in node.outcomes):
                _reject(fault.under(at) for fault in game.violations_of(play, None, outcome))
            step = game.draw(play, outcome)
        else:
            told = script.choices(node)
            _reject(_refusals(game, play, node, told, script))
            silent = {actor: legal for actor, legal in node.choices.items() if actor not in told}
            if silent:
                missing = tuple(script.path_of(actor) for actor in silent)
                left = Decision(node.name, silent)
                return FollowResult(play, left, missing, events, tuple(decided))
            step = game.choose(play, told)
            decided.append(TakenDecision(play, node, told, passed))
        play = step.play
        events += step.events
        passed += 1
    _reject(script.surplus())
    return FollowResult(play, None, (), events, tuple(decided))


def _refusals(
    game: Game[State, Play, Choice, Outcome, Event],
    play: Play,
    node: Decision[Choice],
    told: Mapping[str, Choice],
    script: Script[Choice, Outcome],
) -> Iterator[Violation]:
    for actor, choice in told.items():
        at = script.path_of(actor)
        if actor not in node.choices:
            detail = f"{actor} has nothing to decide here; the decision is {node.name}."
            yield Violation(at, "not-deciding", detail)
        elif choice not in node.choices[actor]:
            for fault in game.violations_of(play, actor, choice):
                yield fault.under(at)


def _reject(faults: Iterable[Violation]) -> None:
    found = tuple(faults)
    if found:
        raise Rejected(found)
