"""Random legal request bodies that tend to be expensive."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from golden.asking import ask, below
from golden.snowcrest import SMALL
from golden.turns import random_turn

from expensive import snowcrest

Document = dict[str, Any]

MAX_BODY_BYTES: Final = 128 * 1024
EFFORTS: Final = ("quick", "standard", "deep")
DECK: Final = ("1", "2", "3", "4", "5", "6", "7", "healer", "watcher", "blizzard")
SEATS: Final = ("red", "blue", "green", "black", "white")
MODELS: Final = ("equilibrium", "quantal", "level-1", "uniform", "learned")
INCLUDES: Final = ("next", "matrix", "conditional", "dice", "facts")


@dataclass(frozen=True)
class Body:
    """A request.

    Attributes:
        game, operation: what it asks for.
        document: the body.
    """

    game: str
    operation: str
    document: Document

    @property
    def effort(self) -> str:
        """The effort whose CPU time the request may use; it is small if nothing is searched."""
        default = "standard" if self.operation in ("suggest", "review") else "quick"
        effort: str = self.document.get("effort", default)
        return effort


def bodies(seed: int, efforts: tuple[str, ...] = EFFORTS) -> Iterator[Body]:
    """Yield legal requests of all kinds in turn, without end."""
    random = Random(seed)
    kinds: tuple[Callable[[Random, str], Body], ...] = (
        _round_hint,
        _turn_hint,
        _round_review,
        _turn_review,
        _extreme_cards,
    )
    while True:
        for kind in kinds:
            body = kind(random, random.choice(efforts))
            if len(json.dumps(body.document)) <= MAX_BODY_BYTES:
                yield body


# Snow Time --------------------------------------------------------------------------------------


def _hand(random: Random) -> list[str]:
    """Return a full hand, or nearly so."""
    missing = random.sample(DECK[:7], random.choice((0, 0, 0, 1, 3)))
    return [card for card in DECK if card not in missing]


def _rounds_state(random: Random) -> Document:
    pairs = random.random() < 0.3
    count = 4 if pairs else random.choice((3, 4, 5, 5, 5))
    state: Document = {
        "seats": [
            {"seat": seat, "score": random.randint(0, 9), "hand": _hand(random)}
            | ({"player": "ab"[place % 2]} if pairs else {})
            for place, seat in enumerate(SEATS[:count])
        ],
        "fruit": [random.randint(0, 2) for _ in range(6)],
    }
    if random.random() < 0.4:
        length = random.choice((20, 60, 200))
        spaces = sorted(random.sample(range(1, length), min(length - 1, random.choice((5, 60)))))
        kinds = ("fight", "fruit", "mana")
        state["track"] = {
            "length": length,
            "bonuses": [
                {"space": space, "kind": random.choice(kinds), "advance": random.randint(1, 3)}
                for space in spaces
            ],
        }
    return state


def _owner(seat: Document) -> str:
    """Return the player of a seat."""
    return str(seat.get("player", seat["seat"]))


def _cards(random: Random, state: Document) -> Document:
    """Return a card of every seat."""
    return {
        seat["seat"]: {"card": random.choice([card for card in seat["hand"] if card != "watcher"])}
        for seat in state["seats"]
    }


def _round_hint(random: Random, effort: str) -> Body:
    state = _rounds_state(random)
    opponents: Document = {"model": random.choice(MODELS)}
    if opponents["model"] == "learned":
        opponents["history"] = [
            {"state": state, "moves": _cards(random, state)} for _ in range(random.randint(1, 30))
        ]
    player = _owner(state["seats"][0])
    depth = random.choice((1, 1, 2, 3))
    # What-ifs other than facts exist at depth 1 only.
    includes = INCLUDES if depth == 1 else ("facts",)
    document: Document = {
        "state": state,
        "player": player,
        "objective": random.choice(("win", "points", "lead")),
        "opponents": opponents,
        "effort": effort,
        "depth": depth,
        "include": random.sample(includes, random.randint(0, len(includes))),
    }
    own = [seat for seat in state["seats"] if _owner(seat) == player]
    if random.random() < 0.2:
        # The others whose seats have no weights follow the model.
        others = [seat for seat in state["seats"] if _owner(seat) != player]
        opponents["weights"] = {
            seat["seat"]: {card: random.random() + 0.01 for card in seat["hand"]}
            for seat in random.sample(others, random.randint(1, len(others)))
        }
    elif random.random() < 0.2:
        _ask_after_reveal(random, document, own)
    if "revealed" not in document and random.random() < 0.2:
        document["chosen"] = {seat["seat"]: {"card": random.choice(seat["hand"])} for seat in own}
    while len(json.dumps(document)) > MAX_BODY_BYTES:
        opponents["history"].pop()
    return Body("snow-time", "suggest", document)


def _ask_after_reveal(random: Random, document: Document, own: list[Document]) -> None:
    """Ask for the choice of a watcher."""
    document["include"] = [each for each in document["include"] if each == "facts"]
    document["revealed"] = _cards(random, document["state"]) | {
        seat["seat"]: {"card": "watcher"} for seat in own
    }


def _round_review(random: Random, effort: str) -> Body:
    state = first = _rounds_state(random)
    rounds = []
    for _ in range(random.randint(1, 6)):
        grown = ask("snow-time", "grow", {"state": state, "seed": random.randrange(10**6)})
        moves: Document = {}
        legal = ask("snow-time", "legal-moves", {"state": grown["state"]})
        moves = {seat: random.choice(own) for seat, own in legal["moves"].items()}
        while legal["decision"] != "none":
            legal = ask("snow-time", "legal-moves", {"state": grown["state"], "revealed": moves})
            moves |= {seat: random.choice(own) for seat, own in legal["moves"].items()}
        rounds.append({"dice": grown["dice"], "moves": moves})
        after = ask("snow-time", "resolve", {"state": grown["state"], "moves": moves})
        state = after["state"]
        if after["game_over"]:
            break
    return Body("snow-time", "review", {"state": first, "rounds": rounds, "effort": effort})


# Turns ------------------------------------------------------------------------------------------


def _rich_catalogue(random: Random) -> Document:
    """Return a catalogue with many payments."""
    catalogue: Document = json.loads(json.dumps(SMALL))
    icons = ("barley", "bell", "bowl", "juniper", "gold")
    kinds = random.choice((3, 10, 25))
    catalogue["villagers"] = [
        {"id": f"v{kind}", "cost": 1, "icons": {icons[kind % len(icons)]: 1}, "copies": 10}
        for kind in range(kinds)
    ]
    pay = {icon: random.randint(1, 2) for icon in random.sample(icons[:4], random.randint(1, 3))}
    action = {"pay": pay, "effects": [{"type": "gain", "what": "barley"}]}
    catalogue["commons"] = [
        {"id": "monk-a", "cost": 1, "copies": 10, "actions": [action] * random.randint(1, 6)},
        {"id": "monk-b", "cost": 1, "copies": 10, "actions": [action] * random.randint(1, 6)},
        {"id": "idler", "cost": 1, "copies": 10},
    ]
    return catalogue


def _rich_village(random: Random) -> Document:
    count = random.randint(2, 4)
    icons = ("barley", "bell", "bowl", "juniper", "gold")
    seats = [
        {
            "player": name,
            "village": [{"cell": cell, "card": f"monk-{'ab'[place % 2]}"} for cell in range(4)],
            "hand": ["unknown"] * random.choice((1, 6, 20)),
            "tokens": dict.fromkeys(icons, random.choice((1, 3, 120))),
        }
        for place, name in enumerate("abcd"[:count])
    ]
    return {
        "seats": seats,
        "turn": "a",
        "supply": random.randint(1, 20),
        "juniper": 6,
        "row": ["idler"] * 5,
        "catalogue": _rich_catalogue(random),
    }


def _turns_state(random: Random) -> tuple[str, Document]:
    """Return a game and a position in it."""
    if random.random() < 0.4:
        return "snowcrest", _rich_village(random)
    game = random.choice(("slopecrashers", "snowcrest"))
    most = 6 if game == "slopecrashers" else 4
    names = [f"p{number}" for number in range(random.randint(2, most))]
    seats = [{"player": name} for name in names]
    new = ask(game, "new", {"seats": seats, "seed": random.randrange(10**6)})
    state: Document = new["state"]
    for _ in range(below(random, 30)):
        after = ask(game, "resolve", {"state": state, "moves": random_turn(game, random, state)})
        if after["game_over"]:
            break
        state = after["state"]
    return game, state


def _turn_hint(random: Random, effort: str) -> Body:
    game, state = _turns_state(random)
    document = {"state": state, "player": state["turn"], "effort": effort}
    if random.random() < 0.7:
        document["include"] = ["facts"]
    if random.random() < 0.3:
        _continue_turn(random, game, document)
    return Body(game, "suggest", document)


def _continue_turn(random: Random, game: str, document: Document) -> None:
    """Ask about a later decision of the turn."""
    so_far: list[Document] = []
    for _ in range(random.randint(1, 3)):
        asked = {"state": document["state"], "so_far": so_far}
        legal = ask(game, "legal-moves", asked)
        if legal["decision"] in ("none", "draw"):
            break
        [(player, choices)] = legal["moves"].items()
        document |= {"player": player, "so_far": so_far}
        so_far = [*so_far, random.choice(choices)]


def _extreme_cards(random: Random, effort: str) -> Body:
    return Body("snowcrest", *snowcrest.request(random, effort))


def _turn_review(random: Random, effort: str) -> Body:
    game, state = _turns_state(random)
    first, turns = state, []
    for _ in range(random.randint(1, 20)):
        turns.append(random_turn(game, random, state))
        after = ask(game, "resolve", {"state": state, "moves": turns[-1]})
        if after["game_over"] or len(json.dumps(turns)) > MAX_BODY_BYTES // 3:
            break
        state = after["state"]
    return Body(game, "review", {"state": first, "turns": turns, "effort": effort})
