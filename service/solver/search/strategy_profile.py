"""How everybody plays one round by a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Generic

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.rounding import TIE, rounded
from service.core.simultaneous import RoundGame, SimultaneousGame
from service.core.vocabulary import LEVEL_1, QUANTAL, UNIFORM
from service.solver.budget import EQUILIBRIUM_BUDGETS, EquilibriumBudget, WorkMeter
from service.solver.equilibrium.epsilon_equilibrium import (
    CertifiedProfile,
    certify,
    solve_equilibrium,
    to_move_probabilities,
)
from service.solver.equilibrium.quantal_response import PRECISION, quantal_residual, solve_quantal
from service.solver.equilibrium.selection import SLACK
from service.solver.equilibrium.subgames import solve_open_subgames, with_subgames_solved
from service.solver.normal_form import fix_strategies, logit_response, split
from service.solver.search.best_response import move_values


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


def solve_round(
    context: SolveContext[Position, Choice], question: Question[Position, Choice], asker: str | None
) -> tuple[SimultaneousGame[Choice, Position], StrategyProfile]:
    """The round in question as a game, and how everybody plays it.

    Args:
        asker: see :func:`solve_profile`.

    Raises:
        OutOfTime: before anything was found.
    """
    stage_game = context.game.stage_game(question)
    context.meter.check()
    context.meter.nodes += stage_game.rounds
    return stage_game, solve_profile(context, stage_game, question, asker)


def solve_profile(
    context: SolveContext[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    asker: str | None,
) -> StrategyProfile:
    """How everybody plays; the same whoever asks, but for a healer's decision, and where one player
    alone is left to decide, who errs if another asks.

    Args:
        asker: who does not err where nobody else is left to decide; None if nobody asks.
    """
    allowed = stage_game.allowed_mixtures(question.weights)
    budget, meter = EQUILIBRIUM_BUDGETS[question.effort], context.meter
    choices = [
        count if way is None else len(way)
        for count, way in zip(stage_game.counts, allowed, strict=True)
    ]
    free = [player for player, own in zip(stage_game.players, choices, strict=True) if own > 1]
    sensible = question.model not in (QUANTAL, LEVEL_1)
    if not free or (len(free) == 1 and (sensible or free == [asker])):
        solved = _best_alone(stage_game, allowed, budget, meter)
        epsilon = None if question.model == LEVEL_1 else solved.epsilon
        return StrategyProfile(solved.strategies, epsilon, None, solved.subgames_solved)
    precision = PRECISION[question.objective]
    if question.model == QUANTAL:
        solved, residual = solve_quantal(stage_game, allowed, precision, budget, meter)
        return StrategyProfile(solved.strategies, solved.epsilon, residual, solved.subgames_solved)
    if question.model == LEVEL_1:
        strategies = _level_one(context, stage_game, question, precision)
        solve_open_subgames(stage_game, strategies, budget, meter)
        solved = certify(stage_game, [own[None] for own in strategies], strategies)
        return StrategyProfile(solved.strategies, None, None, solved.subgames_solved)
    slack = SLACK[question.objective]
    solved = solve_equilibrium(stage_game, allowed, budget, meter, precision=precision, slack=slack)
    return StrategyProfile(solved.strategies, solved.epsilon, None, solved.subgames_solved)


def remeasure(
    stage_game: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    found: StrategyProfile,
) -> StrategyProfile:
    """The same strategies, what is said of them measured again: payoffs have changed."""
    allowed = stage_game.allowed_mixtures(question.weights)
    solved = certify(stage_game, allowed, found.strategies)
    residual = found.quantal_residual
    if residual is not None:
        residual = quantal_residual(solved, allowed, PRECISION[question.objective])
    return replace(
        found, epsilon=None if found.epsilon is None else solved.epsilon, quantal_residual=residual
    )


def _best_alone(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> CertifiedProfile:
    """Where one player at most is left to decide: its best choice, the first of equals."""
    game = fix_strategies(
        stage_game.payoffs, stage_game.counts, stage_game.symmetry_classes, allowed
    )
    even = to_move_probabilities(game.uniform, game, allowed)
    for _ in range(4 * budget.subgame_passes):
        if meter.stop():
            break
        further = with_subgames_solved(game, stage_game, allowed, even, budget, meter)
        if further is None:
            break
        game = further
    chosen = np.zeros_like(game.uniform)
    first = 0
    for values in split(game.action_values(game.uniform), game.shape):
        printed = [rounded(float(value)) for value in values]
        best = max(printed)
        chosen[first + next(place for place, own in enumerate(printed) if own > best - TIE)] = 1.0
        first += len(printed)
    return certify(stage_game, allowed, to_move_probabilities(chosen, game, allowed), game)


def _level_one(
    context: SolveContext[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    precision: float,
) -> list[Floats]:
    """Everybody's quantal response to all others choosing uniformly, or as weights say."""
    allowed = stage_game.allowed_mixtures(question.weights)
    owners = context.owners
    found: list[Floats] = []
    for number, player in enumerate(stage_game.players):
        way, twin = allowed[number], stage_game.symmetry_classes[number]
        if twin < number:
            found.append(found[twin])
        elif way is not None and len(way) == 1:
            found.append(way[0])
        elif stage_game.counts[number] == 1:
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
            values = move_values(context.game.best_response_model(asked), asked, context.meter)
            if way is None:
                found.append(logit_response(values, precision))
            else:
                answer = logit_response((way * values).sum(axis=1), precision)
                found.append((answer[:, None] * way).sum(axis=0))
    return found
