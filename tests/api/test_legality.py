"""Illegal bodies with one violation each: its path, its code and its ruling."""

from __future__ import annotations

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.calls import (
    DECK,
    Path,
    changed,
    post,
    problem_of,
    put,
    result_of,
    violation_texts,
    without,
)
from tests.api.snow_time_bodies import (
    AT_HEALER,
    COMPLETE,
    FULL_TREE,
    PAIRS,
    REVEALED,
    STATE,
    TRACK,
    UNIFORM,
)
from tests.api.snow_time_oracle import legal

NEW = {"seats": [{"seat": "a"}, {"seat": "b"}, {"seat": "c"}], "track": TRACK}
GROW = {"state": STATE, "dice": [6, 1]}
MOVES = {"state": STATE, "revealed": REVEALED}
RESOLVE = {"state": STATE, "moves": COMPLETE, "dice": [2, 2]}
SUGGEST = {"state": STATE, "player": "anna", "opponents": UNIFORM}
PAIRED = {"state": PAIRS, "player": "anna", "opponents": UNIFORM}
AT_WATCHER = SUGGEST | {"revealed": REVEALED}
ALL_GONE = put(STATE, ("seats", 0, "hand"), ["healer", "watcher"])


def owners(*players: str) -> Any:
    seats = [{"seat": f"s{index}", "player": player} for index, player in enumerate(players)]
    return {"seats": seats}


def bonus(space: int, kind: str = "mana", advance: int = 1) -> dict[str, Any]:
    return {"space": space, "kind": kind, "advance": advance}


SEATS: Path = ("state", "seats")
REFUSED: list[tuple[str, str, Any, set[str]]] = [
    # Seating
    ("two seats", "new", {"seats": [{"seat": "a"}, {"seat": "b"}]}, {"/seats wrong-length"}),
    ("six seats", "new", owners(*"abcdef"), {"/seats wrong-length"}),
    ("no seats", "new", {"seats": []}, {"/seats wrong-length"}),
    ("one player of three seats", "new", owners("a", "a", "a"), {"/seats wrong-seating"}),
    ("two players of three seats", "new", owners("a", "a", "b"), {"/seats wrong-seating"}),
    ("one to three", "new", owners("a", "b", "b", "b"), {"/seats wrong-seating"}),
    ("three of four", "new", owners("a", "b", "c", "c"), {"/seats wrong-seating"}),
    ("two to three", "new", owners("a", "a", "b", "b", "b"), {"/seats wrong-seating"}),
    (
        "a player with the name of another player's seat",
        "new",
        {"seats": [{"seat": "a"}, {"seat": "b"}, {"seat": "c", "player": "a"}]},
        {"/seats wrong-seating"},
    ),
    (
        "a seat twice",
        "new",
        put(NEW, ("seats", 2, "seat"), "a"),
        {"/seats/2/seat duplicate-seat"},
    ),
    (
        "a seat twice, of different players",
        "new",
        put(NEW, ("seats", 2), {"seat": "a", "player": "c"}),
        {"/seats/2/seat duplicate-seat"},
    ),
    (
        "a seat twice in a position",
        "grow",
        changed(GROW, ((*SEATS, 1), STATE["seats"][1] | {"seat": "red", "player": "x"})),
        {"/state/seats/1/seat duplicate-seat"},
    ),
    # Names
    *(
        (
            f"the name {name!r}",
            "new",
            put(NEW, ("seats", 0, "seat"), name),
            {"/seats/0/seat bad-name"},
        )
        for name in (
            "",
            " ",
            "a b",
            "a\n",
            "\na",
            "x" * 33,
            "\u00e9",
            "a.b",
            "a/b",
            "a~b",
            "\u0661",
        )
    ),
    ("the player ''", "new", put(NEW, ("seats", 0, "player"), ""), {"/seats/0/player bad-name"}),
    # Track
    ("length 4", "new", put(NEW, ("track", "length"), 4), {"/track/length out-of-range"}),
    ("length 201", "new", put(NEW, ("track", "length"), 201), {"/track/length out-of-range"}),
    (
        "a bonus on space 0",
        "new",
        put(NEW, ("track", "bonuses"), [bonus(0)]),
        {"/track/bonuses/0/space out-of-range"},
    ),
    (
        "a bonus on the last space",
        "new",
        put(NEW, ("track", "bonuses"), [bonus(19), bonus(20)]),
        {"/track/bonuses/1/space bonus-off-track R1"},
    ),
    (
        "two bonuses on a space",
        "grow",
        put(GROW, ("state", "track", "bonuses"), [bonus(4), bonus(5), bonus(4, "fight")]),
        {"/state/track/bonuses/2/space duplicate-bonus R1"},
    ),
    (
        "an advance of 4 and of 0",
        "new",
        put(NEW, ("track", "bonuses"), [bonus(1, advance=4), bonus(2, advance=0)]),
        {
            "/track/bonuses/0/advance out-of-range",
            "/track/bonuses/1/advance out-of-range",
        },
    ),
    (
        "an unknown kind",
        "new",
        put(NEW, ("track", "bonuses"), [bonus(1, "bonus")]),
        {"/track/bonuses/0/kind unknown-word"},
    ),
    # Positions
    (
        "a score beyond the track",
        "grow",
        put(GROW, (*SEATS, 0, "score"), 21),
        {"/state/seats/0/score score-off-track R9"},
    ),
    (
        "a score beyond the default track",
        "grow",
        changed({"state": without(STATE, ("track",)), "seed": 1}, ((*SEATS, 0, "score"), 31)),
        {"/state/seats/0/score score-off-track R9"},
    ),
    (
        "16 fruit",
        "grow",
        put(GROW, ("state", "fruit"), [6, 5, 5, 0, 0, 0]),
        {"/state/fruit too-much-fruit"},
    ),
    (
        "90 fruit",
        "legal-moves",
        put(MOVES, ("state", "fruit"), [15] * 6),
        {"/state/fruit too-much-fruit"},
    ),
    (
        "16 fruit on a level",
        "grow",
        put(GROW, ("state", "fruit", 0), 16),
        {"/state/fruit/0 out-of-range"},
    ),
    ("five levels", "grow", put(GROW, ("state", "fruit"), [0] * 5), {"/state/fruit wrong-length"}),
    ("seven levels", "grow", put(GROW, ("state", "fruit"), [0] * 7), {"/state/fruit wrong-length"}),
    (
        "a hand without the healer",
        "grow",
        put(GROW, (*SEATS, 0, "hand"), ["1", "watcher"]),
        {"/state/seats/0/hand healer-missing"},
    ),
    (
        "a card twice",
        "grow",
        put(GROW, (*SEATS, 0, "hand"), ["1", "healer", "1", "healer", "1"]),
        {
            "/state/seats/0/hand/2 duplicate-card",
            "/state/seats/0/hand/3 duplicate-card",
            "/state/seats/0/hand/4 duplicate-card",
        },
    ),
    (
        "unknown cards",
        "grow",
        put(GROW, (*SEATS, 0, "hand"), ["0", "8", "Healer", "healer", "black-ice", "one"]),
        {f"/state/seats/0/hand/{index} unknown-word" for index in (0, 1, 2, 4, 5)},
    ),
    # Growth
    ("no dice and no seed", "grow", {"state": STATE}, {". dice-or-seed"}),
    ("dice and a seed", "grow", GROW | {"seed": 1}, {". dice-or-seed"}),
    ("one die", "grow", GROW | {"dice": [1]}, {"/dice wrong-dice"}),
    ("no dice", "grow", GROW | {"dice": []}, {"/dice wrong-dice"}),
    ("three dice", "grow", GROW | {"dice": [1, 2, 3]}, {"/dice wrong-length"}),
    ("a die of 7", "grow", GROW | {"dice": [1, 7]}, {"/dice/1 out-of-range"}),
    ("a die of 0", "grow", GROW | {"dice": [0, 1]}, {"/dice/0 out-of-range"}),
    (
        "two dice for one token",
        "grow",
        {"state": put(FULL_TREE, ("fruit", 0), 4), "dice": [1, 1]},
        {"/dice wrong-dice"},
    ),
    ("a die for no token", "grow", {"state": FULL_TREE, "dice": [1]}, {"/dice wrong-dice"}),
    ("one die to resolve", "resolve", RESOLVE | {"dice": [1]}, {"/dice wrong-dice"}),
    ("no dice to resolve", "resolve", RESOLVE | {"dice": []}, {"/dice wrong-dice"}),
    ("the seed 2**53", "grow", {"state": STATE, "seed": 2**53}, {"/seed out-of-range"}),
    # Moves
    (
        "no moves",
        "resolve",
        RESOLVE | {"moves": {}},
        {f"/moves/{seat} move-missing" for seat in COMPLETE},
    ),
    (
        "a move missing",
        "resolve",
        without(RESOLVE, ("moves", "green")),
        {"/moves/green move-missing"},
    ),
    (
        "the move of an unknown seat",
        "resolve",
        put(RESOLVE, ("moves", "pink"), {"card": "1"}),
        {"/moves/pink unknown-seat"},
    ),
    (
        "moves under the name of the player",
        "resolve",
        put(without(RESOLVE, ("moves", "red")), ("moves", "anna"), {"card": "2"}),
        {"/moves/anna unknown-seat", "/moves/red move-missing"},
    ),
    (
        "a card not in hand",
        "resolve",
        put(RESOLVE, ("moves", "blue"), {"card": "1"}),
        {"/moves/blue/card card-not-in-hand"},
    ),
    (
        "an added card not in hand",
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "watcher", "then": {"card": "7"}}),
        {"/moves/red/then/card card-not-in-hand"},
    ),
    (
        "a watcher that adds itself",
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "watcher", "then": {"card": "watcher"}}),
        {"/moves/red/then/card watcher-added R3"},
    ),
    (
        "a card added by a champion",
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "2", "then": {"card": "3"}}),
        {"/moves/red/then then-without-watcher R2"},
    ),
    (
        "a champion that recovers",
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "2", "recover": ["1"]}),
        {"/moves/red/recover recover-without-healer R4"},
    ),
    (
        "a watcher that recovers",
        "resolve",
        put(
            RESOLVE,
            ("moves", "red"),
            {"card": "watcher", "recover": [], "then": {"card": "healer"}},
        ),
        {"/moves/red/recover recover-without-healer R4"},
    ),
    (
        "an added champion that recovers",
        "resolve",
        put(
            RESOLVE, ("moves", "red"), {"card": "watcher", "then": {"card": "2", "recover": ["1"]}}
        ),
        {"/moves/red/then/recover recover-without-healer R4"},
    ),
    (
        "a card added to the added one",
        "resolve",
        put(RESOLVE, ("moves", "red", "then", "then"), {"card": "2"}),
        {"/moves/red/then/then unknown-field"},
    ),
    (
        "three champions recovered",
        "resolve",
        put(RESOLVE, ("moves", "red", "then", "recover"), ["1", "4", "5"]),
        {"/moves/red/then/recover illegal-recovery R4"},
    ),
    (
        "a card of the hand recovered",
        "resolve",
        put(RESOLVE, ("moves", "red", "then", "recover"), ["2"]),
        {"/moves/red/then/recover illegal-recovery R4"},
    ),
    (
        "the blizzard recovered",
        "resolve",
        put(RESOLVE, ("moves", "red", "then", "recover"), ["blizzard"]),
        {"/moves/red/then/recover illegal-recovery R4"},
    ),
    (
        "a card recovered twice",
        "resolve",
        put(RESOLVE, ("moves", "red", "then", "recover"), ["1", "1"]),
        {"/moves/red/then/recover/1 duplicate-card"},
    ),
    (
        "two of seven recovered",
        "resolve",
        changed(RESOLVE, (("moves", "blue", "recover"), ["1", "2"])),
        {"/moves/blue/recover illegal-recovery R4"},
    ),
    (
        "none of seven recovered",
        "resolve",
        changed(RESOLVE, (("moves", "blue", "recover"), [])),
        {"/moves/blue/recover illegal-recovery R4"},
    ),
    (
        "a watcher without its card",
        "resolve",
        put(RESOLVE, ("moves", "red"), {"card": "watcher"}),
        {"/moves/red/then open-decision R2"},
    ),
    (
        "healers without their recovery",
        "resolve",
        changed(
            RESOLVE,
            (("moves", "red"), {"card": "watcher", "then": {"card": "healer"}}),
            (("moves", "green"), {"card": "healer"}),
        ),
        {
            "/moves/red/then/recover open-decision R4",
            "/moves/green/recover open-decision R4",
        },
    ),
    (
        "cards revealed of some seats only",
        "legal-moves",
        without(MOVES, ("revealed", "red")),
        {"/revealed/red move-missing"},
    ),
    (
        "a revealed card not in hand",
        "legal-moves",
        put(MOVES, ("revealed", "green", "card"), "1"),
        {"/revealed/green/card card-not-in-hand"},
    ),
    (
        "an illegal recovery revealed",
        "legal-moves",
        {"state": STATE, "revealed": put(AT_HEALER, ("green", "recover"), ["7"])},
        {"/revealed/green/recover illegal-recovery R4"},
    ),
    # Hints
    ("an unknown player", "suggest", SUGGEST | {"player": "zoe"}, {"/player unknown-player"}),
    (
        "a seat name instead of a player name",
        "suggest",
        SUGGEST | {"player": "red"},
        {"/player unknown-player"},
    ),
    ("an invalid player name", "suggest", SUGGEST | {"player": "a b"}, {"/player bad-name"}),
    (
        "a hint with cards revealed of some seats only",
        "suggest",
        without(AT_WATCHER, ("revealed", "green")),
        {"/revealed/green move-missing"},
    ),
    (
        "the objective to lose",
        "suggest",
        SUGGEST | {"objective": "lose"},
        {"/objective unknown-word"},
    ),
    ("the effort slow", "suggest", SUGGEST | {"effort": "slow"}, {"/effort unknown-word"}),
    ("the depth 0", "suggest", SUGGEST | {"depth": 0}, {"/depth out-of-range"}),
    ("a deadline of 9 ms", "suggest", SUGGEST | {"deadline_ms": 9}, {"/deadline_ms out-of-range"}),
    (
        "a deadline of 30.001 s",
        "suggest",
        SUGGEST | {"deadline_ms": 30_001},
        {"/deadline_ms out-of-range"},
    ),
    *(
        (f"the nonce {nonce!r}"[:30], "suggest", SUGGEST | {"nonce": nonce}, {"/nonce bad-nonce"})
        for nonce in ("", "x" * 129, "a\n", "\t", "\x7f", "\u00e9")
    ),
    (
        "an unknown model",
        "suggest",
        SUGGEST | {"opponents": {"model": "random"}},
        {"/opponents/model unknown-word"},
    ),
    *(
        (name, "suggest", put(SUGGEST, ("opponents", "weights"), weights), expected)
        for name, weights, expected in (
            ("weights of an own seat", {"red": {"2": 1}}, {"/opponents/weights/red own-seat"}),
            (
                "weights of an unknown seat",
                {"zoe": {"2": 1}},
                {"/opponents/weights/zoe unknown-seat"},
            ),
            (
                "weights of a card not in hand",
                {"green": {"7": 1, "1": 0}},
                {"/opponents/weights/green/1 card-not-in-hand"},
            ),
            (
                "weights of an unknown card",
                {"green": {"7": 1, "8": 1}},
                {"/opponents/weights/green/8 unknown-word"},
            ),
            (
                "weights all zero",
                {"green": {"7": 0, "healer": 0.0}},
                {"/opponents/weights/green all-zero-weights"},
            ),
            (
                "weights that are not valid numbers",
                {"green": {"7": -0.1, "healer": "1", "watcher": True}},
                {
                    "/opponents/weights/green/7 out-of-range",
                    "/opponents/weights/green/healer not-a-number",
                    "/opponents/weights/green/watcher not-a-number",
                },
            ),
        )
    ),
    (
        "weights after the reveal",
        "suggest",
        put(AT_WATCHER, ("opponents", "weights"), {"green": {"7": 1}}),
        {"/opponents/weights weights-with-revealed"},
    ),
    # Choices to be graded
    (
        "a choice for another player's seat",
        "suggest",
        SUGGEST | {"chosen": {"green": {"card": "7"}}},
        {"/chosen/green not-deciding", "/chosen/red move-missing"},
    ),
    (
        "a choice for an unknown seat",
        "suggest",
        SUGGEST | {"chosen": {"red": {"card": "2"}, "zoe": {"card": "2"}}},
        {"/chosen/zoe unknown-seat"},
    ),
    (
        "a choice for one of two seats",
        "suggest",
        PAIRED | {"chosen": {"a2": {"card": "1"}}},
        {"/chosen/a1 move-missing"},
    ),
    (
        "a choice not in hand",
        "suggest",
        SUGGEST | {"chosen": {"red": {"card": "1"}}},
        {"/chosen/red/card card-not-in-hand"},
    ),
    (
        "a choice that goes too far",
        "suggest",
        SUGGEST | {"chosen": {"red": {"card": "watcher", "then": {"card": "2"}}}},
        {"/chosen/red not-a-choice"},
    ),
    (
        "a choice that contradicts the reveal",
        "suggest",
        AT_WATCHER | {"chosen": {"red": {"card": "2"}}},
        {"/chosen/red not-a-choice"},
    ),
    (
        "a choice that adds the watcher",
        "suggest",
        AT_WATCHER | {"chosen": {"red": {"card": "watcher", "then": {"card": "watcher"}}}},
        {"/chosen/red/then/card watcher-added R3"},
    ),
]


@pytest.mark.parametrize(
    ("endpoint", "body", "expected"), [pytest.param(*case[1:], id=case[0]) for case in REFUSED]
)
def test_an_illegal_body_is_refused_with_exactly_its_violation(
    client: FlaskClient, endpoint: str, body: Any, expected: set[str]
) -> None:
    assert not legal(endpoint, body)

    document = problem_of(post(client, endpoint, body), 422, "invalid-body", body)

    reported = violation_texts(document)
    paths = {violation.partition(" ")[0] for violation in expected}
    assert expected <= reported
    assert [
        violation for violation in reported - expected if not is_related(violation, paths)
    ] == []


def is_related(violation: str, paths: set[str]) -> bool:
    """Return whether the violation is at one of the paths or at a parent of one."""
    at = violation.partition(" ")[0]
    return any(at == path or path.startswith(at + "/") for path in paths)


# Limits of legal bodies -----------------------------------------------------------------------

ACCEPTED: list[tuple[str, str, Any]] = [
    ("five seats", "new", owners(*"abcde")),
    ("four seats of four", "new", owners(*"abcd")),
    ("pairs", "new", owners("a", "b", "b", "a")),
    ("players with the names of other seats", "new", owners("s1", "s2", "s0")),
    ("names of 32 of all characters", "new", put(NEW, ("seats", 0, "seat"), "aZ09_-" + "x" * 26)),
    ("a seat called _schema", "new", put(NEW, ("seats", 0, "seat"), "_schema")),
    ("the shortest track", "new", NEW | {"track": {"length": 5, "bonuses": [bonus(4)]}}),
    ("no bonus", "new", NEW | {"track": {"length": 200, "bonuses": []}}),
    (
        "199 bonuses",
        "new",
        NEW | {"track": {"length": 200, "bonuses": [bonus(space) for space in range(1, 200)]}},
    ),
    (
        "15 fruit on one level",
        "grow",
        changed(GROW, (("state", "fruit"), [0, 0, 15, 0, 0, 0]), (("dice",), [])),
    ),
    ("a score before the last space", "grow", put(GROW, (*SEATS, 0, "score"), 19)),
    ("the least seed", "grow", {"state": STATE, "seed": 0}),
    ("the greatest seed", "grow", {"state": STATE, "seed": 2**53 - 1}),
    ("a hand of one", "grow", put(GROW, (*SEATS, 0, "hand"), ["healer"])),
    ("a hand of ten in any order", "grow", put(GROW, (*SEATS, 0, "hand"), list(reversed(DECK)))),
    ("one die for one token", "grow", {"state": put(FULL_TREE, ("fruit", 0), 4), "dice": [6]}),
    ("all seven recovered", "resolve", put(RESOLVE, ("moves", "blue", "recover"), list("7351246"))),
    (
        "recoveries given before the watcher decides",
        "legal-moves",
        {"state": STATE, "revealed": AT_HEALER | {"red": {"card": "watcher"}}},
    ),
    (
        "every default empty",
        "suggest",
        SUGGEST | {"revealed": {}, "chosen": {}, "opponents": UNIFORM | {"weights": {}}},
    ),
    (
        "empty weights after the reveal",
        "suggest",
        AT_WATCHER | {"opponents": UNIFORM | {"weights": {}}},
    ),
    ("a nonce of 128 spaces", "suggest", SUGGEST | {"nonce": " " * 128}),
    (
        "a nonce of all printable characters",
        "suggest",
        SUGGEST | {"nonce": "".join(map(chr, range(32, 127)))},
    ),
    ("the longest deadline", "suggest", SUGGEST | {"deadline_ms": 30_000}),
    ("tiny weights", "suggest", put(SUGGEST, ("opponents", "weights"), {"green": {"7": 5e-324}})),
    (
        "a weight of zero among others",
        "suggest",
        put(SUGGEST, ("opponents", "weights"), {"green": {"7": 0, "healer": 3}}),
    ),
]


@pytest.mark.parametrize(
    ("endpoint", "body"),
    [pytest.param(endpoint, body, id=name) for name, endpoint, body in ACCEPTED],
)
def test_a_legal_body_at_a_limit_is_accepted(client: FlaskClient, endpoint: str, body: Any) -> None:
    assert legal(endpoint, body)

    assert result_of(post(client, endpoint, body))
