"""Profiles in the review of a game, and what predictions were worth, compared with hints."""

from __future__ import annotations

import copy
import json

import pytest

from service.core.languages import LANGUAGES
from service.core.violations import OutOfTime
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import SolutionCache, Solutions
from tests.games.snow_time.api.reviews import (
    WITHOUT_WATCHERS,
    Body,
    game,
    grown,
    one_round,
    positions,
    reviewed,
    table,
)
from tests.games.snow_time.positions import DEFINITION, ENDPOINTS, ask, move_documents
from tests.operations.caches import cached_solutions, single_flight


def history_of(body: Body, rounds: int) -> list[Body]:
    """Return the first rounds as the history of a hint."""
    past = zip(positions(body)[:rounds], body["rounds"][:rounds], strict=True)
    return [{"state": grown(state, one["dice"]), "moves": one["moves"]} for state, one in past]


def row_of(mixture: list[Body]) -> dict[str, float]:
    return {json.dumps(one["move"], sort_keys=True): one["probability"] for one in mixture}


@pytest.mark.parametrize("name", [*WITHOUT_WATCHERS, "three"])
def test_a_profile_is_that_of_a_hint_with_the_game_as_its_history(name: str):
    body, review = game(name, 3, 3)
    history = history_of(body, 3)
    players = list(review["players"])
    assert not review["game_over"]
    for asker in players[:2]:
        asked = {"state": positions(body)[-1], "player": asker, "effort": "quick"}
        hint = ask("suggest", asked | {"opponents": {"history": history}})
        for player, profile in hint["opponents"].items():
            own = review["players"][player]["profile"]
            # An asker does not learn from its own choices how the others play, nor are styles
            # added where it seems to be.
            assert own["parameters"] == pytest.approx(profile["parameters"], rel=0.02)
            assert own["evidence"] == pytest.approx(profile["evidence"], abs=0.5)
            assert styles_of(own) == pytest.approx(styles_of(profile), abs=0.02)


def styles_of(profile: Body) -> dict[str, float]:
    """Return the probabilities of what is said, except of what the evidence alone says."""
    return {
        style["text"]: style["probability"]
        for style in profile["styles"]
        if style["code"] not in ("predictable", "hard-to-predict")
    }


@pytest.mark.parametrize("name", WITHOUT_WATCHERS)
def test_the_gain_is_that_of_the_response_to_the_predicted_cards(name: str):
    """The predictions, the strategies and the values come from hints."""
    body, review = game(name, 3, 3)
    for player, account in review["players"].items():
        total = 0.0
        for number, one in enumerate(body["rounds"]):
            state = grown(positions(body)[number], one["dice"])
            asked = {"state": state, "player": player, "effort": "quick"}
            owners = {seat["seat"]: seat.get("player", seat["seat"]) for seat in state["seats"]}
            equilibrium = ask("suggest", asked)["strategies"][player]
            cards = {
                seat: {"card": move["card"]}
                for seat, move in one["moves"].items()
                if owners[seat] != player
            }
            actual = ask("suggest", asked | {"opponents": {"weights": weights(cards)}})
            values = {json.dumps(m["move"], sort_keys=True): m["value"] for m in actual["moves"]}
            total -= sum(chance * values[move] for move, chance in row_of(equilibrium).items())
            total += values[response(asked, history_of(body, number))]
        assert account["prediction_gain"] == pytest.approx(total / 3, abs=2e-8)


def weights(cards: Body) -> Body:
    return {seat: {move["card"]: 1} for seat, move in cards.items()}


def response(asked: Body, history: list[Body]) -> str:
    """Return the best card against the play that is predicted from a history."""
    own = next(
        seat
        for seat in asked["state"]["seats"]
        if seat.get("player", seat["seat"]) == asked["player"]
    )
    # A hint predicts nothing without a history. Its own choices tell nothing about the others.
    silent = {"state": asked["state"], "moves": {own["seat"]: {"card": "healer"}}}
    hint = ask("suggest", asked | {"opponents": {"history": [silent, *history]}})
    best = max(hint["moves"], key=lambda move: move["value"])
    return json.dumps(best["move"], sort_keys=True)


def test_a_player_who_always_plays_by_the_same_rule_is_predictable():
    """The player always shows the card that is best against random play."""
    start = state = table(*["1234567h"] * 3, fruit=[0] * 6)
    rounds = []
    for _ in range(4):
        rolled = grown(state, [6, 5])
        asked = {"state": rolled, "player": "b", "opponents": {"model": "uniform"}}
        moves = move_documents("h:", "1", "1") | ask("suggest", asked)["moves"][0]["move"]
        rounds.append({"dice": [6, 5], "moves": moves})
        state = ask("resolve", {"state": rolled, "moves": moves})["state"]
    body = {"state": start, "rounds": rounds, "effort": "quick"}
    profile = reviewed(body).document["players"]["b"]["profile"]
    assert "predictable" in [style["code"] for style in profile["styles"]]
    assert profile["evidence"]["nats"] > 2.0


def test_a_player_without_a_choice_has_no_profile_and_gains_nothing():
    state = table("h", "17h", "26h", scores=(0, 3, 5))
    players = reviewed(one_round(state, "h", "1", "6")).document["players"]
    assert [name for name, account in players.items() if "profile" in account] == ["b", "c"]
    assert players["a"]["prediction_gain"] == 0.0


def test_a_review_that_stops_before_the_last_round_is_learned_has_no_profiles():
    class Stopped(Solutions):
        def predict(self, *arguments):
            if self.left == 0:
                raise OutOfTime
            self.left -= 1
            return super().predict(*arguments)

    body, review = game("three", 3, 3)
    solutions = Stopped(SolutionCache(single_flight()))
    for solutions.left in (0, 1):
        part = reviewed(copy.deepcopy(body), solutions).document
        assert part["search"]["complete"] is False
        assert part["progress"]["done"] < part["progress"]["total"]
        assert part["decisions"] == review["decisions"]
        assert part["rounds"] == review["rounds"]
        for account in part["players"].values():
            assert not {"profile", "prediction_gain"} & set(account)
    solutions.left = 100
    assert json.dumps(reviewed(body, solutions).document) == json.dumps(review)


def test_profiles_are_in_the_language_of_the_request():
    body, review = game("three", 3, 3)
    solutions = cached_solutions()
    said = {}
    for language in LANGUAGES:
        context = RequestContext(solutions=solutions, language=language)
        again = execute(DEFINITION, ENDPOINTS["review"], copy.deepcopy(body), context).document
        said[language] = texts_of(again)
        assert again == review or language != "en"
    assert len(set(map(tuple, said.values()))) == len(LANGUAGES)


def texts_of(review: Body) -> list[str]:
    """Return the texts of all profiles."""
    return [
        style["text"]
        for account in review["players"].values()
        for style in account["profile"]["styles"]
    ]
