"""Hints that learn how the others play, through the operation ``suggest``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import SingleFlight, WaitList
from service.cache.types import Hit
from service.core.arrays import Floats
from service.core.languages import LANGUAGES
from service.core.profiles import Trait
from service.core.violations import OutOfTime, Rejected
from service.games.registry import GAMES
from service.games.snow_time.api.profile_messages import TRAITS, trait_sentence
from service.operations import learned_hint
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import SolutionCache, Solutions
from service.solver.canonical import canonicalize
from service.solver.opponents import refinement
from service.solver.opponents.histories import observe
from tests.solver.opponents.test_safety import plain_worst_case

GAME = GAMES["snow-time"]
ENDPOINTS = {endpoint.name: endpoint for endpoint in GAME.endpoints}
SEATS = ("anna", "bob", "cleo")
Body = dict[str, Any]


def ask(endpoint: str, body: Body) -> Body:
    document: Body = execute(GAME, ENDPOINTS[endpoint], body).document
    return document


def state(scores: tuple[int, ...] = (20, 21, 22), hand: tuple[str, ...] = ("3", "5", "6")) -> Body:
    seats = [
        {"seat": seat, "score": score, "hand": [*hand, "healer"]}
        for seat, score in zip(SEATS, scores, strict=True)
    ]
    return {"seats": seats, "fruit": [1, 0, 2, 0, 1, 0]}


def rounds(**cards: str) -> list[Body]:
    """Return six rounds in which the players always show these cards."""
    moves = {seat: {"card": card} for seat, card in cards.items()}
    return [{"state": state((10 + n, 11 + n, 12 + n)), "moves": moves} for n in range(6)]


HISTORY = rounds(bob="6", cleo="3")


def hint(opponents: Mapping[str, Any], **more: Any) -> Body:
    body = {"state": state(), "player": "anna", "nonce": "n", "opponents": opponents} | more
    return ask("suggest", body)


def test_without_a_history_it_is_the_equilibrium_hint():
    expected = hint({})
    assert hint({"model": "learned"}) == expected
    assert hint({"model": "learned", "history": [], "profiles": {}}) == expected
    assert expected["search"]["method"] == "equilibrium"
    assert "opponents" not in expected


def test_a_history_is_used_unless_another_model_is_named():
    history = rounds(bob="6", cleo="6")
    assert hint({"history": history})["search"]["method"] == "learned"
    assert hint({"history": history, "model": "equilibrium"}) == hint({})


def test_rounds_without_moves_tell_nothing():
    history = rounds(bob="6", cleo="6")
    silent = [{"state": state(), "moves": {}}, {"state": state(), "moves": {"anna": {"card": "6"}}}]
    assert hint({"history": silent[:1]}) == hint({})
    assert hint({"history": silent})["opponents"]["bob"]["evidence"]["rounds"] == 0
    learned = hint({"history": history})
    assert hint({"history": [silent[0], *history]}) == learned


def test_a_deeper_hint_looks_at_the_next_round():
    small = {"state": state(hand=("3",)), "depth": 2, "effort": "deep"}
    search = hint({"history": rounds(bob="6")}, **small)["search"]
    assert (search["depth"], search["exact"], search["complete"]) == (2, False, True)


def test_predictions_follow_what_the_others_did():
    learned = hint({"history": HISTORY})
    strategies = {
        player: {next(iter(row["move"].values()))["card"]: row["probability"] for row in rows}
        for player, rows in learned["strategies"].items()
    }
    assert max(strategies["bob"], key=strategies["bob"].__getitem__) == "6"
    assert max(strategies["cleo"], key=strategies["cleo"].__getitem__) == "3"
    seen = {name: own["evidence"]["rounds"] for name, own in learned["opponents"].items()}
    assert seen == {"bob": 6, "cleo": 6}
    assert 0.0 < learned["search"]["trust"] <= 0.9


def test_a_profile_continues_in_the_next_game():
    learned = hint({"history": HISTORY})
    profiles = {name: own["compact"] for name, own in learned["opponents"].items()}
    later = hint({"profiles": profiles})
    assert later["search"]["method"] == "learned"
    for name, own in later["opponents"].items():
        before = learned["opponents"][name]
        assert own["evidence"]["rounds"] == before["evidence"]["rounds"]
        for parameter, value in own["parameters"].items():
            # The compact form keeps the 16 likeliest styles.
            assert value == pytest.approx(before["parameters"][parameter], rel=0.2)


def test_a_profile_of_one_player_is_enough():
    learned = hint({"history": HISTORY})
    later = hint({"profiles": {"bob": learned["opponents"]["bob"]["compact"]}})
    assert later["opponents"]["cleo"]["evidence"]["rounds"] == 0


@pytest.mark.parametrize(
    ("opponents", "path", "code"),
    [
        ({"profiles": {"bob": "abc"}}, "/profiles/bob", "bad-profile"),
        ({"profiles": {"bob": "!"}}, "/profiles/bob", "bad-profile"),
        ({"profiles": {"bob": "a" * 201}}, "/profiles/bob", "bad-profile"),
        ({"profiles": {"anna": "abc"}}, "/profiles/anna", "own-profile"),
        ({"profiles": {"dora": "abc"}}, "/profiles/dora", "unknown-player"),
        ({"history": [{}] * 61}, "/history", "wrong-length"),
        (
            {"history": [*rounds(bob="6"), {"state": state(), "moves": {"bob": {"card": "7"}}}]},
            "/history/6/moves/bob/card",
            "card-not-in-hand",
        ),
    ],
)
def test_every_violation_is_named_with_its_place(opponents: Body, path: str, code: str):
    with pytest.raises(Rejected) as rejected:
        hint(opponents)
    violations = [(each.path, each.code) for each in rejected.value.violations]
    assert ("/opponents" + path, code) in violations


@pytest.mark.parametrize("player", SEATS)
def test_the_printed_risk_is_that_of_brute_force(player: str):
    """Against one opponent who knows the strategy, compared with the equilibrium strategy."""
    history = rounds(anna="5", bob="6", cleo="3")
    learned = hint({"history": history}, player=player)
    solved = hint({}, player=player)
    body = {"state": state(), "player": player, "opponents": {"model": "equilibrium"}}
    suggest = ENDPOINTS["suggest"]
    canonical = canonicalize(suggest.search_game, suggest.parse(body, []))
    game = suggest.search_game.stage_game(canonical.question)

    def strategies(answer: Body) -> list[Floats]:
        rows = []
        for number, name in enumerate(canonical.players):
            chances = {
                row["move"][name]["card"]: row["probability"] for row in answer["strategies"][name]
            }
            moves = game.moves(number)
            rows.append(
                np.array([chances.get(next(iter(m.values())).card.label, 0.0) for m in moves])
            )
        return rows

    predicted, equilibrium = strategies(learned), strategies(solved)
    asker = canonical.players.index(player)
    worst = [
        plain_worst_case(game.payoffs, game.counts, asker, own[asker], (predicted, equilibrium))
        for own in (equilibrium, predicted)
    ]
    assert learned["search"]["risk"] == pytest.approx(worst[0] - worst[1], abs=1e-6)


def predict_only(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """Let the time be over after so many predictions."""
    predict, calls = Solutions.predict, []

    def limited(*arguments: Any) -> Any:
        calls.append(arguments)
        if len(calls) > most:
            raise OutOfTime
        return predict(*arguments)

    monkeypatch.setattr(Solutions, "predict", limited)


@pytest.mark.parametrize("late", [1, 3])
def test_a_deadline_leaves_out_the_oldest_rounds(late: int, monkeypatch: pytest.MonkeyPatch):
    predict_only(monkeypatch, late)
    cut = hint({"history": HISTORY})
    assert not cut["search"]["complete"]
    monkeypatch.undo()
    # Nor are styles added when time is short.
    monkeypatch.setattr(refinement, "NEW", 0)
    # The first prediction is for the decision in question.
    kept = HISTORY[len(HISTORY) + 1 - late :]
    rounds_of = {name: own["evidence"]["rounds"] for name, own in cut["opponents"].items()}
    assert rounds_of == {"bob": len(kept), "cleo": len(kept)}
    if kept:
        assert cut["opponents"] == hint({"history": kept})["opponents"]


def test_a_deadline_leaves_out_the_added_styles_first(monkeypatch: pytest.MonkeyPatch):
    predict = Solutions.predict

    def slow(self: Any, *arguments: Any) -> Any:
        *_, added = arguments
        if added:
            raise OutOfTime
        return predict(self, *arguments)

    monkeypatch.setattr(Solutions, "predict", slow)
    opponents = {"history": HISTORY}
    cut = hint(opponents)
    assert not cut["search"]["complete"]
    monkeypatch.undo()
    monkeypatch.setattr(refinement, "NEW", 0)
    whole = hint(opponents)
    assert whole["search"].pop("complete")
    assert not cut["search"].pop("complete")
    assert cut["moves"] == whole["moves"]
    assert cut["opponents"].keys() == whole["opponents"].keys()
    for player, own in cut["opponents"].items():
        assert own["evidence"] == whole["opponents"][player]["evidence"]


def test_added_styles_improve_the_estimates(monkeypatch: pytest.MonkeyPatch):
    refined = hint({"history": HISTORY})
    monkeypatch.setattr(refinement, "NEW", 0)
    plain = hint({"history": HISTORY})
    assert refined["opponents"] != plain["opponents"]
    for player in ("bob", "cleo"):
        own, other = (hints["opponents"][player]["evidence"] for hints in (refined, plain))
        assert own["rounds"] == other["rounds"]


@pytest.fixture
def cache() -> Cache:
    return Cache(Memory(2**22))


def cached_hint(cache: Cache, opponents: Mapping[str, Any]) -> Body:
    context = RequestContext(solutions=Solutions(SolutionCache(SingleFlight(cache, WaitList(1)))))
    body = {"state": state(), "player": "anna", "nonce": "n", "opponents": opponents}
    document: Body = execute(GAME, ENDPOINTS["suggest"], body, context).document
    return document


def test_hints_round_by_round_equal_hints_without_a_cache(cache: Cache):
    history = [*rounds(bob="6", cleo="3"), *rounds(bob="5", cleo="5")]
    for number in range(1, len(history)):
        opponents = {"history": history[:number]}
        assert cached_hint(cache, opponents) == hint(opponents)


def test_each_round_of_a_game_is_observed_once(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    observed = []
    monkeypatch.setattr(
        learned_hint, "observe", lambda *given: observed.append(given) or observe(*given)
    )
    for number in range(2, len(HISTORY)):
        cached_hint(cache, {"history": HISTORY[:number]})
    assert len(observed) == len(HISTORY) - 1
    # Another question after the same rounds observes none again.
    cached_hint(cache, {"history": HISTORY[:-1], "profiles": {}})
    assert len(observed) == len(HISTORY) - 1


@pytest.mark.parametrize(
    "change",
    [
        lambda history: [*history[1:], history[0]],
        lambda history: [*history[:-1], {**history[-1], "moves": {"bob": {"card": "3"}}}],
        lambda history: [{**history[0], "moves": {"cleo": {"card": "3"}}}, *history[1:]],
        lambda history: [{**history[0], "state": state((1, 2, 3))}, *history[1:]],
    ],
    ids=["order", "last move", "missing move", "position"],
)
def test_beliefs_of_another_history_are_not_used(cache: Cache, change: Any):
    history = [*rounds(bob="6", cleo="3")[:2], *rounds(bob="5", cleo="6")[2:4]]
    cached_hint(cache, {"history": history})
    other = {"history": change(history)}
    assert cached_hint(cache, other) == hint(other)


def test_beliefs_from_other_profiles_are_not_used(cache: Cache):
    compact = cached_hint(cache, {"history": HISTORY})["opponents"]["cleo"]["compact"]
    for profiles in ({"bob": compact}, {"cleo": compact}):
        opponents = {"history": HISTORY, "profiles": profiles}
        assert cached_hint(cache, opponents) == hint(opponents)


def test_damaged_beliefs_are_computed_again(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    opponents = {"history": HISTORY}
    monkeypatch.setattr(Cache, "get", lambda *_: Hit(b"damaged", "redis"))
    assert cached_hint(cache, opponents) == hint(opponents)


def test_beliefs_without_all_rounds_are_not_cached(cache: Cache, monkeypatch: pytest.MonkeyPatch):
    opponents = {"history": HISTORY}
    predict_only(monkeypatch, 3)
    assert not cached_hint(cache, opponents)["search"]["complete"]
    monkeypatch.undo()
    assert cached_hint(cache, opponents) == hint(opponents)


def test_later_decisions_learn_too():
    """A watcher's choice after the reveal is a decision like any other."""
    table = state(hand=("3", "6", "watcher"))
    revealed = {"anna": {"card": "watcher"}, "bob": {"card": "watcher"}, "cleo": {"card": "6"}}
    added = {"bob": {"card": "watcher", "then": {"card": "3"}}}
    history = [{"state": table, "moves": revealed | added}] * 4
    body = {"state": table, "player": "anna", "revealed": revealed}
    body |= {"opponents": {"history": history}}
    learned = ask("suggest", body)
    assert learned["decision"] == "watcher"
    assert learned["search"]["method"] == "learned"
    assert learned["opponents"]["bob"]["evidence"]["rounds"] == 4
    assert learned["win_shares"].keys() == set(SEATS)


@pytest.mark.parametrize("player", ["anna", "bob"])
def test_several_healers_learn_too(player: str):
    """At a healer decision the choices of the other healers are fixed in advance."""
    table = state(hand=("3",))
    revealed = {"anna": {"card": "healer"}, "bob": {"card": "healer"}, "cleo": {"card": "3"}}
    taken = {seat: {"card": "healer", "recover": ["6", "7"]} for seat in ("anna", "bob")}
    history = [{"state": table, "moves": revealed | taken}] * 3
    body = {"state": table, "player": player, "revealed": revealed}
    learned = ask("suggest", body | {"opponents": {"history": history}})
    assert learned["decision"] == "healer"
    other = "bob" if player == "anna" else "anna"
    assert learned["opponents"][other]["evidence"]["rounds"] == 3
    values, solved = (
        {str(row["move"]): row["value"] for row in each["moves"]}
        for each in (learned, ask("suggest", body))
    )
    assert values == pytest.approx(solved, abs=1e-6)


def test_a_two_player_game_learns_both_seats():
    seats = [
        {"seat": seat, "player": player, "score": 15, "hand": ["4", "6", "healer"]}
        for seat, player in (("r", "anna"), ("g", "anna"), ("b", "bob"), ("y", "bob"))
    ]
    table = {"seats": seats, "fruit": [1, 0, 2, 0, 1, 0]}
    entry = {"state": table, "moves": {"b": {"card": "6"}, "y": {"card": "6"}}}
    opponents = {"history": [entry] * 5}
    learned = ask("suggest", {"state": table, "player": "anna", "opponents": opponents})
    assert list(learned["opponents"]) == ["bob"]
    assert learned["opponents"]["bob"]["evidence"]["rounds"] == 5
    top = max(learned["strategies"]["bob"], key=lambda row: row["probability"])
    assert top["move"] == {"b": {"card": "6"}, "y": {"card": "6"}}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_trait_has_a_sentence(language: str):
    sentences = {
        trait_sentence(Trait(code, 1.0, {"kind": kind}), language)
        for code in TRAITS
        for kind in ("champion", "watcher", "blizzard")
    }
    # Two codes name a kind of card.
    assert len(sentences) == len(TRAITS) - 2 + 6
    assert all(sentence and "{" not in sentence for sentence in sentences)


def test_the_profile_is_described_in_the_language_of_the_response():
    body = {"state": state(), "player": "anna", "opponents": {"history": rounds(bob="6")}}
    german = execute(GAME, ENDPOINTS["suggest"], body, RequestContext(language="de")).document
    texts = [style["text"] for style in german["opponents"]["bob"]["styles"]]
    assert texts
    assert texts != [style["text"] for style in ask("suggest", body)["opponents"]["bob"]["styles"]]
