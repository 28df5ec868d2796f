"""The engine of every game against its rules, and wrong engines that the checks refuse."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest

from service.games.common.rounds.one_round import OneRoundGame, OneRoundStage
from service.games.definition import Suggest, SuggestTurn
from service.games.registry import GAMES
from tests.conformance.engines import (
    check_round_engine,
    check_turn_engine,
    round_questions,
    turn_questions,
)
from tests.conformance.test_every_game import DEFINITIONS, playouts, start_of
from tests.conformance.unique_card import REQUESTS, UNIQUE_CARD, UniqueCard
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


class LowestWins(UniqueCard):
    def winners(self, state: Any) -> tuple[str, ...]:
        cards = tuple(str(7 - int(card)) for card in state.cards)
        return super().winners(replace(state, cards=cards))


class AllSymmetric(OneRoundStage[str, Any]):
    @property
    def symmetry_classes(self) -> tuple[int, ...]:
        return (0,) * len(self.players)


class Reversed(OneRoundStage[str, Any]):
    def moves(self, player: int) -> tuple[Mapping[str, str], ...]:
        return super().moves(player)[::-1]


class Exchanged(OneRoundStage[str, Any]):
    @property
    def payoffs(self) -> np.ndarray:
        return super().payoffs[::-1].copy()


class WrongEngine(OneRoundGame[Any, str]):
    """An engine with another stage, or other rules."""

    def __init__(self, stage: type[OneRoundStage[str, Any]], rules: Any) -> None:
        super().__init__(REQUESTS)
        self._stage, self._rules = stage, rules

    def stage_game(self, question: Any) -> OneRoundStage[str, Any]:
        return self._stage(self._rules, question, REQUESTS.owners(question.position))


def check(search: Any) -> int:
    endpoint = ROUNDS["unique-card"]
    playout = random_playout(UniqueCard(), start_of(UNIQUE_CARD), 1)
    [(question, play)] = round_questions(UniqueCard(), endpoint, playout)
    return check_round_engine(search, UniqueCard(), question, play, Random(1))


def test_the_right_engine_passes() -> None:
    assert check(WrongEngine(OneRoundStage, UniqueCard())) == 60


@pytest.mark.parametrize(
    ("stage", "rules"),
    [
        (AllSymmetric, UniqueCard()),
        (OneRoundStage, LowestWins()),
        (Reversed, UniqueCard()),
        (Exchanged, UniqueCard()),
    ],
    ids=["all symmetric", "the lowest card wins", "moves in reverse order", "players exchanged"],
)
def test_wrong_engines_of_rounds_fail(stage: Any, rules: Any) -> None:
    with pytest.raises(AssertionError):
        check(WrongEngine(stage, rules))


class WrongTree:
    """The tree of a game, with something changed."""

    def __init__(self, tree: Any) -> None:
        self._tree = tree

    def __getattr__(self, name: str) -> Any:
        return getattr(self._tree, name)


class EqualChances(WrongTree):
    def outcomes(self, event: Any, most: int) -> Any:
        found = self._tree.outcomes(event, most)
        equal = 1.0 / len(found.nodes)
        return found._replace(nodes=[(equal, node) for _, node in found.nodes])


class WrongTurns:
    """The engine of Slopecrashers with another tree."""

    def __init__(self, tree: type[WrongTree]) -> None:
        self._search, self._wrap = TURNS["slopecrashers"].search_game, tree

    def __getattr__(self, name: str) -> Any:
        return getattr(self._search, name)

    def tree(self, question: Any) -> Any:
        return self._wrap(self._search.tree(question))


def test_a_turn_engine_with_other_chances_fails() -> None:
    wrong, rules = WrongTurns(EqualChances), GAMES["slopecrashers"].game
    with pytest.raises(AssertionError):
        assert [
            check_turn_engine(wrong, rules, question)
            for question in turn_questions(playouts("slopecrashers")[0])
        ]
