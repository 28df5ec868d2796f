"""Recorded and random games of every game: events and actions have the fields of their kind.

Golden games of turns replay identically, field by field; those of Snow Time are in
``tests/games/snow_time/rules/test_golden.py``. ``scripts/regenerate_golden.py`` writes them again
after an intended change.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import pytest
from golden import slopecrashers, snowcrest
from golden.asking import ask

from service.games.common.unions import Union
from service.games.registry import GAMES
from service.games.slopecrashers.api import response_schema as slopecrashers_responses
from service.games.slopecrashers.api import schema as slopecrashers_schema
from service.games.snow_time.api import response_schema as snow_time_responses
from service.games.snowcrest.api import response_schema as snowcrest_responses
from service.games.snowcrest.api import schema as snowcrest_schema
from service.operations.catalogue import game
from tests import randomized, stored
from tests.games.slopecrashers.rules import test_rulings_gifts as gifts
from tests.games.slopecrashers.rules import test_rulings_movement as movement
from tests.games.snowcrest.rules import test_rulings_end as at_end
from tests.games.snowcrest.rules import test_rulings_turns as in_turns
from tests.games.snowcrest.rules import test_symbols as symbols
from tests.games.unions import golden_events, golden_games, misfits, never_absent, playout_turns

Body = dict[str, Any]
SEEDS = randomized.case_numbers(2, 6)


@dataclass(frozen=True)
class Recorded:
    """What is recorded of a game.

    Attributes:
        events: the kinds of its events.
        starts: bodies of ``new`` for random games.
        actions: the kinds of its actions; None for a game of rounds.
        setups: of its golden games, if they are replayed here.
        rare: events that games hardly reach, each with the test of a ruling that reaches it and
            checks the fields of all events.
        attacks: turns that random players hardly take, as bodies of ``resolve``.
    """

    events: Union
    starts: tuple[Body, ...]
    actions: Union | None = None
    setups: Mapping[str, Body] = field(default_factory=dict)
    rare: Mapping[str, Callable[..., None]] = field(default_factory=dict)
    attacks: tuple[Body, ...] = ()


ATTACKED: Body = {
    "seats": [
        {"player": "a", "lap": 1, "row": 7, "lane": 1, "gifts": ["rocket"]},
        {"player": "b", "lap": 1, "row": 9, "lane": 1, "gifts": ["magnet"]},
    ],
    "turn": "a",
    "course": ["cedar", "birch", "pine"],
}
ATTACKS = tuple(
    [
        {"type": "play", "gift": "rocket"},
        {"type": "answer", "player": "b", "magnet": magnet},
        {"type": "end"},
    ]
    for magnet in (True, False)
)
RECORDED = {
    "snow-time": Recorded(
        snow_time_responses.EventSchema.union,
        tuple({"seats": [{"seat": name} for name in seats]} for seats in ("abc", "abcde")),
    ),
    "slopecrashers": Recorded(
        slopecrashers_responses.EventSchema.union,
        ({"seats": [{"player": name} for name in "abcd"], "seed": 3},),
        slopecrashers_schema.ActionSchema.union,
        slopecrashers.SETUPS,
        {
            "no-place": movement.test_s3_without_a_legal_turn_the_character_stays_off_the_board,
            "no-gift": gifts.test_s14_with_pile_and_discards_empty_nothing_is_drawn,
        },
        tuple({"state": ATTACKED, "moves": moves, "seed": 1} for moves in ATTACKS),
    ),
    "snowcrest": Recorded(
        snowcrest_responses.EventSchema.union,
        (
            {"seats": [{"player": name} for name in "abc"], "seed": 7},
            {"seats": [{"player": "a"}], "seed": 4, "difficulty": 2},
        ),
        snowcrest_schema.ActionSchema.union,
        snowcrest.SETUPS,
        {
            "pass": in_turns.test_c3_a_player_who_can_neither_activate_nor_play_passes,
            "reveal": at_end.test_c11_unknown_hands_are_revealed_at_the_end,
            "wake": symbols.test_c2_one_exhausted_villager_is_turned_up_and_does_not_act,
            "discard": symbols.test_c2_a_hand_card_is_discarded_and_gives_nothing,
            "exhaust": symbols.test_c2_one_other_face_up_villager_is_exhausted,
        },
    ),
}
TURNS = [name for name, own in RECORDED.items() if own.setups]
each_game = pytest.mark.parametrize("name", RECORDED)
each_game_of_turns = pytest.mark.parametrize("name", TURNS)


# Golden games of turns ------------------------------------------------------------------------


@each_game_of_turns
def test_every_golden_setup_has_a_file(name: str):
    assert {file.stem for file in golden_games(name)} == set(RECORDED[name].setups)


@pytest.mark.parametrize(
    ("name", "file"),
    [pytest.param(name, file, id=file.stem) for name in TURNS for file in golden_games(name)],
)
def test_a_golden_game_replays_identically(name: str, file: Any):
    """A file contains an own catalogue once, in the set-up; every returned state contains it."""
    played = json.loads(file.read_text("utf-8"))
    state = ask(name, "new", played["new"])["state"]
    own = {key: value for key, value in state.items() if key == "catalogue"}
    assert ("catalogue" in state) == ("catalogue" in played["new"])
    for number, turn in enumerate(played["rounds"], 1):
        answer = ask(name, "resolve", {"state": state, "moves": turn["moves"]})
        expected = turn["answer"] | {"state": turn["answer"]["state"] | own}
        assert answer == expected, f"turn {number}: {stored.GOLDEN}"
        state = answer["state"]
    assert answer["game_over"]


@each_game_of_turns
def test_the_golden_games_cover_nearly_every_event_and_cite_documented_rulings(name: str):
    own, events = RECORDED[name], golden_events(name)
    met = {event["type"] for event in events}
    assert set(own.events.values) - met <= set(own.rare)
    cited = {event["rule"] for event in events if "rule" in event}
    assert cited <= set(game(GAMES[name])["rulings"])
    assert len(cited) > 8


# Kinds ----------------------------------------------------------------------------------------


@cache
def turns(name: str) -> list[Body]:
    print(f"seeds {SEEDS}")
    own = RECORDED[name]
    played = [turn for new in own.starts for turn in playout_turns(name, new, SEEDS)]
    return played + [ask(name, "resolve", body) for body in own.attacks]


def events_of(name: str) -> list[Body]:
    played = [event for turn in turns(name) for event in turn["events"]]
    return golden_events(name.replace("-", "_")) + played


@each_game
def test_every_event_has_the_fields_of_its_kind(name: str):
    assert misfits(events_of(name), RECORDED[name].events) == set()


@each_game
def test_every_kind_of_event_occurs_in_a_game_or_in_the_test_of_a_ruling(name: str):
    own = RECORDED[name]
    met = {event["type"] for event in events_of(name)}
    assert met <= set(own.events.values)
    assert set(own.events.values) - met <= set(own.rare)


@each_game
def test_an_optional_field_of_an_event_is_absent_from_some(name: str):
    assert never_absent(events_of(name), RECORDED[name].events) == set()


@each_game_of_turns
def test_every_recorded_action_has_the_fields_of_its_kind(name: str):
    own = RECORDED[name]
    actions = [action for turn in turns(name) for action in turn["moves"]]
    assert own.actions is not None
    assert misfits(actions, own.actions) == set()
    assert {action["type"] for action in actions} >= set(own.actions.values) - set(own.rare)
