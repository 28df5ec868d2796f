"""Observations from a history: what agrees with the cards that were seen."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from service.core.hints import ObservedDecision
from service.games.snow_time.rules.state import Move, State
from service.solver.opponents.histories import canonical_decision, choices_of, observe
from service.solver.opponents.inference import infer
from service.solver.opponents.predictions import prediction_key
from tests.games.snow_time.positions import move
from tests.solver.opponents.predicting import predicted
from tests.solver.scenarios import SUGGEST, Scenario, owners_of, position

GAME = SUGGEST.search_game
LIBRARY = GAME.style_library
PREDICT = partial(predicted, GAME)
TABLE = position("13hw", "26hb", "37h", scores=(3, 1, 2), fruit=(1, 0, 2, 0, 0, 1))
PAIRS = position("17h", "26h", "3hw", "4hb", owners="abab")


def past(state: State, seen: dict[str, str], **revealed: str) -> ObservedDecision[State, Move]:
    scenario = Scenario(
        state, state.players[0], "win", revealed={seat: move(w) for seat, w in revealed.items()}
    )
    choices = {seat: move(word) for seat, word in seen.items()}
    return ObservedDecision(state, scenario.revealed, scenario.decision, choices)


def observed(*decisions: ObservedDecision[State, Move]):
    return observe(GAME, decisions, owners_of(decisions[0].position), PREDICT)


def test_a_revealed_card_is_one_move_of_its_player():
    round_ = observed(past(TABLE, {"red": "3", "blue": "b"}))
    assert set(round_) == {"red", "blue"}
    [red], [blue] = round_["red"], round_["blue"]
    assert [red.choices.labels[index] for index in red.agreeing] == [(move("3"),)]
    assert [blue.choices.labels[index] for index in blue.agreeing] == [(move("b"),)]
    assert red.choices.rows.shape == (len(LIBRARY.styles), 4)


def test_a_player_with_one_known_seat_has_several_moves_that_agree():
    [alone] = observed(past(PAIRS, {"red": "7"}))["a"]
    assert len(alone.choices.labels) == 9
    agreeing = [alone.choices.labels[index] for index in alone.agreeing]
    assert len(agreeing) == 3
    assert all(move("7") in label for label in agreeing)


def test_unknown_moves_and_moves_without_alternative_teach_nothing():
    assert observed(past(TABLE, {})) == {}
    assert observed(past(position("h", "26h", "37h"), {"red": "h"})) == {}


def test_a_watcher_s_addition_is_evidence_of_the_same_round():
    first = past(TABLE, {"red": "w"})
    second = past(TABLE, {"red": "w3"}, red="w", blue="6", green="7")
    [card, addition] = observed(first, second)["red"]
    assert card.choices.habitual
    assert not addition.choices.habitual
    assert [addition.choices.labels[index] for index in addition.agreeing] == [(move("w3"),)]
    belief = infer(LIBRARY, ["red"], [observed(first, second)])["red"]
    assert belief.evidence.rounds == 1


def test_a_healer_s_set_is_evidence_too():
    state = position("13h", "26hb", "37h")
    first = past(state, {"red": "h"})
    second = past(state, {"red": "h:67"}, red="h", blue="6", green="7")
    [_, healed] = observed(first, second)["red"]
    assert len(healed.choices.labels) == 16
    [index] = healed.agreeing
    # A player who values champions takes back two of them.
    worth = np.array([bool(s.valuation.values and s.valuation.values[0]) for s in LIBRARY.styles])
    none = healed.choices.labels.index((move("h:"),))
    assert (healed.choices.rows[worth, index] >= healed.choices.rows[worth, none]).all()


@pytest.mark.parametrize("state", [TABLE, PAIRS], ids=["single seats", "two seats each"])
def test_names_and_seat_order_do_not_matter(state: State):
    seen = {seat.name: "h" for seat in state.seats}
    plain = infer(LIBRARY, state.players, [observed(past(state, seen))] * 2)
    renamed = {seat.name: f"x{place}" for place, seat in enumerate(reversed(state.seats))}
    names = {player: f"p{place}" for place, player in enumerate(reversed(state.players))}
    seats = [
        replace(seat, name=renamed[seat.name], player=names[seat.player])
        for seat in reversed(state.seats)
    ]
    other = replace(state, seats=tuple(seats))
    seen = {renamed[seat.name]: "h" for seat in state.seats}
    beliefs = infer(LIBRARY, other.players, [observed(past(other, seen))] * 2)
    for player, belief in plain.items():
        assert beliefs[names[player]].weights.tobytes() == belief.weights.tobytes()
        assert beliefs[names[player]].evidence == belief.evidence


def test_the_choices_of_a_new_position_are_its_joint_moves():
    canonical = canonical_decision(GAME, past(PAIRS, {}), owners_of(PAIRS))
    choices, moves = choices_of(canonical, PREDICT(canonical), 0)
    assert len(moves) == choices.rows.shape[1] == len(choices.labels)
    for joint, label in zip(moves, choices.labels, strict=True):
        assert tuple(joint.values()) == label
        assert all(isinstance(choice, Move) for choice in label)


def test_the_key_of_predictions_depends_on_position_and_decision_alone():
    def key(state: State, **revealed: str) -> bytes:
        decision = past(state, {}, **revealed)
        return prediction_key(GAME, canonical_decision(GAME, decision, owners_of(state)))

    same = replace(TABLE, seats=TABLE.seats[::-1])
    other = replace(TABLE, fruit=(1, 0, 2, 0, 0, 2))
    assert key(same) == key(TABLE)
    assert len({key(TABLE), key(other), key(TABLE, red="w", blue="6", green="7")}) == 3
