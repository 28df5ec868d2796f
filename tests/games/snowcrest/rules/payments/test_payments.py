"""Rulings C4 and C6 by brute force: legal and listed payments and bids."""

import time
from itertools import chain, combinations, product
from random import Random

import pytest

from service.games.snowcrest.catalogue.cards import Cost
from service.games.snowcrest.rules.actions import Payment
from service.games.snowcrest.rules.effects import paid_effects
from service.games.snowcrest.rules.payments.bids import bell_count, list_bids
from service.games.snowcrest.rules.payments.payments import (
    MAX_LISTED,
    can_pay,
    covers,
    list_payments,
    payment_violations,
)
from service.games.snowcrest.rules.payments.resources import Resource
from service.games.snowcrest.rules.payments.sources import payment_value
from tests.games.snowcrest.positions import (
    activate,
    choices,
    follow_actions,
    seat,
    state,
    table,
    with_cards,
)

SEEDS = range(30)
TOKENS = ("barley", "bell", "bowl", "juniper", "gold")
VILLAGERS = ("shepherd", "prospector", "bell-ringer", "prophet", "mason", "monk", "poet", "guide")


def random_seat(random):
    """Return a seat with some sources of every kind."""
    residents = zip(random.sample(range(9), 4), random.sample(VILLAGERS, 4), strict=True)
    village = {cell: name + "!" * (random.random() < 0.2) for cell, name in residents}
    inside = {name.rstrip("!") for name in village.values()}
    cards = ("monk", "abbess", "gardener", "scholar", "mason")
    deck = [name for name in cards if name not in inside]
    return seat(
        "a", village, hand=" ".join(random.sample(deck, 2)),
        tokens={name: random.randint(0, 2) for name in TOKENS},
        buildings={kind: (random.randint(0, 1), 1) for kind in ("farm", "forge")},
    )  # fmt: skip


def case(seed):
    random = Random(seed)
    one = random_seat(random)
    inside = {each["card"] for each in one["village"]}
    row = [name for name in ("merchant", "miller", "baker", "smith", "hermit", "scribe")
           if name not in inside][:5]  # fmt: skip
    position = state(table(one, row=row))
    plain = tuple(random.choice((0, 0, 0, 1, 2)) for _ in Resource)
    cost = Cost(plain, random.choice((0, 0, 1, 2)))
    idle = next(cell for cell in range(9) if position.seats[0].village[cell] is not None)
    return position, cost, idle


def every_payment(position, idle):
    """Yield every combination of sources."""
    one = position.seats[0]
    residents = [(cell, each) for cell, each in enumerate(one.village) if each is not None]
    cells = [cell for cell, each in residents if not each.exhausted and cell != idle]
    tokens = product(*(range(count + 1) for count in one.tokens))
    buildings = product(*(range(stock.up + 1) for stock in one.buildings))
    for sources in product(tokens, buildings, subsets(one.hand), subsets(cells)):
        yield Payment(*sources)


def subsets(values):
    return chain.from_iterable(combinations(values, count) for count in range(len(values) + 1))


def payments_without_one_source(payment):
    """Yield the payment without one unit of each of its sources."""
    for resource, count in enumerate(payment.tokens):
        if count:
            tokens = tuple(c - (at == resource) for at, c in enumerate(payment.tokens))
            yield payment._replace(tokens=tokens)
    for kind, count in enumerate(payment.buildings):
        if count:
            spent = tuple(c - (at == kind) for at, c in enumerate(payment.buildings))
            yield payment._replace(buildings=spent)
    for card in payment.hand:
        yield payment._replace(hand=tuple(c for c in payment.hand if c != card))
    for cell in payment.cells:
        yield payment._replace(cells=tuple(c for c in payment.cells if c != cell))


@pytest.mark.parametrize("seed", SEEDS)
def test_c4_payments_have_no_superfluous_source(seed):
    """A payment is legal, and listed, if it covers the cost and no source could be left out."""
    position, cost, idle = case(seed)

    def pays(payment):
        return covers(payment_value(position, 0, payment), cost)

    enough = [payment for payment in every_payment(position, idle) if pays(payment)]
    legal = {each for each in enough if not any(map(pays, payments_without_one_source(each)))}
    payments, truncated = list_payments(position, 0, cost, idle)
    assert len(payments) == len(set(payments)) <= MAX_LISTED
    assert truncated == (len(legal) > MAX_LISTED)
    assert set(payments) <= legal
    assert truncated or set(payments) == legal
    assert can_pay(position, 0, cost, idle) == bool(legal)
    for payment in Random(seed).sample(enough, min(60, len(enough))):
        faults = tuple(payment_violations(position, 0, cost, idle, payment))
        assert (not faults) == (payment in legal)


@pytest.mark.parametrize("seed", SEEDS)
def test_c6_bids_are_all_sets_of_sources_with_bells_or_gold(seed):
    position, _, idle = case(seed)

    def size(payment):
        value = payment_value(position, 0, payment)
        assert bell_count(value) == value[Resource.BELL] + value[Resource.GOLD]
        return bell_count(value)

    possible = {
        bid
        for bid in every_payment(position, idle)
        if size(bid) and all(size(less) < size(bid) for less in payments_without_one_source(bid))
    }
    bids, truncated = list_bids(position, 0, idle)
    assert len(bids) == len(set(bids))
    assert set(bids) <= possible
    sizes = [*map(size, bids)]
    assert sizes == sorted(sizes)
    assert set(sizes) == set(map(size, possible))
    assert truncated == (len(bids) < len(possible))
    if len(possible) < 30:
        assert set(bids) == possible


def test_c4_payments_of_a_very_rich_player_are_listed_in_time():
    """If there are too many payments, the first ones are listed, with cards last."""
    names = "gardener shepherd merchant miller scholar prospector mason priest"
    village, tokens = dict(enumerate(names.split())), dict.fromkeys(TOKENS, 200)
    hand = "monk nun abbess potter officer"
    rich = seat("a", village, hand=hand, buildings={"farm": 8}, tokens=tokens)
    position = state(table(rich, row=["shepherd", "guide", "poet", "smith", "baker"]))
    started = time.perf_counter()
    some, truncated = list_payments(position, 0, Cost((12, 4, 4, 4, 0), 6), None)
    assert truncated
    assert 0 < len(some) <= MAX_LISTED
    bids, truncated = list_bids(position, 0, None)
    assert truncated
    assert len(bids) >= 200
    assert time.perf_counter() - started < 5


@pytest.mark.parametrize("hidden", [3, 6, 20])
def test_c12_choices_with_many_unknown_cards_are_listed_in_time(hidden):
    own = with_cards(abbess={"actions": [{"effects": [{"type": "meditate"}]}]})
    kinds = ({"bell": 1}, {"gold": 1}, {"barley": 1}, {"barley": 1, "bell": 2})
    own["villagers"] += [
        {"id": f"v{number}", "cost": 12, "icons": kinds[number % 4]} for number in range(50)
    ]
    one = seat("a", {0: "abbess"}, hand="unknown " * hidden, buildings={})
    position = table(one, catalogue=own)
    started = time.perf_counter()
    assert choices(position)
    assert choices(position, activate(0))
    assert time.perf_counter() - started < 5


def test_c5_a_payment_leaves_a_source_only_where_an_effect_needs_one(monkeypatch):
    """With 18 unknown cards and a cost that the search did not find a payment for, each hand card
    was left in turn: the choices of one decision took 0.5 s."""
    searched = []
    search = paid_effects.list_payments
    monkeypatch.setattr(
        paid_effects, "list_payments", lambda *each: searched.append(each) or search(*each)
    )
    cost = {"barley": 2, "gold": 2}
    for effect, leaves in (({"type": "gain", "what": "scroll"}, False), ({"type": "redraw"}, True)):
        action = {"pay": cost, "effects": [effect]}
        own = with_cards(monk={"actions": [action]})
        rich = seat("a", {4: "monk"}, hand="unknown unknown", tokens={"barley": 2, "gold": 2})
        turn = follow_actions(table(rich, seat("b"), catalogue=own), activate(4)).play
        searched.clear()
        list(paid_effects.payments_beside(turn, turn.task))
        assert bool(searched) == leaves, effect
