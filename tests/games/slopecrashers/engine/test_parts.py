"""The parts of a hint against a plain computation with the readable rules."""

from dataclasses import dataclass

import pytest

from service.core.game import Decision
from service.core.sequential import RESULT, TurnQuestion
from service.games.slopecrashers.engine.turn_tree import DISCOUNT, PARTS, SlopecrashersTurns
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import render_turn_hint
from service.solver.search.turn_plan import solve_with_plan
from tests.games.slopecrashers.engine.plain_evaluation import (
    estimated,
    gifts_saved,
    movements_left,
    order,
    place_left,
    share,
)
from tests.games.slopecrashers.positions import GAME, state

WALLED = ".... .... .#.. .... +... #... .... ...."


# Plain play -----------------------------------------------------------------------------------


def ends(turn):
    """Yield the positions after all ways to finish a turn without gift fields and attacks."""
    node = GAME.pending(turn)
    if node is None:
        yield GAME.rest(turn)
        return
    assert isinstance(node, Decision)
    [(player, choices)] = node.choices.items()
    for choice in choices:
        yield from ends(GAME.choose(turn, {player: choice}).play)


def best_end(turn):
    mover = turn.state.turn
    return max(ends(turn), key=lambda position: estimated(position, mover))


@dataclass
class Leaf:
    """The position after a round, with the movements left by part and seat."""

    winner: int | None
    left: dict[str, list[float]]
    at_once: bool = False


def leaf_after(turn, asker):
    """Play on to the end of the asker's next turn; everybody takes the best end."""
    position = best_end(turn)
    seats = range(len(position.seats))
    left = {part: [0.0] * len(seats) for part in PARTS}
    if position.winner is None:
        left["progress"][asker] = place_left(position, asker)
        left["gifts"][asker] = -gifts_saved(position, asker)
    due, at_once = False, position.winner is not None

    def others():
        for seat in seats:
            if seat != asker:
                left["others"][seat] = movements_left(position, seat) - order(position, seat)

    while position.winner is None:
        own_turn = position.turn == asker
        if own_turn and not due:
            due = True
            others()
        missing = position.seats[asker].misses_turn
        position = best_end(GAME.begin(position).play)
        if (
            position.winner is None
            and missing
            and not position.seats[asker].misses_turn
            and not due
        ):
            due = True
            others()
        if own_turn:
            break
    if position.winner is None:
        for seat in seats:
            explained = sum(left[part][seat] for part in PARTS)
            left["next-turn"][seat] = movements_left(position, seat) - explained
    return Leaf(position.winner, left, at_once)


def discounted(value, count):
    return (1.0 - DISCOUNT) * value + DISCOUNT / count


def plain_parts(leaf, reference, asker):
    count = len(reference["progress"])
    at = {part: list(left) for part, left in reference.items()}

    def value():
        return discounted(share([sum(row) for row in zip(*at.values(), strict=True)], asker), count)

    base = value()
    if leaf.winner is not None:
        result = float(leaf.winner == asker)
        return {RESULT: (result if leaf.at_once else discounted(result, count)) - base}
    parts = dict.fromkeys(PARTS, 0.0)
    for ordered in (PARTS, PARTS[::-1]):
        at, before = {part: list(left) for part, left in reference.items()}, base
        for part in ordered:
            at[part] = leaf.left[part]
            after = value()
            parts[part] += (after - before) / 2.0
            before = after
    return parts


POSITIONS = {
    "a snowman ahead": state(
        {"a": (1, 1), "b": (2, 3), "c": (0, 2)},
        WALLED,
        gifts={"a": "chili", "b": "spring chili"},
        snowmen=((2, 1),),
    ),
    "others near the finish": state(
        {"a": (2, 4, 1), "b": (2, 5, 3), "c": (2, 3, 0)}, WALLED, gifts={"a": "spring"}
    ),
}


@pytest.mark.parametrize("name", POSITIONS)
def test_parts_equal_a_plain_computation_with_the_readable_rules(name):
    start = GAME.begin(POSITIONS[name]).play
    question = TurnQuestion(start, GAME.pending(start), "a", "quick", None, None)
    game = SlopecrashersTurns()
    solution = solve_with_plan(game, question, None)
    hint = compare_choices(render_turn_hint(solution, question, ("a", "b", "c")), solution, game, 0)
    assert len(hint.choices) >= 3
    leaves = [leaf_after(GAME.choose(start, {"a": value.choice}).play, 0) for value in hint.choices]
    reference = next(leaf.left for leaf in leaves if leaf.winner is None)
    parts = [plain_parts(leaf, reference, 0) for leaf in leaves]
    met = set()
    for rank, value in enumerate(hint.choices):
        comparison = value.comparison
        other = [each.choice for each in hint.choices].index(comparison.other)
        for part in (*PARTS, RESULT):
            expected = parts[rank].get(part, 0.0) - parts[other].get(part, 0.0)
            assert comparison.parts.get(part, 0.0) == pytest.approx(expected, abs=3e-9), part
            met |= {part} if expected else set()
        assert sum(comparison.parts.values()) == pytest.approx(comparison.difference, abs=1e-12)
    assert {"progress", "next-turn"} <= met or RESULT in met


def test_a_missed_turn_belongs_to_the_next_turn():
    """Stepping onto the snowman costs the next turn; what the others then do is its consequence."""
    start = GAME.begin(POSITIONS["a snowman ahead"]).play
    question = TurnQuestion(start, GAME.pending(start), "a", "quick", None, None)
    game = SlopecrashersTurns()
    solution = solve_with_plan(game, question, None)
    hint = compare_choices(render_turn_hint(solution, question, ("a", "b", "c")), solution, game, 0)
    misses = [value for value in hint.choices if value.measures["misses-turn"]]
    assert misses
    for value in misses:
        sign = -1.0 if value.measures["misses-turn"] > 0 else 1.0
        assert sign * value.comparison.parts["next-turn"] > 0.0
        assert abs(value.comparison.parts.get("others", 0.0)) < abs(
            value.comparison.parts["next-turn"]
        )
