"""Reasons of Snow Time against all plays of the printed strategies, with ``resolve``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import product
from math import prod
from typing import Any

import pytest
from marshmallow import RAISE

from service.core.advice import MISTAKES
from service.games.snow_time.api.hint_schema import ReasonParams
from service.games.snow_time.api.reasons.consequences import CONSEQUENCE_CODES
from service.operations.dispatch import execute
from tests import randomized
from tests.operations.bodies import (
    DEFINITION,
    ENDPOINTS,
    SOLVED,
    JsonObject,
    owners,
    picked,
    seeded_body,
    shown,
    suggest,
    suggest_body,
)

properties = randomized.Properties()

MOST_PLAYS = 400
"""More plays of the others are not resolved one by one."""
ROUGHLY = 0.2
"""The service looks at the likeliest plays only."""
FALLS = ("strike", "brawl", "blizzard")
Play = tuple[float, JsonObject]


def last(move: JsonObject) -> JsonObject:
    found: JsonObject = move.get("then") or move
    return found


def is_open(move: JsonObject) -> bool:
    return move["card"] == "watcher" and "then" not in move


def plays(body: JsonObject, hint: JsonObject) -> list[Play]:
    """Return all plays of the others in which no watcher is still to add a card.

    The sum of their probabilities is at least a half, or there are none.
    """
    mixtures = [
        [(entry["probability"], entry["move"]) for entry in mixture]
        for player, mixture in hint["strategies"].items()
        if player != body["player"] and mixture
    ]
    if prod(map(len, mixtures)) > MOST_PLAYS:
        return []
    found = []
    for each in product(*mixtures):
        play = {**body.get("revealed", {})}
        for _, move in each:
            play |= move
        if not any(
            is_open(play[seat])
            for seat, owner in owners(body).items()
            if owner != body["player"] and seat in play
        ):
            found.append((prod(chance for chance, _ in each), play))
    total = sum(chance for chance, _ in found)
    return found if total >= 0.5 else []


def events(body: JsonObject, play: JsonObject, move: JsonObject) -> list[JsonObject]:
    """Return the log of the round; healers take nothing back, which changes nothing else."""
    moves = {}
    for seat in body["state"]["seats"]:
        own = json.loads(json.dumps({**play, **move}[seat["seat"]]))
        inner = last(own)
        discarded = 7 - sum(card.isdigit() for card in seat["hand"])
        if inner["card"] == "healer" and "recover" not in inner and 0 < discarded < 7:
            inner["recover"] = []
        moves[seat["seat"]] = own
    resolved = execute(DEFINITION, ENDPOINTS["resolve"], {"state": body["state"], "moves": moves})
    found: list[JsonObject] = resolved.document["events"]
    return found


def share(
    body: JsonObject,
    all_plays: list[Play],
    move: JsonObject,
    happens: Callable[[list[JsonObject], JsonObject], bool],
    given: Callable[[JsonObject], bool] = lambda play: True,
) -> float:
    """Return how often something happens, if something is given."""
    chosen = [(chance, play) for chance, play in all_plays if given(play)]
    total = sum(chance for chance, _ in chosen)
    hits = sum(chance for chance, play in chosen if happens(events(body, play, move), play))
    return hits / total


def falls(seat: str) -> Callable[[list[JsonObject], JsonObject], bool]:
    return lambda log, _: any(event["type"] in FALLS and seat in event["fallen"] for event in log)


def reasons_of(hint: JsonObject) -> Iterator[tuple[JsonObject, JsonObject]]:
    for row in hint["moves"]:
        for reason in row["reasons"]:
            yield row, reason


@properties
def reasons_have_a_form(seed: int):
    body = seeded_body(seed) | {"include": ["facts"]}
    hint = suggest(body)
    for row in hint["moves"]:
        is_pick = row["move"] == hint["pick"]
        assert len(row["reasons"]) <= (2 if is_pick else 1)
        near = row["loss"] <= MISTAKES[body.get("objective", "win")]
        assert is_pick or near or row["move"] == body.get("chosen") or not row["reasons"]
    facts = [fact for row in hint["moves"] for fact in row["facts"]]
    for reason in [*facts, *(each for _, each in reasons_of(hint))]:
        assert reason["code"] in CONSEQUENCE_CODES
        assert ReasonParams(unknown=RAISE).validate(reason["params"]) == {}


@properties
def what_a_reason_says_happens_in_the_plays_of_the_strategies(seed: int):
    body = seeded_body(seed) | {"include": ["facts"]}
    hint = suggest(body)
    all_plays = plays(body, hint)
    said = [(row, fact) for row in hint["moves"] for fact in row["facts"]]
    for row, reason in [*reasons_of(hint), *said] if all_plays else ():
        check_replies(body, hint, all_plays, row, reason)
        check_gains(body, all_plays, row, reason)


def check_replies(
    body: JsonObject, hint: JsonObject, all_plays: list[Play], row: JsonObject, reason: JsonObject
) -> None:
    code, params = reason["code"], reason["params"]
    if "other" not in params or "card" not in params:
        return
    other, card = params["other"], params["card"]

    def given(play: JsonObject) -> bool:
        return bool(last(play[other])["card"] == card)

    played = [
        entry["probability"] * given(entry["move"])
        for mixture in hint["strategies"].values()
        for entry in mixture
        if other in entry["move"]
    ]
    chance = sum(played) if played else 1.0
    own = params["seat"]
    if code in ("knocks", "stops"):
        kind = {"knocks": "strike", "stops": "brawl"}[code]
        often = share(
            body,
            all_plays,
            row["move"],
            lambda log, play: (
                given(play)
                and any(
                    event["type"] == kind and own in event["seats"] and other in event["fallen"]
                    for event in log
                )
            ),
        )
        assert params.get("chance", 1.0) == pytest.approx(often, abs=ROUGHLY), reason
    else:
        assert params["chance"] == pytest.approx(chance, abs=2e-9)
        move = row["comparison"]["move"] if code == "avoids" else row["move"]
        often = share(body, all_plays, move, falls(own), given)
        assert often >= 0.75 - ROUGHLY, reason
    if "count" in params:
        assert params["count"] == body["state"]["fruit"][int(card) - 1] > 0
        check_finish(body, params, other)


def check_finish(body: JsonObject, params: JsonObject, seat: str) -> None:
    """The default track has 30 spaces."""
    [score] = [each["score"] for each in body["state"]["seats"] if each["seat"] == seat]
    length = body["state"].get("track", {}).get("length", 30)
    assert params.get("finishes", False) == (score + params["count"] >= length)


EVENT_OF = {
    "fruit": "fruit",
    "leaves-fruit": "fruit",
    "takes": "fruit",
    "mana": "mana",
    "bonus": "bonus",
    "finishes": "finish",
    "wins": "finish",
}
"""The event of each gain of a seat, own or not."""


def check_gains(
    body: JsonObject, all_plays: list[Play], row: JsonObject, reason: JsonObject
) -> None:
    code, params = reason["code"], reason["params"]
    if code in ("takes", "storms") and "count" in params:
        assert params["count"] == body["state"]["fruit"][params["level"] - 1] > 0
        with_mana = params["count"] + (params["level"] == 1)
        check_finish(body, params | {"count": with_mana}, params["other"])
    if code not in EVENT_OF:
        return
    move = row["comparison"]["move"] if code == "leaves-fruit" else row["move"]
    kind, seat = EVENT_OF[code], params.get("other", params.get("seat"))

    def happens(log: list[JsonObject], _: JsonObject) -> bool:
        return any(
            event["type"] == kind
            and seat in event["seats"]
            and event.get("level", params.get("level")) in (params.get("level"), event.get("level"))
            for event in log
        )

    if "chance" not in params:
        assert code == "takes"
        return
    often = share(body, all_plays, move, happens)
    if code in ("fruit", "leaves-fruit", "mana"):
        # These count what watchers add, too.
        known = sum(chance for chance, _ in all_plays)
        least, most = known * often, known * often + 1.0 - known
        assert least - ROUGHLY <= params["chance"] <= most + ROUGHLY, reason
    else:
        assert often == pytest.approx(params["chance"], abs=ROUGHLY), reason
    if "space" in params:

        def lands(log: list[JsonObject], play: JsonObject) -> bool:
            return happens(log, play) and any(
                (award["seat"], award["start"]) == (seat, params["space"])
                for event in log
                if event["type"] == "bonus"
                for award in event["awards"]
            )

        # A bonus mostly comes with what is said before it.
        assert share(body, all_plays, move, lands) >= (0.8 - ROUGHLY) * often, reason
    if "count" in params:
        assert params["count"] == body["state"]["fruit"][params["level"] - 1] > 0
    if code in ("fruit", "mana"):
        count = params.get("count", 1) + params.get("mana", False)
        check_finish(body, params | {"count": count}, params["seat"])


@pytest.mark.parametrize("seed", randomized.case_numbers(12, 300))
def test_reasons_are_true(seed: int):
    properties.check(seed)


def after_reveal(cards: str, *hands: str, **more: Any) -> JsonObject:
    return suggest(suggest_body(*hands, opponents=SOLVED, revealed=shown(cards), **more))


def test_a_healer_says_what_comes_back_once():
    """It said "You take back 2", for the healer that is played to do so."""
    hint = after_reveal("h35", "13456h", "36h", "35h", scores=(24, 20, 22))
    assert hint["advice"]["text"].startswith("Take back 2 and 7")
    assert picked(hint)["reasons"] == [
        {
            "code": "recovers",
            "params": {"seat": "red", "count": 2, "discarded": 2, "all": True},
            "text": "Then all your champions are in hand again.",
        }
    ]


def test_a_watcher_that_sees_the_others_knocks_down_what_is_there():
    """It said "Add 7: slightly better. Cleo gains 3 fewer spaces."."""
    fruit = [0, 0, 0, 0, 0, 3]
    hint = after_reveal("w62", "67hw", "6h", "2h", fruit=fruit, scores=(9, 9, 9))
    assert hint["advice"]["text"].startswith("Add the 7")
    texts = [reason["text"] for reason in picked(hint)["reasons"]]
    assert "Your 7 knocks blue's 6 off the 3 fruit." in texts


def test_fruit_that_nobody_contests_is_taken():
    """It said "Add 6. 4 more fruit points."."""
    fruit = [0, 0, 0, 0, 0, 4]
    hint = after_reveal("w23", "36hw", "2h", "3h", fruit=fruit, scores=(9, 9, 9))
    texts = [reason["text"] for reason in picked(hint)["reasons"]]
    assert texts[0] == "You take the 4 fruit on level 6."


def test_a_player_who_is_about_to_win_is_named():
    """Nothing was said of a player on the last space but one."""
    body = seeded_body(704)
    texts = [reason["text"] for reason in picked(suggest(body))["reasons"]]
    assert "Watch out: blue can reach the last space." in texts


def test_a_healer_without_discarded_champions_sits_out():
    body = seeded_body(492) | {"include": ["facts"]}
    texts = [fact["text"] for row in suggest(body)["moves"] for fact in row["facts"]]
    assert "green: You take nothing back and sit this round out." in texts


def test_a_blizzard_that_wins_says_so():
    """It said only that it sweeps champions away."""
    hint = after_reveal("w62", "1hwb", "36h", "2h", scores=(28, 9, 9))
    assert hint["advice"]["text"] == "Add the blizzard: a sure win."
    assert [reason["text"] for reason in picked(hint)["reasons"]] == ["You reach the last space."]


def test_a_card_that_could_win_is_named():
    """It said only that a champion comes back, with five fruit that win for another player."""
    fruit, hands = [0, 0, 5, 1, 1, 1], ("1234567h", "134567h", "124567hw")
    body = suggest_body(*hands, fruit=fruit, scores=(27, 27, 24), player="blue", opponents=SOLVED)
    texts = [reason["text"] for reason in picked(suggest(body))["reasons"]]
    assert any("red's 3: it leads to the last space" in text for text in texts), texts


def test_a_blizzard_says_whom_it_keeps_from_winning():
    """It said only that it sweeps champions away."""
    fruit = [0, 0, 0, 2, 1, 1]
    hint = after_reveal("w64", "hwb", "36h", "4h", fruit=fruit, scores=(9, 9, 28))
    texts = [reason["text"] for reason in picked(hint)["reasons"]]
    assert texts[0] == "The blizzard keeps green from the last space."
