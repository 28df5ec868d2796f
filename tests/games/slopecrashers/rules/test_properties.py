"""Invariants of random games."""

from collections import Counter
from random import Random

import pytest

from service.core.chance import draw
from service.core.game import Chance
from service.games.common.validation import Violations
from service.games.slopecrashers.api.responses import render_new, render_resolve
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, Course, Field
from service.games.slopecrashers.rules.gifts import CARDS, DEFAULT_DECK, UNKNOWN, Deck
from service.games.slopecrashers.rules.legality import parse_state
from service.games.slopecrashers.rules.state import (
    MAX_ACTIONS,
    ActionType,
    Seat,
    State,
    pile_size,
    pool,
)
from tests import randomized
from tests.games.slopecrashers.courses import laid_out, printed, shuffled
from tests.games.slopecrashers.positions import GAME

SEEDS = randomized.case_numbers(4, 12)
FIELDS = (Field.PLAIN, Field.GIFT, Field.BOOST, Field.ABYSS, Field.OBSTACLE)


def random_course(random):
    """Return default or random pieces; random ones may have adjacent boosts but no closed row."""
    if random.random() < 0.5:
        return shuffled(Course(tuple(random.sample(DEFAULT_PIECES, random.randint(1, 6)))))
    lanes = random.randint(2, 5)
    weights = (8, 3, 3, 1, 1)
    rows = [random.choices(FIELDS, weights, k=lanes) for _ in range(random.randint(4, 12))]
    for row in rows:
        row[0] = Field.PLAIN
    return laid_out(tuple(map(tuple, rows)), lane=0)


def random_deck(random):
    if random.random() < 0.5:
        return DEFAULT_DECK
    return Deck(tuple((card, random.randint(1, 2)) for card in CARDS if random.random() < 0.3))


def turns(seed, most=400):
    """Yield the turns of a random game: state before, play, state after, events."""
    random = Random(seed)
    seats = tuple(Seat(name) for name in "abcdef"[: random.randint(2, 6)])
    course, deck = random_course(random), random_deck(random)
    state = State(seats, 0, course, deck, own_pieces=printed(course), own_deck=True)
    for _ in range(most):
        if GAME.over(state):
            return
        step = GAME.begin(state)
        events = step.events
        while (node := GAME.pending(step.play)) is not None:
            if isinstance(node, Chance):
                card = draw(node, random.getrandbits(32))
                card = UNKNOWN if random.random() < 0.1 else card
                step = GAME.draw(step.play, card)
            else:
                [(player, legal)] = node.choices.items()
                step = GAME.choose(step.play, {player: random.choice(legal)})
            events += step.events
        after = GAME.rest(step.play)
        yield state, step.play, after, events
        state = after


@pytest.mark.parametrize("seed", SEEDS)
def test_characters_and_snowmen_are_on_separate_enterable_spaces(seed):
    for _, _, after, _ in turns(seed):
        spaces = [seat.place.space for seat in after.seats if seat.place is not None]
        assert len(set(spaces)) == len(spaces)
        assert all(after.course.is_enterable(*space) for space in spaces)
        assert not {snowman.space for snowman in after.snowmen} & set(spaces)


@pytest.mark.parametrize("seed", SEEDS)
def test_gifts_are_conserved(seed):
    for _, _, after, _ in turns(seed):
        known = Counter(after.discards)
        known.update(snowman.card for snowman in after.snowmen)
        known.update(card for seat in after.seats for card in seat.gifts)
        unknown = known.pop(UNKNOWN, 0)
        assert all(count <= after.deck.count_by_card[card] for card, count in known.items())
        assert pile_size(after) >= 0
        assert sum(pool(after).values()) == pile_size(after) + unknown


@pytest.mark.parametrize("seed", SEEDS)
def test_a_turn_ends_or_wins_within_64_actions(seed):
    for _, play, after, _ in turns(seed):
        types = [action.type for action in play.actions]
        own = [each for each in types if each not in (ActionType.DRAW, ActionType.ANSWER)]
        assert len(own) <= MAX_ACTIONS
        if own and after.winner is None:
            assert own.count(ActionType.END) == 1
            assert own[-1] is ActionType.END


@pytest.mark.parametrize("seed", SEEDS)
def test_the_next_player_does_not_miss_the_turn(seed):
    for _, _, after, _ in turns(seed):
        assert not after.mover.misses_turn
        assert [event.type for event in GAME.begin(after).events] in ([], ["no-place"])


@pytest.mark.parametrize("seed", SEEDS[:6])
def test_a_returned_state_can_be_sent_again(seed):
    for _, play, after, events in turns(seed, most=120):
        sent = render_resolve(play, events)["state"]
        violations = Violations()
        assert parse_state(sent, violations, over=True) == after
        assert violations == []
        assert render_new(after)["state"] == sent
