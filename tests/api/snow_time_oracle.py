"""Oracle for legal Snow Time requests: a second, simple implementation of the API contract.

It is independent of the service and decides only whether a body is legal, not where it is wrong.
The service must return 200 exactly for the legal bodies.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from itertools import combinations
from typing import Any

from service.api.json_body import decode
from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import parse
from tests.api.calls import Path

DEFINITION = GAMES["snow-time"]
[RESOLVE] = [endpoint for endpoint in DEFINITION.endpoints if endpoint.name == "resolve"]
CHAMPIONS = ("1", "2", "3", "4", "5", "6", "7")
CARDS = (*CHAMPIONS, "healer", "watcher", "blizzard")


MAPS = ("moves", "revealed", "chosen", "weights", "profiles")


def as_read(path: Path, value: Any) -> Any:
    """Return a value as the service reads it: an empty list means a map where one belongs."""
    is_map = bool({*path[-1:]} & {*MAPS}) or path[-2:-1] == ("weights",)
    return {} if value == [] and is_map else value


def legal(endpoint: str, body: Any) -> bool:
    """Return whether the endpoint must accept the body with 200."""
    is_legal: Callable[[Any], bool] = {
        "new": _new,
        "grow": _grow,
        "legal-moves": _legal_moves,
        "resolve": _resolve,
        "suggest": _suggest,
        "review": _review,
    }[endpoint]
    return is_legal(body)


def decision(state: Any, moves: Any) -> tuple[str, set[str]]:
    """Return the open decision after some moves so far, and the seats that must decide."""
    if over(state):
        return "none", set()
    if not moves:
        return "card", {seat["seat"] for seat in state["seats"]}
    watching = {
        name for name in moves if moves[name]["card"] == "watcher" and "then" not in moves[name]
    }
    if watching:
        return "watcher", watching
    healing = {name for name in moves if _open_healer(_seat(state, name), moves[name])}
    return ("healer", healing) if healing else ("none", set())


def over(state: Any) -> bool:
    return any(seat["score"] == _length(state) for seat in state["seats"])


def recoveries(hand: list[str]) -> list[set[str]]:
    """Return the sets of champions that a healer with this hand may recover (R4)."""
    discarded = [card for card in CHAMPIONS if card not in hand]
    if len(discarded) == 7:
        return [set(discarded)]
    return [set(cards) for size in range(3) for cards in combinations(discarded, size)]


# Shapes ---------------------------------------------------------------------------------------


def _object(value: Any, required: str, optional: str = "") -> bool:
    if not isinstance(value, dict):
        return False
    names = set(value)
    return set(required.split()) <= names <= {*required.split(), *optional.split()}


def _integer(value: Any, low: int, high: int) -> bool:
    if isinstance(value, float):
        return value.is_integer() and low <= value <= high
    return type(value) is int and low <= value <= high


def _name(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch("[A-Za-z0-9_-]{1,32}", value))


def _cards(value: Any) -> bool:
    """Return whether the value is a list of distinct cards."""
    if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
        return False
    return len(set(value)) == len(value) and set(value) <= set(CARDS)


# Positions ------------------------------------------------------------------------------------


def _seating(seats: Any, required: str, optional: str) -> bool:
    if not isinstance(seats, list) or not 3 <= len(seats) <= 5:
        return False
    if not all(_object(seat, required, optional) for seat in seats):
        return False
    if not all(_name(seat["seat"]) and _name(seat.get("player", "x")) for seat in seats):
        return False
    names = [seat["seat"] for seat in seats]
    players = [seat.get("player", seat["seat"]) for seat in seats]
    counts = sorted(players.count(player) for player in set(players))
    return len(set(names)) == len(names) and (counts == [2, 2] or counts == [1] * len(names))


def _track(track: Any) -> bool:
    if not _object(track, "length bonuses", "optional_watcher spared_champion") or not _integer(
        track["length"], 5, 200
    ):
        return False
    bonuses = track["bonuses"]
    options = [track.get(name, False) for name in ("optional_watcher", "spared_champion")]
    if not all(isinstance(option, bool) for option in options):
        return False
    if not isinstance(bonuses, list):
        return False
    for bonus in bonuses:
        if not _object(bonus, "space kind advance"):
            return False
        if not _integer(bonus["space"], 1, track["length"] - 1):
            return False
        if bonus["kind"] not in ("fight", "fruit", "mana") or not _integer(bonus["advance"], 1, 3):
            return False
    return len({bonus["space"] for bonus in bonuses}) == len(bonuses)


def _length(state: Any) -> int:
    length: int = state["track"]["length"] if "track" in state else 30
    return length


def _state(state: Any) -> bool:
    if not _object(state, "seats fruit", "track"):
        return False
    if "track" in state and not _track(state["track"]):
        return False
    if not _seating(state["seats"], "seat score hand", "player"):
        return False
    for seat in state["seats"]:
        if not _integer(seat["score"], 0, _length(state)) or not _cards(seat["hand"]):
            return False
        if "healer" not in seat["hand"]:
            return False
    fruit = state["fruit"]
    if not isinstance(fruit, list) or len(fruit) != 6:
        return False
    return all(_integer(tokens, 0, 15) for tokens in fruit) and sum(fruit) <= 15


def _dice(dice: Any, state: Any) -> bool:
    if not isinstance(dice, list) or len(dice) != min(2, 15 - sum(state["fruit"])):
        return False
    return all(_integer(die, 1, 6) for die in dice)


def _seat(state: Any, name: str) -> Any:
    return next(seat for seat in state["seats"] if seat["seat"] == name)


# Moves ----------------------------------------------------------------------------------------


def _card_choice(choice: Any, seat: Any, optional: str) -> bool:
    """Return whether this is a card of the hand, with a legal recovery at most for the healer."""
    if not _object(choice, "card", optional) or choice["card"] not in seat["hand"]:
        return False
    if "recover" not in choice:
        return True
    if choice["card"] != "healer" or not _cards(choice["recover"]):
        return False
    return set(choice["recover"]) in recoveries(seat["hand"])


def _move(move: Any, seat: Any, state: Any) -> bool:
    """Return whether this is a legal move, complete or not."""
    if not _card_choice(move, seat, "then recover"):
        return False
    if "then" not in move:
        return True
    if move["card"] != "watcher":
        return False
    if move["then"] == {"card": "none"}:
        return bool(state.get("track", {}).get("optional_watcher", False))
    return _card_choice(move["then"], seat, "recover") and move["then"]["card"] != "watcher"


def _moves(moves: Any, state: Any) -> bool:
    """Return whether this maps exactly the seats to legal moves, complete or not."""
    if not isinstance(moves, dict) or set(moves) != {seat["seat"] for seat in state["seats"]}:
        return False
    return all(_move(move, _seat(state, name), state) for name, move in moves.items())


def _open_healer(seat: Any, move: Any) -> bool:
    played = move.get("then", move)
    return (
        played["card"] == "healer" and "recover" not in played and len(recoveries(seat["hand"])) > 1
    )


# Endpoints ------------------------------------------------------------------------------------


def _new(body: Any) -> bool:
    if not _object(body, "seats", "track") or not _seating(body["seats"], "seat", "player"):
        return False
    return "track" not in body or _track(body["track"])


def _grow(body: Any) -> bool:
    if not _object(body, "state", "dice seed") or not _state(body["state"]) or over(body["state"]):
        return False
    if ("dice" in body) == ("seed" in body):
        return False
    if "seed" in body:
        return _integer(body["seed"], 0, 2**53 - 1)
    return _dice(body["dice"], body["state"])


def _legal_moves(body: Any) -> bool:
    if not _object(body, "state", "revealed") or not _state(body["state"]):
        return False
    return body.get("revealed", {}) == {} or _moves(body["revealed"], body["state"])


def _resolve(body: Any) -> bool:
    if not _object(body, "state moves", "dice"):
        return False
    state = body["state"]
    if not _state(state) or over(state) or not _moves(body["moves"], state):
        return False
    if "dice" in body and not _dice(body["dice"], state):
        return False
    return decision(state, body["moves"])[0] == "none"


def _suggest(body: Any) -> bool:
    options = "revealed objective opponents effort depth deadline_ms chosen nonce"
    if not _object(body, "state player", options):
        return False
    state, player, revealed = body["state"], body["player"], body.get("revealed", {})
    if not _state(state) or over(state) or not (revealed == {} or _moves(revealed, state)):
        return False
    own = {seat["seat"] for seat in state["seats"] if seat.get("player", seat["seat"]) == player}
    name, deciding = decision(state, revealed)
    nonce = body.get("nonce", "x")
    return (
        bool(own & deciding)
        and _chosen(body.get("chosen", {}), state, own & deciding, name, revealed)
        and _opponents(body.get("opponents", {}), state, own, bool(revealed))
        and body.get("objective", "win") in ("win", "points", "lead")
        and body.get("effort", "standard") in ("quick", "standard", "deep")
        and _integer(body.get("depth", 1), 1, 3)
        and _integer(body.get("deadline_ms", 10), 10, 30_000)
        and isinstance(nonce, str)
        and bool(re.fullmatch("[ -~]{1,128}", nonce))
    )


def _review(body: Any) -> bool:
    if not _object(body, "state rounds", "effort deadline_ms"):
        return False
    state, rounds = body["state"], body["rounds"]
    if not isinstance(rounds, list) or not 1 <= len(rounds) <= 200:
        return False
    for played in rounds:
        if not _object(played, "dice moves") or not _resolve({"state": state, **played}):
            return False
        state = _after(state, played)
    return body.get("effort", "standard") in ("quick", "standard", "deep") and _integer(
        body.get("deadline_ms", 10), 10, 30_000
    )


def _after(state: Any, played: Any) -> Any:
    """Return the position after a legal round, computed by the service itself."""
    document, violations = decode(json.dumps({"state": state, **played}).encode())
    return parse(DEFINITION, RESOLVE, document, violations)(RequestContext()).document["state"]


def _chosen(chosen: Any, state: Any, deciding: set[str], name: str, revealed: Any) -> bool:
    """Return whether this is a choice at the open decision for exactly the deciding own seats."""
    if chosen == {}:
        return True
    if not isinstance(chosen, dict) or set(chosen) != deciding:
        return False
    for seat, move in chosen.items():
        if not _move(move, _seat(state, seat), state):
            return False
        so_far = revealed.get(seat, {})
        if name == "card" and set(move) != {"card"}:
            return False
        if name == "watcher" and (set(move) != {"card", "then"} or set(move["then"]) != {"card"}):
            return False
        if name == "watcher" and move["card"] != "watcher":
            return False
        if name == "healer" and "recover" not in move.get("then", move):
            return False
        if name == "healer" and _without_recovery(move) != so_far:
            return False
    return True


def _without_recovery(move: Any) -> Any:
    rest = {name: value for name, value in move.items() if name != "recover"}
    return rest | {"then": _without_recovery(rest["then"])} if "then" in rest else rest


def _opponents(opponents: Any, state: Any, own: set[str], has_revealed: bool) -> bool:
    if not _object(opponents, "", "model weights"):
        return False
    if opponents.get("model", "uniform") not in ("equilibrium", "quantal", "level-1", "uniform"):
        return False
    weights = opponents.get("weights", {})
    if not isinstance(weights, dict) or (weights and has_revealed):
        return False
    names = {seat["seat"] for seat in state["seats"]}
    return all(
        name in names - own and _distribution(distribution, _seat(state, name)["hand"])
        for name, distribution in weights.items()
    )


def _distribution(weights: Any, hand: list[str]) -> bool:
    if weights == {}:
        return True  # An empty object equals an absent one.
    if not isinstance(weights, dict) or not set(weights) <= set(hand):
        return False
    for weight in weights.values():
        if type(weight) not in (int, float) or not math.isfinite(weight) or not 0 <= weight <= 1e6:
            return False
    return any(weights.values())
