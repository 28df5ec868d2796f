"""Observations from a history: positions before a choice, and what was chosen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic

from service.core.game import Choice
from service.core.hints import Position
from service.core.simultaneous import CanonicalQuestion
from service.solver.opponents.fixed_models import joint_moves
from service.solver.opponents.inference import Choices, Observation, Round
from service.solver.opponents.predictions import Predictions

Predict = Callable[[CanonicalQuestion[Position, Choice]], Predictions]
"""Returns the predictions of all styles for a decision, from a cache or new."""


@dataclass(frozen=True, slots=True)
class PastDecision(Generic[Position, Choice]):
    """A decision of an earlier round.

    Attributes:
        canonical: the decision, with all choices that were revealed before it.
        seen: for some actors, by their real names, the choices that agree with what is known.
        first: whether it is the first decision of its round; habits show only there.
    """

    canonical: CanonicalQuestion[Position, Choice]
    seen: Mapping[str, Sequence[Choice]]
    first: bool = True


def observe(
    decisions: Sequence[PastDecision[Position, Choice]], predict: Predict[Position, Choice]
) -> Round:
    """Return the observations of one round.

    Args:
        decisions: of the round, in order.
        predict: returns the predictions of a decision.
    """
    observed: dict[str, list[Observation]] = {}
    for decision in decisions:
        canonical = decision.canonical
        seen = {
            actor: decision.seen[name]
            for actor, name in zip(canonical.owners, canonical.actors, strict=True)
            if name in decision.seen
        }
        predictions = predict(canonical)
        for number, player in enumerate(canonical.players):
            choices, moves = choices_of(canonical, predictions, number, first=decision.first)
            agreeing = [
                index
                for index, move in enumerate(moves)
                if all(choice in seen[actor] for actor, choice in move.items() if actor in seen)
            ]
            # Nothing is learned from a player without a choice, or without a known one.
            if 0 < len(agreeing) < len(moves):
                observed.setdefault(player, []).append(Observation(choices, agreeing))
    return observed


def choices_of(
    canonical: CanonicalQuestion[Position, Choice],
    predictions: Predictions,
    player: int,
    *,
    first: bool = True,
) -> tuple[Choices, Sequence[Mapping[str, Choice]]]:
    """Return a player's choices at a decision, and its moves by number of the actor.

    Args:
        canonical: the decision.
        predictions: of all styles for it.
        player: its number.
        first: whether it is the first decision of its round.
    """
    actors = [actor for actor, owner in canonical.owners.items() if owner == str(player)]
    moves = joint_moves(canonical.question, actors)
    labels = [tuple(move.values()) for move in moves]
    return Choices(predictions.rows[player], labels, habitual=first), moves
