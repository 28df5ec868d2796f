"""The evaluator: win shares, potentials and features, with the readable rules."""

from dataclasses import replace
from itertools import combinations, permutations
from random import Random

import pytest
from golden.snowcrest import SMALL

from service.core.game import Chance
from service.games.common.validation import Violations
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE, parse_catalogue
from service.games.snowcrest.engine.abilities import ABILITIES, abilities
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.features import FEATURES, FREE_BY_MASK, OWN_FEATURES
from service.games.snowcrest.rules.payments.resources import Resource
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import LINES
from tests.games.snowcrest.engine.plain_evaluation import knots_of, own_features, potentials, shares
from tests.games.snowcrest.positions import GAME, seat, state, table

OWN = parse_catalogue(SMALL, Violations(), "")


def random_states(players, seed, turns, **more):
    """Yield the states of a random game."""
    random, now = Random(seed), set_up("abcd"[:players], seed, **more)
    for _ in range(turns):
        if GAME.over(now):
            return
        play = GAME.begin(now).play
        while (node := GAME.pending(play)) is not None:
            if isinstance(node, Chance):
                play = GAME.draw(play, random.choice([card for card, _ in node.outcomes])).play
            else:
                [(player, choices)] = node.choices.items()
                play = GAME.choose(play, {player: random.choice(choices)}).play
        now = GAME.rest(play)
        yield now


SETTINGS = [
    {"players": 2}, {"players": 3}, {"players": 4},
    {"players": 2, "starter_variant": True}, {"players": 2, "catalogue": OWN},
]  # fmt: skip


@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_shares_are_no_less_than_0_and_sum_to_1(setting):
    for now in random_states(seed=3, turns=60, **setting):
        found = shares(default_evaluator(), now, now.turn or len(now.seats))
        assert len(found) == len(now.seats)
        assert min(found) >= 0.0
        assert sum(found) == pytest.approx(1.0)


def test_c13_the_solo_share_is_a_probability():
    for now in random_states(1, 4, 40, difficulty=3):
        [chance] = shares(default_evaluator(), now, 1)
        assert 0.0 <= chance <= 1.0


def test_potentials_do_not_depend_on_the_seat():
    """Apart from the turn order, the seat index does not matter."""
    for now in random_states(3, 5, 60):
        turned = replace(now, seats=now.seats[1:] + now.seats[:1], turn=(now.turn - 1) % 3)
        turned = replace(turned, challenges=())
        now = replace(now, challenges=(), ending=False)
        turned = replace(turned, ending=False)
        # The rotation changes who still has a turn in the round, hence the tolerance ``left``.
        here = potentials(default_evaluator(), now, now.turn or 3)
        there = potentials(default_evaluator(), turned, turned.turn or 3)
        weights = [row[FEATURES.index("left")] for row in default_evaluator().several]
        left = max(map(abs, weights))
        for index in range(3):
            other = (index - 1) % 3
            assert here[index] - there[other] == pytest.approx(0.0, abs=abs(left) + 1e-9)


def test_knot_weights_interpolate_between_knots():
    first = state(table(seat("a"), seat("b"), supply=20))
    full, half, none = (knots_of(replace(first, supply=supply)) for supply in (20, 10, 0))
    assert full == (1.0, 0.0, 0.0, 0.0)
    assert half == (0.0, 1.0, 0.0, 0.0)
    assert none == (0.0, 0.0, 1.0, 0.0)
    assert knots_of(replace(first, supply=3, ending=True)) == (0.0, 0.0, 0.0, 1.0)


def test_c3_free_counts_villagers_that_can_be_exhausted_before_a_line_is_full():
    """Compare with brute force over all sets of remaining cells."""
    for mask in Random(1).sample(range(512), 60):
        exhausted_row = {cell for cell in range(9) if mask >> cell & 1}
        best = -1
        for count in range(10 - len(exhausted_row)):
            for more in combinations(sorted(set(range(9)) - exhausted_row), count):
                if not any(set(line) <= exhausted_row | set(more) for line in LINES):
                    best = max(best, count)
        assert FREE_BY_MASK[mask] == best


@pytest.mark.parametrize(("bowls", "twice"), [(1, False), (2, True), (4, True)])
@pytest.mark.parametrize("cells", [*permutations((1, 4, 6), 2)])
def test_two_worships_are_counted_wherever_the_villagers_are(cells, bowls, twice):
    """A prophet worships for nothing, a priest for two bowls; a hint praised one of two equal
    cells by 2 %, because the second worship in the order of cells had to be payable twice."""
    village = dict(zip(cells, ("prophet", "priest"), strict=True))
    start = state(table(seat("a", village), seat("b")))
    spendable = [0.0] * len(Resource)
    spendable[Resource.BOWL] = float(bowls)
    counted = own_features(start.seats[0], spendable * 2, (), start.catalogue)
    found = dict(zip(OWN_FEATURES, counted, strict=True))
    assert (found["ready_worship"], found["ready_more_worship"]) == (1.0, float(twice))


def test_abilities_do_not_depend_on_card_ids():
    """Cards with the same effects have the same abilities, whatever their ids."""
    renamed = [{**card, "id": f"x-{place}"} for place, card in enumerate(SMALL["commons"])]
    other = parse_catalogue(SMALL | {"commons": renamed}, Violations(), "")
    assert abilities(other) == abilities(OWN)
    assert all(len(vector) == len(ABILITIES) for vector in abilities(DEFAULT_CATALOGUE))
