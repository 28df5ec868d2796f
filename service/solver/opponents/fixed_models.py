"""What there is to choose at a decision, and how others do by the given models, ``uniform`` and
``weights``.
"""

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
    """The joint moves of some actors, the last one's turning fastest; the only one is empty if
    none of them has to decide.
    """
    choices = question.decision.choices
    deciding = [actor for actor in actors if actor in choices]
    stage_game = product(*(choices[actor] for actor in deciding))
    return [dict(zip(deciding, chosen, strict=True)) for chosen in stage_game]


def strategies(
    question: Question[Position, Choice], owners: Mapping[str, str]
) -> dict[str, Mixture[Choice]]:
    """The given mixtures of everybody but the asker who decides now."""
    mixtures: dict[str, Mixture[Choice]] = {}
    for player in dict.fromkeys(owners.values()):
        deciding = [actor for actor in question.decision.choices if owners[actor] == player]
        if player != question.player:
            # By name, so that the printed numbers do not depend on the order of seats.
            mixtures[player] = _mixture(question, sorted(deciding))
    return mixtures


def _mixture(question: Question[Position, Choice], actors: Sequence[str]) -> Mixture[Choice]:
    """The joint moves of one player's actors, who draw independently."""
    if not actors:
        return []
    singles = [_single(question, actor) for actor in actors]
    stage_game = list(product(*singles))
    chances = apportion([prod(chance for _, chance in moves) for moves in stage_game])
    return [
        ({actor: move for actor, (move, _) in zip(actors, moves, strict=True)}, chance)
        for moves, chance in zip(stage_game, chances, strict=True)
        if chance > 0.0
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
