"""Properties of every round of Snow Time, on random legal positions and moves.

Hands, fruit, scores, points and winners are those of the plain twin, for any names and any order
of seats.
"""

from collections import Counter
from copy import deepcopy

from hypothesis import given
from hypothesis import strategies as st

from tests.games.snow_time import plain_rules as plain
from tests.games.snow_time.engine.strategies import positions, rounds
from tests.games.snow_time.positions import ask
from tests.randomized import examples

KINDS = ("fight", "fruit", "mana", "bonus")


def length_of(state):
    return plain.track_of(state)[0]


@examples(100, 400)
@given(rounds())
def test_the_service_and_the_plain_twin_resolve_alike(body):
    answered = ask("resolve", body)
    expected = plain.resolve(plain.after_growth(body["state"], body["dice"]), body["moves"])
    assert {name: answered[name] for name in expected} == expected
    assert answered["game_over"] == bool(expected["winners"])


@examples(24, 120)
@given(rounds())
def test_the_event_log_contains_every_point_and_every_space_moved(body):
    answered = ask("resolve", body)
    last = length_of(body["state"])
    marker = {seat["seat"]: seat["score"] for seat in body["state"]["seats"]}
    total = {name: Counter() for name in marker}
    for event in answered["events"]:
        assert last not in marker.values() or not event.get("awards"), "awarded after the end"
        awards = event.get("awards", ())
        assert len({award["seat"] for award in awards}) == len(awards)
        for award in awards:
            assert award["points"] > 0
            assert award["start"] == marker[award["seat"]]
            assert award["end"] == min(award["start"] + award["points"], last)
            marker[award["seat"]] = award["end"]
            total[award["seat"]][award["kind"]] += award["points"]
    assert marker == {seat["seat"]: seat["score"] for seat in answered["state"]["seats"]}
    expected = {name: {kind: counted[kind] for kind in KINDS} for name, counted in total.items()}
    assert expected == answered["points"]


@examples(24, 120)
@given(rounds())
def test_winners_arrive_at_the_last_space_by_the_same_award(body):
    answered = ask("resolve", body)
    last = length_of(body["state"])
    arrived = [seat["seat"] for seat in answered["state"]["seats"] if seat["score"] == last]
    assert answered["winning_seats"] == arrived
    finishing = [event for event in answered["events"] if event["type"] == "finish"]
    assert [event["seats"] for event in finishing] == ([arrived] if arrived else [])
    if arrived:
        awarding = [event for event in answered["events"] if event.get("awards")][-1]
        assert set(arrived) <= {award["seat"] for award in awarding["awards"]}


@examples(20, 100)
@given(rounds())
def test_growing_first_equals_resolving_with_dice(body):
    together = ask("resolve", body)
    grown = ask("grow", {"state": body["state"], "dice": body["dice"]})["state"]
    apart = ask("resolve", {"state": grown, "moves": body["moves"]})
    growth = together["events"][: len(body["dice"]) > 0]
    assert {event["type"] for event in growth} <= {"growth"}
    assert together == apart | {"events": growth + apart["events"]}


@examples(16, 80)
@given(positions(), st.data())
def test_the_three_decisions_together_offer_exactly_the_lines_of_the_plain_twin(state, draw):
    revealed: dict[str, dict] = {}
    offered: dict[str, list] = {}
    asked = ask("legal-moves", {"state": state})
    first = {}
    while asked["decision"] != "none":
        for name, choices in asked["moves"].items():
            offered[asked["decision"] + name] = choices
            revealed[name] = draw.draw(st.sampled_from(choices))
        first = first or deepcopy(revealed)
        asked = ask("legal-moves", {"state": state, "revealed": revealed})
    for seat in state["seats"]:
        name, lines = seat["seat"], plain.lines(seat["hand"], state.get("track"))
        assert offered["card" + name] == [{"card": card} for card in seat["hand"]]
        agreeing = [line for line in lines if line["card"] == first[name]["card"]]
        if first[name]["card"] == "watcher":
            cards = dict.fromkeys(line["then"]["card"] for line in agreeing)
            assert [x["then"]["card"] for x in offered["watcher" + name]] == list(cards)
            added = revealed[name]["then"]["card"]
            agreeing = [line for line in agreeing if line["then"]["card"] == added]
        assert offered.get("healer" + name, agreeing[:1]) == agreeing


@examples(16, 80)
@given(positions())
def test_a_position_round_trips_through_the_service(state):
    answered = ask("grow", {"state": state, "seed": 1})
    expected = plain.after_growth(state, answered["dice"])
    assert answered["state"] == expected
