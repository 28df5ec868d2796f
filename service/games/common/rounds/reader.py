"""What the requests of a game in rounds need to know of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from service.core.game import Choice, Decision, Event, Game, Outcome, Play, Step, follow
from service.core.hints import Weights
from service.games.common.fields import Document
from service.games.common.rounds.script import RoundScript
from service.games.common.validation import Violations


class _State(Protocol):
    @property
    def players(self) -> tuple[str, ...]: ...


State = TypeVar("State", bound=_State)
State_co = TypeVar("State_co", bound=_State, covariant=True)


class ParsedPosition(Protocol[State_co]):
    """The valid parts of a position; the rest of a body is checked against them."""

    @property
    def state(self) -> State_co | None:
        """The position if all of it is legal."""

    @property
    def owners(self) -> Mapping[str, Any]:
        """The player of each actor, as far as they are valid."""

    @property
    def players(self) -> frozenset[str] | None:
        """All players; None if a name is not valid."""


Parsed = TypeVar("Parsed", bound=ParsedPosition[Any])


class RoundReader(ABC, Generic[Parsed, State, Play, Choice, Outcome, Event]):
    """How a game reads positions and moves, and how its rounds begin.

    Attributes:
        game: the rules.
        example_move: a move that is always legal, for messages.
    """

    game: ClassVar[Game[Any, Any, Any, Any, Any]]
    example_move: ClassVar[str]

    # What a game has to define --------------------------------------------------------------

    @abstractmethod
    def read_position(
        self, raw: Any, violations: Violations, at: str = "/state", *, over: bool = False
    ) -> Parsed:
        """Return the valid parts of a position; a finished game is a violation unless ``over``."""

    @abstractmethod
    def read_moves(
        self,
        raw: Any,
        position: Parsed,
        violations: Violations,
        at: str,
        *,
        every_seat: bool,
    ) -> Mapping[str, Choice]:
        """Return the well-formed moves by actor, and report what is wrong with all."""

    @abstractmethod
    def as_parsed(self, state: State) -> Parsed:
        """Return the parsed form of a legal position."""

    # What a game may define -----------------------------------------------------------------

    def owners(self, state: State) -> Mapping[str, str]:
        """Return the player of each actor, in the order of the position."""
        return {player: player for player in state.players}

    def rename(self, state: State, actors: Mapping[str, str], players: Mapping[str, str]) -> State:
        """Return a position with other names of actors and players, in the order of the actors.

        Only for :class:`~service.games.common.rounds.one_round.OneRoundGame`.
        """
        raise NotImplementedError

    def part(self, move: Choice, decision: str) -> Choice | None:
        """Return what a move chooses up to a decision; None if nothing is chosen there."""
        return move

    def begin(self, state: State, *, drawn: bool) -> Step[Play, Event]:
        """Return a round: before the chance event if it is ``drawn``, else after it."""
        return self.game.begin(state)

    def read_drawn(
        self, document: Document, position: Parsed, violations: Violations, at: str
    ) -> Outcome | None:
        """Return the chance outcome of a body or a played round, if there is one."""
        return None

    def read_past_drawn(
        self, document: Document, position: Parsed, violations: Violations, at: str
    ) -> Any:
        """Return the chance outcome of a played round: () if there is none, None if invalid."""
        return ()

    def require_complete(
        self,
        moves: Mapping[str, Choice],
        position: Parsed,
        violations: Violations,
        at: str,
    ) -> None:
        """Report every decision that the moves leave open."""

    def read_weights(
        self,
        raw: Any,
        position: Parsed,
        player: Any,
        violations: Violations,
        at: str,
    ) -> Weights[Choice]:
        """Return given distributions over the first choice of other players' actors."""
        return {}

    def not_a_choice(self, decision: str) -> str:
        """Return what is wrong with a move that is legal by itself, but not at a decision."""
        return (
            f"The move is not legal at the {decision} decision; `legal-moves` lists the legal ones."
        )

    def decides_value(self, decision: Decision[Choice]) -> bool:
        """Return whether a later decision of a round values a position, not the evaluator."""
        return bool(decision.choices)

    def grown(self, state: State, drawn: Outcome) -> State:
        """Return the position after the chance event of a round."""
        return state

    # What follows from that -----------------------------------------------------------------

    def script(
        self, moves: Mapping[str, Choice], at: str, drawn: Outcome | None = None, round_at: str = ""
    ) -> RoundScript[Choice, Outcome]:
        """Return the moves of a round as a script for checked play."""
        return RoundScript(moves, drawn, at, round_at + "/dice", self.part)

    def decision_after(self, state: State, revealed: Mapping[str, Choice]) -> Decision[Choice]:
        """Return the decision that follows the revealed moves."""
        start = self.begin(state, drawn=False)
        node = follow(self.game, start, self.script(revealed, "/revealed")).open
        return node if isinstance(node, Decision) else Decision("none", {})

    def deciding(self, state: State, decision: Decision[Choice], player: str) -> tuple[str, ...]:
        """Return the actors of a player who take part in a decision."""
        owners = self.owners(state)
        return tuple(
            actor for actor in owners if owners[actor] == player and actor in decision.choices
        )
