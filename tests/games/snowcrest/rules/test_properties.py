"""Properties of every game, tested on random games."""

from collections import Counter
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from random import Random

import pytest

from service.core.game import Chance, follow
from service.games.common.validation import Violations, validate_shape
from service.games.snowcrest.api.requests import TurnScript
from service.games.snowcrest.api.responses import render_new, render_resolve
from service.games.snowcrest.api.schema import StateSchema
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.rules.actions import ActionType
from service.games.snowcrest.rules.legality import parse_state
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import (
    BUILDING_LIMITS,
    BUILDING_SLOTS,
    Phase,
    observed,
    pile_size,
    unseen_commons,
    unseen_deck,
    unseen_forest,
    unseen_guardians,
)
from tests import randomized
from tests.conformance.walks import random_turns
from tests.games.snowcrest.positions import GAME

SEEDS = randomized.case_numbers(3, 10)
SETUPS = (
    {"players": "ab"},
    {"players": "abc"},
    {"players": "abcd"},
    {"players": "ab", "starter_variant": True},
    {"players": "a", "difficulty": 4},
)


@lru_cache
def turns(seed):
    """Return each turn of a random game: state before, play, state after, events."""
    start = set_up(seed=seed, **SETUPS[seed % len(SETUPS)])
    played = [
        (before, play, GAME.rest(play), sum((each.step.events for each in nodes), begun.events))
        for before, begun, nodes, play in islice(random_turns(GAME, start, Random(seed)), 2_000)
    ]
    assert len(played) < 2_000
    return played


@pytest.fixture(params=SEEDS)
def game(request):
    return turns(request.param)


def test_games_end(game):
    assert game[-1][2].phase is Phase.OVER
    assert all(after.phase is not Phase.OVER for _, _, after, _ in game[:-1])
    turns_each = Counter(before.turn for before, *_ in game)
    assert len(set(turns_each.values())) == 1, "all have had equally many turns"


def test_cards_are_conserved(game):
    """Each deck and pile has the same cards, in hand, pile, discards, village or row."""
    for _, _, after, _ in game:
        cards = after.catalogue
        for index, seat in enumerate(after.seats):
            own = Counter(seat.hand) + Counter(seat.discards) + unseen_deck(after, index)
            living = [each.card for each in seat.village if each is not None]
            own.update(card for card in living if card in cards.deck)
            assert own == cards.deck
            assert pile_size(after, index) >= 0
        commons = Counter(after.row) + Counter(after.below.commons) + unseen_commons(after)
        living = [each.card for seat in after.seats for each in seat.village if each is not None]
        commons.update(card for card in living if card not in cards.deck)
        assert commons == cards.commons(solo=after.solo)
        known = Counter(after.below.guardians)
        assert unseen_guardians(after) + known == cards.guardian_pile
        assert unseen_forest(after) + Counter(after.below.forest) == cards.forest_pile


def test_a_village_has_nine_villagers_and_eight_buildings_at_most(game):
    for _, _, after, _ in game:
        for seat in after.seats:
            assert len(seat.village) == 9
            assert seat.building_count <= BUILDING_SLOTS
            assert min(min(stock) for stock in seat.buildings) >= 0
        assert all(after.available_buildings(kind) >= 0 for kind in BUILDING_LIMITS)


def test_no_amount_becomes_negative(game):
    for _, _, after, _ in game:
        for seat in after.seats:
            assert min(*seat.tokens, seat.scrolls, seat.omen_tokens) >= 0
            assert -5 <= seat.omen <= 5
        assert after.supply >= 0
        assert 1 <= after.juniper <= 3 * len(after.seats)
        assert len(after.row) == 5


def test_scrolls_are_conserved_until_the_supply_is_empty(game):
    total = game[0][0].supply
    for _, _, after, _ in game:
        if not after.ending:
            assert after.supply + sum(seat.scrolls for seat in after.seats) == total
        assert after.ending or after.supply > 0


def test_the_event_log_accounts_for_every_scroll(game):
    for before, _, after, events in game:
        taken = Counter()
        for event in events:
            if event.type == "scrolls":
                taken[event.player] += event.count
        trades = [event for event in events if event.type == "trade"]
        traded = sum(event.count for event in trades if event.what.label == "scroll")
        for old, new in zip(before.seats, after.seats, strict=True):
            own = traded if old.player == before.mover.player else 0
            assert new.scrolls - old.scrolls == taken[old.player] - own


def test_the_acting_villager_is_exhausted_at_the_end(game):
    for before, play, after, _ in game:
        first = play.actions[0]
        if first.type in (ActionType.ACTIVATE, ActionType.PLAY):
            resident = after.seats[before.turn].village[first.cell]
            assert resident is not None
            assert resident.exhausted


def test_a_returned_state_can_be_sent_again(game):
    for _, play, after, events in game:
        sent = render_resolve(play, events)["state"]
        shaped, faults = validate_shape(StateSchema(), sent)
        violations = Violations(faults)
        assert parse_state(shaped, violations, over=True) == after
        assert violations == []
        assert render_new(after)["state"] == sent


# Hidden cards (C12) ---------------------------------------------------------------------------


def test_c12_the_same_actions_replay_for_a_player_who_sees_only_the_own_hand(game):
    """The sequence of decisions never depends on hidden cards."""
    for before, play, after, events in game:
        for player in before.players:
            script = TurnScript(play.actions, "", None)
            followed = follow(GAME, GAME.begin(observed(before, player)), script)
            if followed.open is not None:
                # Unknown hands are revealed at the end (C11).
                assert (GAME.over(after), followed.open.name) == (True, "hand")
                continue
            seen = GAME.rest(followed.play)
            assert followed.events == events
            assert _without_hands(seen, player) == _without_hands(after, player)
            assert [len(seat.hand) for seat in seen.seats] == [len(s.hand) for s in after.seats]


def _without_hands(state, player):
    seats = (each if each.player == player else replace(each, hand=()) for each in state.seats)
    return replace(state, seats=tuple(seats))


def test_c12_an_observation_does_not_depend_on_other_hands(game):
    """A player observes the same state, whatever cards others swap between hand and pile."""
    for seed, (before, *_) in enumerate(game):
        random = Random(seed)
        for player in before.players:
            other = before
            for index, seat in enumerate(before.seats):
                if seat.player != player:
                    hidden = (unseen_deck(before, index) + Counter(seat.hand)).elements()
                    hand = tuple(sorted(random.sample(list(hidden), len(seat.hand))))
                    other = other.with_seat(index, replace(seat, hand=hand))
            assert observed(other, player) == observed(before, player)
            seen = observed(before, player)
            hands = {seat.player: seat.hand for seat in seen.seats}
            assert all(set(hand) <= {UNKNOWN} for name, hand in hands.items() if name != player)
            assert observed(seen, player) == seen


def test_c12_legal_actions_of_an_observation_include_the_real_ones(game):
    """With hidden cards, a player may do everything that the real cards allow."""
    for before, play, _, _ in game[:25]:
        for player in before.players:
            step, full = GAME.begin(observed(before, player)), GAME.begin(before)
            for action in play.actions:
                node, real = GAME.pending(step.play), GAME.pending(full.play)
                if node is None:
                    break
                if isinstance(node, Chance):
                    assert {card for card, _ in real.outcomes} <= {c for c, _ in node.outcomes}
                    step, full = (GAME.draw(each.play, action.card) for each in (step, full))
                    continue
                assert list(node.choices) == list(real.choices)
                [[actor, legal]] = real.choices.items()
                for choice in legal[:50]:
                    listed = node.choices[actor]
                    assert choice in listed or not GAME.violations_of(step.play, actor, choice)
                step = GAME.choose(step.play, {actor: action})
                full = GAME.choose(full.play, {actor: action})
