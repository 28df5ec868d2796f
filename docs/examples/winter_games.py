"""A thin client of the service to copy into your app; it needs only the standard library.

    games = WinterGames("http://localhost:8000", "snow-time", language="de")
    seats = [{"seat": seat} for seat in ("red", "blue", "green")]
    state = games.ask("new", {"seats": seats})["state"]
    played = games.play_round(state, choose, seed=1)

``winter_games.ts`` is the same client in TypeScript.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

TRIES = 5
BUSY = (429, 503)
Document = dict[str, Any]
Choose = Callable[[Document, Document], Document]
"""Takes a position, as ``suggest`` wants it, and the legal moves; returns choices by actor."""


class Problem(Exception):
    """The service refused a request; the message is the first violation.

    Attributes:
        status: of the response.
        code: see ``/docs/errors``.
        errors: all violations, each with its path.
    """

    def __init__(self, status: int, problem: Document) -> None:
        self.status, self.code = status, problem.get("code", "")
        self.errors: list[Document] = problem.get("errors", [])
        first = [f"{each['path']}: {each['detail']}" for each in self.errors[:1]]
        super().__init__(f"{status} {''.join(first) or problem.get('detail', 'no JSON')}")


@dataclass(frozen=True)
class Played:
    """A round or a turn.

    Attributes:
        entry: of ``opponents.history``, and of ``review``.
        resolved: the response of ``resolve``.
    """

    entry: Document
    resolved: Document


class WinterGames:
    """One game of the service, asked in one language."""

    def __init__(self, url: str, game: str, language: str = "en", key: str = "") -> None:
        self._url = f"{url.rstrip('/')}/v1/games/{game}"
        self._headers = {"Content-Type": "application/json", "Accept-Language": language}
        if key:
            self._headers["Authorization"] = f"Bearer {key}"

    def ask(self, operation: str = "", body: Document | None = None) -> Any:
        """Return the response of an operation; without one, the description of the game.

        A busy service is asked again when it says so: every request is safe to repeat.
        """
        url = f"{self._url}/{operation}".rstrip("/")
        data = None if body is None else json.dumps(body).encode()
        for tries_left in reversed(range(TRIES)):
            try:
                request = urllib.request.Request(url, data, self._headers)
                with urllib.request.urlopen(request, timeout=60) as response:
                    return json.load(response)
            except urllib.error.HTTPError as error:
                if error.code not in BUSY or not tries_left:
                    raise Problem(error.code, _problem(error)) from None
                time.sleep(float(error.headers.get("Retry-After", "1")))
        raise AssertionError("the last try returns or raises")

    def play_round(self, state: Document, choose: Choose, **growth: Any) -> Played:
        """Play a round of Snow Time.

        Args:
            state: the position before growth.
            choose: returns the moves of all seats that decide: the cards, then what watchers add,
                then what healers take back.
            growth: ``seed``, or ``dice`` as thrown at the table.
        """
        grown = self.ask("grow", {"state": state, **growth})
        position: Document = {"state": grown["state"]}
        while (legal := self.ask("legal-moves", position))["decision"] != "none":
            chosen = choose(position, legal["moves"])
            position = {**position, "revealed": {**position.get("revealed", {}), **chosen}}
        entry = {"state": grown["state"], "dice": grown["dice"], "moves": position["revealed"]}
        resolved = self.ask("resolve", {"state": entry["state"], "moves": entry["moves"]})
        return Played(entry, resolved)

    def play_turn(
        self, state: Document, choose: Choose, draw: Callable[[list[Document]], Document]
    ) -> Played:
        """Play a turn of Slopecrashers or Snowcrest.

        Args:
            state: the position before the turn.
            choose: returns the action of the player who decides, who may answer another one.
            draw: returns the drawn one of the possible cards.
        """
        so_far: list[Document] = []
        while True:
            position = {"state": state, "so_far": so_far}
            legal = self.ask("legal-moves", position)
            if legal["decision"] == "none":
                break
            if legal["decision"] == "draw":
                so_far = [*so_far, draw(legal["draw"])]
            else:
                position["player"] = legal["player"]
                so_far = [*so_far, choose(position, legal["moves"])[legal["player"]]]
        resolved = self.ask("resolve", {"state": state, "moves": so_far})
        return Played({"moves": so_far}, resolved)


def history(rounds: Sequence[Played], most: int = 60) -> list[Document]:
    """Return ``opponents.history`` of ``suggest``: the newest rounds of Snow Time."""
    return [each.entry for each in rounds[-most:]]


def review(start: Document, played: Sequence[Played]) -> Document:
    """Return the body of ``review``: the first position, and all rounds or turns."""
    if played and "dice" in played[0].entry:
        return {"state": start, "rounds": [each.entry for each in played]}
    return {"state": start, "turns": [each.entry["moves"] for each in played]}


def _problem(error: urllib.error.HTTPError) -> Document:
    try:
        problem: Document = json.load(error)
    except ValueError:  # Such as the page of a proxy.
        return {}
    return problem
