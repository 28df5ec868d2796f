"""What is assumed about the other players at one decision, from what was learned about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position
from service.core.simultaneous import CanonicalQuestion
from service.core.styles import StyleLibrary
from service.solver.opponents.histories import choices_of
from service.solver.opponents.inference import Belief, pool, predict_move
from service.solver.opponents.predictions import Predictions
from service.solver.opponents.safety import trust_in


@dataclass(frozen=True, slots=True)
class LearnedPlay:
    """What is assumed about the other players at one decision.

    Attributes:
        predicted: by number of the player in canonical order, float64[moves]; None for players
            without a prediction, who follow the equilibrium.
        styles: by number of the player, float64[styles], the probability of each style; None for
            players without a prediction.
        trust: in the predictions, see :func:`~service.solver.opponents.safety.trust_in`.
        library: the styles.
    """

    predicted: Sequence[Floats | None]
    styles: Sequence[Floats | None]
    trust: float
    library: StyleLibrary


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
    styles: list[Floats | None] = []
    for number, player in enumerate(canonical.players):
        if player in beliefs:
            choices, _ = choices_of(canonical, predictions, number, first=first)
            predicted.append(predict_move(weights[player], beliefs[player].memory, choices))
            styles.append(weights[player].sum(axis=1))
        else:
            predicted.append(None)
            styles.append(None)
    # An exact sum does not depend on the order of the players.
    nats = fsum(belief.evidence.recent_nats for belief in beliefs.values())
    follows = max(float(belief.styles[library.equilibrium]) for belief in beliefs.values())
    return LearnedPlay(predicted, styles, trust_in(nats, follows), library)
