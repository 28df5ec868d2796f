"""The parts of a hint, against the evaluator and a plain computation."""

from math import exp

import numpy as np
import pytest

from service.core.game import Chance
from service.core.sequential import TurnQuestion
from service.games.snowcrest.engine.evaluation import default_evaluator, knot_weights
from service.games.snowcrest.engine.features import FEATURES, features
from service.games.snowcrest.engine.parts import MEASURES, PARTS, estimates, measures, terms
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.rules.state import observed
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint
from service.solver.search.turn_plan import solve_with_plan
from tests.games.snowcrest.engine.test_evaluation import random_states
from tests.games.snowcrest.positions import GAME, follow_actions, play_card, seat, table

EVALUATOR = default_evaluator()


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_terms_sum_to_the_estimate_of_the_evaluator(players):
    for now in random_states(players, 8, 25):
        for asker, player in enumerate(now.players):
            seen = observed(now, player)
            following = seen.turn or players
            by_part = terms(EVALUATOR, asker, [seen], [following])
            [share] = estimates(EVALUATOR, asker, players, seen.solo, by_part.sum(axis=1))
            assert share == pytest.approx(EVALUATOR.shares(seen, following)[asker], abs=1e-12)


def test_positions_are_estimated_together_as_alone():
    states = list(random_states(3, 9, 12))
    following = [each.turn or 3 for each in states]
    together = terms(EVALUATOR, 1, states, following)
    alone = [
        terms(EVALUATOR, 1, [one], [next_]) for one, next_ in zip(states, following, strict=True)
    ]
    assert np.array_equal(together, np.concatenate(alone))


def test_measures_count_what_a_player_sees():
    start = follow_actions(
        table(
            seat(
                "a", {0: "farmer!", 1: "guide!", 4: "poet"}, hand="mason scholar",
                tokens={"barley": 3, "gold": 1}, buildings={"farm": (1, 2)}, scrolls=4, omen=-2,
            )
        )
    ).play.state  # fmt: skip
    [row] = measures(0, [start], terms(EVALUATOR, 0, [start], [1]))
    counts = dict(zip(MEASURES, row, strict=True))
    assert counts["scrolls"] == 4
    assert counts["omen"] == -2
    assert counts["resources"] == 4
    assert counts["buildings"] == 3
    assert counts["villagers"] == 1
    assert counts["hand"] == 2
    assert counts["rest-due"] == 0


# A plain computation --------------------------------------------------------------------------


def part_of(name):
    """Return the part of an own feature."""
    for prefix, part in (
        ("ready_", "actions"),
        ("up_", "villagers"),
        ("down_", "villagers"),
        ("held_", "hand"),
        ("farm_", "buildings"),
        ("forge_", "buildings"),
        ("temple_", "buildings"),
    ):
        if name.startswith(prefix):
            return part
    single = {
        "scrolls": "points",
        "building_points": "points",
        "omen": "omen",
        "hand": "hand",
        "challenges": "challenges",
        "majorities": "majorities",
    }
    resources = ("barley", "bell", "bowl", "juniper", "gold", "hoard")
    groups = dict.fromkeys(resources, "resources")
    groups |= dict.fromkeys(("residents", "free", "due"), "villagers")
    return (single | groups).get(name, "phase")


class Blend:
    """A position made of the parts of two positions."""

    def __init__(self, position, following):
        self.rows = features(position, following)
        self.knots = knot_weights(position)

    def take(self, part, other):
        own, *others = self.rows
        if part == "others":
            self.rows = [own, *other.rows[1:]]
            return
        self.rows = [
            [
                theirs if part_of(name) == part else ours
                for name, ours, theirs in zip(FEATURES, own, other.rows[0], strict=True)
            ],
            *others,
        ]
        if part == "phase":
            self.knots = other.knots

    @property
    def share(self):
        def mix(numbers):
            return sum(knot * number for knot, number in zip(self.knots, numbers, strict=True))

        potentials = [
            mix(
                sum(weight * number for weight, number in zip(weights, row, strict=True))
                for weights in EVALUATOR.several
            )
            for row in self.rows
        ]
        slope = mix(EVALUATOR.slopes)
        return 1.0 / sum(exp(slope * (each - potentials[0])) for each in potentials)


def plain_parts(reached, reference):
    parts = dict.fromkeys(PARTS, 0.0)
    for ordered in (PARTS, PARTS[::-1]):
        blend = Blend(*reference)
        before = blend.share
        for part in ordered:
            blend.take(part, Blend(*reached))
            parts[part] += (blend.share - before) / 2.0
            before = blend.share
    return parts


def reached_by(turn, choice):
    """Return the position after a choice that ends the turn, and the next seat."""
    after = GAME.choose(turn, {"a": choice}).play
    while isinstance(GAME.pending(after), Chance):
        after = GAME.draw(after, GAME.pending(after).outcomes[0][0]).play
    assert GAME.pending(after) is None
    return after.state, after.state.turn or len(after.state.seats)


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
    solution = solve_with_plan(game, question, None)
    hint = compare_choices(render_turn_hint(solution, question, ("a", "b")), solution, game, 0)
    reached = [reached_by(turn, value.choice) for value in hint.choices]
    parts = [plain_parts(each, reached[0]) for each in reached]
    met = set()
    for rank, value in enumerate(hint.choices):
        comparison = value.comparison
        other = [each.choice for each in hint.choices].index(comparison.other)
        for part in PARTS:
            expected = parts[rank][part] - parts[other][part]
            assert comparison.parts.get(part, 0.0) == pytest.approx(expected, abs=3e-9), part
            met |= {part} if abs(expected) > 1e-6 else set()
        assert sum(comparison.parts.values()) == pytest.approx(comparison.difference, abs=1e-12)
    assert {"resources", "hand", "buildings"} <= met
