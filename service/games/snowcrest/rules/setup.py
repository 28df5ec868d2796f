"""The initial state of a game, shuffled with a seed (C13, C20)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final, TypeVar

from service.games.snowcrest.catalogue.cards import Card, Catalogue
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.catalogue.schema import ROW_SIZE
from service.games.snowcrest.rules.solo import DIFFICULTIES, SOLO_CHALLENGES
from service.games.snowcrest.rules.state import (
    CORNERS,
    EMPTY_VILLAGE,
    JUNIPER_PER_PLAYER,
    START_HAND,
    Phase,
    PostedChallenge,
    Resident,
    Seat,
    State,
)

SCROLLS: Final = {2: 20, 3: 25, 4: 30}
STARTER_SCROLLS: Final = {2: 14, 3: 17, 4: 20}
FIRST_BARLEY: Final = 3
"""Barley of the start player; each following player gets one more."""

T = TypeVar("T")


def set_up(
    players: Sequence[str],
    seed: int,
    *,
    starter_variant: bool = False,
    difficulty: int = 1,
    catalogue: Catalogue | None = None,
    decks: Sequence[str | None] = (),
) -> State:
    """Return the state before any player has placed a villager in the centre.

    Args:
        players: one to four names in turn order.
        seed: seed of all shuffles; only ``Random.random`` is used, whose sequence is stable across
            Python versions.
        starter_variant: whether to play the starter variant.
        difficulty: difficulty of a solo game, 1 to 10.
        catalogue: catalogue to use instead of the default one.
        decks: deck of each player, if the catalogue has several.
    """
    random, cards, solo = Random(seed), catalogue or DEFAULT_CATALOGUE, len(players) == 1
    level = DIFFICULTIES[difficulty]
    seats = tuple(
        _seat(player, deck, level.barley if solo else FIRST_BARLEY + place, cards, random)
        for place, (player, deck) in enumerate(
            zip(players, decks or (None,) * len(players), strict=True)
        )
    )
    commons = _shuffled(tuple(cards.commons(solo=solo).elements()), random)
    challenges = _shuffled(range(len(cards.challenges)), random)
    challenge_count = 0 if starter_variant else SOLO_CHALLENGES if solo else len(players) + 1
    scrolls = STARTER_SCROLLS if starter_variant else SCROLLS
    return State(
        seats=seats,
        turn=0,
        supply=level.scrolls if solo else scrolls[len(players)],
        juniper=JUNIPER_PER_PLAYER * len(players),
        row=tuple(commons[:ROW_SIZE]),
        challenges=tuple(
            PostedChallenge(challenge) for challenge in sorted(challenges[:challenge_count])
        ),
        phase=Phase.SET_UP,
        starter_variant=starter_variant,
        difficulty=difficulty if solo else 0,
        own_catalogue=catalogue,
    )


def _seat(player: str, name: str | None, barley: int, cards: Catalogue, random: Random) -> Seat:
    village, starters = list(EMPTY_VILLAGE), cards.starters_of(name)
    for corner, starter in zip(CORNERS, _shuffled(starters, random), strict=True):
        village[corner] = Resident(starter)
    others = cards.deck_of(name) - Counter[Card](starters)
    deck = _shuffled(tuple(others.elements()), random)
    return Seat(
        player=player,
        tokens=(barley, 0, 0, 0, 0),
        village=tuple(village),
        hand=tuple(sorted(deck[:START_HAND])),
        deck=name,
    )


def _shuffled(items: Sequence[T], random: Random) -> list[T]:
    """Return the items in random order (Fisher-Yates shuffle)."""
    shuffled = list(items)
    for last in range(len(shuffled) - 1, 0, -1):
        other = int(random.random() * (last + 1))
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled
