"""The look-ahead over the turns of the other players."""

from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import numpy as np
import pytest

from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.lookahead import MOST_DEALS, LookAhead, uncertain
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.rules.scoring import winners
from service.games.snowcrest.rules.setup import set_up
from service.games.snowcrest.rules.state import observed
from service.games.snowcrest.rules.turn import FillRow, Turn
from tests import randomized
from tests.conformance.walks import random_turns
from tests.games.snowcrest.catalogues import decks_for, random_catalogue
from tests.games.snowcrest.engine.plain_evaluation import shares as plain_shares
from tests.games.snowcrest.engine.plain_parts import unpacked
from tests.games.snowcrest.plain_ends import ends_game
from tests.games.snowcrest.positions import GAME, ask, seat, table, with_cards

SEEDS = randomized.case_numbers(4, 60)
MOST_TURNS = 200
EVALUATOR = default_evaluator()


def ends_of_turns(seed: int, *, own_catalogue: bool = False) -> list[Turn]:
    """Return ends of turns of a random game of several players, as the player sees them."""
    random, players = Random(seed), "abcd"[: 2 + seed % 3]
    catalogue = random_catalogue(random, len(players)) if own_catalogue else None
    state = set_up(players, seed, catalogue=catalogue, decks=decks_for(catalogue, len(players)))
    # With random cards, all players may have to pass without end.
    turns = islice(random_turns(GAME, state, random), MOST_TURNS)
    visited = ((before.mover.player, each.play) for before, _, nodes, _ in turns for each in nodes)
    ends = (
        replace(turn, state=observed(turn.state, player), actions=())
        for player, turn in visited
        if isinstance(turn.task, FillRow) and not ends_game(turn)
    )
    return [*islice(ends, 30)]


def look_ahead(end: Turn) -> LookAhead:
    return LookAhead(end.state, end.state.turn, EVALUATOR)


def packed(end: Turn) -> Any:
    return packing_of(end.state.catalogue, len(end.state.seats)).pack(end)


@pytest.mark.parametrize("own_catalogue", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_leaves_have_the_value_of_the_position_before_the_next_turn_of_the_asker(
    seed, own_catalogue
):
    """They equal the readable evaluation, or the final scores, of the unpacked leaf."""
    finished = 0
    for end in ends_of_turns(seed, own_catalogue=own_catalogue):
        asker, players = end.state.turn, len(end.state.seats)
        ahead = look_ahead(end)
        played = ahead.play_on(packed(end), 1, 3)
        for vector, shares, over in zip(played.leaves, played.shares, played.finished, strict=True):
            leaf = unpacked(vector, end.state)
            if over:
                won = winners(leaf)
                certain = [[(player in won) / max(1, len(won)) for player in leaf.players]]
                expected = uncertain(np.array(certain))[0]
                assert max(expected) < 1.0
                finished += 1
            else:
                assert leaf.turn == asker
                hands = [each.unknown_count == len(each.hand) for each in leaf.seats]
                assert all(hands[:asker] + hands[asker + 1 :]), "the asker sees no other hand"
                estimated = np.array([plain_shares(EVALUATOR, leaf, leaf.turn or players)])
                [expected] = EVALUATOR.calibration[players].stated(estimated, asker)
            assert shares == pytest.approx(expected, abs=1e-9)
    print(f"{finished} finished games")


@pytest.mark.parametrize("seed", SEEDS)
def test_equal_ends_have_equal_leaves_and_more_deals_only_add_some(seed):
    for end in ends_of_turns(seed)[::5]:
        vector = packed(end)
        few, many, again = (look_ahead(end).play_on(vector, 2, deals) for deals in (2, 5, 5))
        assert np.array_equal(many.leaves, again.leaves)
        common = min(len(few.leaves), len(many.leaves))
        assert np.array_equal(few.leaves[:common], many.leaves[:common])
        assert np.array_equal(few.shares[:common], many.shares[:common])
        assert many.finished.any() or len(many.leaves) == 5
        assert 5 <= len(many.leaves) <= 5 * MOST_DEALS


@pytest.mark.parametrize(
    ("card", "village"),
    [
        ("potter", {0: "farmer", 2: "woodcutter", 4: "potter", 6: "builder", 8: "acolyte"}),
        ("farmer", {4: "potter"}),
    ],
    ids=["own turn", "turns of others"],
)
def test_catalogues_with_large_turns_are_left_to_rules_that_can_be_interrupted(
    card: str, village: dict[int, str]
):
    """A turn of 432 choices took a kernel 40 s, and left no room for an end of the turn."""
    gain = {"type": "gain", "what": "any", "count": 12}
    own = with_cards(**{card: {"actions": [{"effects": [gain] * 6}] * 6}})
    start = table(seat("a", village), seat("b"), catalogue=own)
    response = ask("suggest", {"state": start, "player": "a", "effort": "quick"})
    assert response["moves"]
    assert response["search"]["determinizations"] == 1
    assert response["search"]["depth"] == 0
    assert response["search"]["complete"]
