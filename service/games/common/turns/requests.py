"""Read the request bodies of a turn-based game.

A question for a hint contains only what its player can see.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from service.core.game import (
    Chance,
    Choice,
    Decision,
    Event,
    Game,
    LazyChoices,
    Outcome,
    Step,
    TakenDecision,
    follow,
)
from service.core.reviews import PastDecision, PlayedTurns
from service.core.turn_hints import TurnQuestion
from service.core.violations import GAME_OVER, NOTHING_TO_DECIDE, Violation, pointer
from service.core.vocabulary import DEFAULT_DETAIL, DEFAULT_EFFORT
from service.games.common.brief_hints import check_detail
from service.games.common.fields import Document
from service.games.common.turns.script import ActionScript
from service.games.common.validation import INVALID, Violations


class _Seat(Protocol):
    @property
    def player(self) -> str: ...


class _State(Protocol):
    @property
    def players(self) -> tuple[str, ...]: ...


class _Turn(Protocol):
    @property
    def mover(self) -> _Seat: ...

    @property
    def actions(self) -> Sequence[Any]: ...


State = TypeVar("State", bound=_State)
Turn = TypeVar("Turn", bound=_Turn)


class TurnRequests(ABC, Generic[State, Turn, Choice, Outcome, Event]):
    """Reads the bodies of all endpoints but ``new``; a game adds how it reads and hides things.

    The methods take a body with :data:`~service.games.common.validation.INVALID` in place of
    every value that its schema refused, and the violations reported for them.  They raise
    :class:`~service.core.violations.Rejected` with all violations together.

    Attributes:
        game: the rules.
        game_over_ruling: number of the ruling that ends the game.
    """

    game: ClassVar[Game[Any, Any, Any, Any, Any]]
    game_over_ruling: ClassVar[str]

    # What a game has to define --------------------------------------------------------------

    @abstractmethod
    def parse_state(
        self, raw: Any, violations: Violations, *, allow_finished: bool = False
    ) -> State | None:
        """Return the position; None if it has violations."""

    @abstractmethod
    def parse_action(
        self, raw: Any, state: State | None, violations: Violations, at: str
    ) -> Choice | None:
        """Return an action of a turn; None if it has violations."""

    @abstractmethod
    def script(
        self, actions: tuple[Choice, ...], at: str, seed: int | None = None
    ) -> ActionScript[Choice, Outcome]:
        """Return the actions as a script for checked play."""

    @abstractmethod
    def listed_form(self, turn: Turn, action: Choice) -> Choice:
        """Return the action as the list of legal choices spells it."""

    @abstractmethod
    def observed_turn(self, turn: Turn, player: str) -> Turn:
        """Return the turn without the cards that the player cannot see."""

    def has_unknown_cards(self, turn: Turn, player: str) -> bool:
        """Return whether cards that the player knows are unknown in the turn, if that matters."""
        return False

    @abstractmethod
    def count_interruptions(self, turn: Turn) -> int:
        """Return how many draws and decisions of other players the turn has had."""

    @abstractmethod
    def draw_action(self, outcome: Outcome) -> Choice:
        """Return the action that draws a card."""

    @abstractmethod
    def render_action(self, turn: Turn, action: Choice) -> Document:
        """Return an action as it is in JSON."""

    # Endpoints ------------------------------------------------------------------------------

    def parse_legal_moves(
        self, body: Document, shape_violations: list[Violation]
    ) -> tuple[Step[Turn, Event], ActionScript[Choice, Outcome]]:
        """Return the start of the turn and its actions so far."""
        violations = Violations(shape_violations)
        state = self.parse_state(body["state"], violations, allow_finished=True)
        actions = self.parse_actions(body.get("so_far"), state, violations, "/so_far")
        start = self.game.begin(violations.require(state))
        return start, self.script(actions, "/so_far")

    def parse_resolve(
        self, body: Document, shape_violations: list[Violation]
    ) -> tuple[Step[Turn, Event], ActionScript[Choice, Outcome]]:
        """Return the start of the turn and all its actions."""
        violations = Violations(shape_violations)
        state = self.parse_state(body["state"], violations)
        actions = self.parse_actions(body["moves"], state, violations, "/moves")
        start = self.game.begin(violations.require(state))
        return start, self.script(actions, "/moves", body.get("seed"))

    def parse_suggest(
        self, body: Document, shape_violations: list[Violation]
    ) -> TurnQuestion[Turn, Choice]:
        """Return the question; two positions that the player cannot distinguish are equal.

        Raises:
            Rejected: with all violations of the body.
        """
        violations = Violations(shape_violations)
        state = self.parse_state(body["state"], violations)
        player = body["player"]
        if state is not None and player is not INVALID and player not in state.players:
            violations.unknown("/player", "unknown-player", "player", player, state.players)
        check_detail(body, violations)
        so_far = self.parse_actions(body.get("so_far"), state, violations, "/so_far")
        chosen = None
        if "chosen" in body:
            chosen = self.parse_action(body["chosen"], state, violations, "/chosen")
        start = self.game.begin(violations.require(state))
        played: Turn = follow(self.game, start, self.script(so_far, "/so_far")).play
        seen = self.observed_turn(played, player)
        decision = self.game.pending(played)
        if not isinstance(decision, Decision) or player not in decision.choices:
            detail = f"{player} has nothing to decide now."
            if decision is None:
                detail += " The turn is complete: send it to `resolve`."
            elif isinstance(decision, Decision) and body.get("so_far"):
                detail += f" {', '.join(decision.choices)} decides after `so_far`."
            elif isinstance(decision, Decision):
                detail += f" {', '.join(decision.choices)} decides first."
            else:
                detail += f" A draw comes next in `so_far`. {self.remedy(decision, seen)}"
            violations.add("/player", NOTHING_TO_DECIDE, detail)
            return violations.require(None)
        if chosen is None and not decision.choices[player]:
            detail = (
                f"No action of {player} is certain to be legal, because some of its own cards are "
                "unknown. Name them in `state`."
            )
            violations.add("/state", NOTHING_TO_DECIDE, detail)
            return violations.require(None)
        if chosen is not None:
            chosen = self._legal_form(chosen, played, player, decision, violations)
            decision = _including(chosen, decision)
        return TurnQuestion(
            play=seen,
            decision=decision,
            player=player,
            effort=body.get("effort", DEFAULT_EFFORT),
            deadline_ms=body.get("deadline_ms"),
            chosen=chosen,
            detail=body.get("detail", DEFAULT_DETAIL),
            include=frozenset(body.get("include") or ()),
            stated=played if self.has_unknown_cards(played, player) else None,
        )

    def parse_review(
        self, body: Document, shape_violations: list[Violation], check: Callable[[], None]
    ) -> PlayedTurns[Turn, Choice]:
        """Return every decision of the game.

        Args:
            body: of the request.
            shape_violations: reported for it.
            check: called at each step of the replay; may raise an exception to stop it.
        """
        violations = Violations(shape_violations)
        read = self.parse_state(body["state"], violations)
        turns = []
        for number, raw in enumerate(body["turns"] or ()):
            check()
            turns.append(self.parse_actions(raw, read, violations, "/turns" + pointer(number)))
        state = violations.require(read)
        effort = body.get("effort", DEFAULT_EFFORT)
        decisions: list[PastDecision[Turn, Choice]] = []
        for number, actions in enumerate(turns):
            at = "/turns" + pointer(number)
            if self.game.over(state):
                detail = "The game is over before this turn. Remove this turn and those after it."
                violations.add(at, GAME_OVER, detail, self.game_over_ruling)
                return violations.require(None)
            followed = follow(self.game, self.game.begin(state), self.script(actions, at), check)
            followed.require_complete(self.remedy)
            decisions += self._past_decisions(number, followed.decided, effort)
            state = self.game.rest(followed.play)
        return PlayedTurns(
            players=state.players,
            decisions=decisions,
            turns=len(turns),
            chances=self.count_interruptions(followed.play),
            last=followed.play,
            over=self.game.over(state),
            winners=self.game.winners(state),
            effort=effort,
        )

    def parse_actions(
        self, raw: Any, state: State | None, violations: Violations, at: str
    ) -> tuple[Choice, ...]:
        """Return the actions that have no violations."""
        actions = [
            self.parse_action(item, state, violations, at + pointer(index))
            for index, item in enumerate(raw or ())
        ]
        return tuple(action for action in actions if action is not None)

    def remedy(
        self, node: Decision[Choice] | Chance[Outcome], turn: Turn, *, seedable: bool = False
    ) -> str:
        """Return a sentence on what to add to the actions for an open node, with an example.

        Args:
            node: the open decision or draw.
            turn: the turn at the node.
            seedable: whether a seed can replace draws.
        """
        if isinstance(node, Chance):
            outcome, _ = node.outcomes[0]
            example = self._as_json(turn, self.draw_action(outcome))
            seed = ", or send `seed` to let the service draw" if seedable else ""
            return f"Add the card that was drawn, for example {example}{seed}."
        [(player, choices)] = node.choices.items()
        if not choices:
            return f"Add an action of {player}."
        example = self._as_json(turn, choices[0])
        return f"Add an action of {player}, for example {example}. `legal-moves` lists all."

    def _as_json(self, turn: Turn, action: Choice) -> str:
        return json.dumps(self.render_action(turn, action))

    def _legal_form(
        self,
        chosen: Choice,
        turn: Turn,
        player: str,
        decision: Decision[Choice],
        violations: Violations,
    ) -> Choice:
        """Return the player's choice in its listed form; reject it if it is illegal."""
        actor, chosen = self.script((), "").actor_of(chosen, player)
        if actor != player:
            violations.add("/chosen/player", "not-deciding", f"{player} decides now, not {actor}.")
            return violations.require(None)
        listed = self.listed_form(turn, chosen)
        if listed not in decision.choices[player]:
            refusal = self.game.violations_of(turn, player, chosen)
            if refusal:
                violations += [violation.under("/chosen") for violation in refusal]
                return violations.require(None)
        return listed

    def _past_decisions(
        self, number: int, decided: tuple[TakenDecision[Turn, Choice], ...], effort: str
    ) -> Iterator[PastDecision[Turn, Choice]]:
        """Yield the decisions of one turn, each as a question that its player could have asked."""
        for taken in decided:
            [(player, choice)] = taken.choices.items()
            seen, node = self.observed_turn(taken.play, player), taken.node
            chosen = self.listed_form(taken.play, choice)
            yield PastDecision(
                turn=number,
                action=len(taken.play.actions),
                mover=taken.play.mover.player,
                chances=self.count_interruptions(taken.play),
                question=TurnQuestion(
                    play=seen,
                    decision=_including(chosen, node),
                    player=player,
                    effort=effort,
                    deadline_ms=None,
                    chosen=chosen,
                    stated=taken.play if self.has_unknown_cards(taken.play, player) else None,
                ),
            )


def _including(chosen: Choice, node: Decision[Choice]) -> Decision[Choice]:
    """Return the decision with the choice listed, because a game need not list all legal ones."""
    [player] = node.choices

    def list_choices() -> tuple[Choice, ...]:
        choices = node.choices[player]
        return choices if chosen in choices else (*choices, chosen)

    return Decision(node.name, LazyChoices(player, list_choices))
