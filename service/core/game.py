"""The rules of a game as the service needs them, and checked play for all games.

A game is played in *rounds* (all players choose at once) or *turns* (one player acts, others
answer).  A *play* is one round or turn in progress: a sequence of chance events and decisions that
leads from one resting state to the next.  Simultaneous and turn-based play differ only in the
number of players that a decision asks.

Terms follow OpenSpiel (Lanctot et al. 2019, arXiv:1908.09453): state, chance outcome, legal
choices, simultaneous node.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, Generic, Protocol, TypeAlias, TypeVar

from service.core.violations import Rejected, Violation

MAX_EVENTS: Final = 2_000
"""Events of a round or turn. Usual ones have fewer than 100; cards that a request brings can chain
thousands."""

State = TypeVar("State")
Play = TypeVar("Play")
Choice = TypeVar("Choice")
Outcome = TypeVar("Outcome")
Event = TypeVar("Event")

Forced: TypeAlias = tuple[tuple[str, Any], ...]
"""Answers without an alternative, each with its actor; see :class:`Step`."""

Choice_co = TypeVar("Choice_co", covariant=True)
Outcome_co = TypeVar("Outcome_co", covariant=True)


class LazyChoices(Mapping[str, tuple[Choice, ...]]):
    """The legal choices of one actor, listed when they are read for the first time.

    A game uses it where the list is expensive: play is checked without it, see :func:`follow`.

    Args:
        actor: the deciding actor.
        list_choices: returns the actor's choices.
    """

    def __init__(self, actor: str, list_choices: Callable[[], tuple[Choice, ...]]) -> None:
        self._actor, self._list_choices = actor, list_choices
        self._listed: tuple[Choice, ...] | None = None

    def __getitem__(self, actor: str) -> tuple[Choice, ...]:
        if actor != self._actor:
            raise KeyError(actor)
        if self._listed is None:
            self._listed = self._list_choices()
        return self._listed

    def __contains__(self, actor: object) -> bool:
        return actor == self._actor

    def __iter__(self) -> Iterator[str]:
        yield self._actor

    def __len__(self) -> int:
        return 1

    def __repr__(self) -> str:
        return repr(dict(self))


@dataclass(frozen=True, slots=True)
class Decision(Generic[Choice]):
    """A node at which one or more actors choose, simultaneously and without seeing each other.

    Attributes:
        name: the game's name for this decision.
        choices: for each deciding actor its legal choices, in the game's order.  Some games do
            not list all of them, see :meth:`Game.violations_of`, or list them only on demand.
    """

    name: str
    choices: Mapping[str, tuple[Choice, ...]]


@dataclass(frozen=True, slots=True)
class Chance(Generic[Outcome]):
    """A chance event: a draw or a roll of dice.

    Attributes:
        name: the game's name for this event.
        outcomes: every distinct outcome with its probability; the probabilities sum to 1.
    """

    name: str
    outcomes: tuple[tuple[Outcome, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Step(Generic[Play, Event]):
    """A play after one node, and what happened there.

    Attributes:
        play: the play.
        events: the events.
        forced: answers that the rules gave for an actor because nothing else was possible, with
            the actor, in order.  A script may state them too.
    """

    play: Play
    events: tuple[Event, ...] = ()
    forced: Forced = ()


class Game(Protocol[State, Play, Choice, Outcome, Event]):
    """The rules of one game.  ``choose`` and ``draw`` are pure and do not check legality."""

    @property
    def name(self) -> str:
        """The game's name in addresses of the API, for example ``snow-time``."""

    def begin(self, state: State) -> Step[Play, Event]:
        """Start the next round or turn.

        Returns:
            The play before its first node, and events that precede it, such as a skipped turn.
        """

    def pending(self, play: Play) -> Decision[Choice] | Chance[Outcome] | None:
        """Return the next node; None if the round or turn is complete.

        A turn without any choice or draw is complete from the start.
        """

    def choose(self, play: Play, choices: Mapping[str, Choice]) -> Step[Play, Event]:
        """Apply a legal choice of every deciding actor."""

    def draw(self, play: Play, outcome: Outcome) -> Step[Play, Event]:
        """Apply a possible outcome of the pending chance event."""

    def rest(self, play: Play) -> State:
        """Return the resting state after a complete play."""

    def over(self, state: State) -> bool:
        """Return whether the game has ended, with or without winners."""

    def winners(self, state: State) -> tuple[str, ...]:
        """Return the players who have won; empty while the game continues."""

    def violations_of(self, play: Play, actor: str | None, choice: Any) -> tuple[Violation, ...]:
        """Return why a choice or outcome that the pending node does not list is illegal.

        The result is empty if it is legal: a node may list only some legal choices, such as some
        hundreds of payments, or only the outcomes that can really be drawn, without the unknown
        one.  A game with :class:`LazyChoices` also judges the choices that the node lists.  The
        result is never empty for an actor who does not decide.

        Args:
            play: at the pending node.
            actor: who chooses, or whose forced answer is contradicted; None for a chance outcome.
            choice: the choice or outcome; paths of violations are relative to it.
        """


class Script(Protocol[Choice_co, Outcome_co]):
    """The choices and chance outcomes of a play that a caller gives.

    :func:`follow` asks it once for each node, in order.  It may therefore keep an index: a list of
    actions can omit draws that are made from a seed.
    """

    def pass_forced(self, node: Decision[Any] | Chance[Any] | None, forced: Forced) -> None:
        """Move past the answers that the caller gives although the rules gave them already.

        Args:
            node: the next node; what answers it is not passed.
            forced: see :class:`Step`.
        """

    def choices(self, node: Decision[Any]) -> Mapping[str, Choice_co]:
        """Return the given choices of a node; actors without a choice are missing."""

    def outcome(self, node: Chance[Any]) -> Outcome_co | None:
        """Return the given or drawn outcome of a node; None if there is none."""

    def path_of(self, actor: str | None) -> str:
        """Return a JSON pointer to the input for the current node, whether present or missing.

        Args:
            actor: whose choice; None for a chance outcome.
        """

    def surplus(self) -> tuple[Violation, ...]:
        """Return violations for the input that remains after the end of the play."""


@dataclass(frozen=True, slots=True)
class TakenDecision(Generic[Play, Choice]):
    """A decision of a followed play.

    Attributes:
        play: at this decision.
        node: the decision.
        choices: by actor.
    """

    play: Play
    node: Decision[Choice]
    choices: Mapping[str, Choice]


@dataclass(frozen=True, slots=True)
class FollowResult(Generic[Play, Choice, Outcome, Event]):
    """How far a script leads.

    Attributes:
        play: at the first node that the script leaves open, or complete.
        open: that node, reduced to the actors without a choice; None if the play is complete.
        missing: JSON pointers to the missing input of the open node.
        events: all events so far.
        decided: the decisions taken so far, in order.
    """

    play: Play
    open: Decision[Choice] | Chance[Outcome] | None
    missing: tuple[str, ...]
    events: tuple[Event, ...]
    decided: tuple[TakenDecision[Play, Choice], ...] = ()

    def require_complete(
        self, remedy: Callable[[Decision[Choice] | Chance[Outcome], Play], str] | None = None
    ) -> None:
        """Require that nothing is open.

        Args:
            remedy: returns a sentence on what to add for the open node of a play.

        Raises:
            Rejected: with the open node.
        """
        if self.open is None:
            return
        kind = "draw" if isinstance(self.open, Chance) else "decision"
        detail = f"The {kind} `{self.open.name}` is missing here."
        if remedy is not None:
            detail += f" {remedy(self.open, self.play)}"
        raise Rejected(Violation(at, f"open-{kind}", detail) for at in self.missing)


def follow(
    game: Game[State, Play, Choice, Outcome, Event],
    start: Step[Play, Event],
    script: Script[Choice, Outcome],
    check: Callable[[], None] = lambda: None,
) -> FollowResult[Play, Choice, Outcome, Event]:
    """Play a script up to its first open node, with a check of every choice and outcome.

    Args:
        game: the rules.
        start: the play before its first node.
        script: the choices and outcomes.
        check: called before each node; raises an exception to stop, for example at a deadline.

    Raises:
        Rejected: with all violations of the first illegal node, with the surplus input, or if the
            play has more than :data:`MAX_EVENTS` events.
    """
    play, events = start.play, start.events
    decided: list[TakenDecision[Play, Choice]] = []
    step = start
    while True:
        node = game.pending(play)
        if step.forced:
            script.pass_forced(node, step.forced)
        if node is None:
            break
        check()
        if isinstance(node, Chance):
            outcome = script.outcome(node)
            at = script.path_of(None)
            if outcome is None:
                return FollowResult(play, node, (at,), events, tuple(decided))
            if all(outcome != possible for possible, _ in node.outcomes):
                _reject(
                    violation.under(at) for violation in game.violations_of(play, None, outcome)
                )
            step = game.draw(play, outcome)
        else:
            choices = script.choices(node)
            _reject(_violations_at(game, step, node, choices, script))
            undecided = {
                actor: node.choices[actor] for actor in node.choices if actor not in choices
            }
            if undecided:
                missing = tuple(script.path_of(actor) for actor in undecided)
                open_node = Decision(node.name, undecided)
                return FollowResult(play, open_node, missing, events, tuple(decided))
            step = game.choose(play, choices)
            decided.append(TakenDecision(play, node, choices))
        play = step.play
        events += step.events
        if len(events) > MAX_EVENTS:
            _reject([_too_long(script.path_of(None))])
    _reject(script.surplus())
    return FollowResult(play, None, (), events, tuple(decided))


def _too_long(at: str) -> Violation:
    detail = (
        f"More than {MAX_EVENTS} events have happened up to here. Send cards that give less, so "
        "that fewer others follow."
    )
    return Violation(at, "turn-too-long", detail)


def _violations_at(
    game: Game[State, Play, Choice, Outcome, Event],
    step: Step[Play, Event],
    node: Decision[Choice],
    choices: Mapping[str, Choice],
    script: Script[Choice, Outcome],
) -> Iterator[Violation]:
    for actor, choice in choices.items():
        at = script.path_of(actor)
        forced = dict(step.forced)
        if actor not in node.choices and actor not in forced:
            deciders = ", ".join(node.choices)
            detail = (
                f"{actor} does not decide here: the {node.name} decision of {deciders} is open."
            )
            yield Violation(at, "not-deciding", detail)
        elif isinstance(node.choices, LazyChoices) or choice not in node.choices.get(actor, ()):
            for violation in game.violations_of(step.play, actor, choice):
                yield violation.under(at)


def _reject(violations: Iterable[Violation]) -> None:
    violations = tuple(violations)
    if violations:
        raise Rejected(violations)
