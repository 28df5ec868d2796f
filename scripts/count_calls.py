"""Count the calls that an app makes for a turn of Slopecrashers with hints; not a test.

    python3 scripts/dev.py run scripts/count_calls.py --games 30

The player in turn follows the hints; attacked players use a magnet if they have one. Two apps play
the same number of games: one asks ``legal-moves`` and ``suggest`` for every action, the other
follows the plan of ``suggest`` and asks again only after a draw or an answer. Both resolve each
turn once. The order of the cards is drawn with ``legal-moves``, which is not counted: at a real
table, the cards show it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, Final

from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import execute

PLAYERS: Final = ("anna", "hugo", "nina", "vincent")
Body = dict[str, Any]


class CountingClient:
    """Calls the service in this process, and counts the calls by endpoint."""

    def __init__(self, effort: str) -> None:
        self.calls: Counter[str] = Counter()
        self._effort = effort
        self._game = GAMES["slopecrashers"]
        self._endpoints = {endpoint.name: endpoint for endpoint in self._game.endpoints}

    def call(self, endpoint: str, **body: Any) -> Body:
        """Return the response of an endpoint."""
        self.calls[endpoint] += 1
        return self.peek(endpoint, **body)

    def suggest(self, state: Body, so_far: list[Body], player: str) -> Body:
        """Return a hint."""
        body = {"state": state, "so_far": so_far, "player": player, "effort": self._effort}
        return self.call("suggest", **body)

    def peek(self, endpoint: str, **body: Any) -> Body:
        """Return a response without counting the call."""
        return execute(self._game, self._endpoints[endpoint], body, RequestContext()).document


def one_action_per_call(client: CountingClient, state: Body, random: Random) -> list[Body]:
    """Play a turn as an app that asks what is next after every action."""
    so_far: list[Body] = []
    while (legal := client.call("legal-moves", state=state, so_far=so_far))["decision"] != "none":
        if legal["decision"] == "draw":
            so_far.append(_draw(client, state, so_far, random))
        elif legal["decision"] == "answer":
            so_far.append(legal["moves"][legal["player"]][0])
        else:
            so_far.append(client.suggest(state, so_far, legal["player"])["pick"])
    return so_far


def plans(client: CountingClient, state: Body, random: Random) -> list[Body]:
    """Play a turn as an app that follows plans."""
    so_far: list[Body] = []
    following = client.peek("legal-moves", state=state)
    while following["decision"] != "none":
        hint = client.suggest(state, so_far, state["turn"])
        so_far += hint["plan"]
        following = hint["after_plan"]
        if following["decision"] == "draw":
            so_far.append(_draw(client, state, so_far, random))
        elif following["decision"] == "answer":
            so_far += [_answer(state, so_far, player) for player in following["waiting"]]
    return so_far


def _draw(client: CountingClient, state: Body, so_far: list[Body], random: Random) -> Body:
    outcomes = client.peek("legal-moves", state=state, so_far=so_far)["draw"]
    weights = [each["probability"] for each in outcomes]
    [drawn] = random.choices([each["card"] for each in outcomes], weights)
    return {"type": "draw", "card": drawn}


def _answer(state: Body, so_far: list[Body], player: str) -> Body:
    """Return the answer of a player who uses every magnet."""
    [gifts] = [seat["gifts"] for seat in state["seats"] if seat["player"] == player]
    used = sum(action.get("player") == player and action["magnet"] for action in so_far)
    top = "".join(gifts[used : used + 1])
    answer = {"type": "answer", "player": player, "magnet": "magnet" in top}
    return answer | {"card": top} if answer["magnet"] else answer


APPS: Final[dict[str, Callable[[CountingClient, Body, Random], list[Body]]]] = {
    "one action per call": one_action_per_call,
    "plans": plans,
}


def main(arguments: Sequence[str]) -> int:
    """Play the games and print the calls per turn of both apps."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--effort", default="quick")
    options = parser.parse_args(arguments)
    for name, app in APPS.items():
        client = CountingClient(options.effort)
        for seed in range(options.games):
            play(client, app, seed)
        turns = client.calls["resolve"]
        shares = ", ".join(f"{key} {count / turns:.2f}" for key, count in client.calls.items())
        total = client.calls.total() / turns
        print(f"{name}: {total:.2f} calls per turn ({shares}; {turns} turns)", flush=True)
    return 0


def play(
    client: CountingClient, app: Callable[[CountingClient, Body, Random], list[Body]], seed: int
) -> None:
    """Play one game to its end."""
    random = Random(seed)
    seats = [{"player": player} for player in PLAYERS]
    state = client.peek("new", seats=seats, seed=seed)["state"]
    over = False
    while not over:
        resolved = client.call("resolve", state=state, moves=app(client, state, random))
        state, over = resolved["state"], resolved["game_over"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
