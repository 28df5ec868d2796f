"""The compiled normal form equals the plain one in every profile."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

from service.games.snow_time.engine.evaluation import default_evaluator
from service.games.snow_time.engine.heuristic_payoffs import TYPICAL_VALUES
from service.games.snow_time.engine.stage_game.normal_form import SnowTimeNormalForm
from service.games.snow_time.rules.state import Card, Move
from tests.games.snow_time.engine.plain_normal_form import (
    LATE,
    OBJECTIVES,
    PlainNormalForm,
    asked,
    in_order,
    random_normal_form,
)
from tests.games.snow_time.engine.profile_table import profiles_of
from tests.games.snow_time.positions import full, move, position, track
from tests.randomized import Properties, case_numbers

SEEDS = case_numbers(8, 40)
properties = Properties()
WITHIN = 1e-12

EXTREMES = {
    "nothing in hand": position("h", "h", "h"),
    "nothing but specials": position("hwb", "hwb", "hwb", fruit={6: 1, 2: 2}),
    "all seven discarded, champions against them": position("hw", "1234567hwb", "hb", on=None),
    "all before the last space": position(
        "12hw", "23hw", "13hb", scores=(8, 8, 8), fruit={1: 1, 3: 1}, on=LATE
    ),
    "one, two and three before it": position(
        "167hw", "267hb", "5hwb", scores=(8, 7, 6), fruit={6: 2}, on=LATE
    ),
    "the shortest track": position(
        "57hw", "46hw", "56h", scores=(4, 4, 3), fruit={5: 2}, on=track(5, (4, "fight", 1))
    ),
    "alike": position("36hw", "36hw", "36hw", fruit={6: 2, 3: 1}, on=None),
    "four with watchers": position("4hw", "5hw", "6hw", "46h", fruit={5: 3}, on=None),
    "five with few cards": position("4h", "5hw", "6hb", "6h", "hw", fruit={4: 2}, on=None),
    "five at the end": position(
        "1h", "2hw", "1hb", "2h", "hw", scores=(8, 7, 8, 5, 8), fruit={2: 1}, on=LATE
    ),
    "two and two": position("35hw", "4h", "45hw", "hb", fruit={4: 2}, on=None, players="abab"),
    "two and two alike": position("5hw", "5hw", "5hw", "5hw", fruit={5: 1}, players="abab"),
    "two and two at the end": position(
        "35hw", "4hb", "hw", "46h", scores=(8, 7, 6, 8), fruit={4: 1}, on=LATE, players="abba"
    ),
}
CASES = [f"{name} | {objective}" for name in EXTREMES for objective in OBJECTIVES] + [
    f"seed {seed}" for seed in SEEDS
]
every_case = pytest.mark.parametrize("case", CASES)


@cache
def of(case: str) -> tuple[PlainNormalForm, SnowTimeNormalForm]:
    """Return both normal forms of a case."""
    name, _, objective = case.partition(" | ")
    if objective:
        plain = asked(EXTREMES[name], objective)
    else:
        plain = random_normal_form(int(name.removeprefix("seed ")))
    print(case, plain.state, plain.revealed)
    return plain, SnowTimeNormalForm(plain.question, default_evaluator())


def expected_moves(plain: PlainNormalForm, player: str) -> list[dict[str, Move]]:
    """Return the moves of a player at the decision, the last of its seats varying fastest."""
    own = [
        seat.name
        for seat in in_order(plain.state)
        if seat.player == player and seat.name in plain.decision.choices
    ]
    legal = [plain.decision.choices[name] for name in own]
    if plain.decision.name == "healer" and player != plain.asker:
        best = plain.complete(plain.revealed)
        legal = [(best[name],) for name in own]
    return [dict(zip(own, chosen, strict=True)) for chosen in product(*legal)]


@properties
def every_player_has_its_legal_moves_in_deck_order(case: str):
    plain, joint = of(case)
    assert sorted(joint.players) == sorted(plain.state.players)
    for number, player in enumerate(joint.players):
        moves = expected_moves(plain, player)
        assert list(joint.moves(number)) == moves
        assert joint.counts[number] == len(moves)


@properties.when(lambda case: case.endswith(("| win", "0", "5")))  # Objectives do not matter here.
def heuristic_payoffs_are_spaces_gained_plus_the_value_of_the_hand(case: str):
    plain, joint = of(case)
    every_profile = profiles_of(joint)
    valuations = list(product((False, True), TYPICAL_VALUES))
    together = joint.heuristic_payoffs(
        [card_values for _, card_values in valuations],
        ignore_losses=[ignore_losses for ignore_losses, _ in valuations],
    )
    for (ignore_losses, card_values), payoffs in zip(valuations, together, strict=True):
        champion, watcher, blizzard = card_values
        values = {Card.HEALER: 0.0, Card.WATCHER: watcher, Card.BLIZZARD: blizzard}
        for profile, chosen in enumerate(every_profile):
            moves = plain.played(chosen)
            ended = plain.ended(moves)
            for number, player in enumerate(joint.players):
                expected = float(ended.gains[player])
                for seat in plain.state.seats_of(player):
                    move = moves[seat.name]
                    hand = [card for card in seat.hand if card not in move.cards]
                    hand += move.last.recover or ()
                    survived = "survived" in ended.fates.get(seat.name, ())
                    if move.champion is not None and (survived or ignore_losses):
                        hand.append(move.champion)
                    expected += sum(values.get(card, champion) for card in hand)
                assert payoffs[number, profile] == pytest.approx(expected, abs=WITHIN)


@properties
def payoffs_match_the_rules_in_every_profile(case: str):
    plain, joint = of(case)
    every_profile = profiles_of(joint)
    assert joint.payoffs.shape == (len(joint.players), len(every_profile))
    expected = np.array(
        [[plain.value(moves, player) for player in joint.players]
         for moves in map(plain.played, every_profile)]
    ).T  # fmt: skip
    wrong = np.flatnonzero((np.abs(joint.payoffs - expected) > WITHIN).any(axis=0))
    assert not len(wrong), [every_profile[place] for place in wrong[:3]]


@properties
def profiles_with_open_watchers_of_several_players_are_open(case: str):
    plain, joint = of(case)
    expected = {}
    for number, moves in enumerate(profiles_of(joint)):
        watching = plain.watching(moves)
        if len(watching) > 1:
            counts = [len(plain.additions(own)) for own in watching.values()]
            expected[number] = len(watching) * int(np.prod(counts))
    numbers, sizes = joint.open_profiles()
    assert dict(zip(numbers.tolist(), sizes.tolist(), strict=True)) == expected


@properties
def an_open_profile_is_a_subgame_of_all_cards_that_its_watchers_can_add(case: str):
    plain, joint = of(case)
    numbers, _ = joint.open_profiles()
    chosen = numbers[:: max(1, len(numbers) // 25)]
    every = profiles_of(joint)
    seen = []
    for subgames in joint.open_subgames(chosen):
        for place, (profile, payoffs) in enumerate(
            zip(subgames.profiles.tolist(), subgames.payoffs, strict=True)
        ):
            seen.append(profile)
            deciding = subgames.deciding[place].tolist()
            watching = plain.watching(every[profile])
            order = [joint.players[player] for player in deciding]
            assert sorted(order) == sorted(watching)
            assert deciding == sorted(deciding)
            additions = [plain.additions(watching[player]) for player in order]
            assert list(subgames.sizes) == [len(ways) for ways in additions]
            expected = [
                [plain.value(moves, player) for player in joint.players]
                for moves in completions(plain, every[profile], additions)
            ]
            np.testing.assert_allclose(payoffs, np.array(expected).T, rtol=0, atol=WITHIN)
    assert sorted(seen) == sorted(chosen.tolist())


def completions(
    plain: PlainNormalForm, moves: dict[str, Move], additions: list[list[dict[str, Move]]]
) -> list[dict[str, Move]]:
    """Return a profile with every joint choice of the cards that its watchers add."""
    return [
        plain.complete(
            plain.shown(moves) | {name: move for own in added for name, move in own.items()}
        )
        for added in product(*additions)
    ]


@properties
def players_with_the_same_score_hand_and_cards_are_symmetric(case: str):
    plain, joint = of(case)

    def content(number: int) -> Any:
        own = plain.state.seats_of(joint.players[number])
        contents = sorted(
            (seat.score, seat.hand, str(plain.revealed.get(seat.name))) for seat in own
        )
        return contents, joint.counts[number]

    for number, first in enumerate(joint.symmetry_classes):
        assert content(number) == content(first)
        assert all(content(other) != content(number) for other in range(first))


@properties
def payoffs_of_symmetric_players_are_equal_with_their_choices_exchanged(case: str):
    _, joint = of(case)
    shape = joint.counts
    payoffs = joint.payoffs.reshape(len(shape), *shape)
    for number, first in enumerate(joint.symmetry_classes):
        if number != first:
            turned = np.swapaxes(payoffs, first + 1, number + 1)
            np.testing.assert_allclose(payoffs[number], turned[first], rtol=0, atol=WITHIN)
            for other in set(range(len(shape))) - {number, first}:
                np.testing.assert_allclose(payoffs[other], turned[other], rtol=0, atol=WITHIN)


@properties
def mirrored_moves_of_two_equal_seats_have_equal_payoffs(case: str):
    plain, joint = of(case)
    shape = joint.counts
    payoffs = joint.payoffs.reshape(len(shape), *shape)
    for number, mirror in enumerate(joint.mirrors):
        own = plain.state.seats_of(joint.players[number])
        equal = len({(seat.score, seat.hand, plain.revealed.get(seat.name)) for seat in own}) == 1
        assert (mirror is not None) == (len(own) == 2 and equal)
        if mirror is not None:
            moves = joint.moves(number)
            for move_, image in zip(moves, mirror, strict=True):
                there = moves[image]
                assert list(move_.values()) == list(there.values())[::-1]
            turned = payoffs.take(mirror, axis=number + 1)
            np.testing.assert_allclose(payoffs, turned, rtol=0, atol=WITHIN)


def test_weights_fix_a_single_seat_and_leave_the_other_seat_of_a_player_free():
    state = position("35h", "4hw", "45h", "hb", players="abab")
    plain = asked(state, "points")
    joint = SnowTimeNormalForm(plain.question, default_evaluator())
    weights = {"b": {move("4"): 1.0, move("w"): 3.0}}
    a, b = joint.players.index("a"), joint.players.index("b")
    ways = joint.allowed_mixtures(weights)
    assert ways[a] is None
    moves = joint.moves(b)
    assert ways[b].shape == (2, len(moves))
    for way, other in zip(ways[b], (move("h"), move("b")), strict=True):
        chances = {(move["b"], move["d"]): p for move, p in zip(moves, way, strict=True) if p}
        assert chances == {(move("4"), other): 0.25, (move("w"), other): 0.75}
    both_told = joint.allowed_mixtures(weights | {"d": {move("b"): 2.0}})[b]
    assert both_told.shape == (1, len(moves))
    assert both_told.sum() == 1.0


def test_without_weights_no_strategy_is_given():
    joint = SnowTimeNormalForm(asked(full(3), "win").question, default_evaluator())
    assert joint.allowed_mixtures({}) == (None, None, None)


def test_the_cases_cover_all_situations():
    cases = [of(case) for case in CASES]
    assert {plain.decision.name for plain, _ in cases} == {"card", "watcher", "healer"}
    assert {(len(p.state.seats), len(p.state.players)) for p, _ in cases} > {(3, 3), (4, 2), (5, 5)}
    assert any(len(joint.open_profiles()[0]) > 20 for _, joint in cases)
    assert any(len(set(joint.symmetry_classes)) < len(joint.symmetry_classes) for _, joint in cases)
    ended = [
        [plain.ended(plain.played(moves)).over for moves in profiles_of(joint)[::5]]
        for plain, joint in cases
    ]
    assert any(any(over) and not all(over) for over in ended)
    hands = [seat.hand for plain, _ in cases for seat in plain.state.seats]
    assert any(
        Card.WATCHER in hand and not any(card.is_champion for card in hand) for hand in hands
    )


@every_case
def test_a_normal_form_agrees_with_the_rules(case: str):
    properties.check(case)
