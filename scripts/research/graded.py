"""Play games through the public operations, review them, and count the grades.

    python3 scripts/dev.py run -m research graded --game snowcrest --games 20
    python3 scripts/dev.py run -m research graded --game snowcrest --games 20 --random

All players take every hint; with ``--random`` the first player chooses at random instead. The
review has the effort of the hints. Printed are the grades of those who follow hints, and with
``--random`` how many mistakes and blunders each random player made. The exit code is 1 if a hint
was graded a mistake or a blunder.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

from tqdm import tqdm

from research.league.public_play import NAMES, Document, Table
from service.core.vocabulary import BLUNDER, EFFORTS, GRADES, MISTAKE
from service.games.registry import GAMES

WRONG: Final = (MISTAKE, BLUNDER)
FEW: Final = 3


def main(arguments: Sequence[str]) -> int:
    """Play, print the grades and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--game", choices=list(GAMES), required=True)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--effort", choices=list(EFFORTS), default="standard")
    parser.add_argument("--seed", type=int, default=1, help="of the first game")
    parser.add_argument("--random", action="store_true", help="the first player plays at random")
    options = parser.parse_args(arguments)
    table = Table(options.game, options.effort)
    grades, wrong_at_random = Counter[str](), []
    for seed in tqdm(range(options.seed, options.seed + options.games), unit="game"):
        odd = NAMES[0] if options.random else ""
        dice = Random(f"{seed} choices")

        def choose(player: str, body: Document, choices: list[Document]) -> Document:
            if player == odd:  # noqa: B023 - called within this iteration only
                return dice.choice(choices)  # noqa: B023
            pick: Document = table.hint(player, body)["pick"]
            return pick

        review = table.ask("review", table.played(options.players, seed, choose).review)
        for player, account in review["players"].items():
            if player == odd:
                wrong_at_random.append(sum(account["classes"][each] for each in WRONG))
            else:
                grades.update(account["classes"])
        tqdm.write(f"game {seed}: {worst(review, odd)}")
    print(f"{options.game}, {options.games} games of {options.players}, {options.effort}")
    print("hints:", ", ".join(f"{grades[name]} {name}" for name in GRADES))
    if wrong_at_random:
        many = sum(count >= FEW for count in wrong_at_random)
        print(f"random players with at least {FEW} mistakes and blunders: {many}", wrong_at_random)
    return int(any(grades[each] for each in WRONG))


def worst(review: Document, odd: str) -> str:
    """Return the largest loss of a player who follows hints, with the decision."""
    decisions = [each for each in review["decisions"] if each["player"] != odd]
    most = max(decisions, key=lambda each: each["loss"], default=None)
    if most is None:
        return "no decisions"
    return f"largest loss {most['loss']:.4f} of {most['best_value']:.3f}, {most['class']}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
