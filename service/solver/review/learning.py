"""What could be learned in a played game about how its players choose, and what that was worth.

Each round is predicted from the rounds before it, the first one from the prior.  At the first
decision of round r let τ be the predicted strategies, σ the equilibrium, a the choices that were
made, and u the payoffs, one round ahead.  The gain of player i over R rounds is

    Gᵢ = 1/R × Σᵣ (uᵢ(βᵢ, a₋ᵢ) − uᵢ(σᵢ, a₋ᵢ))  with  βᵢ even over argmaxᵦ uᵢ(b, τ₋ᵢ),

so what a player who had believed the predictions would have gained.  It is negative if they misled.
Later decisions of a round are solved, not predicted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice, Outcome
from service.core.hints import ObservedDecision, ObservedRound, Position
from service.core.reviews import PastRound
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.violations import OutOfTime
from service.solver.budget import EQUILIBRIUM_BUDGET, WorkMeter
from service.solver.equilibrium.subgames import solve_open_subgames
from service.solver.normal_form import expected_payoffs
from service.solver.opponents.histories import choices_of
from service.solver.opponents.inference import Belief, pool, predict_move
from service.solver.opponents.predictions import Predictions
from service.solver.opponents.styles.greedy import TIE
from service.solver.search.checked_games import stage_game_of
from service.solver.solution import Solution


@dataclass(frozen=True, slots=True)
class PredictionGains:
    """What predictions would have gained in one round.

    Attributes:
        by_player: share of the win by player, in the order of their names.
    """

    method: ClassVar[str] = "prediction-gains"
    complete: ClassVar[bool] = True
    epsilon: ClassVar[None] = None
    nodes: ClassVar[int] = 0

    by_player: Mapping[str, float]

    def pack(self) -> bytes:
        """Return the gains as bytes; :func:`unpack` needs the names of the players."""
        return np.array(list(self.by_player.values()), "<f8").tobytes()


def unpack(packed: bytes, players: Iterable[str]) -> PredictionGains:
    """Return the gains that :meth:`PredictionGains.pack` packed.

    Raises:
        ValueError: if the bytes are not one gain for each player.
    """
    gains = np.frombuffer(packed, "<f8").tolist()
    # The difference of two shares of the win; false for NaN.
    if not all(abs(gain) <= 1.0 + TIE for gain in gains):
        raise ValueError("the bytes are not gains")
    return PredictionGains(dict(zip(sorted(players), gains, strict=True)))


def observed_round(
    past: PastRound[Position, Choice, Outcome],
) -> ObservedRound[Position, Choice]:
    """Return the decisions of a round with what can be learned from them.

    The first one is always included, later ones only if a player had more than one choice.
    """
    decisions: list[ObservedDecision[Position, Choice]] = []
    for place, taken in enumerate(past.decisions):
        question = next(iter(taken.questions), past.opening if place == 0 else None)
        if question is not None:
            chosen: dict[str, Choice] = {}
            for own in taken.questions:
                chosen |= own.chosen or {}
            decisions.append(
                ObservedDecision(question.position, question.revealed, question.decision, chosen)
            )
    return decisions


def prediction_gains(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    solution: Solution,
    predictions: Predictions,
    beliefs: Mapping[str, Belief],
    chosen: Mapping[str, Choice],
    meter: WorkMeter,
) -> PredictionGains:
    """Return the gains of one round, see the module.

    Args:
        game: the game.
        canonical: the first decision of the round, under the objective ``win``.
        solution: its equilibrium.
        predictions: of all styles for it.
        beliefs: about all players after the rounds before, by their real names.
        chosen: by real name of the actor, the choices that were made; those without an alternative
            may be missing.
        meter: checks the deadline.

    Raises:
        OutOfTime: if the deadline passed.
    """
    assert solution.strategies is not None, "all players follow the equilibrium"
    actual = _actual(canonical, predictions, chosen)
    predicted = [_predicted(canonical, predictions, beliefs, asker) for asker in range(len(actual))]
    stage_game = stage_game_of(game, canonical.question, canonical.owners)
    meter.check()
    # Other profiles hardly matter to these values.
    for reached in (actual, [np.mean(own, axis=0) for own in zip(*predicted, strict=True)]):
        solve_open_subgames(stage_game, reached, EQUILIBRIUM_BUDGET, meter)
    if meter.stopped:
        raise OutOfTime
    by_move = stage_game.payoffs.reshape(len(actual), *stage_game.counts)
    gains = {}
    for asker, player in enumerate(canonical.players):
        values = expected_payoffs(by_move[asker], predicted[asker], keep=(asker,))
        best = values > values.max() - TIE
        difference = best / best.sum() - solution.strategies[asker]
        realized = expected_payoffs(by_move[asker], actual, keep=(asker,))
        gains[player] = float((difference * realized).sum())
    return PredictionGains({player: gains[player] for player in sorted(gains)})


def _predicted(
    canonical: CanonicalQuestion[Position, Choice],
    predictions: Predictions,
    beliefs: Mapping[str, Belief],
    asker: int,
) -> list[Floats]:
    """Return by number of the player float64[moves], predicted as in a hint for the asker.

    The asker's own part, which does not matter, is even.
    """
    name = canonical.players[asker]
    weights = pool({player: own for player, own in beliefs.items() if player != name})
    predicted = []
    for number, player in enumerate(canonical.players):
        choices, moves = choices_of(canonical, predictions, number)
        if number == asker:
            predicted.append(np.full(len(moves), 1.0 / len(moves)))
        else:
            predicted.append(predict_move(weights[player], beliefs[player].memory, choices))
    return predicted


def _actual(
    canonical: CanonicalQuestion[Position, Choice],
    predictions: Predictions,
    chosen: Mapping[str, Choice],
) -> list[Floats]:
    """Return by number of the player float64[moves], 1 for the move that was made."""
    names = dict(zip(canonical.owners, canonical.actors, strict=True))
    actual = []
    for number in range(len(canonical.players)):
        _, moves = choices_of(canonical, predictions, number)
        made = [
            all(chosen.get(names[actor], choice) == choice for actor, choice in move.items())
            for move in moves
        ]
        actual.append(np.array(made, np.float64))
    return actual
