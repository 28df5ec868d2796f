"""Depth 2 under solved models against the reference, and the reported depth."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from math import prod
from types import SimpleNamespace
from typing import Any

import pytest

from service.core.hints import Hint, Search
from service.core.rounding import UNITS
from service.games.snow_time.engine.stage_game.normal_form import SnowTimeNormalForm
from service.games.snow_time.rules.state import Move, Track
from service.solver import budget
from service.solver.search import lookahead
from tests.solver.scenarios import Scenario, first, hint, position
from tests.solver.search.reference_lookahead import TwoRounds

PRINT = 4.0 / UNITS
SHORT = Track(12, ())
POSITIONS = {
    "three players, a blizzard": (("12h", "3hb", "5h"), (8, 7, 8), "", SHORT),
    "a lone watcher": (("2hw", "4h", "67h"), (3, 5, 4), "", SHORT),
    "somebody may arrive": (("7h", "6h", "45h"), (10, 9, 9), "", SHORT),
    "mixed": (("157h", "46h", "257h"), (3, 3, 4), "", SHORT),
    "two players, bonuses": (("3h", "h", "h", "6h"), (20, 21, 22, 19), "abab", None),
}
CASES = [
    *(("equilibrium", "win", name) for name in POSITIONS if name != "mixed"),
    ("equilibrium", "points", "a lone watcher"),
    ("equilibrium", "lead", "three players, a blizzard"),
    ("quantal", "win", "three players, a blizzard"),
    ("quantal", "lead", "two players, bonuses"),
]


def scenario(model: str, objective: str, name: str) -> Scenario:
    hands, scores, owners, track = POSITIONS[name]
    fruit = (1, 0, 2, 1, 0, 1)
    state = position(*hands, scores=scores, fruit=fruit, track=track, owners=owners)
    return Scenario(state, state.players[0], objective, depth=2, model=model)


@cache
def solve(model: str, objective: str, name: str) -> Hint[Move]:
    return hint(scenario(model, objective, name))


def solve_one_round(model: str, objective: str, name: str) -> Hint[Move]:
    return hint(replace(scenario(model, objective, name), depth=1))


def move_key(move: Mapping[str, Move]) -> str:
    return repr(sorted(move.items()))


@pytest.mark.slow
@pytest.mark.parametrize(("model", "objective", "name"), CASES)
def test_values_of_two_rounds_equal_the_reference(model: str, objective: str, name: str):
    question, answer = scenario(model, objective, name).question, solve(model, objective, name)
    assert (answer.search.depth, answer.search.unsearched) == (2, 0.0)
    twin = TwoRounds(question)
    state, legal = question.position, question.decision.choices
    mixtures = {
        player: {move_key(move): chance for move, chance in answer.strategies[player]}
        for player in state.players
    }
    moves: dict[str, list[dict[str, Move]]] = {}
    for player in state.players:
        names = [seat.name for seat in state.seats_of(player)]
        stage_game = product(*(legal[seat] for seat in names))
        moves[player] = [dict(zip(names, cards, strict=True)) for cards in stage_game]
    worth = {(player, move_key(move)): 0.0 for player in moves for move in moves[player]}
    for profile in product(*moves.values()):
        named = dict(zip(moves, map(move_key, profile), strict=True))
        chances = {player: mixtures[player].get(move, 0.0) for player, move in named.items()}
        others = {
            player: prod(chance for other, chance in chances.items() if other != player)
            for player in moves
        }
        if any(others.values()):
            values = twin.after({seat: card for own in profile for seat, card in own.items()})
            for player, move in named.items():
                worth[player, move] += others[player] * values[player]
    for revealed in answer.moves:
        value = worth[question.player, move_key(revealed.move)]
        assert revealed.value == pytest.approx(value, abs=PRINT), revealed.move
    gains = []
    for player, mixture in mixtures.items():
        mean = sum(chance * worth[player, move] for move, chance in mixture.items())
        assert answer.expected_values[player] == pytest.approx(mean, abs=PRINT)
        gains.append(max(value for (whose, _), value in worth.items() if whose == player) - mean)
    assert answer.search.epsilon == pytest.approx(max(gains), abs=PRINT)


@pytest.mark.slow
def test_equilibria_of_two_rounds_differ_from_those_of_one():
    """Lookahead must matter in the cases above."""
    pairs = [(solve_one_round(*case), solve(*case)) for case in CASES]
    assert sum(one.strategies != two.strategies for one, two in pairs) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("model", ["equilibrium", "quantal"])
def test_all_players_get_the_same_solution_of_two_rounds(model: str):
    asked = scenario(model, "win", "three players, a blizzard")
    hints = [hint(replace(asked, player=player)) for player in ("red", "blue", "green")]
    first, *others = [(each.strategies, each.win_shares, each.search) for each in hints]
    assert others == [first, first]


# The reported depth ---------------------------------------------------------------------------


def ahead(rounds: int, monkeypatch: pytest.MonkeyPatch, **more: Any) -> Hint[Move]:
    monkeypatch.setattr(lookahead, "LOOKAHEAD_BUDGETS", {"deep": rounds})
    return hint(replace(scenario("equilibrium", "win", "mixed"), **more))


@pytest.mark.slow
def test_a_smaller_budget_leaves_a_larger_unsearched_share(monkeypatch: pytest.MonkeyPatch):
    """Up to ``MAX_UNSEARCHED``; beyond it the hint is that of one round."""
    budgets = (2_000_000, 800_000, 600_000, 300_000, 1_000)
    hints = {rounds: ahead(rounds, monkeypatch) for rounds in budgets}
    searches = [each.search for each in hints.values()]
    print([(search.depth, search.unsearched) for search in searches])
    assert (searches[0].depth, searches[0].unsearched) == (2, 0.0)
    assert (searches[-1].depth, searches[-1].unsearched) == (1, 0.0)
    assert not any(search.exact for search in searches)
    partly = {
        rounds: each
        for rounds, each in hints.items()
        if each.search.depth == 2 and each.search.unsearched
    }
    assert partly
    assert max(each.search.unsearched for each in partly.values()) <= lookahead.MAX_UNSEARCHED

    rounds, deep = next(iter(partly.items()))
    shallow = ahead(rounds, monkeypatch, depth=1)
    assert shallow.search.depth == 1
    assert deep.moves != shallow.moves
    monkeypatch.setattr(lookahead, "MAX_UNSEARCHED", deep.search.unsearched / 2.0)
    cut = ahead(rounds, monkeypatch)
    assert replace(cut, search=shallow.search) == shallow
    assert cut.search.depth == 1


def test_the_search_looks_beyond_unplayed_moves_too():
    """Each value is that of two rounds, unless the unsearched share is positive."""
    case = "equilibrium", "win", "three players, a blizzard"
    unplayed = [move for move in solve(*case).moves if move.probability == 0.0]
    assert unplayed
    before = {str(move.move): move.value for move in solve_one_round(*case).moves}
    assert all(move.value != before[str(move.move)] for move in unplayed)


HEALING = position("3h", "4h", "57h", scores=(8, 7, 8), track=SHORT)


def test_several_healers_at_once_get_hints_of_depth_1():
    answers = []
    for player in ("red", "blue"):
        revealed = {"red": first("h"), "blue": first("h"), "green": first("5")}
        asked = Scenario(HEALING, player, "win", 2, revealed, model="equilibrium")
        assert asked.decision.name == "healer"
        answer = hint(asked)
        assert answer.search.depth == 1
        answers.append((answer.strategies, answer.win_shares))
    assert answers[0] == answers[1]


@pytest.mark.slow
def test_a_single_healer_gets_a_hint_of_depth_2():
    revealed = {"red": first("h"), "blue": first("4"), "green": first("5")}
    search = hint(Scenario(HEALING, "red", "win", 2, revealed, model="equilibrium")).search
    assert (search.depth, search.unsearched) == (2, 0.0)


@pytest.mark.slow
def test_depth_three_is_reached_near_the_end_and_reports_the_unsearched_share():
    def search_of(hands: tuple[str, ...], scores: tuple[int, ...], depth: int) -> Search:
        state = position(*hands, scores=scores, track=None)
        return hint(Scenario(state, "red", "win", depth, model="equilibrium")).search

    last = search_of(("7h", "6h", "5h"), (29, 29, 29), 3)
    assert (last.depth, last.unsearched) == (3, 0.0)
    # The first round is searched completely, the second one in part.
    assert search_of(("7h", "h", "h"), (29, 28, 28), 2).unsearched == 0.0
    further = search_of(("7h", "h", "h"), (29, 28, 28), 3)
    assert further.depth == 3
    assert 0.0 < further.unsearched <= lookahead.MAX_UNSEARCHED


WATCHERS = [
    (("hwb", "2hw", "17hwb"), (22, 16, 29), (1, 6, 1, 1, 2, 4)),
    (("hw", "3hw", "hwb"), (20, 21, 19), (0, 5, 3, 1, 2, 2)),
    (("4hw", "hw", "5hw"), (26, 25, 27), (2, 2, 3, 3, 2, 1)),
]


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["points", "lead", "win"])
def test_epsilon_of_two_rounds_is_that_of_the_rounded_numbers_with_subgames(objective: str):
    """A subgame solved after the lookahead keeps its continuation values."""
    reached = set()
    for hands, scores, fruit in WATCHERS:
        state = position(*hands, scores=scores, fruit=fruit, track=None)
        asked = Scenario(state, "red", objective, 2, effort="standard", model="equilibrium")
        answers = {player: hint(replace(asked, player=player)) for player in state.players}
        [(epsilon, depth)] = {(own.search.epsilon, own.search.depth) for own in answers.values()}
        best = {player: max(move.value for move in own.moves) for player, own in answers.items()}
        gains = [best[player] - own.expected_values[player] for player, own in answers.items()]
        assert epsilon == pytest.approx(max(gains), abs=PRINT), hands
        reached.add(depth)
    assert 2 in reached or objective != "lead"


@pytest.mark.parametrize("effort", ["quick", "standard"])
def test_no_more_profiles_are_listed_than_the_budget_can_search(
    effort: str, monkeypatch: pytest.MonkeyPatch
):
    """If all others play uniformly, tens of thousands of profiles are equally likely."""
    full = "1234567hwb"
    state = position(*[full] * 5, scores=(5, 21, 14, 12, 25), fruit=(2, 1, 2, 1, 0, 0), track=None)
    even = {seat.name: dict.fromkeys(map(first, full), 1.0) for seat in state.seats[1:]}
    listed = []
    successors = SnowTimeNormalForm.successors

    def counted(stage_game: SnowTimeNormalForm, profile: int) -> Any:
        listed.append(profile)
        return successors(stage_game, profile)

    monkeypatch.setattr(SnowTimeNormalForm, "successors", counted)
    asked = Scenario(state, "red", "win", 2, {}, even, effort, model="equilibrium")
    assert hint(asked).search.depth == 1
    assert len(listed) < 500


def test_there_is_no_lookahead_after_the_deadline(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(SnowTimeNormalForm, "successors", None)
    readings = iter([0.0, 0.0, *[100.0] * 10_000])
    monkeypatch.setattr(budget, "time", SimpleNamespace(monotonic=lambda: next(readings)))
    search = hint(scenario("quantal", "points", "a lone watcher"), 50.0).search
    assert (search.depth, search.complete) == (1, False)


@pytest.mark.slow
def test_lookahead_under_level_1_changes_values_but_not_the_others_strategies():
    case = "level-1", "win", "three players, a blizzard"
    deep, shallow = solve(*case), solve_one_round(*case)
    assert deep.search.depth == 2
    assert [move.value for move in deep.moves] != [move.value for move in shallow.moves]
    for player in ("blue", "green"):
        assert deep.strategies[player] == shallow.strategies[player]
