"""Play games through the public operations, review them, and count the grades.

    python3 scripts/dev.py run scripts/graded_games.py --game snowcrest --games 20
    python3 scripts/dev.py run scripts/graded_games.py --game snowcrest --games 20 --random

All players take every hint; with ``--random`` the first player chooses at random instead. The
review has the effort of the hints. Printed are the grades of those who follow hints, and with
``--random`` how many mistakes and blunders each random player made. The exit code is 1 if a hint
was graded a mistake or a blunder.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from tqdm import tqdm

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import SingleFlight, WaitList
from service.core.vocabulary import BLUNDER, EFFORTS, GRADES, MISTAKE
from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import SolutionCache

Document = dict[str, Any]
Chooser = Callable[[str, Document, list[Document]], Document]
"""Returns the choice of a player from the body of a request and the legal choices."""

NAMES: Final = ("anna", "hugo", "nina", "vincent", "marie")
WRONG: Final = (MISTAKE, BLUNDER)
FEW: Final = 3


class Table:
    """Plays and reviews games; one cache serves all requests.

    Args:
        game: name of the game.
        effort: of hints and reviews.
    """

    def __init__(self, game: str, effort: str) -> None:
        self._name, self._definition, self._effort = game, GAMES[game], effort
        self._endpoints = {each.name: each for each in self._definition.endpoints}
        self._solutions = SolutionCache(SingleFlight(Cache(Memory(1 << 28)), WaitList(0)))

    def ask(self, endpoint: str, body: Document) -> Document:
        context = RequestContext(solutions=self._solutions, streamed=True)
        return execute(self._definition, self._endpoints[endpoint], body, context).document

    def hint(self, player: str, body: Document, _: list[Document]) -> Document:
        """Return the choice that a hint recommends."""
        asked = body | {"player": player, "effort": self._effort}
        pick: Document = self.ask("suggest", asked)["pick"]
        return pick

    def played(self, players: int, seed: int, choose: Chooser) -> Document:
        """Play a game and return the body of its review."""
        random = Random(seed)
        if self._name == "snow-time":
            seats = [{"seat": name} for name in NAMES[:players]]
            return self._rounds(self.ask("new", {"seats": seats})["state"], random, choose)
        seats = [{"player": name} for name in NAMES[:players]]
        state = self.ask("new", {"seats": seats, "seed": seed})["state"]
        return self._turns(state, random, choose)

    def _rounds(self, start: Document, random: Random, choose: Chooser) -> Document:
        state, rounds = start, []
        while not self.ask("legal-moves", {"state": state})["game_over"]:
            grown = self.ask("grow", {"state": state, "seed": random.getrandbits(31)})
            moves: Document = {}
            while True:
                body = {"state": grown["state"]} | ({"revealed": moves} if moves else {})
                legal = self.ask("legal-moves", body)
                if legal["decision"] == "none":
                    break
                chosen: Document = {}
                for seat, choices in legal["moves"].items():
                    chosen |= choose(seat, body, [{seat: choice} for choice in choices])
                moves = moves | chosen
            rounds.append({"dice": grown["dice"], "moves": moves})
            state = self.ask("resolve", {"state": state} | rounds[-1])["state"]
        return {"state": start, "rounds": rounds, "effort": self._effort}

    def _turns(self, start: Document, random: Random, choose: Chooser) -> Document:
        state, turns = start, []
        while not self.ask("legal-moves", {"state": state})["game_over"]:
            turn: list[Document] = []
            while True:
                body = {"state": state, "so_far": turn}
                legal = self.ask("legal-moves", body)
                if legal["decision"] == "none":
                    break
                if legal["decision"] == "draw":
                    weights = [each["probability"] for each in legal["draw"]]
                    [drawn] = random.choices(legal["draw"], weights)
                    turn.append({"type": "draw", "card": drawn["card"]})
                    continue
                [(player, choices)] = legal["moves"].items()
                turn.append(choose(player, body, choices))
            turns.append(turn)
            state = self.ask("resolve", {"state": state, "moves": turn})["state"]
        return {"state": start, "turns": turns, "effort": self._effort}


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
            return table.hint(player, body, choices)

        review = table.ask("review", table.played(options.players, seed, choose))
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
