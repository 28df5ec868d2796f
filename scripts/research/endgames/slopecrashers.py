"""Compare hints in random endgames of Slopecrashers with a plain minimax by the readable rules.

    python3 scripts/dev.py run -m research endgames --game slopecrashers --positions 500

In races of two whose gifts are known, the minimax finds the choices that win or lose by force
within some turns.  Printed is how often the values of the hints agree.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from research.league.slopecrashers.endgames import LOSS, WIN, TooLargeError, endgame, forced_result
from research.league.slopecrashers.play import GAME
from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.slopecrashers.engine.turn_tree import SlopecrashersTurns
from service.games.slopecrashers.rules.state import observed
from service.games.slopecrashers.rules.turn import Turn
from service.solver.search.turn_expectimax import rank_choices, solve

EFFORTS: Final = ("quick", "standard", "deep")
HIGH, LOW = 0.98, 0.02


def main(arguments: Sequence[str]) -> int:
    """Print a table of the choices by effort."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=500)
    parser.add_argument("--turns", type=int, default=4, help="that the minimax searches")
    parser.add_argument("--limit", type=int, default=20_000, help="of positions of a minimax")
    parser.add_argument("--seed", type=int, default=1, help="of the first position")
    options = parser.parse_args(arguments)
    counts = {effort: Counter[str]() for effort in EFFORTS}
    for seed in range(options.seed, options.seed + options.positions):
        turn = GAME.begin(endgame(Random(seed))).play
        try:
            results = results_of(turn, options.turns, options.limit)
        except TooLargeError:
            continue
        for effort in EFFORTS:
            counts[effort].update(compared(turn, results, effort))
    columns = (
        "positions", "choices", "wins", "wins below 0.98", "losses", "losses above 0.02",
        "losses above 0.98", "called certain", "of these lost", "picks that lose beside a win",
    )  # fmt: skip
    print("| effort |", " | ".join(columns), "|")
    print("|---|" + "--:|" * len(columns))
    for effort, count in counts.items():
        print(f"| {effort} |", " | ".join(str(count[column]) for column in columns), "|")
    return 0


def results_of(turn: Turn, turns: int, limit: int) -> list[int]:
    """Return the forced result for the player in turn after each of its choices."""
    node = GAME.pending(turn)
    assert isinstance(node, Decision), "a turn begins with a decision"
    [(player, choices)] = node.choices.items()
    memo: dict[tuple[object, ...], int] = {}
    return [
        forced_result(GAME.choose(turn, {player: choice}).play, player, turns, memo, limit)
        for choice in choices
    ]


def compared(turn: Turn, results: Sequence[int], effort: str) -> Counter[str]:
    """Return how the values of a hint compare with the forced results."""
    seen = GAME.begin(observed(turn.state, turn.mover.player)).play
    node = GAME.pending(seen)
    assert isinstance(node, Decision), "a turn begins with a decision"
    question = TurnQuestion(seen, node, turn.mover.player, effort, None, None)
    solution = solve(SlopecrashersTurns(), question, None)
    seat = turn.state.turn
    pairs = [
        (shares[seat], result) for shares, result in zip(solution.shares, results, strict=True)
    ]
    lost = [value for value, result in pairs if result == LOSS]
    won = [value for value, result in pairs if result == WIN]
    certain = [result for value, result in pairs if value == 1.0]
    return Counter(
        {
            "positions": 1,
            "choices": len(pairs),
            "wins": len(won),
            "wins below 0.98": sum(value < HIGH for value in won),
            "losses": len(lost),
            "losses above 0.02": sum(value > LOW for value in lost),
            "losses above 0.98": sum(value > HIGH for value in lost),
            "called certain": len(certain),
            "of these lost": certain.count(LOSS),
            "picks that lose beside a win": int(
                results[rank_choices(solution, seat)[0]] == LOSS and WIN in results
            ),
        }
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
