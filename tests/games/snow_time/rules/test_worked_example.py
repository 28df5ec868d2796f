"""The worked example of the rules page."""

from tests.games.snow_time.positions import FULL, ask, labels, seat_document

NAMES = ("marie", "vincent", "anna", "hugo", "nina")


def worked_example():
    scores = (5, 3, 4, 5, 2)
    seats = [seat_document(name, score=score) for name, score in zip(NAMES, scores, strict=True)]
    bonuses = [
        {"space": 10, "kind": "fight", "advance": 2},
        {"space": 7, "kind": "mana", "advance": 1},
    ]
    state = {
        "seats": seats,
        "fruit": [0, 0, 1, 0, 1, 3],
        "track": {"length": 30, "bonuses": bonuses},
    }
    cards = dict(zip(NAMES, "65543", strict=True))
    return ask("resolve", {"state": state, "moves": {n: {"card": c} for n, c in cards.items()}})


def test_the_worked_example_leads_to_the_position_of_the_rules_page():
    state = worked_example()["state"]
    assert {seat["seat"]: seat["score"] for seat in state["seats"]} == {
        "marie": 12, "vincent": 3, "anna": 4, "hugo": 8, "nina": 2
    }  # fmt: skip
    discards = {seat["seat"]: set(labels(FULL)) - set(seat["hand"]) for seat in state["seats"]}
    assert discards == {
        "marie": set(), "vincent": {"5"}, "anna": {"5"}, "hugo": set(), "nina": {"3"}
    }  # fmt: skip
    assert state["fruit"] == [0, 0, 1, 0, 1, 0]


def test_the_worked_example_awards_the_points_of_the_rules_page():
    answered = worked_example()
    nothing = {"fight": 0, "fruit": 0, "mana": 0, "bonus": 0}
    assert answered["points"] == {
        "marie": {"fight": 2, "fruit": 3, "mana": 0, "bonus": 2},
        "vincent": nothing,
        "anna": nothing,
        "hugo": {"fight": 1, "fruit": 0, "mana": 1, "bonus": 1},
        "nina": nothing,
    }
    assert (answered["game_over"], answered["winners"], answered["winning_seats"]) == (
        False,
        [],
        [],
    )


def test_the_worked_example_happens_in_the_order_of_the_rules_page():
    events = worked_example()["events"]
    marie = {"seat": "marie"}
    hugo = {"seat": "hugo"}
    assert events == [
        {
            "type": "reveal",
            "step": "card",
            "cards": {name: [card] for name, card in zip(NAMES, "65543", strict=True)},
        },
        {
            "type": "strike",
            "step": "B",
            "rule": "R6",
            "level": 6,
            "seats": ["marie"],
            "fallen": ["vincent", "anna"],
            "awards": [marie | {"kind": "fight", "points": 2, "start": 5, "end": 7}],
        },
        {
            "type": "fruit",
            "step": "C",
            "rule": "R6",
            "level": 6,
            "seats": ["marie"],
            "awards": [marie | {"kind": "fruit", "points": 3, "start": 7, "end": 10}],
        },
        {
            "type": "strike",
            "step": "B",
            "rule": "R6",
            "level": 4,
            "seats": ["hugo"],
            "fallen": ["nina"],
            "awards": [hugo | {"kind": "fight", "points": 1, "start": 5, "end": 6}],
        },
        {
            "type": "mana",
            "step": "D",
            "level": 4,
            "seats": ["hugo"],
            "awards": [hugo | {"kind": "mana", "points": 1, "start": 6, "end": 7}],
        },
        {
            "type": "bonus",
            "step": "E",
            "rule": "R7",
            "seats": ["marie", "hugo"],
            "awards": [
                marie | {"kind": "bonus", "points": 2, "start": 10, "end": 12},
                hugo | {"kind": "bonus", "points": 1, "start": 7, "end": 8},
            ],
        },
        {"type": "return", "step": "return", "cards": {"marie": ["6"], "hugo": ["4"]}},
    ]
