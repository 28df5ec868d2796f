"""Parse the requests of Snowcrest, collecting all violations."""

from __future__ import annotations

from typing import Any, Final

from service.core.frozen import replace
from service.core.violations import Violation, pointer
from service.games.common.fields import Document
from service.games.common.turns.requests import TurnRequests
from service.games.common.turns.script import ActionScript
from service.games.common.validation import Violations, fully_valid, validate_fields_by_type
from service.games.snowcrest.api.responses import render_action
from service.games.snowcrest.api.schema import ACTION_FIELDS
from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    UNKNOWN_ID,
    Card,
    Catalogue,
    GainKind,
    PenaltyItem,
)
from service.games.snowcrest.rules.actions import Action, ActionType, Payment, Returned, draw_action
from service.games.snowcrest.rules.choice_violations import normalized
from service.games.snowcrest.rules.legality import (
    check_setup,
    parse_amounts,
    parse_state,
)
from service.games.snowcrest.rules.own_catalogue import parse_own_catalogue
from service.games.snowcrest.rules.payments.resources import (
    BUILDING_BY_LABEL,
    RESOURCE_BY_LABEL,
    Building,
)
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import State, observed
from service.games.snowcrest.rules.turn import Turn

_TYPES: Final = {action_type.label: action_type for action_type in ActionType}
_ITEMS: Final = {item.label: item for item in PenaltyItem}
_GAIN_KINDS: Final = {kind.label: kind for kind in GainKind}


def parse_new(body: Document, shape_violations: list[Violation]) -> State:
    """Return the state of a new game."""
    violations = Violations(shape_violations)
    catalogue = parse_own_catalogue(body, violations, "")
    check_setup(body, catalogue, violations)
    if violations:
        return violations.require(None)
    return set_up(
        [seat["player"] for seat in body["seats"]],
        body["seed"],
        starter_variant=body.get("starter_variant", False),
        difficulty=body.get("difficulty", 1),
        catalogue=catalogue if "catalogue" in body else None,
        decks=[seat.get("deck") for seat in body["seats"]],
    )


# Turns ----------------------------------------------------------------------------------------


class TurnScript(ActionScript[Action, Card]):
    """The actions of a turn of Snowcrest."""

    def actor_of(self, action: Action, decider: str) -> tuple[str, Action]:
        return action.player or decider, action

    def restates(self, given: Action, actor: str, answer: Action) -> bool:
        return given.player in (None, actor) and normalized(replace(given, player=None)) == answer

    def drawn(self, action: Action) -> Card | None:
        return action.card if action.type is ActionType.DRAW else None


class SnowcrestRequests(TurnRequests[State, Turn, Action, Card, Event]):
    """Reads the bodies of all endpoints but ``new``."""

    game = Snowcrest()
    game_over_ruling = "C9"

    def parse_state(
        self, raw: Any, violations: Violations, *, allow_finished: bool = False
    ) -> State | None:
        return parse_state(raw, violations, over=allow_finished)

    def parse_action(
        self, raw: Any, state: State | None, violations: Violations, at: str
    ) -> Action | None:
        return parse_action(raw, state, violations, at)

    def script(self, actions: tuple[Action, ...], at: str, seed: int | None = None) -> TurnScript:
        return TurnScript(actions, at, seed)

    def listed_form(self, turn: Turn, action: Action) -> Action:
        return normalized(replace(action, player=None))

    def observed_turn(self, turn: Turn, player: str) -> Turn:
        """Hide the hands of others, and the cards that others draw to the hand (C12)."""
        deck, actions = turn.state.catalogue.deck, turn.actions
        if turn.mover.player != player:
            actions = tuple(
                replace(action, card=UNKNOWN)
                if action.type is ActionType.DRAW and action.card in deck
                else action
                for action in actions
            )
        return replace(turn, state=observed(turn.state, player), actions=actions)

    def draw_action(self, outcome: Card) -> Action:
        return draw_action(outcome)

    def render_action(self, turn: Turn, action: Action) -> Document:
        return render_action(action, turn.state.catalogue)

    def count_interruptions(self, turn: Turn) -> int:
        mover = turn.actions[0].player if turn.actions else None
        return sum(
            action.type is ActionType.DRAW or action.player != mover for action in turn.actions
        )


# Actions --------------------------------------------------------------------------------------


def parse_action(raw: Any, state: State | None, violations: Violations, at: str) -> Action | None:
    """Return an action; None if it has violations.

    Names of cards and players are validated only if the state is valid, because it defines them.
    """
    before = len(violations)
    validate_fields_by_type(raw, ACTION_FIELDS, violations, at)
    if state is None or len(violations) > before or not fully_valid(raw):
        return None
    _validate_names(raw, state, violations, at)
    return _action(raw, state.catalogue) if len(violations) == before else None


def _validate_names(raw: Document, state: State, violations: Violations, at: str) -> None:
    """Check the names of cards and players in an action."""
    hand = raw.get("payment", {}).get("hand", ())
    named = [
        *(("/card", raw[name]) for name in ("card",) if name in raw),
        *((pointer("cards", place), name) for place, name in enumerate(raw.get("cards", ()))),
        *((pointer("payment", "hand", place), name) for place, name in enumerate(hand)),
    ]
    for place, name in named:
        if name == UNKNOWN_ID and raw["type"] == ActionType.DRAW.label:
            continue
        if name == UNKNOWN_ID:
            detail = "The card becomes visible, so name it instead of `unknown`."
            violations.add(at + place, "unknown-word", detail, "C12")
        elif name not in state.catalogue.card_by_id:
            known = state.catalogue.card_by_id
            violations.unknown(at + place, "unknown-card", "card", name, known, "C1")
        elif raw["type"] != ActionType.DRAW.label and _is_spirit(state, name):
            violations.add(
                at + place, "wrong-place", f"{name} is not a villager. Choose a villager.", "C1"
            )
    if raw.get("owner", state.players[0]) not in state.players:
        known_players = state.players
        violations.unknown(at + "/owner", "unknown-player", "player", raw["owner"], known_players)


def _is_spirit(state: State, name: str) -> bool:
    return state.catalogue.card_by_id[name] >= len(state.catalogue.villagers)


def _action(raw: Document, catalogue: Catalogue) -> Action:
    def card(name: str) -> Card:
        return UNKNOWN if name == UNKNOWN_ID else catalogue.card_by_id[name]

    returned = raw.get("returned")
    return Action(
        type=_TYPES[raw["type"]],
        player=raw.get("player"),
        card=card(raw["card"]) if "card" in raw else None,
        cell=raw.get("cell"),
        owner=raw.get("owner"),
        payment=_payment(raw["payment"], catalogue) if "payment" in raw else None,
        cards=tuple(map(card, raw["cards"])) if "cards" in raw else None,
        item=_ITEMS[raw["item"]] if "item" in raw else None,
        settles=_ITEMS[raw["settles"]] if "settles" in raw else None,
        resource=RESOURCE_BY_LABEL[raw["resource"]] if "resource" in raw else None,
        building=BUILDING_BY_LABEL[raw["building"]] if "building" in raw else None,
        spent=raw.get("spent"),
        returned=(
            Returned(BUILDING_BY_LABEL[returned["building"]], returned["spent"])
            if returned
            else None
        ),
        give=_GAIN_KINDS[raw["give"]] if "give" in raw else None,
        get=_GAIN_KINDS[raw["get"]] if "get" in raw else None,
    )


def _payment(raw: Document, catalogue: Catalogue) -> Payment:
    buildings = raw.get("buildings", {})
    farms, forges, temples = (buildings.get(kind.label, 0) for kind in Building)
    return Payment(
        tokens=parse_amounts(raw.get("tokens", {})),
        buildings=(farms, forges, temples),
        hand=tuple(catalogue.card_by_id[name] for name in raw.get("hand", ())),
        cells=tuple(raw.get("village", ())),
    )
