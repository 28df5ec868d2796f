"""Joint moves, and strategies that do not depend on the game: uniform or given by weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

from service.core.game import Choice
from service.core.hints import Mixture, Position, Question
from service.core.rounding import apportion


def joint_moves(
    question: Question[Position, Choice], actors: Sequence[str]
) -> list[Mapping[str, Choice]]:
    """Return the joint moves of some actors, the last actor's choice changing fastest.

    If none of the actors decides, the only joint move is empty.
    """
    choices = question.decision.choices
    deciding = [actor for actor in actors if actor in choices]
    joint = product(*(choices[actor] for actor in deciding))
    return [dict(zip(deciding, chosen, strict=True)) for chosen in joint]


def fixed_strategies(
    question: Question[Position, Choice], owners: Mapping[str, str]
) -> dict[str, Mixture[Choice]]:
    """Return the strategies of all players except the asker, by name."""
    mixtures: dict[str, Mixture[Choice]] = {}
    for player in dict.fromkeys(owners.values()):
        deciding = [actor for actor in question.decision.choices if owners[actor] == player]
        if player != question.player:
            # In order of names, so that the rounded numbers do not depend on the order of seats.
            mixtures[player] = _mixture(question, sorted(deciding))
    return mixtures


def _mixture(question: Question[Position, Choice], actors: Sequence[str]) -> Mixture[Choice]:
    """Return the joint moves of one player's actors, who choose independently."""
    if not actors:
        return []
    singles = [_single(question, actor) for actor in actors]
    joint = list(product(*singles))
    probabilities = apportion([prod(chance for _, chance in moves) for moves in joint])
    return [
        ({actor: move for actor, (move, _) in zip(actors, moves, strict=True)}, probability)
        for moves, probability in zip(joint, probabilities, strict=True)
        if probability > 0.0
    ]


def _single(question: Question[Position, Choice], actor: str) -> list[tuple[Choice, float]]:
    legal = question.decision.choices[actor]
    given = question.weights.get(actor)
    weights = [1.0 if given is None else given.get(move, 0.0) for move in legal]
    return [
        (move, weight / sum(weights))
        for move, weight in zip(legal, weights, strict=True)
        if weight > 0.0
    ]
