"""The hint against opponents whose styles were learned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import LearnedSearch, Position
from service.core.rounding import apportion, rounded
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.styles import StyleLibrary
from service.core.vocabulary import EQUILIBRIUM, LEARNED
from service.solver.budget import EQUILIBRIUM_BUDGETS, WorkMeter
from service.solver.equilibrium.subgames import solve_open_subgames
from service.solver.opponents.histories import choices_of
from service.solver.opponents.inference import Belief, pool, predict_move
from service.solver.opponents.predictions import Predictions
from service.solver.opponents.safety import safe_mixture, trust_in
from service.solver.opponents.styles.equilibrium import over_stage_moves
from service.solver.solution import Solution


@dataclass(frozen=True, slots=True)
class LearnedPlay:
    """What is assumed about the other players at one decision.

    Attributes:
        predicted: by number of the player in canonical order, float64[moves]; None for players
            without a prediction, who follow the equilibrium.
        trust: in the predictions, see :func:`~service.solver.opponents.safety.trust_in`.
        library: version of the library of styles.
    """

    predicted: Sequence[Floats | None]
    trust: float
    library: int


def learned_play(
    library: StyleLibrary,
    canonical: CanonicalQuestion[Position, Choice],
    predictions: Predictions,
    beliefs: Mapping[str, Belief],
    *,
    first: bool,
) -> LearnedPlay:
    """Return what is assumed about the other players.

    Args:
        library: the styles.
        canonical: the decision.
        predictions: of all styles for it.
        beliefs: about the opponents, by their real names.
        first: whether it is the first decision of its round.
    """
    weights = pool(beliefs)
    predicted: list[Floats | None] = []
    for number, player in enumerate(canonical.players):
        if player in beliefs:
            choices, _ = choices_of(canonical, predictions, number, first=first)
            predicted.append(predict_move(weights[player], beliefs[player].memory, choices))
        else:
            predicted.append(None)
    # An exact sum does not depend on the order of the players.
    nats = fsum(belief.evidence.nats_over_equilibrium for belief in beliefs.values())
    follows = max(float(belief.styles[library.equilibrium]) for belief in beliefs.values())
    return LearnedPlay(predicted, trust_in(nats, follows), library.version)


def respond(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    asker: int,
    solution: Solution,
    play: LearnedPlay,
    meter: WorkMeter,
) -> Solution:
    """Return the safe mixture against learned play, one round ahead.

    Args:
        game: the game.
        canonical: the question.
        asker: number of the player in canonical order.
        solution: of the same question under the model ``equilibrium``.
        play: of the others.
        meter: counts the work and checks the deadline.

    Raises:
        OutOfTime: if the deadline passed before there was any result.
    """
    question = replace(canonical.question, model=EQUILIBRIUM, depth=1)
    stage_game = game.stage_game(question)
    meter.check()
    meter.nodes += stage_game.rounds
    assert solution.strategies is not None
    allowed = stage_game.allowed_mixtures(question.weights)
    predicted = [
        own if given is None or mixtures is not None else given
        for own, given, mixtures in zip(solution.strategies, play.predicted, allowed, strict=True)
    ]
    solved, expected = (
        over_stage_moves(strategies, stage_game.counts)
        for strategies in (solution.strategies, predicted)
    )
    solve_open_subgames(stage_game, expected, EQUILIBRIUM_BUDGETS[question.effort], meter)
    mixture = safe_mixture(
        stage_game.payoffs, stage_game.counts, asker, solved, expected, play.trust
    )
    predicted[asker] = mixture.strategy
    strategies = [np.array(apportion(own.tolist())) for own in predicted]
    together = np.concatenate(over_stage_moves(strategies, stage_game.counts))
    return Solution(
        strategies=strategies,
        outcomes=[stage_game.outcomes(player, together) for player in range(len(strategies))],
        epsilon=None,
        quantal_residual=None,
        method=LEARNED,
        depth=1,
        choices_exact=solution.choices_exact,
        complete=not meter.stopped,
        nodes=meter.nodes,
        unsearched=0.0,
        learned=LearnedSearch(rounded(play.trust), rounded(mixture.risk), play.library),
    )
