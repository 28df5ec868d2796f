"""A companion app for Snow Time in a terminal: friends at one table pass a keyboard around.

    python3 scripts/dev.py serve                                           # in another terminal
    python3 scripts/dev.py run docs/examples/companion.py --language de

Each player sees a hint with its reasons and chooses a card; Enter plays the recommendation. The
hints learn from the rounds of the game how the others play. The app needs only ``requests``.
``companion.ts`` is the same app in TypeScript.
"""

from __future__ import annotations

import argparse
import json
import secrets
import sys
import time
from typing import Any

import requests

COLOURS = ("red", "blue", "green", "yellow", "white")
TRIES = 5
HISTORY = 40  # Newest rounds sent; 60 are possible, but a request has at most 64 KiB.
TEXTS = {
    "en": ("Names, separated by commas", "Round", "Winner"),
    "de": ("Namen, durch Kommas getrennt", "Runde", "Sieg"),
    "zh-Hans": ("玩家名字，用逗号分隔", "回合", "获胜者"),
    "zh-Hant": ("玩家名字，用逗號分隔", "回合", "獲勝者"),
}


class Problem(Exception):
    """The service refused a request; the message lists every violation with its path."""


class Service:
    """The service, asked in one language."""

    def __init__(self, url: str, language: str) -> None:
        self.url = url.rstrip("/") + "/v1/games/snow-time"
        self.session = requests.Session()
        self.session.headers["Accept-Language"] = language

    def ask(self, endpoint: str = "", body: Any = None) -> Any:
        """Send a request; repeat it if the service is busy or the quota is used up."""
        for tries_left in reversed(range(TRIES)):
            method = "GET" if body is None else "POST"
            response = self.session.request(method, self.url + endpoint, json=body, timeout=60)
            if response.status_code not in (429, 503) or not tries_left:
                break
            # Every POST is safe to repeat.
            time.sleep(float(response.headers.get("Retry-After", "1")))
        if response.ok:
            return response.json()
        if response.headers.get("Content-Type") != "application/problem+json":
            raise Problem(f"{response.status_code} from {response.url}")
        problem = response.json()
        errors = [f"  {error['path']}: {error['detail']}" for error in problem.get("errors", [])]
        raise Problem("\n".join([f"{problem['status']} {problem['detail']}", *errors]))


class CompanionGame:
    """One game: the current position, and the names of everything in one language."""

    def __init__(self, service: Service, names: list[str], language: str, seed: int | None) -> None:
        self.service, self.language, self.seed = service, language, seed
        about = service.ask()
        self.cards, self.kinds = about["cards"], about["kinds"]
        owners = names * 2 if len(names) == 2 else names  # Two players have two seats each.
        seats = [
            {"seat": colour, "player": f"player-{names.index(name) + 1}", "name": name}
            for colour, name in zip(COLOURS, owners, strict=False)
        ]
        self.names = {seat["player"]: seat["name"] for seat in seats}
        self.state = service.ask("/new", {"seats": seats})["state"]
        self.rounds = 0
        self.history: list[Any] = []

    def play_round(self) -> list[str]:
        """Play a round and return the names of the winners, if the game is over."""
        self.rounds += 1
        print(f"\n{TEXTS[self.language][1]} {self.rounds}")
        seed = secrets.randbelow(2**53) if self.seed is None else self.seed + self.rounds
        self.state = self.service.ask("/grow", {"state": self.state, "seed": seed})["state"]
        moves: dict[str, Any] = {}
        while True:
            # First the cards; when all are revealed, the watchers, then the healers.
            position = {"state": self.state} | ({"revealed": moves} if moves else {})
            legal = self.service.ask("/legal-moves", position)
            if legal["decision"] == "none":
                break
            moves = moves | self.choices(position, legal["moves"])
        self.history.append({"state": self.state, "moves": moves})
        resolved = self.service.ask("/resolve", {"state": self.state, "moves": moves})
        self.state = resolved["state"]
        for event in resolved["events"]:
            for award in event.get("awards", []):
                kind = self.kinds[award["kind"]][self.language]
                print(f"  {self.name_of(award['seat'])}: +{award['points']} {kind}")
        for seat in self.state["seats"]:
            print(f"  {self.name_of(seat['seat'])}: {seat['score']}")
        return [self.names[player] for player in resolved["winners"]]

    def choices(self, position: Any, legal: dict[str, Any]) -> dict[str, Any]:
        """Ask every player who decides now; return the moves by seat."""
        chosen = {}
        owners = {seat["seat"]: seat["player"] for seat in self.state["seats"]}
        for player in dict.fromkeys(owners[seat] for seat in legal):
            nonce = secrets.token_hex() if self.seed is None else f"{self.seed}-{self.rounds}"
            question = {"player": player, "nonce": nonce, "detail": "brief"}
            opponents = {"history": self.history[-HISTORY:]}
            hint = self.service.ask("/suggest", position | question | {"opponents": opponents})
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
        service = Service(options.url, options.language)
        table = CompanionGame(service, names, options.language, options.seed)
        while not (winners := table.play_round()):
            pass
    except (Problem, requests.RequestException, json.JSONDecodeError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"\n{TEXTS[options.language][2]}: {', '.join(winners)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
