"""Compact notation for states, actions and turns in the tests of Snowcrest.

A villager is written as its id, with ``!`` appended if it is exhausted.  Buildings are written by
kind as 2 or (2, 1), where the second number counts spent ones.  Everything is parsed like a
request.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from functools import partial
from typing import Any

import golden.asking
import pytest

from service.core.game import Chance, Decision, FollowResult, follow
from service.core.violations import Rejected
from service.games.common.validation import Violations, validate_shape
from service.games.snowcrest.api.requests import SnowcrestRequests, TurnScript
from service.games.snowcrest.api.response_schema import EventSchema
from service.games.snowcrest.api.responses import render_action
from service.games.snowcrest.api.schema import StateSchema
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE_DOCUMENT
from service.games.snowcrest.rules.legality import parse_state
from service.games.snowcrest.rules.payments.resources import BUILDING_BY_LABEL, RESOURCE_BY_LABEL
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.state import Seat, State
from tests.games.unions import misfits, stated

GAME = Snowcrest()
ROW = ("shepherd", "guide", "poet", "storyteller", "miller")
"""The default row of commons."""
CORNERS = {0: "farmer", 2: "woodcutter", 6: "builder", 8: "acolyte"}


def seat(
    player: str,
    village: dict[int, str] | None = None,
    *,
    hand: str = "",
    discards: str = "",
    tokens: dict[str, int] | None = None,
    buildings: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """Return a seat document; without a village, the four starters stand in the corners."""
    stocks = {
        kind: {"up": counts} if isinstance(counts, int) else {"up": counts[0], "spent": counts[1]}
        for kind, counts in ({"farm": 1} if buildings is None else buildings).items()
    }
    return {
        "player": player,
        "village": [
            {"cell": cell, "card": name.rstrip("!"), "exhausted": name.endswith("!")}
            for cell, name in (CORNERS if village is None else village).items()
        ],
        "hand": hand.split(),
        "discards": discards.split(),
        "tokens": tokens or {},
        "buildings": stocks,
        **more,
    }


def table(*seats: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a state document; a second player is added unless there is one or the game is solo."""
    if not seats or (len(seats) == 1 and not more.pop("solo", False)):
        seats = (*(seats or (seat("a"),)), seat("b"))
    taken = {each["card"] for document in seats for each in document["village"]}
    row = [name for name in ROW if name not in taken or name == "shepherd"]
    spare = [name for name in ("herbalist", "caretaker", "innkeeper") if name not in taken]
    return {
        "seats": list(seats),
        "turn": seats[0]["player"],
        "supply": 20,
        "juniper": 3 * len(seats),
        "row": (row + spare)[:5],
        **more,
    }


def state(document: dict[str, Any]) -> State:
    """Return the state of a legal document."""
    shaped, faults = validate_shape(StateSchema(), document)
    violations = Violations(faults)
    return violations.require(parse_state(shaped, violations, over=True))


def with_cards(**cards: dict[str, Any]) -> dict[str, Any]:
    """Return the default catalogue with changed members for some cards, by id with underscores."""
    document = copy.deepcopy(DEFAULT_CATALOGUE_DOCUMENT)
    for sort in document.values():
        for card in sort:
            card.update(cards.pop(card["id"].replace("-", "_"), {}))
    assert not cards, "every changed card is in the default catalogue"
    return document


# Actions --------------------------------------------------------------------------------------


def activate(cell: int) -> dict[str, Any]:
    return {"type": "activate", "cell": cell}


def play_card(card: str, cell: int, **payment: Any) -> dict[str, Any]:
    action = {"type": "play", "card": card, "cell": cell}
    return action | ({"payment": payment} if payment else {})


def pay(**payment: Any) -> dict[str, Any]:
    return {"type": "pay", "payment": payment}


def bid(player: str | None = None, **payment: Any) -> dict[str, Any]:
    action = {"type": "bid", "payment": payment}
    return action | ({"player": player} if player else {})


def draw(card: str) -> dict[str, Any]:
    return {"type": "draw", "card": card}


def give(item: str, **what: Any) -> dict[str, Any]:
    return {"type": "give", "item": item, **what}


def settle(item: str, cell: int, **more: Any) -> dict[str, Any]:
    return {"type": "settle", "item": item, "cell": cell, **more}


def suffer(item: str, **more: Any) -> dict[str, Any]:
    return {"type": "suffer", "item": item, **more}


REST = {"type": "rest"}
PASS = {"type": "pass"}
SKIP = {"type": "skip"}
RETURN_BID = {"type": "return-bid"}
LEAVE_BID = {"type": "leave-bid"}
DECLINE = {"type": "decline"}


# Turns ----------------------------------------------------------------------------------------


def follow_actions(
    document: dict[str, Any], *actions: dict[str, Any], seed: int | None = None
) -> FollowResult:
    """Follow actions from a state document as far as they lead."""
    start = state(document)
    violations = Violations()
    parsed = SnowcrestRequests().parse_actions(list(actions), start, violations, "")
    assert violations == []
    return follow(GAME, GAME.begin(start), TurnScript(parsed, "", seed))


@dataclass(frozen=True)
class Played:
    """A complete turn: the resulting state and its events."""

    state: State
    events: tuple[Event, ...]

    def seat(self, player: str) -> Seat:
        return next(each for each in self.state.seats if each.player == player)

    def tokens(self, player: str = "a") -> dict[str, int]:
        have = self.seat(player).tokens
        return {name: have[kind] for name, kind in RESOURCE_BY_LABEL.items() if have[kind]}

    def hand(self, player: str = "a") -> list[str]:
        return [self.state.catalogue.id(card) for card in self.seat(player).hand]

    def discards(self, player: str = "a") -> list[str]:
        return [self.state.catalogue.id(card) for card in self.seat(player).discards]

    def village(self, player: str = "a") -> dict[int, str]:
        return {
            cell: self.state.catalogue.id(each.card) + "!" * each.exhausted
            for cell, each in enumerate(self.seat(player).village)
            if each is not None
        }

    def buildings(self, player: str = "a") -> dict[str, tuple[int, int]]:
        stocks = self.seat(player).buildings
        return {
            name: tuple(stocks[kind])
            for name, kind in BUILDING_BY_LABEL.items()
            if stocks[kind].total
        }

    def ids(self, cards: tuple[int, ...]) -> list[str]:
        return [self.state.catalogue.id(card) for card in cards]

    @property
    def types(self) -> list[str]:
        return [event.type for event in self.events]

    def of(self, kind: str) -> list[Event]:
        return [event for event in self.events if event.type == kind]


def play(document: dict[str, Any], *actions: dict[str, Any], seed: int | None = 1) -> Played:
    """Play a complete turn, with missing draws by the seed; check the fields of its events."""
    followed = follow_actions(document, *actions, seed=seed)
    followed.require_complete()
    assert not misfits(map(stated, followed.events), EventSchema.union)
    return Played(GAME.rest(followed.play), followed.events)


def action_violations(document: dict[str, Any], *actions: dict[str, Any]) -> set[tuple[str, str]]:
    """Return the violations of the last action; all actions before it are legal."""
    follow_actions(document, *actions[:-1])
    with pytest.raises(Rejected) as rejected:
        follow_actions(document, *actions)
    at = f"/{len(actions) - 1}"
    paths = [fault.path for fault in rejected.value.violations]
    assert all(path == at or path.startswith(at + "/") for path in paths)
    return {(fault.path.removeprefix(at), fault.code) for fault in rejected.value.violations}


def pending_node(document: dict[str, Any], *actions: dict[str, Any]) -> Any:
    """Return the next node of the turn after some actions."""
    return follow_actions(document, *actions).open


def choices(document: dict[str, Any], *actions: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the legal actions of the next decision."""
    node = pending_node(document, *actions)
    assert isinstance(node, Decision)
    [legal] = node.choices.values()
    catalogue = state(document).catalogue
    return [render_action(action, catalogue) for action in legal]


def pending_decision(document: dict[str, Any], *actions: dict[str, Any]) -> tuple[str, str]:
    """Return the name and the player of the next decision."""
    node = pending_node(document, *actions)
    assert isinstance(node, Decision)
    [player] = node.choices
    return node.name, player


def outcomes(document: dict[str, Any], *actions: dict[str, Any]) -> dict[str, Any]:
    node = pending_node(document, *actions)
    assert isinstance(node, Chance)
    catalogue = state(document).catalogue
    return {catalogue.id(card): share for card, share in node.outcomes}


ask = partial(golden.asking.ask, GAME.name)
"""Return the response document of an endpoint, by its name and a body."""


def response_violations(endpoint_name: str, body: dict[str, Any]) -> set[tuple[str, str]]:
    with pytest.raises(Rejected) as rejected:
        ask(endpoint_name, body)
    return {(fault.path, fault.code) for fault in rejected.value.violations}


def hint(document: dict[str, Any], player: str, *so_far: dict[str, Any], **more: Any) -> Any:
    """Return a quick hint after some actions."""
    body = {"state": document, "player": player, "effort": "quick", "so_far": list(so_far)}
    return ask("suggest", body | more)


def value_of(response: dict[str, Any], move: dict[str, Any]) -> float:
    return next(each["value"] for each in response["moves"] if each["move"] == move)
