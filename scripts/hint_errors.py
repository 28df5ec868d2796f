"""Measure how often the stated errors of Slopecrashers' hints are true.

    python3 scripts/dev.py run scripts/hint_errors.py --positions 200

Samples decisions with at least two hidden gifts from games of greedy players with two to six
players.  The truth is the value of the same choice in a search with the rounds of ``deep`` and
many deals of the hidden cards.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

import numpy as np
from league.running.recording import RecordingAgent
from league.slopecrashers.agents import SOLVER_GAME, GreedyAgent, Question
from league.slopecrashers.play import initial_state, play

from service.core.sequential import TurnBudget
from service.games.slopecrashers.engine.turn_tree import TURN_BUDGETS, SlopecrashersTurns
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.solver.search.turn_expectimax import rank_choices, solve

EFFORTS: Final = ("quick", "standard")
PER_GAME: Final = 20
LEAST_HIDDEN: Final = 2


class _Truth(SlopecrashersTurns):
    def __init__(self, deals: int) -> None:
        super().__init__()
        [narrow] = TURN_BUDGETS["standard"].breadths
        breadth = replace(narrow, determinizations=deals)
        rounds = TURN_BUDGETS["deep"].rounds
        self.budgets = {"truth": TurnBudget((breadth,), rounds=rounds, positions=0)}


def main(arguments: Sequence[str]) -> int:
    """Print the coverage and the mean stated and true errors at each effort."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--deals", type=int, default=40, help="deals of the truth")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    options = parser.parse_args(arguments)
    truth = _Truth(options.deals)
    stated: dict[str, list[tuple[float, float]]] = {effort: [] for effort in EFFORTS}
    for question in decisions(options.positions, options.seed):
        asker = question.play.state.players.index(question.player)
        values = [
            shares[asker] for shares in solve(truth, replace(question, effort="truth"), None).shares
        ]
        for effort in EFFORTS:
            solution = solve(SOLVER_GAME, replace(question, effort=effort), None)
            best = rank_choices(solution, asker)[0]
            error = abs(solution.shares[best][asker] - values[best])
            stated[effort].append((solution.errors[best], error))
    print("| effort | positions | stated error, mean | true error, mean | error is true |")
    print("|---|--:|--:|--:|--:|")
    for effort, pairs in stated.items():
        bounds, errors = np.array(pairs).T
        share = float((errors <= bounds).mean())
        print(
            f"| {effort} | {len(pairs)} | {bounds.mean():.4f} | {errors.mean():.4f} | {share:.1%} |"
        )
    return 0


def decisions(count: int, seed: int) -> list[Question]:
    """Return decisions with hidden gifts, at most :data:`PER_GAME` of each game."""
    sampled: list[Question] = []
    while len(sampled) < count:
        recorder, first = RecordingAgent(GreedyAgent()), initial_state(2 + seed % 5, seed)
        play(first, dict.fromkeys(first.players, recorder), seed)
        usable = [question for question in recorder.questions if _is_uncertain(question)]
        sampled += Random(seed).sample(usable, min(PER_GAME, len(usable)))
        seed += 1
    return sampled[:count]


def _is_uncertain(question: Question) -> bool:
    [choices] = question.decision.choices.values()
    hidden = sum(seat.gifts.count(UNKNOWN) for seat in question.play.state.seats)
    return question.decision.name == "turn" and len(choices) > 2 and hidden >= LEAST_HIDDEN


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
