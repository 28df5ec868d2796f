"""Positions, next decisions, plans and numbers in the responses of every turn-based game."""

from __future__ import annotations

import json
from random import Random
from types import SimpleNamespace

import pytest

from service.core.violations import OutOfTime, Rejected
from service.core.vocabulary import EFFORTS
from service.games.registry import GAMES
from service.operations.catalogue import game
from service.operations.dispatch import execute
from service.solver.search import turn_plans
from tests.games.unions import golden_games, misfits
from tests.randomized import case_count
from tests.rich_requests import RICH

SEEDS = range(case_count(1, 20))
DRAWS = {"slopecrashers": "gifts", "snowcrest": "hand"}
ENOUGH_DRAWS = 3


class TurnGameClient:
    """One game: its endpoints as functions."""

    def __init__(self, name):
        self.name, self.definition = name, GAMES[name]
        self.endpoints = {endpoint.name: endpoint for endpoint in self.definition.endpoints}

    def ask(self, endpoint, **body):
        return execute(self.definition, self.endpoints[endpoint], body).document

    def start(self, seed):
        return self.ask("new", seats=[{"player": name} for name in "abc"], seed=seed)["state"]

    def legal(self, state, so_far):
        return self.ask("legal-moves", state=state, so_far=so_far)


@pytest.fixture(params=DRAWS)
def table(request):
    return TurnGameClient(request.param)


def drawn(legal, random):
    """Return the action that draws one of the possible cards."""
    cards = [each["card"] for each in legal["draw"]]
    return {"type": "draw", "card": random.choice(cards)}


def turns(table, seed, count):
    """Yield random turns of a game: the state, and the actions with what follows each of them."""
    random, state = Random(seed), table.start(seed)
    for _ in range(count):
        steps, legal = [], table.legal(state, [])
        while legal["decision"] != "none":
            if legal["decision"] == "draw":
                action = drawn(legal, random)
            else:
                action = random.choice(legal["moves"][legal["player"]])
            steps.append((legal, action))
            legal = table.legal(state, [action for _, action in steps])
        yield state, steps, legal
        state = legal["position"]
        if legal["game_over"]:
            return


# legal-moves --------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_position_after_a_complete_turn_is_the_state_that_resolve_returns(table, seed):
    for state, steps, last in turns(table, seed, 12):
        resolved = table.ask("resolve", state=state, moves=[action for _, action in steps])
        assert last["position"] == resolved["state"]
        assert last["game_over"] == resolved["game_over"]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_next_decision_or_draw_has_the_fields_of_its_kind(table, seed):
    union = table.endpoints["legal-moves"].response_schema.union
    for _, steps, last in turns(table, seed, 12):
        nodes = [*(legal for legal, _ in steps), last]
        assert not misfits(nodes, union)
        assert None not in [value for node in nodes for value in node.values()]
        for node in nodes[:-1]:
            assert list(node["moves"]) == ([] if "draw" in node else [node["player"]])
            assert node["player"] in [seat["player"] for seat in node["position"]["seats"]]


# suggest ------------------------------------------------------------------------------------


def hints(table, seed, count, efforts=("quick",)):
    """Yield hints within turns that follow their plans, with their requests."""
    random, state = Random(seed), table.start(seed)
    for number in range(count):
        so_far, legal = [], table.legal(state, [])
        while legal["decision"] != "none":
            if legal["decision"] == "draw":
                so_far.append(drawn(legal, random))
            else:
                body = {"state": state, "so_far": list(so_far), "player": legal["player"]}
                body["effort"] = efforts[number % len(efforts)]
                hint = table.ask("suggest", **body)
                yield body, hint, legal
                # Sometimes the player deviates from the plan.
                deviates = random.random() < 0.3
                moves = [random.choice(hint["moves"])["move"]] if deviates else hint["plan"]
                so_far += moves
            legal = table.legal(state, so_far)
        state = legal["position"]
        if legal["game_over"]:
            return


@pytest.mark.parametrize("seed", SEEDS)
def test_a_plan_is_what_the_hints_of_its_decisions_recommend(table, seed):
    longest = 0
    for body, hint, _ in hints(table, seed, 8, ("quick", "standard")):
        plan = hint["plan"]
        assert plan[0] == hint["pick"]
        longest = max(longest, len(plan))
        for done in range(1, len(plan)):
            so_far = body["so_far"] + plan[:done]
            following = table.ask("suggest", **{**body, "so_far": so_far})
            assert following["pick"] == plan[done]
            # A plan that ends early, after many positions, is continued by later hints.
            if hint["after_plan"].get("player") == body["player"]:
                assert following["plan"][: len(plan) - done] == plan[done:]
            else:
                assert following["plan"] == plan[done:]
                assert following["after_plan"] == hint["after_plan"]
    assert longest > 1


def test_a_deadline_during_the_planning_shortens_the_plan(table, monkeypatch):
    body, hint = next(
        (body, hint)
        for body, hint, _ in hints(table, 1, 12)
        if searches(table, body, hint["plan"]) > 1
    )
    solve, calls = turn_plans.solve, []

    def stopped(*arguments, **options):
        calls.append(arguments)
        if len(calls) > 1:
            raise OutOfTime
        return solve(*arguments, **options)

    monkeypatch.setattr(turn_plans, "solve", stopped)
    short = table.ask("suggest", **body, deadline_ms=30_000)
    assert not short["search"]["complete"]
    assert short["plan"] == hint["plan"][: len(short["plan"])] != hint["plan"]
    assert [row | {"reasons": []} for row in short["moves"]] == [
        row | {"reasons": []} for row in hint["moves"]
    ]
    assert short["after_plan"]["player"] == body["player"]


def searches(table, body, plan):
    """Return how many decisions of a plan have more than one choice."""
    nodes = (table.legal(body["state"], body["so_far"] + plan[:done]) for done in range(len(plan)))
    return sum(len(node["moves"][node["player"]]) > 1 for node in nodes)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_plan_ends_where_something_else_happens(table, seed):
    for _, hint, legal in hints(table, seed, 8):
        after = hint["after_plan"]
        assert after.get("player") != hint["player"] or after["decision"] == "draw"
        assert hint["decision"] == legal["decision"]
        assert hint["hint_level"] == "card"
        assert not misfits([after], table.endpoints["legal-moves"].response_schema.union)


ASKED_FIRST = ({"nothing-to-decide"}, {"not-a-choice"})
"""Violations where a view that does not know the gifts of a target asks the target (S13)."""


def outcome(table, body):
    """Return a hint, or the codes of its violations."""
    try:
        return table.ask("suggest", **body)
    except Rejected as refused:
        return {violation.code for violation in refused.violations}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hint_shows_only_what_its_player_sees(table, seed):
    """Hidden cards of others change no byte, neither of the position nor after the plan."""
    cards = DRAWS[table.name]
    for body, hint, legal in hints(table, seed, 8):
        for shown in (hint["position"], hint["after_plan"]["position"]):
            others = [seat for seat in shown["seats"] if seat["player"] != hint["player"]]
            moves = (*body["so_far"], *hint["plan"])
            # Cards of a bid are shown to all; the player may take them back (C6).
            bids = [move["payment"].get("hand", ()) for move in moves if move["type"] == "bid"]
            revealed = {card for hand in bids for card in hand}
            assert {card for seat in others for card in seat[cards]} <= {"unknown", *revealed}
        if legal["player"] != legal["position"]["turn"]:
            continue
        unseen = json.loads(json.dumps(body["state"]))
        for seat in unseen["seats"]:
            if seat["player"] != hint["player"]:
                seat[cards] = ["unknown"] * len(seat[cards])
        assert outcome(table, {**body, "state": unseen}) in (hint, *ASKED_FIRST)


def test_hints_and_reviews_name_their_method(table):
    examples = (table.ask(name, **table.endpoints[name].example) for name in ("suggest", "review"))
    assert {each["search"]["method"] for each in examples} == {"turn-expectimax"}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_draw_can_be_appended_as_it_is_listed(table, seed):
    met = 0
    for state, steps, _ in turns(table, seed, 100):
        for place, (legal, action) in enumerate(steps):
            if legal["decision"] == "draw":
                before = [each for _, each in steps[:place]]
                [listed] = [each for each in legal["draw"] if each["card"] == action["card"]]
                assert listed["type"] == action["type"] == "draw"
                listed_draw, sent = ([*before, draw] for draw in (listed, action))
                assert table.legal(state, listed_draw) == table.legal(state, sent)
                met += 1
        if met >= ENOUGH_DRAWS:
            return
    pytest.fail(f"only {met} draws")


# Numbers of a hint ----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
def test_the_numbers_of_a_hint_add_up(table, seed):
    for _, hint, _ in hints(table, seed, 8):
        moves, shares = hint["moves"], hint["win_shares"]
        values = [each["value"] for each in moves]
        assert values[0] == max(values)
        losses = [values[0] - value for value in values]
        assert [each["loss"] for each in moves] == pytest.approx(losses, abs=1e-9)
        assert (hint["pick"], hint["pick_index"]) == (moves[0]["move"], 0)
        assert [each["probability"] for each in moves] == [1.0] + [0.0] * (len(moves) - 1)
        assert list(shares) == [seat["player"] for seat in hint["position"]["seats"]]
        assert sum(shares.values()) == pytest.approx(1.0, abs=1e-9)
        assert hint["expected_values"] == shares
        assert shares[hint["player"]] == values[0]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_choice_is_graded_by_its_loss_and_the_published_limits(table, seed):
    about, met = game(table.definition), 0
    # The grades of the solo game are those of points (C13).
    grades = about.get("hint_grades", about["grades"])
    for body, _, legal in hints(table, seed, 3):
        if len(legal["moves"][legal["player"]]) < 2:
            continue
        for move in (legal["moves"][legal["player"]][0], legal["moves"][legal["player"]][-1]):
            hint = table.ask("suggest", **body, chosen=move)
            [row] = [each for each in hint["moves"] if each["move"] == move]
            stake = max(hint["moves"][0]["value"], grades["stakes"]["win"]["least"])
            stake /= grades["stakes"]["win"]["reference"]
            limits = grades["limits"]["win"].items()
            within = [name for name, limit in limits if row["loss"] <= limit * stake]
            expected = within[0] if within else "blunder"
            # The stated error is two standard errors; a loss within one is at worst good.
            if row["loss"] <= row["comparison"]["error"] / 2.0 and expected != "best":
                expected = "good"
            assert hint["grade"] == {"move": move, "loss": row["loss"], "class": expected}
            met += 1
    assert met > 3


def test_a_player_without_a_decision_gets_a_violation(table):
    state = table.start(1)
    for player, code in (("b", "nothing-to-decide"), ("z", "unknown-player")):
        assert refused(table, "suggest", state=state, player=player) == {("/player", code)}
    last = json.loads(golden_games(table.name)[0].read_text("utf-8"))["rounds"][-1]["answer"]
    body = {"state": last["state"], "player": last["state"]["seats"][0]["player"]}
    assert refused(table, "suggest", **body) == {("/state", "game-over")}


def refused(table, endpoint, **body):
    with pytest.raises(Rejected) as rejected:
        table.ask(endpoint, **body)
    return {(violation.path, violation.code) for violation in rejected.value.violations}


def test_a_deadline_before_any_result_raises_out_of_time(table, monkeypatch):
    body, _, _ = next(hints(table, 1, 8))
    monkeypatch.setattr("service.solver.budget.time", SimpleNamespace(monotonic=lambda: 1e12))
    with pytest.raises(OutOfTime):
        table.ask("suggest", **body, deadline_ms=10)


def test_each_effort_names_itself_and_searches_more(table):
    body = RICH[table.name]["suggest"]
    searches = [table.ask("suggest", **body | {"effort": effort})["search"] for effort in EFFORTS]
    assert [search["effort"] for search in searches] == list(EFFORTS)
    assert all(search["complete"] and not search["exact"] for search in searches)
    nodes = [search["nodes"] for search in searches]
    assert nodes == sorted(nodes)
    assert nodes[0] < nodes[-1]
    evaluator = table.endpoints["suggest"].search_game.evaluator
    assert {search["evaluator"] for search in searches} == {evaluator}
