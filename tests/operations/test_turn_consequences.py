"""Reasons of hints in games of turns against the positions that the public API returns.

For each reason, the plan of the choice and that of the choice that it is compared with are followed
with ``legal-moves``; the plan after another choice is that of a hint after it.  What the reason
says must be seen in both positions.  300 decisions of each game:

    python3 scripts/dev.py test tests/operations/test_turn_consequences.py -s -n0 \
        --hypothesis-profile=nightly --hypothesis-seed=1
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final, NamedTuple

import pytest
from explanations import PLAYERS, decisions
from golden.asking import ask

from service.games.slopecrashers.rules.course import DEFAULT_PIECES
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from tests import randomized

STEP: Final = 3
"""One of so many decisions is checked, so that few decisions are of several turns."""
Body = dict[str, Any]


class Ends(NamedTuple):
    """What a reason is checked against.

    Attributes:
        params: of the reason.
        player: who gets the hint.
        before: the position at the decision.
        own, other: the responses of ``legal-moves`` after both plans.
        hit, spared: the same before the turn ends, when missed turns are not over yet.
        plan: of the choice.
    """

    params: Body
    player: str
    before: Body
    own: Body
    other: Body
    hit: Body
    spared: Body
    plan: list[Body]

    def seat(self, response: Body) -> Body:
        return seat_of(response["position"], self.player)

    @property
    def seats(self) -> tuple[Body, Body]:
        return self.seat(self.own), self.seat(self.other)


def seat_of(position: Body, player: str) -> Body:
    [seat] = [each for each in position["seats"] if each["player"] == player]
    return seat


Check = Callable[[Ends], bool]


# Slopecrashers --------------------------------------------------------------------------------


def rows_of(position: Body) -> list[list[str]]:
    pieces = {piece.name: piece for piece in DEFAULT_PIECES}
    return [
        [field.label for field in row] for name in position["course"] for row in pieces[name].rows
    ]


def place(seat: Body) -> str:
    return f"{chr(ord('A') + seat['lane'])}{seat['row']}"


def progress(ends: Ends, seat: Body) -> int:
    return seat["lap"] * len(rows_of(ends.before)) + seat["row"] if "lap" in seat else -1


def field_at(position: Body, space: str) -> str:
    lane, row = ord(space[0]) - ord("A"), int(space[1:])
    if {"row": row, "lane": lane} in [
        {name: each[name] for name in ("row", "lane")} for each in position["snowmen"]
    ]:
        return "snowman"
    return rows_of(position)[row][lane]


def further(ends: Ends) -> int:
    own, other = ends.seats
    return progress(ends, own) - progress(ends, other)


def passed(ends: Ends) -> bool:
    own, other = (
        {
            seat["player"]
            for seat in each["position"]["seats"]
            if progress(ends, seat) < progress(ends, ends.seat(each))
        }
        for each in (ends.own, ends.other)
    )
    return {*ends.params["players"]} <= own - other


def draws(response: Body, ends: Ends) -> bool:
    gained = len(ends.seat(response)["gifts"]) > len(seat_of(ends.before, ends.player)["gifts"])
    return response["decision"] == "draw" or gained


def ahead(ends: Ends, response: Body) -> bool:
    """Whether the space is ahead on the player's lane."""
    own, space = ends.seat(response), ends.params["space"]
    return place(own)[0] == space[0] and int(space[1:]) > own["row"]


def hit(ends: Ends, flag: str, response: Body) -> bool:
    seat = seat_of(response["position"], ends.params["player"])
    return bool(seat[flag]) and not seat_of(ends.before, ends.params["player"])[flag]


def card_count(ends: Ends, response: Body) -> int:
    return int(ends.seat(response)["gifts"].count(ends.params["card"]))


def aims(ends: Ends) -> bool:
    """Whether the players may answer, or what hits them is seen: they have no magnet."""
    if ends.own["decision"] == "answer":
        return {*ends.params["players"]} <= {*ends.own["waiting"]}
    return all(
        seat_of(ends.own["position"], player) != seat_of(ends.before, player)
        for player in ends.params["players"]
    )


SLOPECRASHERS: Mapping[str, Check] = {
    "finishes": lambda e: e.own["position"].get("winner") == e.player,
    "misses-win": lambda e: e.other["position"].get("winner") == e.player,
    "further": lambda e: (
        further(e) == e.params["count"] > 0 and place(e.seats[0]) == e.params["space"]
    ),
    "behind": lambda e: -further(e) == e.params["count"] > 0,
    "passes": passed,
    "draws": lambda e: draws(e.own, e) and place(e.seats[0]) == e.params["space"],
    "leaves-gift": lambda e: (
        draws(e.other, e) > draws(e.own, e) and place(e.seats[1]) == e.params["space"]
    ),
    "keeps": lambda e: card_count(e, e.own) > card_count(e, e.other),
    "spends": lambda e: card_count(e, e.own) < card_count(e, e.other),
    "boost": lambda e: field_at(e.before, e.params["space"]) == "boost",
    "chili": lambda e: any(each.get("gift") == "chili" for each in e.plan),
    "misses-turn": lambda e: e.seats[0]["misses_turn"] and not e.seats[1]["misses_turn"],
    "plays-on": lambda e: e.seats[1]["misses_turn"] and not e.seats[0]["misses_turn"],
    "stung": lambda e: e.seats[0]["stung"] and not e.seats[1]["stung"],
    "not-stung": lambda e: e.seats[1]["stung"] and not e.seats[0]["stung"],
    "blocked": lambda e: (
        ahead(e, e.own) and field_at(e.own["position"], e.params["space"]) == e.params["kind"]
    ),
    "avoids": lambda e: (
        ahead(e, e.other) and field_at(e.other["position"], e.params["space"]) == e.params["kind"]
    ),
    "gift-ahead": lambda e: ahead(e, e.own) and field_at(e.before, e.params["space"]) == "gift",
    "boost-ahead": lambda e: ahead(e, e.own) and field_at(e.before, e.params["space"]) == "boost",
    "suspends": lambda e: hit(e, "misses_turn", e.hit),
    "stings": lambda e: hit(e, "stung", e.hit),
    "moves": lambda e: place(seat_of(e.own["position"], e.params["player"])) == e.params["space"],
    "aims": aims,
    "spares": lambda e: (
        seat_of(e.hit["position"], e.params["player"])
        != seat_of(e.spared["position"], e.params["player"])
    ),
    "snowman": lambda e: field_at(e.own["position"], e.params["space"]) == "snowman",
    "balance": lambda e: True,
}


# Snowcrest ------------------------------------------------------------------------------------


def tokens(seat: Body) -> Counter[str]:
    return Counter(seat.get("tokens", {}))


def more(own: Body, other: Body) -> dict[str, int]:
    return dict(tokens(own) - tokens(other))


def more_spent(ends: Ends) -> int:
    own, other = (seat["buildings"][ends.params["building"]]["spent"] for seat in ends.seats)
    return int(own - other)


def villagers(seat: Body, *, face_up: bool = False) -> Counter[str]:
    return Counter(
        each["card"]
        for each in seat["village"]
        if each is not None and not (face_up and each.get("exhausted", False))
    )


def omen(seat: Body) -> int:
    return int(seat["omen"] - seat["omen_tokens"])


LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


def must_rest(seat: Body) -> bool:
    down = [
        cell in [each["cell"] for each in seat["village"] if each.get("exhausted")]
        for cell in range(9)
    ]
    return any(all(down[int(cell)] for cell in line) for line in LINES)


def abilities(card: str) -> str:
    [villager] = [each for each in DEFAULT_CATALOGUE.villagers if each.id == card]
    return repr(villager.actions)


_WORDS: Final = {
    "worship": "Worship", "scrolls": "SCROLL", "build": "Build", "meditate": "Meditate",
    "less-omen": "LESS_OMEN", "cards": "CARD", "turn-up": "TurnUp", "resources": "Gain",
}  # fmt: skip


def has_more(ends: Ends, sign: int, name: Callable[[Body], int]) -> bool:
    own, other = ends.seats
    return bool(sign * (name(own) - name(other)) == ends.params["count"] > 0)


def offers(ends: Ends) -> bool:
    card, before = ends.params["card"], seat_of(ends.before, ends.player)
    joined = villagers(ends.seats[0]) - villagers(before)
    return card in joined and _WORDS[ends.params["ability"]] in abilities(card)


SNOWCREST: Mapping[str, Check] = {
    "challenge": lambda e: {
        "challenge": e.params["challenge"], "by": e.player,
    } in e.own["position"]["challenges"],
    "scrolls": lambda e: (
        e.seats[0]["scrolls"] - seat_of(e.before, e.player)["scrolls"] - e.params["instead"]
        == e.params["count"] > 0
    ),
    "fewer-scrolls": lambda e: has_more(e, -1, lambda seat: seat["scrolls"]),
    "building-points": lambda e: e.params["buildings"] >= 6,
    "gains": lambda e: more(e.seats[0], seat_of(e.before, e.player)) == e.params["gained"],
    "resources": lambda e: more(*e.seats) == e.params["gained"],
    "fewer-resources": lambda e: more(*reversed(e.seats)) == e.params["gained"],
    "face-up": lambda e: more_spent(e) < 0,
    "spends": lambda e: more_spent(e) > 0,
    "offers": offers,
    "leaves": lambda e: e.params["card"] in villagers(e.seats[1]) - villagers(e.seats[0]),
    "ready": lambda e: {*e.params["cards"]} <= {
        *(villagers(e.seats[0], face_up=True) - villagers(e.seats[1], face_up=True))
    },
    "exhausts": lambda e: {*e.params["cards"]} <= {
        *(villagers(e.seats[1], face_up=True) - villagers(e.seats[0], face_up=True))
    },
    "wakes": lambda e: villagers(e.seats[0], face_up=True) == villagers(e.seats[0]),
    "rest-next": lambda e: must_rest(e.seats[0]) and not must_rest(e.seats[1]),
    "no-rest": lambda e: must_rest(e.seats[1]) and not must_rest(e.seats[0]),
    "less-omen": lambda e: has_more(e, 1, omen),
    "omen": lambda e: has_more(e, -1, omen),
    "draws": lambda e: e.own["decision"] == "draw",
    "reveals": lambda e: e.own["decision"] == "draw",
    "bids": lambda e: (
        e.own["decision"] != "none"
        and e.own["player"] != e.player
        and e.params["count"] > e.params["most"] > 0
    ),
    "cards": lambda e: has_more(e, 1, lambda seat: len(seat["hand"])),
    "fewer-cards": lambda e: has_more(e, -1, lambda seat: len(seat["hand"])),
    "keeps": lambda e: e.params["card"] in e.seats[0]["hand"] and (
        e.params["card"] not in e.seats[1]["hand"]
    ),
    "majority": lambda e: True,
    "loses-majority": lambda e: True,
    "sooner": lambda e: (
        e.own["position"]["supply"] == e.params["count"] < e.other["position"]["supply"]
    ),
    "longer": lambda e: (
        e.own["position"]["supply"] == e.params["count"] > e.other["position"]["supply"]
    ),
    "omen-of": lambda e: (
        omen(seat_of(e.other["position"], e.params["player"]))
        - omen(seat_of(e.own["position"], e.params["player"]))
        == e.params["count"]
    ),
    "pays": lambda e: more(
        *(seat_of(each["position"], e.params["player"]) for each in (e.other, e.own))
    ) == e.params["gained"],
    "balance": lambda e: True,
}  # fmt: skip
"""Majorities are those of the final scores, which no response has during a game."""


# Played games ---------------------------------------------------------------------------------


def plan_after(game: str, body: Body, hint: Body, move: Body) -> list[Body]:
    """Return the plan that begins with a move; a further hint knows how it goes on."""
    if move == hint["pick"]:
        return list(hint["plan"])
    so_far = [*body["so_far"], move]
    legal = ask(game, "legal-moves", {"state": body["state"], "so_far": so_far})
    if legal["decision"] in ("none", "draw") or legal["player"] != body["player"]:
        return [move]
    return [move, *ask(game, "suggest", body | {"so_far": so_far})["plan"]]


def position_after(game: str, body: Body, plan: list[Body]) -> Body:
    so_far = [*body["so_far"], *plan]
    return ask(game, "legal-moves", {"state": body["state"], "so_far": so_far})


@pytest.mark.parametrize(
    ("game", "checks"), [("slopecrashers", SLOPECRASHERS), ("snowcrest", SNOWCREST)]
)
def test_reasons_are_seen_in_the_positions(game: str, checks: Mapping[str, Check]):
    seed, cases = randomized.seed(1), randomized.case_count(12, 300, ci=30)
    print(f"seed {seed}")
    met, failures = Counter[str](), list[str]()
    for body in islice(decisions(game, seed, "quick", PLAYERS[:3]), 0, STEP * cases, STEP):
        hint = ask(game, "suggest", body)
        for row in hint["moves"]:
            if not row["reasons"]:
                continue
            plans = [
                plan_after(game, body, hint, move)
                for move in (row["move"], row["comparison"]["move"])
            ]
            own, other = (position_after(game, body, plan) for plan in plans)
            hits = [
                position_after(game, body, plan[:-1] if plan[-1]["type"] == "end" else plan)
                for plan in plans
            ]
            for why in row["reasons"]:
                met[why["code"]] += 1
                params = why["params"]
                ends = Ends(params, body["player"], hint["position"], own, other, *hits, plans[0])
                if not checks[why["code"]](ends):
                    failures.append(f"{why}: {row['move']} or {plans[1]} of {body}")
    print(game, dict(met))
    assert not failures, "\n".join([f"{len(failures)}:", *failures[:5]])
    assert len(met) >= 5
