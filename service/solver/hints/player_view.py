"""The asker's part of a solve, in real names, before it is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from service.core.arrays import Floats
from service.core.best_response_model import OutcomeColumns
from service.core.game import Choice
from service.core.hints import Mixture, Position, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.solver.objectives import objective_values, objective_weights
from service.solver.opponents.fixed_models import joint_moves, strategies
from service.solver.solution import Solution


@dataclass(frozen=True, slots=True)
class PlayerView(Generic[Choice]):
    """The asker's moves and everybody's strategies.

    Attributes:
        players: in the order of an outcome's columns.
        asker: the place of the asker among them.
        columns: of an outcome.
        weights: float64[width], the objective of the asker as a linear form of an outcome.
        moves: the asker's, in deck order.
        outcomes: float64[moves, width], of each against the others' strategies.
        own: float64[moves], the asker's strategy, or None to play what is best.
        others: the strategies of all other players.
        common: an outcome that is everybody's, whoever asks, or None if it is the asker's own.
    """

    players: Sequence[str]
    asker: int
    columns: OutcomeColumns
    weights: Floats
    moves: Sequence[Mapping[str, Choice]]
    outcomes: Floats
    own: Floats | None
    others: Mapping[str, Mixture[Choice]]
    common: Floats | None

    @property
    def values(self) -> Floats:
        """float64[moves]: what each is worth to the asker."""
        return objective_values(self.outcomes, self.weights)


def player_view(
    found: Solution,
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    asked: CanonicalQuestion[Position, Choice],
    owners: Mapping[str, str],
) -> PlayerView[Choice]:
    """What a solve has for whoever asks; see :func:`~service.solver.hints.hint.render_hint`."""
    asker = asked.players.index(question.player)
    actors = asked.actors_of(asker)
    columns = game.columns(len(asked.players), actors)
    return PlayerView(
        players=asked.players,
        asker=asker,
        columns=columns,
        weights=objective_weights(question.objective, columns, asker, len(asked.players)),
        moves=joint_moves(question, actors),
        outcomes=found.outcomes[asker],
        own=None if found.mixtures is None else found.mixtures[asker],
        others=strategies(question, owners)
        if found.strategies is None
        else {
            player: _mixture(joint_moves(question, asked.actors_of(number)), own)
            for number, (player, own) in enumerate(
                zip(asked.players, found.strategies, strict=True)
            )
            if number != asker
        },
        common=found.common(),
    )


def _mixture(moves: Sequence[Mapping[str, Choice]], strategy: Floats) -> Mixture[Choice]:
    """A player's moves that are played, with their probabilities; nothing if none is due."""
    return [
        (move, float(probability))
        for move, probability in zip(moves, strategy, strict=True)
        if probability > 0.0 and move
    ]
