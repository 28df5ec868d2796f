"""Measure how often the stated errors of hints for turns are true.

    python3 scripts/dev.py run -m research errors --positions 200
    python3 scripts/dev.py run -m research errors --rows-left 12
    python3 scripts/dev.py run -m research errors --game snowcrest --positions 200

Samples decisions from games of greedy players: of Slopecrashers with at least two hidden gifts and
two to six players, and with ``--rows-left`` only those near the finish; of Snowcrest the first ones
of turns with two to four players. Stated are the error of the best choice and that of its
difference to the next one. The truth are their values with many deals of the hidden cards: in a
search with the rounds of ``deep``, or in Snowcrest after playing on to the end.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from random import Random
from typing import Any, Final

import numpy as np

from research.league.running.recording import RecordingAgent
from research.league.slopecrashers import agents as slopecrashers_agents
from research.league.slopecrashers import play as slopecrashers_play
from research.league.snowcrest import agents as snowcrest_agents
from research.league.snowcrest import play as snowcrest_play
from service.core.rounding import TIE
from service.core.sequential import TurnGame
from service.core.turn_budgets import Lines, TurnBudget
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.engine import turn_tree as slopecrashers
from service.games.slopecrashers.engine.breadth import TURN_BUDGETS
from service.games.slopecrashers.engine.errors import rows_left
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.snowcrest.engine import turn_tree as snowcrest
from service.games.snowcrest.rules.turn import ChooseTurn
from service.solver.search.turn_expectimax import rank_choices, solve

Question = TurnQuestion[Any, Any]

EFFORTS: Final = ("quick", "standard")
TRUTH: Final = "standard"
"""The effort under which the truth has its budget."""
LEAST_HIDDEN: Final = 2
TO_THE_END: Final = 500
"""More rounds than a game has."""
UNLIMITED: Final = 1_000_000_000
"""Positions; a limit would shorten the games."""


@dataclass(frozen=True)
class Case:
    """A game to measure.

    Attributes:
        game: as hints search it.
        truth: the same with the budget of the truth, for a number of deals.
        questions: decisions of the game with a seed.
        per_game: number of decisions of one game, at most.
    """

    game: TurnGame[Any, Any]
    truth: Callable[[int], TurnGame[Any, Any]]
    questions: Callable[[int], list[Question]]
    per_game: int


def main(arguments: Sequence[str]) -> int:
    """Print the coverage and the mean stated and true errors at each effort."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=CASES, default="slopecrashers")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--deals", type=int, default=40, help="deals of the truth")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument(
        "--rows-left", type=int, default=None, help="of the first character, at most; Slopecrashers"
    )
    options = parser.parse_args(arguments)
    case = CASES[options.game]
    if options.rows_left is not None:
        case = replace(case, questions=partial(_near_finish, options.rows_left))
    truth = case.truth(options.deals)
    stated: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    for question in decisions(case, options.positions, options.seed):
        asker = question.play.state.players.index(question.player)
        [choices] = question.decision.choices.values()
        value = cache(partial(_true_value, truth, question, asker))
        for effort in EFFORTS:
            solution = solve(case.game, replace(question, effort=effort), None)
            best, second = rank_choices(solution, asker)[:2]
            own, others = (solution.shares[place][asker] for place in (best, second))
            true, of_others = value(choices[best]), value(choices[second])
            stated[effort, "value"].append((solution.errors[best], abs(own - true)))
            stated[effort, "difference"].append(
                (solution.difference_errors[second], abs(own - others - true + of_others))
            )
    print("| effort | of | positions | stated error, mean | true error, mean | error is true |")
    print("|---|---|--:|--:|--:|--:|")
    for (effort, name), pairs in stated.items():
        bounds, errors = np.array(pairs).T
        share = float((errors <= bounds + TIE).mean())
        print(
            f"| {effort} | {name} | {len(pairs)} | {bounds.mean():.4f} | {errors.mean():.4f}"
            f" | {share:.1%} |"
        )
    return 0


def _true_value(
    truth: TurnGame[Any, Any], question: Question, asker: int, choice: Hashable
) -> float:
    [choices] = question.decision.choices.values()
    solution = solve(truth, replace(question, effort=TRUTH, chosen=choice), None)
    return solution.shares[choices.index(choice)][asker]


def decisions(case: Case, count: int, seed: int) -> list[Question]:
    """Return decisions of the games with consecutive seeds."""
    sampled: list[Question] = []
    while len(sampled) < count:
        usable = case.questions(seed)
        sampled += Random(seed).sample(usable, min(case.per_game, len(usable)))
        seed += 1
    return sampled[:count]


# Slopecrashers --------------------------------------------------------------------------------


def _slopecrashers_truth(deals: int) -> TurnGame[Any, Any]:
    [narrow] = TURN_BUDGETS["standard"].breadths
    breadth = replace(narrow, determinizations=deals)
    rounds = TURN_BUDGETS["deep"].rounds
    game = slopecrashers.SlopecrashersTurns()
    game.budgets = {TRUTH: TurnBudget((breadth,), rounds=rounds, positions=0)}
    return game


def _slopecrashers_questions(seed: int) -> list[Question]:
    recorder = RecordingAgent(slopecrashers_agents.GreedyAgent())
    first = slopecrashers_play.initial_state(2 + seed % 5, seed)
    slopecrashers_play.play(first, dict.fromkeys(first.players, recorder), seed)
    return [question for question in recorder.questions if _is_uncertain(question)]


def _near_finish(rows: int, seed: int) -> list[Question]:
    questions = _slopecrashers_questions(seed)
    return [question for question in questions if rows_left(question.play.state) <= rows]


def _is_uncertain(question: Question) -> bool:
    [choices] = question.decision.choices.values()
    hidden = sum(seat.gifts.count(UNKNOWN) for seat in question.play.state.seats)
    return question.decision.name == "turn" and len(choices) > 2 and hidden >= LEAST_HIDDEN


# Snowcrest ------------------------------------------------------------------------------------


def _snowcrest_truth(deals: int) -> TurnGame[Any, Any]:
    budget = snowcrest.TURN_BUDGETS["standard"]
    game = snowcrest.SnowcrestTurns()
    # The choice to grade has as many deals as the best one.
    lines = (Lines(1, deals),)
    game.budgets = {TRUTH: replace(budget, rounds=TO_THE_END, positions=UNLIMITED, lines=lines)}
    return game


def _snowcrest_questions(seed: int) -> list[Question]:
    recorder = RecordingAgent(snowcrest_agents.GreedyAgent())
    first = snowcrest_play.initial_state(2 + seed % 3, seed)
    snowcrest_play.play(first, dict.fromkeys(first.players, recorder), seed)
    return [
        question
        for question in recorder.questions
        if isinstance(question.play.task, ChooseTurn)
        and len(question.decision.choices[question.player]) > 2
    ]


CASES: Final = {
    "slopecrashers": Case(
        slopecrashers_agents.SOLVER_GAME, _slopecrashers_truth, _slopecrashers_questions, 20
    ),
    "snowcrest": Case(snowcrest_agents.SOLVER_GAME, _snowcrest_truth, _snowcrest_questions, 5),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
