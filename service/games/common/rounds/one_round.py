"""Games of one round and one decision: their engine follows from the rules alone.

Every combination of moves is played by the rules, so this suits games with few of them. A player
wants to win; nothing is estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any, Generic

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import (
    BestResponseModel,
    Continuation,
    OutcomeColumns,
    OutcomeTables,
)
from service.core.game import Choice, Decision, Game, State
from service.core.hints import Question, Weights
from service.core.simultaneous import (
    CanonicalQuestion,
    ResultBounds,
    RoundGame,
    SimultaneousGame,
)
from service.core.styles import Style, StyleLibrary
from service.core.vocabulary import EQUILIBRIUM
from service.games.common.rounds.canonical import renamed
from service.games.common.rounds.reader import RoundReader

_STYLES = StyleLibrary(1, (), (), (Style(EQUILIBRIUM), Style("chance")), (0.5, 0.5))


def columns_of(players: int) -> OutcomeColumns:
    """Return the columns of an outcome: gains, which are 0, and shares."""
    shares = slice(players, 2 * players)
    return OutcomeColumns(
        slice(0, players), shares, {}, 2 * players, 2 * players + 1, 2 * players + 2
    )


class OneRoundStage(SimultaneousGame[Choice, State], Generic[Choice, State]):
    """The decision of a game of one round, in normal form.

    Args:
        rules: the rules.
        question: the decision.
        owners: the player of each actor; players are numbered in this order.
    """

    def __init__(
        self,
        rules: Game[Any, Any, Any, Any, Any],
        question: Question[State, Choice],
        owners: Mapping[str, str],
    ) -> None:
        self._players = tuple(dict.fromkeys(owners.values()))
        choices = question.decision.choices
        self._moves = [
            _joint({a: choices[a] for a in owners if owners[a] == player and a in choices})
            for player in self._players
        ]
        begun = rules.begin(question.position).play
        ends = []
        for profile in product(*self._moves):
            moves = dict(question.revealed)
            for move in profile:
                moves |= move
            play = rules.choose(begun, moves).play if moves else begun
            winners = rules.winners(rules.rest(play))
            ends.append([(each in winners) / len(winners) for each in self._players])
        self._shares = np.array(ends, np.float64)

    @property
    def players(self) -> tuple[str, ...]:
        return self._players

    @property
    def counts(self) -> tuple[int, ...]:
        return tuple(map(len, self._moves))

    @property
    def payoffs(self) -> Floats:
        return np.ascontiguousarray(self._shares.T)

    @property
    def rounds(self) -> int:
        return len(self._shares)

    def moves(self, player: int) -> tuple[Mapping[str, Choice], ...]:
        return self._moves[player]

    def columns(self, player: int) -> OutcomeColumns:
        return columns_of(len(self._players))

    def allowed_mixtures(self, weights: Weights[Choice]) -> tuple[Floats | None, ...]:
        return tuple(
            np.array([[prod(weights[a].get(c, 0.0) for a, c in m.items()) for m in moves]])
            if moves[0].keys() & weights.keys()
            else None
            for moves in self._moves
        )

    def outcomes(self, player: int, strategies: Floats) -> Floats:
        own = np.split(strategies, np.cumsum(self.counts)[:-1])
        shares = self._shares.reshape(*self.counts, -1)
        for other in reversed(range(len(own))):
            if other != player:
                shares = np.tensordot(own[other], shares, axes=(0, other))
        count = len(self._players)
        rows = np.zeros((self.counts[player], columns_of(count).width))
        rows[:, count : 2 * count] = shares
        rows[:, -1] = 1.0
        return rows

    def bounds(self, player: int) -> list[tuple[float, float, float]]:
        """Return each move's least and largest share, and how often it is positive."""
        by_profile = self._shares[:, player].reshape(self.counts)
        rows = np.moveaxis(by_profile, player, 0).reshape(self.counts[player], -1)
        return [(float(r.min()), float(r.max()), float((r > 0.0).mean())) for r in rows]


class OneRoundResponse(BestResponseModel[Choice], Generic[Choice]):
    """The best response to players who choose uniformly, or by given weights."""

    def __init__(self, stage: OneRoundStage[Choice, Any], question: Question[Any, Choice]) -> None:
        self._stage, self._asker = stage, stage.players.index(question.player)
        mixtures = stage.allowed_mixtures(question.weights)
        self._strategies = np.concatenate(
            [
                np.full(count, 1.0 / count) if own is None else own[0]
                for own, count in zip(mixtures, stage.counts, strict=True)
            ]
        )

    @property
    def players(self) -> tuple[str, ...]:
        return self._stage.players

    @property
    def asker(self) -> int:
        return self._asker

    @property
    def moves(self) -> tuple[Mapping[str, Choice], ...]:
        return self._stage.moves(self._asker)

    @property
    def columns(self) -> OutcomeColumns:
        return self._stage.columns(self._asker)

    @property
    def rounds(self) -> int:
        return self._stage.rounds

    @property
    def joint_lines(self) -> int:
        return self._stage.rounds

    def expected_outcomes(self, continuation: Continuation | None) -> OutcomeTables:
        rows = self._stage.outcomes(self._asker, self._strategies)
        return OutcomeTables(
            [[[number]] for number in range(len(rows))], [row[None] for row in rows], ()
        )


class OneRoundGame(RoundGame[State, Choice], Generic[State, Choice]):
    """A game of one round and one decision for the solver.

    Args:
        requests: knows the rules, and whose the actors are.
    """

    def __init__(self, requests: RoundReader[Any, Any, Any, Choice, Any, Any]) -> None:
        self._requests = requests

    @property
    def evaluator(self) -> str:
        return "none"

    @property
    def style_library(self) -> StyleLibrary:
        return _STYLES

    def shown(self, move: Mapping[str, Choice]) -> tuple[str, ...]:
        return tuple(map(repr, move.values()))

    def position_key(self, question: Question[State, Choice]) -> bytes:
        return repr((question.position, sorted(question.revealed.items()))).encode()

    def canonicalize(self, question: Question[State, Choice]) -> CanonicalQuestion[State, Choice]:
        owners = self._requests.owners(question.position)
        return renamed(question, [*owners], owners, self._requests.rename, mutual=True)

    def columns(self, players: int, actors: Sequence[str]) -> OutcomeColumns:
        return columns_of(players)

    def stage_game(self, question: Question[State, Choice]) -> OneRoundStage[Choice, State]:
        owners = self._requests.owners(question.position)
        return OneRoundStage(self._requests.game, question, owners)

    def best_response_model(self, question: Question[State, Choice]) -> OneRoundResponse[Choice]:
        return OneRoundResponse(self.stage_game(question), question)

    def next_rounds(
        self, question: Question[State, Choice], position: State
    ) -> Sequence[tuple[float, Question[State, Choice], int]]:
        rules = self._requests.game
        decision = rules.pending(rules.begin(position).play)
        if not isinstance(decision, Decision):
            return ()
        asked = replace(question, position=position, revealed={}, decision=decision, weights={})
        return [(1.0, asked, prod(map(len, decision.choices.values())))]

    def result_bounds(
        self, question: Question[State, Choice], moves: Sequence[Mapping[str, Choice]]
    ) -> Sequence[ResultBounds[Choice]]:
        stage = self.stage_game(question)
        player = stage.players.index(question.player)
        by_move = [*zip(stage.moves(player), stage.bounds(player), strict=True)]
        found = [next(own for listed, own in by_move if listed == move) for move in moves]
        return [ResultBounds(least, most, hope, {}) for least, most, hope in found]


def _joint(choices: Mapping[str, tuple[Choice, ...]]) -> tuple[dict[str, Choice], ...]:
    """Return the joint moves of a player's actors; one empty move if none decides."""
    return tuple(dict(zip(choices, each, strict=True)) for each in product(*choices.values()))
