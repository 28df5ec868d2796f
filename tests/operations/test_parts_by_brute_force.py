"""Parts of differences against brute force, over decisions of played games.

Every printed part is computed again with readable rules and evaluators. 500 decisions of each game:

    python3 scripts/dev.py test tests/operations/test_parts_by_brute_force.py -s -n0 \
        --hypothesis-profile=nightly --hypothesis-seed=1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from math import prod
from typing import Any

import pytest
from explanations import PLAYERS, decisions
from golden.asking import ask

from service.core.turn_hints import TurnPlan, TurnQuestion
from service.solver.search.turn_comparisons import compare_choices
from service.solver.search.turn_expectimax import rank_choices, render_turn_hint, solve
from tests import randomized
from tests.games.slopecrashers.engine import plain_parts as slopecrashers
from tests.games.snow_time.engine.reference_parts import ReferenceWithParts
from tests.games.snowcrest.engine import plain_parts as snowcrest
from tests.operations.test_turn_reasons import ENDPOINTS, rendered
from tests.solver.scenarios import SUGGEST, lines, move_key
from tests.solver.search.plain_attribution import PlainLeaf, parts_of_ways, ways_of

STEP = 3
"""One of so many decisions is checked, so that few decisions are of several turns."""
MOST_LINES = 2_500
"""Profiles of a round that are played one by one."""
UNITS = 3e-9
"""Rounding of the parts so that they sum to the difference."""

Body = dict[str, Any]
Plain = Mapping[str, float]
"""Parts of the value of a choice."""


def differences(
    body: Body, rows: Sequence[Body], plain: Sequence[Plain | None]
) -> tuple[int, list[str]]:
    """Return how many parts of a hint were compared, and what does not agree.

    Args:
        body: the request.
        rows: the printed moves.
        plain: the computed numbers of each move; None where they are unknown.
    """
    known = {repr(row["move"]): own for row, own in zip(rows, plain, strict=True)}
    count, failures = 0, []
    for row, own in zip(rows, plain, strict=True):
        compared = row.get("comparison")
        other = compared and known[repr(compared["move"])]
        if own is None or other is None:
            continue
        parts, printed = Counter(own), compared["parts"]
        parts.subtract(other)
        for name in parts.keys() | printed.keys():
            count += 1
            if abs(parts[name] - printed.get(name, 0.0)) > UNITS:
                failures.append(
                    f"{name} is {printed.get(name)}, not {parts[name]}: {row['move']} of {body}"
                )
    return count, failures


def check(
    game: str,
    bodies: Iterator[Body],
    compute: Callable[[Body], tuple[Sequence[Body], Sequence[Plain | None]] | None],
    *,
    few: int = 10,
) -> None:
    """Check as many decisions as the profile of the run says, and print how many."""
    wanted = randomized.case_count(few, 500, ci=2 * few)
    asked = decisions = parts = 0
    failures: list[str] = []
    while decisions < wanted:
        body, asked = next(bodies), asked + 1
        if (computed := compute(body)) is not None:
            count, wrong = differences(body, *computed)
            decisions, parts, failures = decisions + 1, parts + count, failures + wrong
    print(f"\n{game}: {decisions} of {asked} decisions, {parts} parts, {len(failures)} wrong")
    assert not failures, "\n".join([f"{len(failures)}:", *failures[:20]])
    assert parts


def played(game: str, players: int) -> Iterator[Body]:
    """Yield decisions of played games without end."""
    seed = randomized.seed(1)
    print(f"seed {seed}")
    return islice(decisions(game, seed, "quick", PLAYERS[:players]), 0, None, STEP)


# Snow Time ------------------------------------------------------------------------------------


def test_parts_against_uniform_players_are_those_of_the_rules():
    """Parts against mixed strategies are in tests/games/snow_time/engine/test_parts.py."""
    shape = SUGGEST.response_schema().fields["pick"]

    def compute(body: Body) -> tuple[list[Body], list[Plain | None]] | None:
        body = body | {"opponents": {"model": "uniform"}}
        question = SUGGEST.parse(body, [])
        if prod(lines(seat) for seat in question.position.seats) > MOST_LINES:
            return None
        reference = ReferenceWithParts(question.player, "win")
        outcomes = {
            move_key(shape.serialize("pick", {"pick": move})): outcome
            for move, outcome in reference.moves(question.position, {}, {}, 1)
        }
        rows = ask("snow-time", "suggest", body)["moves"]
        parts = [
            {name: number for (kind, name), number in own.items() if kind == "part"}
            for own in (outcomes[move_key(row["move"])] for row in rows)
        ]
        return rows, parts

    check("snow-time (uniform)", played("snow-time", 3), compute, few=4)


# Games of turns -------------------------------------------------------------------------------


def turn_rows(
    game: str,
    body: Body,
    leaves_of: Callable[[Any, TurnQuestion[Any, Any], int, Any], Sequence[PlainLeaf]],
    estimate: Callable[[int, Any], float],
    tree_of: Callable[[TurnQuestion[Any, Any]], Any],
) -> tuple[list[Body], list[Plain | None]] | None:
    """Return the printed choices of a hint, and their numbers by leaf."""
    endpoint = ENDPOINTS[game]
    question = endpoint.parse(body, [])
    [choices] = question.decision.choices.values()
    if len(choices) < 2:
        return None
    search, players = endpoint.search_game, endpoint.players(question.play)
    asker = players.index(question.player)
    solution = solve(search, question, None, attributed=True)
    hint = compare_choices(render_turn_hint(solution, question, players), solution, search, asker)
    best = hint.choices[0].choice
    no_plan = TurnPlan([best], [question.play], question.play, question.decision)
    rows = rendered(game, question, hint, [no_plan])["moves"]
    tree = tree_of(question)
    ranking = rank_choices(solution, asker)
    plain = parts_of_ways(
        ways_of(tree, choices, search.budgets[question.effort]),
        ranking[0],
        search.parts,
        partial(leaves_of, tree, question, hint.rounds),
        partial(estimate, asker),
    )
    return rows, [plain[place] for place in ranking]


def test_parts_of_slopecrashers_are_those_of_the_leaves():
    def leaves_of(
        tree: Any, question: TurnQuestion[Any, Any], rounds: int, end: Any
    ) -> list[PlainLeaf]:
        state = question.play.state
        asker = state.players.index(question.player)
        [breadth] = ENDPOINTS["slopecrashers"].search_game.budgets[question.effort].breadths
        return slopecrashers.leaves_of(state, asker, breadth.determinizations, end)

    def compute(body: Body) -> Any:
        tree_of = ENDPOINTS["slopecrashers"].search_game.tree
        return turn_rows("slopecrashers", body, leaves_of, slopecrashers.estimate, tree_of)

    check("slopecrashers", played("slopecrashers", 4), compute)


def test_parts_of_snowcrest_are_those_of_the_leaves(monkeypatch: pytest.MonkeyPatch):
    """With one stage after the search, so that all choices have the same number of deals.

    Decisions with many choices look one round ahead, the others two, but all choices do.
    """
    game = ENDPOINTS["snowcrest"].search_game
    budget = game.budgets["quick"]
    lines = budget.lines[:1]
    monkeypatch.setattr(game, "budgets", {"quick": replace(budget, positions=8_000, lines=lines)})

    def leaves_of(
        tree: Any, question: TurnQuestion[Any, Any], rounds: int, end: Any
    ) -> list[PlainLeaf]:
        deals = lines[0].determinizations
        return snowcrest.leaves_after(tree, end, rounds, deals)

    def compute(body: Body) -> Any:
        trees = snowcrest.PlainTree
        return turn_rows("snowcrest", body, leaves_of, snowcrest.estimate, trees)

    check("snowcrest", played("snowcrest", 4), compute)
