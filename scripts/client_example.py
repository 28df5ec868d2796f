"""A client of the service: everybody at a table of Snow Time plays by its hints, to the end.

    python3 scripts/dev.py serve                                  # in another terminal
    python3 scripts/dev.py run scripts/client_example.py --plot shares.svg

Everything goes over HTTP, as an app would do it: the hints of a round are asked for in one batch,
each with a fresh random nonce; who is busy is asked again when ``Retry-After`` says; what is wrong
with a request is told with the places of its faults.  The plot shows who was how likely to win, by
round.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import requests
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from tqdm import tqdm

Document = dict[str, Any]

SNOW_TIME: Final = "/v1/games/snow-time"
TIMEOUTS_S: Final = (3.0, 60.0)
"""To connect, and to wait for an answer: a batch may have to wait for several hints."""
TRIES: Final = 5
MOST_ROUNDS: Final = 500
TRACK_LENGTH: Final = 30
"""Of the default track, which a state without a track has."""
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
"""That people who see colours differently can tell apart (Okabe and Ito 2008)."""
MARKS: Final = "os^Dv"


class Refused(Exception):
    """The service says what is wrong; the message names every fault with its place."""

    def __init__(self, problem: Document) -> None:
        faults = [f"{each['path']}: {each['detail']}" for each in problem.get("errors", ())]
        super().__init__("\n  ".join([f"{problem['status']} {problem['detail']}", *faults]))


class Client:
    """Speaks to the service.

    Args:
        url: where it is.
        key: if it asks for one.
    """

    def __init__(self, url: str, key: str = "") -> None:
        self._url = url.rstrip("/")
        self._session = requests.Session()
        if key:
            self._session.headers["Authorization"] = f"Bearer {key}"

    def post(self, path: str, body: Document) -> Document:
        """The answer of a route.

        Raises:
            Refused: with what is wrong.
            requests.RequestException: if the service cannot be reached.
        """
        for left in reversed(range(TRIES)):
            response = self._session.post(self._url + path, json=body, timeout=TIMEOUTS_S)
            if response.status_code not in (429, 503) or not left:
                break
            # Every POST is safe to repeat.
            time.sleep(float(response.headers.get("Retry-After", "1")))
        answer: Document = response.json()
        if response.status_code != 200:
            raise Refused(answer)
        return answer

    def batch(self, path: str, bodies: Mapping[str, Document]) -> dict[str, Document]:
        """The answers of one route to several bodies, by the ids of these."""
        asked = [{"id": name, "path": path, "body": body} for name, body in bodies.items()]
        answers = {}
        for result in self.post("/v1/batch", {"requests": asked})["results"]:
            if result["status"] in (429, 503):
                # What was refused for now is asked for alone, which waits.
                answers[result["id"]] = self.post(path, bodies[result["id"]])
            elif result["status"] == 200:
                answers[result["id"]] = result["body"]
            else:
                raise Refused(result["body"])
        return answers


class Table:
    """A game of Snow Time in which everybody follows the service's hints.

    Args:
        client: speaks to the service.
        players: their names; with two of them, each has two seats.
        random: rolls the dice and makes nonces.
        tier: of the hints.

    Attributes:
        state: as the service told it last.
        outlooks: everybody's share of the win before each round.
    """

    def __init__(self, client: Client, players: Sequence[str], random: Random, tier: str) -> None:
        self._client, self._random, self._tier = client, random, tier
        seats = [{"seat": name, "player": name} for name in players]
        if len(players) == 2:
            seats = [
                {"seat": f"{name}-{number}", "player": name}
                for number in (1, 2)
                for name in players
            ]
        self.players = tuple(players)
        self.state: Document = client.post(f"{SNOW_TIME}/new", {"seats": seats})["state"]
        self.outlooks: list[dict[str, float]] = []

    def play_round(self) -> Document:
        """Rolls, chooses, reveals and resolves; the answer of ``resolve``."""
        seed = self._random.randrange(2**31)
        grown = self._client.post(f"{SNOW_TIME}/grow", {"state": self.state, "seed": seed})
        self.state = grown["state"]
        hints = self._hints(self.players)
        self.outlooks.append(next(iter(hints.values()))["outlook"])
        moves = self._revealed(_picked(hints))
        resolved = self._client.post(f"{SNOW_TIME}/resolve", {"state": self.state, "moves": moves})
        self.state = resolved["state"]
        return resolved

    def _revealed(self, moves: Document) -> Document:
        """The moves, with what watchers add and healers take back once all cards are seen."""
        while True:
            asked = {"state": self.state, "revealed": moves}
            due = self._client.post(f"{SNOW_TIME}/legal-moves", asked)["moves"]
            if not due:
                return moves
            owners = {seat["seat"]: seat["player"] for seat in self.state["seats"]}
            deciding = dict.fromkeys(owners[seat] for seat in due)
            moves = moves | _picked(self._hints(deciding, revealed=moves))

    def _hints(self, players: Iterable[str], **more: Any) -> dict[str, Document]:
        bodies = {
            player: {
                "state": self.state,
                "player": player,
                "tier": self._tier,
                "nonce": f"{self._random.getrandbits(128):032x}",
                **more,
            }
            for player in players
        }
        return self._client.batch(f"{SNOW_TIME}/suggest", bodies)


def _picked(hints: Mapping[str, Document]) -> Document:
    return {seat: move for hint in hints.values() for seat, move in hint["pick"].items()}


def play(table: Table, *, quiet: bool = False) -> Document:
    """Plays to the end, with a bar that shows how far the foremost has come.

    Returns:
        the answer of the last ``resolve``.
    """
    with tqdm(total=TRACK_LENGTH, unit="space", disable=quiet) as bar:
        for round_number in range(1, MOST_ROUNDS + 1):
            resolved = table.play_round()
            foremost = max(seat["score"] for seat in table.state["seats"])
            bar.set_postfix_str(f"round {round_number}")
            bar.update(foremost - bar.n)
            if resolved["game_over"]:
                return resolved
    raise RuntimeError(f"nobody has won in {MOST_ROUNDS} rounds")


def draw(outlooks: Sequence[Mapping[str, float]], winners: Sequence[str], path: Path) -> None:
    """Draws everybody's share of the win by round, the end last, as PNG or SVG."""
    end = {player: (player in winners) / len(winners) for player in outlooks[0]}
    figure = Figure(figsize=(8.0, 4.5), layout="constrained")
    axes = figure.subplots()
    for colour, mark, player in zip(COLOURS, MARKS, end, strict=False):
        shares = [100.0 * each[player] for each in (*outlooks, end)]
        rounds = range(1, len(shares) + 1)
        axes.plot(rounds, shares, color=colour, marker=mark, markersize=4.0, label=player)
    axes.axhline(100.0 / len(end), color="#777777", linestyle="--", linewidth=1.0)
    axes.set_xlim(1, len(outlooks) + 1)
    axes.set_ylim(-2.0, 112.0)
    axes.set_xlabel("before round; at last, the end")
    axes.set_ylabel("share of the win, %")
    axes.set_title(f"Who was how likely to win; {' and '.join(winners)} did", loc="left")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False, ncols=len(end), loc="upper left")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)


def picture(name: str) -> Path:
    """Where a plot can be written, found out before a game is played."""
    path = Path(name)
    if path.suffix not in (".png", ".svg"):
        raise argparse.ArgumentTypeError(f"{name} ends neither in .png nor in .svg")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {path.parent}")
    return path


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--key", default="", help="an API key, if the service asks for one")
    parser.add_argument("--players", nargs="+", default=["anna", "bob", "clara", "dora"])
    parser.add_argument("--tier", default="standard", choices=("quick", "standard", "deep"))
    parser.add_argument("--seed", type=int, help="of dice and nonces; by chance without it")
    parser.add_argument("--plot", type=picture, help="a .png or .svg to draw the win shares into")
    options = parser.parse_args(arguments)
    client = Client(options.url, options.key)
    try:
        table = Table(client, options.players, Random(options.seed), options.tier)
        resolved = play(table, quiet=not sys.stderr.isatty())
    except Refused as refused:
        print(f"client_example.py: {refused}", file=sys.stderr)
        return 1
    except requests.RequestException as failed:
        print(f"client_example.py: {options.url} does not answer: {failed}", file=sys.stderr)
        return 1
    scores = ", ".join(f"{seat['seat']} {seat['score']}" for seat in table.state["seats"])
    print(f"{' and '.join(resolved['winners'])} won after {len(table.outlooks)} rounds: {scores}")
    if options.plot:
        draw(table.outlooks, resolved["winners"], options.plot)
        print(f"Wrote {options.plot}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
