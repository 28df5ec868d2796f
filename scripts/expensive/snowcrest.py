"""Random legal requests about Snowcrest with cards that do and give as much as is allowed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from expensive.catalogues import Document, extreme_style, random_catalogue
from service.core.chance import draw
from service.core.game import Chance
from service.games.common.validation import Violations
from service.games.snowcrest.api.responses import render_action
from service.games.snowcrest.api.schema import MAX_TURN_LENGTH
from service.games.snowcrest.rules.actions import Action, draw_action
from service.games.snowcrest.rules.legality import parse_state
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.state import State

OPERATIONS: Final = ("new", "legal-moves", "resolve", "suggest", "suggest", "review")
PLAYERS: Final = "abcd"
RESOURCES: Final = ("barley", "bell", "bowl", "juniper", "gold")
BUILDINGS: Final = ("farm", "forge", "temple")
GAME: Final = Snowcrest()

Played = tuple[str | None, Action]
"""An action with the player who decides; None for a draw."""


def request(random: Random, effort: str) -> tuple[str, Document]:
    """Return an operation and the body of a legal request, except that a turn may be too long."""
    operation, count = random.choice(OPERATIONS), random.randint(1, 4)
    catalogue = random_catalogue(random, count, extreme_style(random))
    if operation == "new":
        seats = [{"player": player} for player in PLAYERS[:count]]
        return operation, {"seats": seats, "seed": random.randrange(10**6), "catalogue": catalogue}
    document = _position(random, catalogue, count)
    state = parse_state(document, Violations())
    assert state is not None, f"the position is legal: {document}"
    body: Document = {"state": document}
    if operation == "resolve":
        played = [*_turn(random, state, MAX_TURN_LENGTH)]
        # A seed draws other cards, after which other choices are legal.
        first = next((place for place, (player, _) in enumerate(played) if player is None), None)
        kept = [action for _, action in played[: random.choice((first, None))]]
        return operation, body | {"moves": _rendered(state, kept), "seed": random.randrange(10**6)}
    if operation == "review":
        turn = [action for _, action in _turn(random, state, MAX_TURN_LENGTH)]
        return operation, body | {"turns": [_rendered(state, turn)], "effort": effort}
    return operation, body | _question(random, state, effort if operation == "suggest" else None)


def _question(random: Random, state: State, effort: str | None) -> Document:
    """Return the members of a question about some decision of a turn."""
    played = [*_turn(random, state, random.choice((0, 1, 3, 10, 60)))]
    if effort is None:
        return {"so_far": _rendered(state, [action for _, action in played])}
    while played and played[-1][0] is None:
        played.pop()
    player = (played.pop()[0] if played else None) or state.mover.player
    actions = [action for _, action in played]
    return {"so_far": _rendered(state, actions), "player": player, "effort": effort}


def _turn(random: Random, state: State, most: int) -> Iterator[Played]:
    """Yield at most so many actions and draws of a random turn."""
    turn = GAME.begin(state).play
    for _ in range(most):
        node = GAME.pending(turn)
        if node is None:
            return
        if isinstance(node, Chance):
            card = draw(node, random.randrange(10**6))
            yield None, draw_action(card)
            turn = GAME.draw(turn, card).play
            continue
        [(player, choices)] = node.choices.items()
        choice = random.choice(choices)
        yield player, choice
        turn = GAME.choose(turn, {player: choice}).play


def _rendered(state: State, actions: list[Action]) -> list[Document]:
    return [render_action(action, state.catalogue) for action in actions]


# Positions ------------------------------------------------------------------------------------


def _position(random: Random, catalogue: Document, count: int) -> Document:
    """Return a legal position."""
    commons = _copies(each for each in catalogue["commons"] if count > 1 or each["in_solo"])
    random.shuffle(commons)
    row = [commons.pop() for _ in range(min(5, len(commons)))]
    seats = [_seat(random, catalogue, commons, player) for player in PLAYERS[:count]]
    state: Document = {
        "seats": seats,
        "turn": random.choice((seats[0], seats[-1]))["player"],
        "supply": random.choice((1, 2, 5, 30)),
        "juniper": random.choice((1, random.randint(1, 3 * count))),
        "row": row,
        "catalogue": catalogue,
    }
    if count > 1 and random.random() < 0.3:
        state |= {"ending": True, "turn": seats[-1]["player"]}
    if count > 1 and random.random() < 0.2:
        return state | {"starter_variant": True}
    posted = random.sample(catalogue["challenges"], 5)
    return state | {"challenges": [{"challenge": each["id"]} for each in posted]}


def _seat(random: Random, catalogue: Document, commons: list[str], player: str) -> Document:
    deck = _copies([*catalogue["starters"], *catalogue["villagers"]])
    random.shuffle(deck)
    village = []
    for cell in random.sample(range(9), random.choice((1, 4, 9))):
        pile = commons if commons and random.random() < 0.4 else deck
        if pile:
            card = {"cell": cell, "card": pile.pop()}
            village.append(card | ({"exhausted": True} if random.random() < 0.2 else {}))
    hand = [deck.pop() for _ in range(min(len(deck), random.choice((0, 3, 12))))]
    discards = [deck.pop() for _ in range(min(len(deck), random.choice((0, 3))))]
    if random.random() < 0.4:
        hand = ["unknown"] * len(hand)
    up = Counter(random.choices(BUILDINGS, k=random.choice((0, 2, 8))))
    return {
        "player": player,
        "tokens": dict.fromkeys(RESOURCES, random.choice((0, 1, 3, 20, 120))),
        "village": village,
        "hand": hand,
        "discards": discards,
        "buildings": {kind: {"up": number} for kind, number in up.items()},
        "omen": random.choice((-5, 0, 5)),
    }


def _copies(cards: Any) -> list[str]:
    return [card["id"] for card in cards for _ in range(card.get("copies", 1))]
