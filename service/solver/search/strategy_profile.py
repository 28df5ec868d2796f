"""The strategy profile of one round under a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.rounding import TIE, rounded
from service.core.simultaneous import RoundGame, SimultaneousGame
from service.core.vocabulary import LEVEL_1, QUANTAL, UNIFORM
from service.solver.budget import EQUILIBRIUM_BUDGET, EquilibriumBudget, WorkMeter
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
from service.solver.search.checked_games import best_response_model_of, stage_game_of


@dataclass(frozen=True)
class SolveContext(Generic[Position, Choice]):
    """What all rounds of one search have in common.

    Attributes:
        game: the game.
        owners: the player of each actor, in the order of the position.
        meter: counts the work and checks the deadline.
    """

    game: RoundGame[Position, Choice]
    owners: Mapping[str, str]
    meter: WorkMeter


@dataclass(frozen=True)
class StrategyProfile:
    """The strategies of all players.

    Attributes:
        strategies: by player, float64[moves], rounded.
        epsilon: see :class:`~service.core.hints.Search`; None if the strategies of the others
            are fixed and the asker plays its best move.
        quantal_residual: of quantal strategies, otherwise None.
        subgames_solved: whether every subgame that the strategies can reach was solved.
    """

    strategies: Sequence[Floats]
    epsilon: float | None
    quantal_residual: float | None
    subgames_solved: bool


def solve_round(
    context: SolveContext[Position, Choice], question: Question[Position, Choice], asker: str | None
) -> tuple[SimultaneousGame[Choice, Position], StrategyProfile]:
    """Return the round in question as a game, and its strategy profile.

    Args:
        context: of the search.
        question: the round in question.
        asker: see :func:`solve_profile`.

    Raises:
        OutOfTime: if the deadline passed before the search had any result.
    """
    stage_game = stage_game_of(context.game, question, context.owners)
    context.meter.check()
    context.meter.nodes += stage_game.rounds
    return stage_game, solve_profile(context, stage_game, question, asker)


def solve_profile(
    context: SolveContext[Position, Choice],
    stage_game: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    asker: str | None,
) -> StrategyProfile:
    """Return the strategies of all players.

    The result does not depend on the asker, with two exceptions: a healer decision, and a decision
    with only one free player.  Under an erring model this player errs unless it is the asker.

    Args:
        context: of the search.
        stage_game: the round in question.
        question: its model, objective and effort.
        asker: the player who does not err if no other player is free; None if there is no asker.
    """
    allowed = stage_game.allowed_mixtures(question.weights)
    budget, meter = EQUILIBRIUM_BUDGET, context.meter
    choices = [
        count if mixtures is None else len(mixtures)
        for count, mixtures in zip(stage_game.counts, allowed, strict=True)
    ]
    free = [player for player, own in zip(stage_game.players, choices, strict=True) if own > 1]
    errs = question.model in (QUANTAL, LEVEL_1)
    if not free or (len(free) == 1 and (not errs or free == [asker])):
        solved = _best_choice(stage_game, allowed, budget, meter)
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
    solved = _with_even_play(stage_game, allowed, question.objective, meter)
    return StrategyProfile(solved.strategies, solved.epsilon, None, solved.subgames_solved)


def _with_even_play(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    objective: str,
    meter: WorkMeter,
) -> CertifiedProfile:
    """Return an equilibrium in which players to whom all moves are worth the same play them evenly.

    So does the limit of logit responses (McKelvey, Palfrey 1995).  Where the others' answers to
    even play make a move better than another, it is no equilibrium, and the players do not.
    """
    precision, slack = PRECISION[objective], SLACK[objective]
    solve = partial(solve_equilibrium, stage_game, precision=precision, slack=slack)
    solved = solve(allowed, EQUILIBRIUM_BUDGET, meter)
    even = [
        number
        for number, (mixtures, values) in enumerate(zip(allowed, solved.values, strict=True))
        if mixtures is None and len(values) > 1 and np.ptp(values) <= TIE
    ]
    while even and not meter.stopped:
        fixed = list(allowed)
        for number in even:
            fixed[number] = np.full((1, stage_game.counts[number]), 1.0 / stage_game.counts[number])
        again = certify(stage_game, allowed, solve(fixed, EQUILIBRIUM_BUDGET, meter).strategies)
        still = [number for number in even if np.ptp(again.values[number]) <= slack]
        if still == even:
            return again if again.epsilon <= max(slack, solved.epsilon) else solved
        even = still
    return solved


def remeasure(
    stage_game: SimultaneousGame[Choice, Position],
    question: Question[Position, Choice],
    profile: StrategyProfile,
) -> StrategyProfile:
    """Return the same strategies with epsilon and residual for changed payoffs."""
    allowed = stage_game.allowed_mixtures(question.weights)
    solved = certify(stage_game, allowed, profile.strategies)
    residual = profile.quantal_residual
    if residual is not None:
        residual = quantal_residual(solved, allowed, PRECISION[question.objective])
    epsilon = None if profile.epsilon is None else solved.epsilon
    return replace(profile, epsilon=epsilon, quantal_residual=residual)


def _best_choice(
    stage_game: SimultaneousGame[Choice, Position],
    allowed: Sequence[Floats | None],
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> CertifiedProfile:
    """Return the best choice of the only free player, the first of equals."""
    game = fix_strategies(
        stage_game.payoffs, stage_game.counts, stage_game.symmetry_classes, allowed
    )
    uniform = to_move_probabilities(game.uniform, game, allowed)
    for _ in range(4 * budget.subgame_passes):
        if meter.stop():
            break
        updated = with_subgames_solved(game, stage_game, allowed, uniform, budget, meter)
        if updated is None:
            break
        game = updated
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
    """Return every player's quantal response to uniform or given strategies of all others."""
    allowed = stage_game.allowed_mixtures(question.weights)
    owners = context.owners
    strategies: list[Floats] = []
    for number, player in enumerate(stage_game.players):
        mixtures, twin = allowed[number], stage_game.symmetry_classes[number]
        if twin < number:
            strategies.append(strategies[twin])
        elif mixtures is not None and len(mixtures) == 1:
            strategies.append(mixtures[0])
        elif stage_game.counts[number] == 1:
            strategies.append(np.ones(1))
        else:
            own_question = replace(
                question,
                player=player,
                actors=tuple(a for a in question.decision.choices if owners[a] == player),
                model=UNIFORM,
                weights={a: w for a, w in question.weights.items() if owners[a] != player},
                depth=1,
            )
            model = best_response_model_of(context.game, own_question)
            values = move_values(model, own_question, context.meter)
            if mixtures is None:
                strategies.append(logit_response(values, precision))
            else:
                response = logit_response((mixtures * values).sum(axis=1), precision)
                strategies.append((response[:, None] * mixtures).sum(axis=0))
    return strategies
