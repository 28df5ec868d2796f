"""The evaluator: win shares, potentials and features, with the readable rules."""

from itertools import combinations, islice, permutations
from random import Random

import pytest
from golden.snowcrest import SMALL

from service.games.common.validation import Violations
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE, parse_catalogue
from service.games.snowcrest.engine.abilities import ABILITIES, abilities
from service.games.snowcrest.engine.evaluation import knot_weights
from service.games.snowcrest.engine.features import FREE_BY_MASK, OWN_FEATURES
from service.games.snowcrest.rules.payments.resources import Resource
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import LINES
from tests.conformance.walks import random_turns
from tests.games.snowcrest.engine.plain_evaluation import own_features
from tests.games.snowcrest.positions import GAME, seat, state, table

OWN = parse_catalogue(SMALL, Violations(), "")


def random_states(players, seed, turns):
    """Return the states of a random game."""
    played = random_turns(GAME, set_up("abcd"[:players], seed), Random(seed))
    return [GAME.rest(play) for _, _, _, play in islice(played, turns)]


def test_knot_weights_interpolate_between_knots():
    for supply, ending, expected in (
        (20, False, (1.0, 0.0, 0.0, 0.0)),
        (10, False, (0.0, 1.0, 0.0, 0.0)),
        (0, False, (0.0, 0.0, 1.0, 0.0)),
        (3, True, (0.0, 0.0, 0.0, 1.0)),
    ):
        assert knot_weights(supply, 2, ending=ending) == expected


def test_c3_free_counts_villagers_that_can_be_exhausted_before_a_line_is_full():
    for mask in Random(1).sample(range(512), 60):
        tired = {cell for cell in range(9) if mask >> cell & 1}
        left = sorted(set(range(9)) - tired)
        sets = (more for count in range(len(left) + 1) for more in combinations(left, count))
        allowed = (
            len(more) for more in sets if not any(set(line) <= tired | set(more) for line in LINES)
        )
        assert FREE_BY_MASK[mask] == max(allowed, default=-1)


@pytest.mark.parametrize(("bowls", "twice"), [(1, False), (2, True), (4, True)])
@pytest.mark.parametrize("cells", [*permutations((1, 4, 6), 2)])
def test_two_worships_are_counted_wherever_the_villagers_are(cells, bowls, twice):
    """A prophet worships for nothing, a priest for two bowls; a hint praised one of two equal
    cells by 2 %, because the second worship in the order of cells had to be payable twice."""
    village = dict(zip(cells, ("prophet", "priest"), strict=True))
    start = state(table(seat("a", village), seat("b")))
    spendable = [0.0] * len(Resource)
    spendable[Resource.BOWL] = float(bowls)
    counted = own_features(start.seats[0], spendable, (), start.catalogue)
    found = dict(zip(OWN_FEATURES, counted, strict=True))
    assert (found["ready_worship"], found["ready_more_worship"]) == (1.0, float(twice))


def test_abilities_do_not_depend_on_card_ids():
    renamed = [{**card, "id": f"x-{place}"} for place, card in enumerate(SMALL["commons"])]
    other = parse_catalogue(SMALL | {"commons": renamed}, Violations(), "")
    assert abilities(other) == abilities(OWN)
    assert all(len(vector) == len(ABILITIES) for vector in abilities(DEFAULT_CATALOGUE))
