"""A second, slow and simple implementation of Snow Time, written from the rules page alone.

It imports nothing of the service and works on JSON documents.  Tests compare the service with it.
Never correct it by looking at the service's code.
"""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations, product
from typing import Any

CHAMPIONS = ["1", "2", "3", "4", "5", "6", "7"]
DECK = [*CHAMPIONS, "healer", "watcher", "blizzard"]
DEFAULT_BONUSES = {
    3: ("fight", 1),
    6: ("fruit", 1),
    9: ("mana", 2),
    12: ("fight", 1),
    15: ("fruit", 2),
    18: ("mana", 3),
    21: ("fight", 2),
    24: ("fruit", 1),
    27: ("mana", 1),
}

Document = dict[str, Any]


class GameOver(Exception):
    """A marker is on the last space: nothing further is awarded."""


# Choices ------------------------------------------------------------------------------------


def lines(hand: list[str], track: Document | None = None) -> list[Document]:
    """Return every complete move of a seat with this hand, as documents."""
    optional = bool(track and track.get("optional_watcher"))
    moves: list[Document] = []
    for card in hand:
        if card == "watcher":
            for added in hand:
                if added == "healer":
                    for taken in recoveries(hand):
                        then = {"card": "healer", "recover": taken}
                        moves.append({"card": "watcher", "then": then})
                elif added != "watcher":
                    moves.append({"card": "watcher", "then": {"card": added}})
            if optional:
                moves.append({"card": "watcher", "then": {"card": "none"}})
        elif card == "healer":
            for taken in recoveries(hand):
                moves.append({"card": "healer", "recover": taken})
        else:
            moves.append({"card": card})
    return moves


def recoveries(hand: list[str]) -> list[list[str]]:
    """Return the legal recoveries: up to two discarded champions, or all seven."""
    discard = [champion for champion in CHAMPIONS if champion not in hand]
    if len(discard) == 7:
        return [discard]
    pairs = [list(pair) for pair in combinations(discard, 2)]
    return [[], *[[champion] for champion in discard], *pairs]


def rolls(fruit: list[int]) -> list[list[int]]:
    """Return every distinct result of the dice."""
    supply = 15 - sum(fruit)
    if supply >= 2:
        return [[low, high] for low in range(1, 7) for high in range(low, 7)]
    return [[level] for level in range(1, 7)] if supply == 1 else [[]]


# A round ------------------------------------------------------------------------------------


def after_growth(state: Document, dice: list[int]) -> Document:
    grown = deepcopy(state)
    for level in dice:
        grown["fruit"][level - 1] += 1
    return grown


def resolve(state: Document, moves: Document) -> Document:
    """Return the next position, the points of every seat, and the winners, after growth."""
    state = deepcopy(state)
    names = [seat["seat"] for seat in state["seats"]]
    score = {seat["seat"]: seat["score"] for seat in state["seats"]}
    hand = {seat["seat"]: set(seat["hand"]) for seat in state["seats"]}
    points = {name: {"fight": 0, "fruit": 0, "mana": 0, "bonus": 0} for name in names}
    fruit = {level: state["fruit"][level - 1] for level in range(1, 7)}
    length, bonuses = track_of(state)

    def award(gains: dict[str, int], kind: str) -> None:
        """Everything gained in the same moment."""
        for name, gained in gains.items():
            points[name][kind] += gained
            score[name] = min(score[name] + gained, length)
        if length in score.values():
            raise GameOver

    # Cards played, hands, and champions by level.
    laid = {name: cards_laid(moves[name]) for name in names}
    for name in names:
        hand[name] -= set(laid[name])
        hand[name] |= set(taken_back(moves[name]))
    tree: dict[int, set[str]] = {level: set() for level in range(1, 8)}
    for name in names:
        for card in laid[name]:
            if card in CHAMPIONS:
                tree[int(card)].add(name)

    try:
        # A
        blizzards = [name for name in names if "blizzard" in laid[name]]
        if blizzards:
            added = {name for name in names if "then" in moves[name]}
            spared = added if state.get("track", {}).get("spared_champion") else set()
            buried = sum(len(there - spared) for there in tree.values())
            for there in tree.values():
                there &= spared
            award(dict.fromkeys(blizzards, buried), "fight")
        # B and C
        for level in [7, 6, 5, 4, 3, 2, 1]:
            there = sorted(tree[level])
            if len(there) >= 2:
                tree[level].clear()
                award(dict.fromkeys(there, len(there) - 1), "fight")
            elif len(there) == 1:
                if level > 1:
                    beaten = len(tree[level - 1])
                    tree[level - 1].clear()
                    award({there[0]: beaten}, "fight")
                if level < 7:
                    tokens, fruit[level] = fruit[level], 0
                    award({there[0]: tokens}, "fruit")
        # D
        for level in [1, 2, 3, 4, 5, 6, 7]:
            if tree[level]:
                award(dict.fromkeys(tree[level], 1), "mana")
                break
        # E
        advances = {}
        for name in names:
            if score[name] in bonuses:
                kind, spaces = bonuses[score[name]]
                if points[name][kind] > 0:
                    advances[name] = spaces
        award(advances, "bonus")
    except GameOver:
        pass

    # F
    for level, there in tree.items():
        for name in there:
            hand[name].add(str(level))
    for name in names:
        if "healer" in laid[name]:
            hand[name].add("healer")

    for seat in state["seats"]:
        seat["score"] = score[seat["seat"]]
        seat["hand"] = [card for card in DECK if card in hand[seat["seat"]]]
    state["fruit"] = [fruit[level] for level in range(1, 7)]
    return {"state": state, "points": points, "winners": winners(state)}


def winners(state: Document) -> list[str]:
    length, _ = track_of(state)
    won: list[str] = []
    for seat in state["seats"]:
        player = seat.get("player", seat["seat"])
        if seat["score"] == length and player not in won:
            won.append(player)
    return won


def track_of(state: Document) -> tuple[int, dict[int, tuple[str, int]]]:
    if "track" not in state:
        return 30, DEFAULT_BONUSES
    bonuses = state["track"]["bonuses"]
    return state["track"]["length"], {b["space"]: (b["kind"], b["advance"]) for b in bonuses}


def cards_laid(move: Document) -> list[str]:
    return [move["card"], move["then"]["card"]] if "then" in move else [move["card"]]


def taken_back(move: Document) -> list[str]:
    if "then" in move:
        return taken_back(move["then"])
    return move.get("recover", [])


# Counting -----------------------------------------------------------------------------------


def count_paths(state: Document, rounds: int, *, grown: bool) -> int:
    """Return the perft count by trying every path."""
    if winners(state):
        return 1
    total = 0
    for dice in [[]] if grown else rolls(state["fruit"]):
        on_the_table = after_growth(state, dice)
        seats = on_the_table["seats"]
        for joint in product(*[lines(seat["hand"], state.get("track")) for seat in seats]):
            moves = {seat["seat"]: move for seat, move in zip(seats, joint, strict=True)}
            if rounds == 1:
                total += 1
            else:
                then = resolve(on_the_table, moves)["state"]
                total += count_paths(then, rounds - 1, grown=False)
    return total
