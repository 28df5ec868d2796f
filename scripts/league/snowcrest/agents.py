"""Agents for Snowcrest: who moves by chance, who grabs, and the service."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from league.snowcrest.play import Question
from service.games.snowcrest.engine.evaluation import (
    KNOTS,
    Evaluator,
    from_document,
    load_evaluator,
)
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.payments.resources import Resource
from service.games.snowcrest.rules.actions import Action
from service.solver.search.turn_expectimax import solve

TURNS = SnowcrestTurns()


class RandomVillager:
    """Any listed choice, with equal chance."""

    def choose(self, question: Question, random: Random) -> Action:
        [choices] = question.decision.choices.values()
        return random.choice(choices)


class SolvingVillager:
    """The best of the service's hint.

    Args:
        tier: of the hint.
        evaluator: a file of one, in place of the service's.
    """

    def __init__(self, tier: str = "standard", evaluator: str = "") -> None:
        self._tier = tier
        self._game = SnowcrestTurns(load_evaluator(Path(evaluator))) if evaluator else TURNS

    def choose(self, question: Question, random: Random) -> Action:
        return best_of(self._game, replace(question, tier=self._tier))


class GreedyVillager(SolvingVillager):
    """Takes the most scrolls that it can in this turn, less the omen that they cost, and of what
    is left the most resources; what comes later is of no account.
    """

    def __init__(self) -> None:
        self._tier, self._game = "quick", SnowcrestTurns(GRABBING)


def best_of(game: SnowcrestTurns, question: Question) -> Action:
    """The choice with the greatest share, the first of equals."""
    found = solve(game, question, None)
    [choices] = question.decision.choices.values()
    asker = question.play.state.players.index(question.player)
    return choices[max(range(len(choices)), key=lambda place: found.shares[place][asker])]


def _grabbing() -> Evaluator:
    each = len(KNOTS) + 1
    scroll, resource = [100.0] * each, [1.0] * each
    worth: dict[str, Any] = {"scrolls": scroll, "omen": scroll}
    worth |= {kind.label: resource for kind in Resource}
    slopes = [0.002] * each
    alone = {name: [slopes[0] * number for number in told] for name, told in worth.items()}
    return from_document({"version": "grabbing", "slopes": slopes, "several": worth, "solo": alone})


GRABBING: Final = _grabbing()
