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
    answered = worked_example()
    seats = answered["state"]["seats"]
    assert [seat["score"] for seat in seats] == [12, 3, 4, 8, 2]
    discards = [set(labels(FULL)) - set(seat["hand"]) for seat in seats]
    assert discards == [set(), {"5"}, {"5"}, set(), {"3"}]
    assert answered["state"]["fruit"] == [0, 0, 1, 0, 1, 0]
    assert {name: tuple(points.values()) for name, points in answered["points"].items()} == {
        "marie": (2, 3, 0, 2),
        "hugo": (1, 0, 1, 1),
    } | dict.fromkeys(("vincent", "anna", "nina"), (0, 0, 0, 0))
    ended = [answered[name] for name in ("game_over", "winners", "winning_seats")]
    assert ended == [False, [], []]


def award(seat, kind, points, start):
    return {"seat": seat, "kind": kind, "points": points, "start": start, "end": start + points}


def test_the_worked_example_happens_in_the_order_of_the_rules_page():
    laid = {name: [card] for name, card in zip(NAMES, "65543", strict=True)}
    strike, fruit = {"type": "strike", "step": "B"}, {"type": "fruit", "step": "C"}
    marie = {"rule": "R6", "level": 6, "seats": ["marie"]}
    hugo = {"level": 4, "seats": ["hugo"]}
    assert worked_example()["events"] == [
        {"type": "reveal", "step": "card", "cards": laid},
        strike | marie | {"fallen": ["vincent", "anna"], "awards": [award("marie", "fight", 2, 5)]},
        fruit | marie | {"awards": [award("marie", "fruit", 3, 7)]},
        strike
        | hugo
        | {"rule": "R6", "fallen": ["nina"], "awards": [award("hugo", "fight", 1, 5)]},
        {"type": "mana", "step": "D", **hugo, "awards": [award("hugo", "mana", 1, 6)]},
        {
            "type": "bonus",
            "step": "E",
            "rule": "R7",
            "seats": ["marie", "hugo"],
            "awards": [award("marie", "bonus", 2, 10), award("hugo", "bonus", 1, 7)],
        },
        {"type": "return", "step": "return", "cards": {"marie": ["6"], "hugo": ["4"]}},
    ]
