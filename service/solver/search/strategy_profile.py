"""How everybody plays one round by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.rounding import TIE, rounded
from service.core.simultaneous import RoundGame, SimultaneousGame
from service.core.vocabulary import LEVEL_1, QUANTAL, UNIFORM
from service.solver.budget import EQUILIBRIUM_BUDGETS, EquilibriumBudget, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import Solved, certified, equilibrium, moves_of
from service.solver.equilibrium.quantal_response import PRECISION, quantal, residual_of
from service.solver.equilibrium.selection import SLACK
from service.solver.equilibrium.subgames import refined, settle
from service.solver.normal_form import Floats, reduced, response, split
from service.solver.search.best_response import values_of_moves


@dataclass(frozen=True)
class SolveContext(Generic[Position, Choice]):
    """What all rounds of one search have in common.

    Attributes:
        game: the game in rounds.
        owners: the player of each actor, in the position's order.
        meter: counts the work and keeps the deadline.
    """

    game: RoundGame[Position, Choice]
    owners: Mapping[str, str]
    meter: WorkMeter


@dataclass(frozen=True)
class StrategyProfile:
    """How everybody plays.

    Attributes:
        strategies: by player, float64[moves], as printed.
        gap: see :class:`~service.core.hints.Search`, as the next one; None where the others'
            strategies are given, so that the asker plays what is best.
        quantal_residual: of quantal strategies.
        subgames_solved: whether each later decision that can be met was solved.
    """

    strategies: Sequence[Floats]
    epsilon: float | None
    quantal_residual: float | None
    subgames_solved: bool


def play_round(
    setting: SolveContext[Position, Choice], question: Question[Position, Choice], asker: str | None
) -> tuple[SimultaneousGame[Choice, Position], StrategyProfile]:
    """The round in question as a game, and how everybody plays it.

    Args:
        asker: see :func:`play`.

    Raises:
        OutOfTime: before anything was found.
    """
    joint = setting.game.joint(question)
    setting.meter.check()
    setting.meter.nodes += joint.rounds
    return joint, play(setting, joint, question, asker)


def play(
    setting: SolveContext[Position, Choice],
    joint: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    asker: str | None,
) -> StrategyProfile:
    """How everybody plays; the same whoever asks, but for a healer's decision, and where one player
    alone is left to decide, who errs if another asks.

    Args:
        asker: who does not err where nobody else is left to decide; None if nobody asks.
    """
    ways = joint.given(question.weights)
    budget, meter = EQUILIBRIUM_BUDGETS[question.effort], setting.meter
    choices = [
        count if way is None else len(way) for count, way in zip(joint.counts, ways, strict=True)
    ]
    free = [player for player, own in zip(joint.players, choices, strict=True) if own > 1]
    sensible = question.model not in (QUANTAL, LEVEL_1)
    if not free or (len(free) == 1 and (sensible or free == [asker])):
        solved = _best_alone(joint, ways, budget, meter)
        epsilon = None if question.model == LEVEL_1 else solved.epsilon
        return StrategyProfile(solved.strategies, epsilon, None, solved.subgames_solved)
    precision = PRECISION[question.objective]
    if question.model == QUANTAL:
        solved, residual = quantal(joint, ways, precision, budget, meter)
        return StrategyProfile(solved.strategies, solved.epsilon, residual, solved.subgames_solved)
    if question.model == LEVEL_1:
        strategies = _level_one(setting, joint, question, precision)
        settle(joint, strategies, budget, meter)
        solved = certified(joint, [own[None] for own in strategies], strategies)
        return StrategyProfile(solved.strategies, None, None, solved.subgames_solved)
    slack = SLACK[question.objective]
    solved = equilibrium(joint, ways, budget, meter, precision=precision, slack=slack)
    return StrategyProfile(solved.strategies, solved.epsilon, None, solved.subgames_solved)


def measured(
    joint: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    found: StrategyProfile,
) -> StrategyProfile:
    """The same strategies, what is said of them measured again: payoffs have changed."""
    ways = joint.given(question.weights)
    solved = certified(joint, ways, found.strategies)
    residual = found.quantal_residual
    if residual is not None:
        residual = residual_of(solved, ways, PRECISION[question.objective])
    return replace(
        found, epsilon=None if found.epsilon is None else solved.epsilon, quantal_residual=residual
    )


def _best_alone(
    joint: SimultaneousGame[Choice, Position],
    ways: Sequence[Floats | None],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> Solved:
    """Where one player at most is left to decide: its best choice, the first of equals."""
    game = reduced(joint.payoffs, joint.counts, joint.alike, ways)
    even = moves_of(game.uniform, game, ways)
    for _ in range(4 * budget.refinements):
        if meter.stop():
            break
        further = refined(game, joint, ways, even, budget, meter)
        if further is None:
            break
        game = further
    chosen = np.zeros_like(game.uniform)
    first = 0
    for values in split(game.respond(game.uniform), game.shape):
        printed = [rounded(float(value)) for value in values]
        best = max(printed)
        chosen[first + next(place for place, own in enumerate(printed) if own > best - TIE)] = 1.0
        first += len(printed)
    return certified(joint, ways, moves_of(chosen, game, ways), game)


def _level_one(
    setting: SolveContext[Position, Choice],
    joint: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    precision: float,
) -> list[Floats]:
    """Everybody's quantal response to all others choosing uniformly, or as weights say."""
    ways = joint.given(question.weights)
    owners = setting.owners
    found: list[Floats] = []
    for number, player in enumerate(joint.players):
        way, twin = ways[number], joint.alike[number]
        if twin < number:
            found.append(found[twin])
        elif way is not None and len(way) == 1:
            found.append(way[0])
        elif joint.counts[number] == 1:
            found.append(np.ones(1))
        else:
            asked = replace(
                question,
                player=player,
                actors=tuple(a for a in question.decision.choices if owners[a] == player),
                model=UNIFORM,
                weights={a: w for a, w in question.weights.items() if owners[a] != player},
                depth=1,
            )
            values = values_of_moves(setting.game.stage(asked), asked, setting.meter)
            if way is None:
                found.append(response(values, precision))
            else:
                answer = response((way * values).sum(axis=1), precision)
                found.append((answer[:, None] * way).sum(axis=0))
    return found
