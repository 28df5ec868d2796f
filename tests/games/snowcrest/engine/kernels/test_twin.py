"""The compiled rules agree with the readable ones on random games; the seeds are printed.

A packed position holds all that the rules read, so the whole state is compared after every step.
"""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from service.core.chance import draw
from service.core.game import Chance
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.engine.kernels.rules import acting, advancing
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.packing import Packing, packing_of
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import Phase, State, observed
from service.games.snowcrest.rules.turn import DrawCards, RevealHands, Turn
from tests import randomized
from tests.conformance.walks import random_turns
from tests.games.snowcrest.catalogues import decks_for, random_catalogue
from tests.games.snowcrest.positions import GAME

SEEDS = randomized.case_numbers(10, 200)
CATALOGUE_SEEDS = randomized.case_numbers(16, 400)
MOST_TURNS = 60
SETUPS: tuple[dict[str, Any], ...] = (
    {"players": "abcd"},
    {"players": "a", "difficulty": 10},
    {"players": "abc"},
    {"players": "ab"},
    {"players": "abc", "starter_variant": True},
    {"players": "a", "difficulty": 1},
)


def start(seed: int, *, own_catalogue: bool) -> tuple[Random, State, Packing]:
    """Return a generator, an initial state and its packing."""
    random = Random(seed)
    setup = SETUPS[seed % len(SETUPS)]
    catalogue = random_catalogue(random, len(setup["players"])) if own_catalogue else None
    decks = decks_for(catalogue, len(setup["players"]))
    state = set_up(seed=seed, catalogue=catalogue, decks=decks, **setup)
    return random, state, packing_of(catalogue or DEFAULT_CATALOGUE, len(state.seats))


def needs(node: object) -> int:
    """Return what the compiled rules say that a turn needs next."""
    if node is None:
        return advancing.COMPLETE
    return advancing.CHANCE if isinstance(node, Chance) else advancing.CHOICE


def steps(random: Random, state: State) -> Iterator[tuple[Turn | State, Action | int | None, Turn]]:
    """Yield each step of a random game: what was before, the choice or card, and what follows."""
    for before, begun, nodes, _ in islice(random_turns(GAME, state, random), MOST_TURNS):
        yield before, None, begun.play
        for visited in nodes:
            taken = visited.revealed
            if isinstance(taken, dict):
                [(player, action)] = taken.items()
                taken = replace(action, player=player)
            yield visited.play, taken, visited.step.play


def follow(packing: Packing, before: Turn | State, taken: Action | int | None) -> tuple[Any, int]:
    """Return the packed turn after a step by the compiled rules, and what it needs next."""
    turn = Turn(before) if isinstance(before, State) else before
    vector = packing.pack(turn)
    return vector, take(vector, packing, turn.state.players, taken)


def take(vector: Any, packing: Packing, players: Any, taken: Action | int | None) -> int:
    """Begin the turn, or take a choice or card; return what the turn needs next."""
    if taken is None:
        return acting.begin_turn(vector, packing.cards)
    if isinstance(taken, Action):
        return acting.act(vector, packing.cards, packing.pack_action(taken, players))
    return acting.draw(vector, packing.cards, taken)


@pytest.mark.parametrize("own_catalogue", [False, True])
@pytest.mark.parametrize("seed", CATALOGUE_SEEDS)
def test_every_step_leads_to_the_same_turn(seed, own_catalogue):
    random, state, packing = start(seed, own_catalogue=own_catalogue)
    kept = packing.pack(Turn(state))
    compared = 0
    for before, taken, turn in steps(random, state):
        vector, status = follow(packing, before, taken)
        expected = packing.pack(turn)
        assert np.array_equal(vector, expected), (seed, taken, difference(vector, expected))
        assert status == needs(GAME.pending(turn))
        # The game as a whole, not only step by step.
        assert take(kept, packing, state.players, taken) == status
        assert np.array_equal(kept, expected)
        compared += 1
    assert compared > 30 or turn.state.phase is Phase.OVER


@pytest.mark.parametrize("own_catalogue", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", SEEDS)
def test_every_step_agrees_with_hidden_cards(seed, own_catalogue):
    """Views of one player, in which other hands and some own draws are unknown (C12)."""
    random, state, packing = start(seed, own_catalogue=own_catalogue)
    compared = 0
    for before, taken, _ in steps(random, state):
        if isinstance(before, State) or taken is None:
            continue
        for player in state.players:
            view = replace(before, state=observed(before.state, player), actions=())
            unknown = isinstance(view.task, DrawCards) and player != view.mover.player
            step = UNKNOWN if unknown else taken
            vector, status = follow(packing, view, step)
            if isinstance(step, Action):
                after = GAME.choose(view, {step.player: step}).play
            else:
                after = GAME.draw(view, step).play
            assert np.array_equal(vector, packing.pack(after)), (seed, step)
            while (node := GAME.pending(after)) and isinstance(after.task, RevealHands):
                card = draw(node, random.getrandbits(32))
                after = GAME.draw(after, card).play
                status = acting.draw(vector, packing.cards, card)
                assert np.array_equal(vector, packing.pack(after)), (seed, card)
            assert status == needs(GAME.pending(after))
            compared += 1
    assert compared > 20


def test_c22_some_random_catalogues_have_icons_of_any_resource():
    catalogues = [start(seed, own_catalogue=True)[1].catalogue for seed in CATALOGUE_SEEDS]
    shown = [sum(card.any_icons > 0 for card in each.villagers) for each in catalogues]
    assert sum(map(bool, shown)) > len(shown) // 4


def difference(vector: Any, expected: Any) -> list[tuple[int, int, int]]:
    """Return the places in which two vectors differ, with both numbers."""
    places = np.nonzero(vector != expected)[0]
    return [(int(place), int(vector[place]), int(expected[place])) for place in places[:12]]


def test_of_a_turn_with_very_many_tasks_the_next_ones_are_packed() -> None:
    state = set_up("ab", 1)
    packing = packing_of(DEFAULT_CATALOGUE, 2)
    turn = GAME.begin(state).play
    many = replace(turn, tasks=turn.tasks * at.MAX_TASKS)
    expected = packing.pack(replace(many, tasks=many.tasks[: at.MAX_TASKS]))
    assert np.array_equal(packing.pack(many), expected)
    # What does not fit is refused by the rules.
    acting.begin_turn(expected, packing.cards)
    assert expected[at.FAILED]
