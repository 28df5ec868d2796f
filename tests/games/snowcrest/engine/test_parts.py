"""The parts of a hint, against the evaluator and a plain computation."""

from collections import Counter
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from service.core.sequential import TurnQuestion
from service.core.turn_budgets import Lines, TurnBudget
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.engine.abilities import KINDS
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.features import PLAIN_FEATURES, features
from service.games.snowcrest.engine.measures import (
    AVAILABLE,
    HELD,
    HELD_CARDS,
    LATER,
    LATER_FEATURES,
    MEASURES,
    MOST_CARDS,
    PAID,
    READY,
    READY_CARDS,
    VILLAGE_CARDS,
    cards_of,
    later_measures,
    own_measures,
)
from service.games.snowcrest.engine.parts import PARTS, estimates, terms
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.rules.scoring import scores
from service.games.snowcrest.rules.state import observed
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint
from service.solver.search.turn_plan import solve_with_plan
from tests.games.snowcrest.engine.plain_parts import estimate, leaves_after, plain_tree
from tests.games.snowcrest.engine.test_evaluation import random_states
from tests.games.snowcrest.positions import GAME, follow_actions, play_card, seat, table
from tests.solver.search.plain_attribution import Way, parts_of_ways

EVALUATOR = default_evaluator()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_terms_sum_to_the_estimate_of_the_evaluator(players):
    for now in random_states(players, 8, 25):
        for asker, player in enumerate(now.players):
            seen = observed(now, player)
            following = seen.turn or players
            by_part = terms(EVALUATOR, asker, [seen], [following]).terms
            [share] = estimates(EVALUATOR, asker, players, seen.solo, by_part.sum(axis=1))
            estimated = np.array([EVALUATOR.shares(seen, following)])
            [expected] = EVALUATOR.stated(estimated, asker)
            assert share == pytest.approx(expected[asker], abs=1e-12)


def test_positions_are_estimated_together_as_alone():
    states = list(random_states(3, 9, 12))
    following = [each.turn or 3 for each in states]
    together = terms(EVALUATOR, 1, states, following)
    alone = [
        terms(EVALUATOR, 1, [one], [next_]) for one, next_ in zip(states, following, strict=True)
    ]
    for place, numbers in enumerate(together):
        assert np.array_equal(numbers, np.concatenate([each[place] for each in alone]))
    table = [features(each, next_)[1] for each, next_ in zip(states, following, strict=True)]
    assert together.own == pytest.approx(np.array(table)[:, : len(PLAIN_FEATURES)])


def test_measures_count_what_a_player_sees():
    start = follow_actions(
        table(
            seat(
                "a", {0: "farmer!", 1: "guide", 4: "poet!"}, hand="mason scholar",
                tokens={"barley": 3, "gold": 1}, buildings={"farm": (1, 2)}, scrolls=4, omen=-2,
            )
        )
    ).play.state  # fmt: skip
    cards = cards_of(start, 0)
    counts = dict(zip(MEASURES, own_measures(start, 0, scores(start), cards), strict=False))
    assert counts["scrolls"] == 4
    assert counts["omen"] == -2
    assert counts["resources"] == 4
    assert [counts[kind] for kind in ("barley", "bell", "gold")] == [3, 0, 1]
    assert counts["buildings"] == counts["farm"] == 3
    assert counts["face-up"] == 1
    assert counts["villagers"] == 1
    assert counts["hand"] == 2
    assert counts["rest-due"] == 0
    kinds = {kind: counts[kind] for kind in KINDS if counts[kind]}
    assert kinds == {
        "villager-gain": 2, "villager-card": 1, "villager-barley": 1, "villager-settle": 1,
    }  # fmt: skip
    assert {kind: counts[kind] for kind in READY if counts[kind]} == {"ready-villager-gain": 1}
    held = {HELD[kind]: counts[kind] for kind in HELD if counts[kind]}
    assert held == {
        "villager-build": 1, "villager-juniper": 1, "villager-gold": 1, "villager-other": 1,
    }  # fmt: skip
    [guide] = [each for each in start.catalogue.villagers if each.id == "guide"]
    assert [counts[kind] for kind in PAID] == [*guide.icons]
    # Tokens, the farm that is face up, and the icons of the guide and of both hand cards.
    assert [counts[kind] for kind in AVAILABLE] == [5, 0, 0, 1, 2]
    villagers = [start.villager(card) for card in cards]
    assert {each.id for each in villagers} >= {start.villager(card).id for card in start.row}
    assert [each.cost for each in villagers] == sorted(each.cost for each in villagers)[::-1]
    for measures, names in (
        (VILLAGE_CARDS, {"farmer", "guide", "poet"}),
        (READY_CARDS, {"guide"}),
        (HELD_CARDS, {"mason", "scholar"}),
    ):
        copies = zip(villagers, map(counts.__getitem__, measures), strict=False)
        assert {each.id: count for each, count in copies if count} == dict.fromkeys(names, 1)
    # Four points for scrolls, two less for omen, and three majorities; the other player has none.
    later = {"supply": 9, "later-points": 4, "later-omen": -2, "later-lead": 5}
    numbers = later_measures(0, 9, scores(start), np.arange(len(LATER_FEATURES), dtype=float))
    own = dict(zip(LATER_FEATURES, range(len(LATER_FEATURES)), strict=True))
    assert dict(zip(LATER, numbers, strict=True)) == own | later


def test_a_second_copy_of_a_card_changes_nothing():
    """The hint said "without Shepherd" although another shepherd stayed in the village."""
    one, both = (
        follow_actions(table(seat("a", village, hand="unknown", discards="monk"))).play.state
        for village in ({0: "carpenter"}, {0: "carpenter", 4: "carpenter!"})
    )
    assert UNKNOWN not in cards_of(both, 0)
    measured = cards_of(one, 0)
    assert measured == cards_of(both, 0)
    present, present_twice = (
        dict(zip(MEASURES, own_measures(each, 0, scores(each), measured), strict=False))
        for each in (one, both)
    )
    for measures in (VILLAGE_CARDS, READY_CARDS, HELD_CARDS):
        assert [present[each] for each in measures] == [present_twice[each] for each in measures]


def test_the_most_expensive_cards_are_measured():
    start = follow_actions(table(seat("a"), seat("b"))).play.state
    everything = replace(start.seats[0], discards=tuple(range(len(start.catalogue.villagers))))
    cards = cards_of(replace(start, seats=(everything, start.seats[1])), 0)
    assert len(cards) == MOST_CARDS
    costs = [start.villager(card).cost for card in cards]
    assert costs == sorted((each.cost for each in start.catalogue.villagers), reverse=True)[:32]


# A plain computation --------------------------------------------------------------------------


def test_parts_equal_a_plain_computation_with_the_readable_rules():
    """A payment: tokens, gold or hand cards, and how full the village gets."""
    start = table(
        seat(
            "a", {0: "farmer", 4: "builder!"}, hand="potter scholar mason",
            tokens={"barley": 2, "gold": 2}, buildings={"farm": 2}, scrolls=3, omen=1,
        ),
        seat("b", scrolls=4, tokens={"bell": 2}),
        supply=14,
    )  # fmt: skip
    turn = follow_actions(start, play_card("potter", 1)).play
    node = GAME.pending(turn)
    question = TurnQuestion(turn, node, "a", "quick", None, None)
    game = SnowcrestTurns()
    [breadth] = game.budgets["quick"].breadths
    game.budgets = {"quick": TurnBudget((breadth,), 2, 10_000, lines=(Lines(None, 6),))}
    solution = solve_with_plan(game, question, None)
    hint = compare_choices(render_turn_hint(solution, question, ("a", "b")), solution, game, 0)
    tree = plain_tree(question)
    ways = [Way(value.value, (), [(1.0, tree.after(value.choice))]) for value in hint.choices]
    leaves_of = partial(leaves_after, tree, rounds=2, determinizations=6, start=turn.state)
    plain = parts_of_ways(ways, 0, PARTS, leaves_of, partial(estimate, 0))
    parts = [Counter(each) for each, _ in plain]
    met = set()
    for rank, value in enumerate(hint.choices):
        comparison = value.comparison
        other = [each.choice for each in hint.choices].index(comparison.other)
        for part in PARTS:
            expected = parts[rank][part] - parts[other][part]
            assert comparison.parts.get(part, 0.0) == pytest.approx(expected, abs=3e-9), part
            met |= {part} if abs(expected) > 1e-6 else set()
        assert sum(comparison.parts.values()) == pytest.approx(comparison.difference, abs=1e-12)
        for name, measure in value.measures.items():
            expected = plain[rank][1].get(name, 0.0) - plain[other][1].get(name, 0.0)
            assert measure == pytest.approx(expected, abs=1e-9), name
    assert {"resources", "hand", "buildings"} <= met
