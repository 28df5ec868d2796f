"""A companion app for Snow Time in a terminal: friends at one table pass a keyboard around.

    python3 scripts/dev.py serve                                           # in another terminal
    python3 scripts/dev.py run docs/examples/companion.py --language de

Each player sees a hint with its reasons and chooses a card; Enter plays the recommendation. The
hints learn from the rounds of the game how the others play. The app needs only ``winter_games.py``
in the same folder. ``companion.ts`` is the same app in TypeScript.
"""

from __future__ import annotations

import argparse
import secrets
import sys
from typing import Any

from winter_games import Document, Played, Problem, WinterGames, history

COLOURS = ("red", "blue", "green", "yellow", "white")
TEXTS = {
    "en": ("Names, separated by commas", "Round", "Winner"),
    "de": ("Namen, durch Kommas getrennt", "Runde", "Sieg"),
    "zh-Hans": ("玩家名字，用逗号分隔", "回合", "获胜者"),
    "zh-Hant": ("玩家名字，用逗號分隔", "回合", "獲勝者"),
}


class CompanionGame:
    """One game: the current position, and the names of everything in one language."""

    def __init__(self, url: str, names: list[str], language: str, seed: int | None) -> None:
        self.games = WinterGames(url, "snow-time", language)
        self.language, self.seed = language, seed
        about = self.games.ask()
        self.cards, self.kinds = about["cards"], about["kinds"]
        owners = names * 2 if len(names) == 2 else names  # Two players have two seats each.
        seats = [
            {"seat": colour, "player": f"player-{names.index(name) + 1}", "name": name}
            for colour, name in zip(COLOURS, owners, strict=False)
        ]
        self.names = {seat["player"]: seat["name"] for seat in seats}
        self.state = self.games.ask("new", {"seats": seats})["state"]
        self.played: list[Played] = []

    def play_round(self) -> list[str]:
        """Play a round and return the names of the winners, if the game is over."""
        number = len(self.played) + 1
        print(f"\n{TEXTS[self.language][1]} {number}")
        seed = secrets.randbelow(2**53) if self.seed is None else self.seed + number
        self.played.append(self.games.play_round(self.state, self.choices, seed=seed))
        resolved = self.played[-1].resolved
        self.state = resolved["state"]
        for event in resolved["events"]:
            for award in event.get("awards", []):
                kind = self.kinds[award["kind"]][self.language]
                print(f"  {self.name_of(award['seat'])}: +{award['points']} {kind}")
        for seat in self.state["seats"]:
            print(f"  {self.name_of(seat['seat'])}: {seat['score']}")
        return [self.names[player] for player in resolved["winners"]]

    def choices(self, position: Document, legal: Document) -> Document:
        """Ask every player who decides now; return the moves by seat."""
        chosen = {}
        owners = {seat["seat"]: seat["player"] for seat in self.state["seats"]}
        for player in dict.fromkeys(owners[seat] for seat in legal):
            number = len(self.played) + 1
            nonce = secrets.token_hex() if self.seed is None else f"{self.seed}-{number}"
            question = {"player": player, "nonce": nonce, "detail": "brief"}
            opponents = {"history": history(self.played)}
            hint = self.games.ask("suggest", {**position, **question, "opponents": opponents})
            reasons = hint["moves"][hint["pick_index"]]["reasons"]
            print(" ", hint["advice"]["text"], *(reason["text"] for reason in reasons))
            for seat, pick in hint["pick"].items():
                chosen[seat] = self.choose(seat, legal[seat], pick)
        return chosen

    def choose(self, seat: str, moves: list[Any], pick: Any) -> Any:
        """Let a player choose a move by its number; anything else plays the recommendation."""
        for number, move in enumerate(moves, start=1):
            print(f"  {number}: {self.text_of(move)}")
        answer = read(f"{self.name_of(seat)} [{self.text_of(pick)}]")
        if answer.isdecimal() and 1 <= int(answer) <= len(moves):
            return moves[int(answer) - 1]
        return pick

    def text_of(self, move: Any) -> str:
        cards = [move["card"], *move.get("recover", [])]
        parts = [" ".join(self.cards[card][self.language] for card in cards)]
        return " + ".join([*parts, *([self.text_of(move["then"])] if "then" in move else [])])

    def name_of(self, seat: str) -> str:
        [name] = [each["name"] for each in self.state["seats"] if each["seat"] == seat]
        return f"{name} ({seat})" if len(self.names) == 2 else str(name)


def read(prompt: str) -> str:
    """Return a line of input; at its end, all remaining answers are empty."""
    print(f"{prompt}: ", end="", flush=True)
    line = sys.stdin.readline().strip()
    print()
    return line


def main() -> int:
    """Play a game and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--language", default="en", choices=TEXTS)
    parser.add_argument("--seed", type=int, help="of dice and hints, to repeat a game")
    options = parser.parse_args()
    names = [name.strip() for name in read(TEXTS[options.language][0]).split(",")]
    try:
        table = CompanionGame(options.url, names, options.language, options.seed)
        while not (winners := table.play_round()):
            pass
    except Problem as problem:
        others = [f"{each['path']}: {each['detail']}" for each in problem.errors[1:]]
        print(problem, *others, sep="\n", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"{options.url}: {error}", file=sys.stderr)
        return 1
    print(f"\n{TEXTS[options.language][2]}: {', '.join(winners)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
