"""Parse the requests of Slopecrashers, collecting all violations."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final

from service.core.violations import Violation
from service.games.common.fields import Document
from service.games.common.turns.requests import TurnRequests
from service.games.common.turns.script import ActionScript
from service.games.common.validation import INVALID, Violations, fully_valid, validate_fields
from service.games.slopecrashers.api.responses import render_action
from service.games.slopecrashers.api.schema import ActionSchema
from service.games.slopecrashers.rules.choices import normalized
from service.games.slopecrashers.rules.course import Piece
from service.games.slopecrashers.rules.gifts import (
    CARD_BY_LABEL,
    GIFT_BY_LABEL,
    UNKNOWN,
    UNKNOWN_LABEL,
    Card,
    Gift,
)
from service.games.slopecrashers.rules.legality import (
    check_names,
    parse_course,
    parse_deck,
    parse_pieces,
    parse_state,
)
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import (
    STEP_DIRECTIONS,
    Action,
    ActionType,
    Seat,
    State,
    draw_action,
    observed,
)
from service.games.slopecrashers.rules.turn import Turn

_TYPES: Final = {action_type.label: action_type for action_type in ActionType}
_DIRECTIONS: Final = {direction.label: direction for direction in STEP_DIRECTIONS}


def parse_new(body: Document, shape_violations: list[Violation]) -> State:
    """Return the state of a new game."""
    violations = Violations(shape_violations)
    check_names(body["seats"], violations, "/seats")
    pieces = parse_pieces(body.get("pieces"), violations, "/pieces")
    deck = parse_deck(body.get("deck"), violations, "/deck")
    if ("course" in body) == ("seed" in body):
        detail = "Send either `course` with the names of pieces, or `seed` for a random course."
        violations.add("", "course-or-seed", detail, "S15")
    names = body.get("course")
    if names is None and pieces is not None and fully_valid(body.get("seed")):
        names = _shuffled(pieces, body.get("seed", 0))
    course = None if names is None else parse_course(names, body, pieces, violations, "")
    if violations or course is None or deck is None:
        return violations.require(None)
    return State(
        seats=tuple(Seat(seat["player"]) for seat in body["seats"]),
        turn=0,
        course=course,
        deck=deck,
        own_pieces=pieces if body.get("pieces") else None,
        own_deck="deck" in body,
    )


def _shuffled(pieces: tuple[Piece, ...], seed: int) -> list[str]:
    """Return the names of all pieces in random order (Fisher-Yates shuffle).

    Uses only ``Random.random``, whose sequence for a seed is the same in all Python versions.
    """
    random = Random(seed)
    names = [piece.name for piece in pieces]
    for last in range(len(names) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        names[last], names[other] = names[other], names[last]
    return names


# Turns ----------------------------------------------------------------------------------------


class TurnScript(ActionScript[Action, Card]):
    """The actions of a turn of Slopecrashers."""

    def actor_of(self, action: Action, decider: str) -> tuple[str, Action]:
        if action.type is ActionType.ANSWER and action.player is None:
            action = replace(action, player=decider)
        return action.player or decider, action

    def restates(self, given: Action, actor: str, answer: Action) -> bool:
        return self.actor_of(given, actor) == (actor, answer)

    def drawn(self, action: Action) -> Card | None:
        return action.card if action.type is ActionType.DRAW else None


class SlopecrashersRequests(TurnRequests[State, Turn, Action, Card, Event]):
    """Reads the bodies of all endpoints but ``new``."""

    game = Slopecrashers()
    game_over_ruling = "S16"

    def parse_state(
        self, raw: Any, violations: Violations, *, allow_finished: bool = False
    ) -> State | None:
        return parse_state(raw, violations, over=allow_finished)

    def parse_action(
        self, raw: Any, state: State | None, violations: Violations, at: str
    ) -> Action | None:
        return parse_action(raw, violations, at)

    def script(self, actions: tuple[Action, ...], at: str, seed: int | None = None) -> TurnScript:
        return TurnScript(actions, at, seed)

    def listed_form(self, turn: Turn, action: Action) -> Action:
        return normalized(turn, action)

    def observed_turn(self, turn: Turn, player: str) -> Turn:
        """Hide the gifts of others, and the gifts that others draw (S15)."""
        actions = turn.actions
        if turn.mover.player != player:
            actions = tuple(
                draw_action(UNKNOWN) if action.type is ActionType.DRAW else action
                for action in actions
            )
        return replace(turn, state=observed(turn.state, player), actions=actions)

    def has_unknown_cards(self, turn: Turn, player: str) -> bool:
        [gifts] = [seat.gifts for seat in turn.state.seats if seat.player == player]
        return UNKNOWN in gifts

    def draw_action(self, outcome: Card) -> Action:
        return draw_action(outcome)

    def render_action(self, turn: Turn, action: Action) -> Document:
        return render_action(action)

    def count_interruptions(self, turn: Turn) -> int:
        draws_and_answers = (ActionType.DRAW, ActionType.ANSWER)
        return sum(action.type in draws_and_answers for action in turn.actions) - turn.forced


# Actions --------------------------------------------------------------------------------------

_FIELDS: Final = ActionSchema.union.fields
_GIFT_FIELDS: Final = {
    Gift.SPRING: frozenset({"direction", "lane"}),
    Gift.SNOWMAN: frozenset({"row", "lane"}),
}
"""Fields of gifts that need more than their name. That the player has no such gift is the first to
say, so the rules require them."""
_OF_SOME_GIFT: Final = frozenset[str]().union(*_GIFT_FIELDS.values())
"""Fields of a play that only some gifts have."""


def parse_action(raw: Any, violations: Violations, at: str) -> Action | None:
    """Return an action; None if it has violations."""
    before = len(violations)
    if raw is not INVALID:
        _validate_fields(raw, violations, at)
    return _action(raw) if len(violations) == before and fully_valid(raw) else None


def _validate_fields(raw: Document, violations: Violations, at: str) -> None:
    """Check which fields an action of this type has."""
    if not fully_valid(raw.get("type", INVALID)) or not fully_valid(raw.get("gift")):
        return
    action_type = _TYPES[raw["type"]]
    required, optional = _FIELDS[raw["type"]]
    gift = raw.get("gift")
    if action_type is ActionType.PLAY:
        of_gift = frozenset[str]() if gift is None else _GIFT_FIELDS.get(GIFT_BY_LABEL[gift])
        optional = optional - _OF_SOME_GIFT | (of_gift or frozenset())
    owner = None if gift is None else f"`{raw['type']}` with the gift `{gift}`"
    validate_fields(raw, required, optional, violations, at, owner=owner)
    if action_type is not ActionType.DRAW and raw.get("card") == UNKNOWN_LABEL:
        violations.add(
            at + "/card",
            "unknown-word",
            "The card becomes visible, so name it instead of `unknown`.",
            "S15",
        )
    if raw.get("magnet") is False and "card" in raw:
        violations.add(
            at + "/card",
            "not-of-this-type",
            "Remove `card`, or set `magnet` to true: an answer without a magnet has no card.",
            "S13",
        )


def _action(raw: Document) -> Action:
    card = raw.get("card")
    action = Action(
        type=_TYPES[raw["type"]],
        direction=_DIRECTIONS[raw["direction"]] if "direction" in raw else None,
        gift=GIFT_BY_LABEL[raw["gift"]] if "gift" in raw else None,
        row=raw.get("row"),
        lane=raw.get("lane"),
        player=raw.get("player"),
        magnet=raw.get("magnet"),
    )
    if card is None:
        return action
    return replace(action, card=UNKNOWN if card == UNKNOWN_LABEL else CARD_BY_LABEL[card])
