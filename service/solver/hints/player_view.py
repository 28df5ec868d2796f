"""A solution from the view of one player, with real names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import OutcomeColumns
from service.core.game import Choice
from service.core.hints import Mixture, Position, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.solver.objectives import objective_values, objective_weights
from service.solver.opponents.fixed_models import fixed_strategies, joint_moves
from service.solver.search.replies import shown_groups
from service.solver.solution import Solution


@dataclass(frozen=True, slots=True)
class PlayerView(Generic[Choice]):
    """The asker's moves and the strategies of all players.

    Attributes:
        players: in the order of the columns of an outcome.
        asker: index of the asker in ``players``.
        columns: of an outcome.
        weights: float64[width], the asker's objective as a linear function of an outcome.
        moves: of the asker, in deck order.
        outcomes: float64[moves, width], of each move against the others' strategies.
        parts: float64[moves, parts], see ``SimultaneousGame.parts``.
        own: float64[moves], the asker's strategy; None if it plays its best move.
        others: the strategies of all other players.
        replies: by other player, for each of its moves with positive probability, the values of
            the asker's moves, float64[moves]; empty if nobody else decides freely.
        common: float64[width], the outcome that is the same for every asker, or None.
    """

    players: Sequence[str]
    asker: int
    columns: OutcomeColumns
    weights: Floats
    moves: Sequence[Mapping[str, Choice]]
    outcomes: Floats
    parts: Floats
    own: Floats | None
    others: Mapping[str, Mixture[Choice]]
    replies: Mapping[str, Sequence[Floats]]
    common: Floats | None

    @property
    def values(self) -> Floats:
        """float64[moves], the values of the moves to the asker."""
        return objective_values(self.outcomes, self.weights)


def player_view(
    solution: Solution,
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    owners: Mapping[str, str],
) -> PlayerView[Choice]:
    """Return the asker's view; for the arguments see ``hints.hint.render_hint``."""
    asker = canonical.players.index(question.player)
    actors = canonical.actors_of(asker)
    columns = game.columns(len(canonical.players), actors)
    return PlayerView(
        players=canonical.players,
        asker=asker,
        columns=columns,
        weights=objective_weights(question.objective, columns, asker, len(canonical.players)),
        moves=joint_moves(question, actors),
        outcomes=solution.outcomes[asker],
        parts=solution.parts[asker],
        own=None if solution.mixtures is None else solution.mixtures[asker],
        others=fixed_strategies(question, owners)
        if solution.strategies is None
        else {
            player: _mixture(joint_moves(question, canonical.actors_of(number)), own)
            for number, (player, own) in enumerate(
                zip(canonical.players, solution.strategies, strict=True)
            )
            if number != asker
        },
        replies=_replies(solution, game, canonical, question),
        common=solution.common_outcome(),
    )


def _replies(
    solution: Solution,
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    question: Question[Position, Choice],
) -> Mapping[str, Sequence[Floats]]:
    """Return the values of the asker's moves against each move that another player may make."""
    asker = canonical.players.index(question.player)
    table, strategies = solution.replies[asker], solution.strategies
    if strategies is None:
        return {}
    others = [number for number in range(len(strategies)) if number != asker]
    groups = {
        number: shown_groups(game, joint_moves(question, canonical.actors_of(number)))
        for number in others
    }
    ends = np.cumsum([groups[number][0] for number in others])
    if not len(table) or table.shape[1] != ends[-1]:
        return {}
    columns = np.split(table, ends[:-1], axis=1)
    return {
        canonical.players[number]: [
            own[:, group]
            for group, chance in zip(groups[number][1], strategies[number], strict=True)
            if chance > 0.0
        ]
        for number, own in zip(others, columns, strict=True)
        if len(strategies[number]) > 1
    }


def _mixture(moves: Sequence[Mapping[str, Choice]], strategy: Floats) -> Mixture[Choice]:
    """Return the moves with positive probability; none if the player does not decide."""
    return [
        (move, float(probability))
        for move, probability in zip(moves, strategy, strict=True)
        if probability > 0.0 and move
    ]
