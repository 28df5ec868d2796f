"""The choices of ``suggest`` are those of ``legal-moves``, and ``resolve`` accepts them."""

import json
from dataclasses import replace
from random import Random

import pytest

from service.core.game import Decision
from service.games.slopecrashers.rules.gifts import Gift
from service.games.slopecrashers.rules.state import observed
from tests import randomized
from tests.games.slopecrashers.positions import GAME, ask, deck, document, state
from tests.games.slopecrashers.rules.test_properties import turns


def as_set(moves):
    return {json.dumps(move, sort_keys=True) for move in moves}


def assert_choices_agree(start, player, so_far=()):
    body = {"state": document(start), "so_far": list(so_far)}
    listed = ask("legal-moves", body)["moves"][player]
    hint = ask("suggest", body | {"player": player, "effort": "quick"})
    assert as_set(each["move"] for each in hint["moves"]) == as_set(listed)
    for move in listed:
        ask("legal-moves", body | {"so_far": [*so_far, move]})
    ask("legal-moves", body | {"so_far": [*so_far, *hint["plan"]]})
    return hint


@pytest.mark.parametrize("gifts", ["?", "chili ? ?"])
def test_an_unknown_gift_is_none_that_is_known_elsewhere(gifts):
    """The only rocket is in the hand of b, so an unknown gift of a is a chili."""
    cards, stacks = deck(rocket=1, chili=3), {"a": gifts, "b": "rocket"}
    start = replace(state({"a": (2, 1), "b": (4, 1)}, gifts=stacks, cards=cards), own_deck=True)
    hint = assert_choices_agree(start, "a")
    assert {each["move"].get("card") for each in hint["moves"]} == {None, "chili"}


def random_deal(random):
    """Return a position with a small deck, dealt to three players; the own gifts are unknown."""
    cards = {name: random.randint(1, 2) for name in random.sample(NAMES, 6)}
    spaces = random.sample([(row, lane) for row in range(8) for lane in range(4)], 3)
    pile = [name for name, count in cards.items() for _ in range(count)]
    random.shuffle(pile)
    gifts = {player: " ".join(pile.pop() for _ in range(2)) for player in "bc"}
    gifts["a"] = " ".join("?" * random.randint(1, min(3, len(pile))))
    start = state(
        {player: (2, *space) for player, space in zip("abc", spaces, strict=True)},
        gifts=gifts,
        cards=deck(**{name.replace("-", "_"): count for name, count in cards.items()}),
    )
    start = replace(start, own_deck=True)
    return observed(start, "a") if random.random() < 0.2 else start


NAMES = [gift.label for gift in Gift]


@pytest.mark.parametrize("seed", randomized.case_numbers(3, 60))
def test_the_choices_of_a_hint_are_the_legal_moves(seed):
    random = Random(seed)
    for _ in range(5):
        assert_choices_agree(random_deal(random), "a")
    starts = [before for before, *_ in turns(seed, most=60)]
    for start in random.sample(starts, min(len(starts), 4)):
        node = GAME.pending(GAME.begin(start).play)
        if isinstance(node, Decision):
            assert_choices_agree(start, start.mover.player)
