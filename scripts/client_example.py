"""An example client: all players of a game of Snow Time follow the hints of the service.

    python3 scripts/dev.py serve                                  # in another terminal
    python3 scripts/dev.py run scripts/client_example.py --plot shares.svg

The script uses HTTP as an app would. It requests the hints of a round in one batch, each with a new
random nonce, retries after ``Retry-After`` if the service is busy, and prints the path of every
error in a request. The plot shows the win shares by round.
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
"""To connect, and to wait for a response: a batch may wait for several hints."""
TRIES: Final = 5
MAX_ROUNDS: Final = 500
TRACK_LENGTH: Final = 30
"""Length of the default track, which a state without a track has."""
COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00")
"""A palette for colour-blind readers (Okabe and Ito 2008)."""
MARKERS: Final = "os^Dv"


class ProblemError(Exception):
    """The service returned a problem document; the message lists every error with its path."""

    def __init__(self, problem: Document) -> None:
        errors = [f"{each['path']}: {each['detail']}" for each in problem.get("errors", ())]
        super().__init__("\n  ".join([f"{problem['status']} {problem['detail']}", *errors]))


class Client:
    """A client of the service.

    Args:
        url: of the service.
        key: API key, if the service requires one.
    """

    def __init__(self, url: str, key: str = "") -> None:
        self._url = url.rstrip("/")
        self._session = requests.Session()
        if key:
            self._session.headers["Authorization"] = f"Bearer {key}"

    def post(self, path: str, body: Document) -> Document:
        """Post a body and return the response document.

        Raises:
            ProblemError: if the service returns an error.
            requests.RequestException: if the service cannot be reached.
        """
        for tries_left in reversed(range(TRIES)):
            response = self._session.post(self._url + path, json=body, timeout=TIMEOUTS_S)
            if response.status_code not in (429, 503) or not tries_left:
                break
            # Every POST is safe to repeat.
            time.sleep(float(response.headers.get("Retry-After", "1")))
        document: Document = response.json()
        if response.status_code != 200:
            raise ProblemError(document)
        return document

    def batch(self, path: str, bodies: Mapping[str, Document]) -> dict[str, Document]:
        """Post several bodies to one path in a batch; return the response documents by id."""
        batch_requests = [{"id": name, "path": path, "body": body} for name, body in bodies.items()]
        documents = {}
        for result in self.post("/v1/batch", {"requests": batch_requests})["results"]:
            if result["status"] in (429, 503):
                # Repeat a busy request alone: `post` waits and retries.
                documents[result["id"]] = self.post(path, bodies[result["id"]])
            elif result["status"] == 200:
                documents[result["id"]] = result["body"]
            else:
                raise ProblemError(result["body"])
        return documents


class LocalGame:
    """A game of Snow Time in which all players follow the hints of the service.

    Args:
        client: of the service.
        players: names; two players have two seats each.
        random: for dice and nonces.
        effort: of the hints.

    Attributes:
        state: the current state.
        win_shares: win shares of all players before each round.
    """

    def __init__(self, client: Client, players: Sequence[str], random: Random, effort: str) -> None:
        self._client, self._random, self._effort = client, random, effort
        seats = [{"seat": name, "player": name} for name in players]
        if len(players) == 2:
            seats = [
                {"seat": f"{name}-{number}", "player": name}
                for number in (1, 2)
                for name in players
            ]
        self.players = tuple(players)
        self.state: Document = client.post(f"{SNOW_TIME}/new", {"seats": seats})["state"]
        self.win_shares: list[dict[str, float]] = []

    def play_round(self) -> Document:
        """Play one round; return the response of ``resolve``."""
        seed = self._random.randrange(2**31)
        grown = self._client.post(f"{SNOW_TIME}/grow", {"state": self.state, "seed": seed})
        self.state = grown["state"]
        hints = self._hints(self.players)
        self.win_shares.append(next(iter(hints.values()))["win_shares"])
        moves = self._complete_moves(_picks(hints))
        resolved = self._client.post(f"{SNOW_TIME}/resolve", {"state": self.state, "moves": moves})
        self.state = resolved["state"]
        return resolved

    def _complete_moves(self, moves: Document) -> Document:
        """Return the moves with the cards that watchers add and healers take back."""
        while True:
            body = {"state": self.state, "revealed": moves}
            open_moves = self._client.post(f"{SNOW_TIME}/legal-moves", body)["moves"]
            if not open_moves:
                return moves
            owners = {seat["seat"]: seat["player"] for seat in self.state["seats"]}
            deciding = dict.fromkeys(owners[seat] for seat in open_moves)
            moves = moves | _picks(self._hints(deciding, revealed=moves))

    def _hints(self, players: Iterable[str], **more: Any) -> dict[str, Document]:
        bodies = {
            player: {
                "state": self.state,
                "player": player,
                "effort": self._effort,
                "nonce": f"{self._random.getrandbits(128):032x}",
                **more,
            }
            for player in players
        }
        return self._client.batch(f"{SNOW_TIME}/suggest", bodies)


def _picks(hints: Mapping[str, Document]) -> Document:
    return {seat: move for hint in hints.values() for seat, move in hint["pick"].items()}


def play(table: LocalGame, *, quiet: bool = False) -> Document:
    """Play to the end, with a progress bar of the leading score.

    Returns:
        the response of the last ``resolve``.
    """
    with tqdm(total=TRACK_LENGTH, unit="space", disable=quiet) as bar:
        for round_number in range(1, MAX_ROUNDS + 1):
            resolved = table.play_round()
            leader = max(seat["score"] for seat in table.state["seats"])
            bar.set_postfix_str(f"round {round_number}")
            bar.update(leader - bar.n)
            if resolved["game_over"]:
                return resolved
    raise RuntimeError(f"no player has won in {MAX_ROUNDS} rounds")


def draw(win_shares: Sequence[Mapping[str, float]], winners: Sequence[str], path: Path) -> None:
    """Draw the win shares by round and at the end into a PNG or SVG file."""
    end = {player: (player in winners) / len(winners) for player in win_shares[0]}
    figure = Figure(figsize=(8.0, 4.5), layout="constrained")
    axes = figure.subplots()
    for colour, marker, player in zip(COLOURS, MARKERS, end, strict=False):
        shares = [100.0 * entry[player] for entry in (*win_shares, end)]
        rounds = range(1, len(shares) + 1)
        axes.plot(rounds, shares, color=colour, marker=marker, markersize=4.0, label=player)
    axes.axhline(100.0 / len(end), color="#777777", linestyle="--", linewidth=1.0)
    axes.set_xlim(1, len(win_shares) + 1)
    axes.set_ylim(-2.0, 112.0)
    axes.set_xlabel("before round; last: the end")
    axes.set_ylabel("win share, %")
    axes.set_title(f"Win shares; winner: {' and '.join(winners)}", loc="left")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.legend(frameon=False, ncols=len(end), loc="upper left")
    axes.grid(color="#dddddd", linewidth=0.6)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=130)


def plot_path(name: str) -> Path:
    """Parse the path of a plot, so that a wrong path fails before the game."""
    path = Path(name)
    if path.suffix not in (".png", ".svg"):
        raise argparse.ArgumentTypeError(f"{name} ends neither in .png nor in .svg")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"no such folder: {path.parent}")
    return path


def main(arguments: Sequence[str]) -> int:
    """Play a game and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--url", default="http://localhost:8000")
    parser.add_argument("--key", default="", help="API key, if the service requires one")
    parser.add_argument("--players", nargs="+", default=["anna", "bob", "clara", "dora"])
    parser.add_argument("--effort", default="standard", choices=("quick", "standard", "deep"))
    parser.add_argument("--seed", type=int, help="seed of dice and nonces; random by default")
    parser.add_argument(
        "--plot", type=plot_path, help="draw win shares into this .png or .svg file"
    )
    options = parser.parse_args(arguments)
    client = Client(options.url, options.key)
    try:
        table = LocalGame(client, options.players, Random(options.seed), options.effort)
        resolved = play(table, quiet=not sys.stderr.isatty())
    except ProblemError as error:
        print(f"client_example.py: {error}", file=sys.stderr)
        return 1
    except requests.RequestException as error:
        print(f"client_example.py: {options.url} does not answer: {error}", file=sys.stderr)
        return 1
    scores = ", ".join(f"{seat['seat']} {seat['score']}" for seat in table.state["seats"])
    print(f"{' and '.join(resolved['winners'])} won after {len(table.win_shares)} rounds: {scores}")
    if options.plot:
        draw(table.win_shares, resolved["winners"], options.plot)
        print(f"Wrote {options.plot}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
