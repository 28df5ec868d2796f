"""The engine of every game against its rules, and wrong engines that the checks refuse."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from service.games.common.rounds.one_round import OneRoundStage
from service.games.definition import Suggest, SuggestTurn
from service.games.registry import GAMES
from tests.conformance.engines import (
    check_round_engine,
    check_turn_engine,
    round_questions,
    turn_questions,
)
from tests.conformance.test_every_game import DEFINITIONS, playouts, start_of
from tests.conformance.unique_card import UNIQUE_CARD, UniqueCard
from tests.conformance.walks import random_playout

ROUNDS = {
    name: endpoint
    for name, definition in DEFINITIONS.items()
    for endpoint in definition.endpoints
    if isinstance(endpoint, Suggest)
}
TURNS = {
    name: endpoint
    for name, definition in GAMES.items()
    for endpoint in definition.endpoints
    if isinstance(endpoint, SuggestTurn)
}


@pytest.mark.parametrize("name", ROUNDS)
def test_engines_of_rounds_follow_the_rules(name: str) -> None:
    endpoint, rules = ROUNDS[name], DEFINITIONS[name].game
    ended = 0
    for playout in playouts(name):
        random = Random(1)
        for question, play in [*round_questions(rules, endpoint, playout)][-8:]:
            ended += check_round_engine(endpoint.search_game, rules, question, play, random)
    assert ended > 10


@pytest.mark.parametrize("name", TURNS)
def test_engines_of_turns_follow_the_rules(name: str) -> None:
    search, rules = TURNS[name].search_game, GAMES[name].game
    ends = draws = 0
    for playout in playouts(name):
        for question in turn_questions(playout):
            ended, drawn = check_turn_engine(search, rules, question)
            ends, draws = ends + ended, draws + drawn
    assert ends > 0
    assert draws > 0


# Wrong engines --------------------------------------------------------------------------------

MOVES, PAYOFFS = OneRoundStage.moves, OneRoundStage.payoffs.fget
WRONG_STAGES = {
    "symmetry_classes": property(lambda stage: (0,) * len(stage.players)),
    "moves": lambda stage, player: MOVES(stage, player)[::-1],
    "payoffs": property(lambda stage: PAYOFFS(stage)[::-1].copy()),
}
"""All players symmetric, the moves in reverse order, and the players exchanged."""


def check_unique_card() -> int:
    search, rules = ROUNDS["unique-card"].search_game, UniqueCard()
    playout = random_playout(rules, start_of(UNIQUE_CARD), 1)
    [(question, play)] = round_questions(rules, ROUNDS["unique-card"], playout)
    return check_round_engine(search, rules, question, play, Random(1))


@pytest.mark.parametrize("member", WRONG_STAGES)
def test_wrong_engines_of_rounds_fail(member: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_unique_card() == 60
    monkeypatch.setattr(OneRoundStage, member, WRONG_STAGES[member])
    with pytest.raises(AssertionError):
        check_unique_card()


def test_a_turn_engine_with_other_chances_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    search, rules = TURNS["slopecrashers"].search_game, GAMES["slopecrashers"].game
    questions = [*turn_questions(playouts("slopecrashers")[0])]
    tree = type(search.tree(questions[0]))
    outcomes = tree.outcomes

    def equally_likely(*arguments: Any) -> Any:
        found = outcomes(*arguments)
        equal = 1.0 / len(found.nodes)
        return found._replace(nodes=[(equal, node) for _, node in found.nodes])

    monkeypatch.setattr(tree, "outcomes", equally_likely)
    with pytest.raises(AssertionError):
        assert [check_turn_engine(search, rules, question) for question in questions]
