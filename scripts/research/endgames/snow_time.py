"""Check hints in random endgames of Snow Time: what is called sure, efforts, and better scores.

    python3 scripts/dev.py run -m research endgames --game snow-time --positions 5000

For each position a hint is asked for with each effort, and again with one more space for one seat.
Printed is how far the shares of the efforts differ, how often the additional space costs a player
part of its share, and, for small hands, how many results that a headline calls sure are not sure
by a search through all plays with the readable rules. With ``--small``, hands are small, and where
a space costs a player part of its share, it is printed whether it does so in every equilibrium.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from math import prod
from random import Random
from typing import Final

import numpy as np
from tqdm import tqdm

from research.league.snow_time.agents import SOLVER_GAME, owners
from research.league.snow_time.correlated import share_bounds
from research.league.snow_time.endgames import bounds_after, card_question, endgame
from research.league.statistics.intervals import estimate
from service.core.advice import LOST, WON
from service.core.hints import Hint
from service.core.rounding import TIE
from service.core.vocabulary import EFFORTS
from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import Move, State
from service.solver.hints.hint import compute_hint

MOST_PLAYS: Final = 400
"""Results called sure are verified in positions with at most so many joint choices of cards."""
APART: Final = (0.05, 0.3)
COSTS: Final = (0.02, 0.1)


def main(arguments: Sequence[str]) -> int:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1, help="of the first position")
    parser.add_argument("--small", action="store_true", help="whether costs are inevitable")
    options = parser.parse_args(arguments)
    if options.small:
        return count_inevitable(range(options.seed, options.seed + options.positions))
    apart: list[float] = []
    costs: list[float] = []
    sure = Counter[str]()
    for seed in tqdm(range(options.seed, options.seed + options.positions), unit="position"):
        random = Random(seed)
        state = endgame(random)
        hints = {effort: hint_of(state, state.players[0], effort) for effort in EFFORTS}
        apart.append(largest_difference([hint for hint in hints.values() if hint]))
        costs += cost_of_a_space(state, hints["standard"], random)
        sure.update(false_results(state))
    for limit in APART:
        print(f"efforts differ by more than {limit}: {share(apart, limit)}")
    for limit in COSTS:
        print(f"one more space costs more than {limit}: {share(costs, limit)}")
    print(f"called sure: {sure['sure']}, of these false: {sure['false']}")
    return int(sure["false"] > 0)


def count_inevitable(seeds: range) -> int:
    """Print how often one more space costs a player part of its share in every equilibrium."""
    costs, inevitable = 0, 0
    for seed in tqdm(seeds, unit="position"):
        random = Random(seed)
        before = endgame(random, seats=(3,), rates=(0.2,))
        place = random.randrange(3)
        after = with_one_more_space(before, place)
        player = before.players[place]
        asked = (card_question(each, player, "standard") for each in (before, after))
        questions = [question for question in asked if question is not None]
        hints = [compute_hint(SOLVER_GAME, each, owners(each)) for each in questions]
        shares = [hint.win_shares[player] for hint in hints]
        if len(shares) < 2 or shares[0] - shares[1] <= COSTS[0]:
            continue
        costs += 1
        (least, _), (_, most) = (share_bounds(question, player) for question in questions)
        inevitable += least > most + COSTS[0]
    print(f"one more space costs more than {COSTS[0]}: {costs} of {len(seeds)} positions")
    print(f"in every equilibrium: {inevitable}")
    return 0


def hint_of(state: State, player: str, effort: str = "standard") -> Hint[Move] | None:
    """Return the hint for a card; None if the game is over."""
    question = card_question(state, player, effort)
    return None if question is None else compute_hint(SOLVER_GAME, question, owners(question))


def largest_difference(hints: Sequence[Hint[Move]]) -> float:
    """Return the largest difference of a player's share between hints for one position."""
    shares = np.array([list(hint.win_shares.values()) for hint in hints])
    return float(np.ptp(shares, axis=0).max()) if len(shares) else 0.0


def cost_of_a_space(state: State, hint: Hint[Move] | None, random: Random) -> list[float]:
    """Return what a random seat loses by one more space; nothing if that ends the game."""
    place = random.randrange(len(state.seats))
    player = state.seats[place].player
    better = hint_of(with_one_more_space(state, place), state.players[0])
    if hint is None or better is None:
        return []
    return [hint.win_shares[player] - better.win_shares[player]]


def with_one_more_space(state: State, place: int) -> State:
    """Return the position with the marker of a seat one space further."""
    seats = [*state.seats]
    seats[place] = replace(seats[place], score=seats[place].score + 1)
    return replace(state, seats=tuple(seats))


def false_results(state: State) -> Counter[str]:
    """Return how many results of all players' hints are called sure, and how many are not."""
    found = Counter[str]()
    if prod(len(seat.hand) for seat in state.seats) > MOST_PLAYS:
        return found
    for player in state.players:
        hint = hint_of(state, player)
        if hint is None or hint.verdict.result not in (WON, LOST):
            continue
        found["sure"] += 1
        won = hint.verdict.result == WON
        named = [hint.moves[index].move for index in hint.verdict.choices]
        bounds = [bounds_after(Round(state), player, move) for move in named]
        true = all(least > 1.0 - TIE if won else most < TIE for least, most in bounds)
        found["false"] += not true
    return found


def share(values: Sequence[float], limit: float) -> str:
    """Return how many values exceed a limit, with the 95 % interval of their share."""
    exceed = [float(value > limit) for value in values]
    found = estimate([[each] for each in exceed])
    return (
        f"{sum(exceed):.0f} of {len(values)} ({found.low:.2%} to {found.high:.2%}), "
        f"largest {max(values):.3f}"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
