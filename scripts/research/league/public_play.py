"""Whole games through the public operations of the service, without HTTP."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import SingleFlight, WaitList
from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import execute
from service.operations.solution_cache import SolutionCache, Solutions

Document = dict[str, Any]
Chooser = Callable[[str, Document, list[Document]], Document]
"""Returns the choice of a player from the body of a request and the legal choices."""

NAMES: Final = ("anna", "hugo", "nina", "vincent", "marie", "olga")


@dataclass(frozen=True)
class PlayedGame:
    """A finished game.

    Attributes:
        review: the body of its review.
        winners: the players who share the win.
    """

    review: Document
    winners: tuple[str, ...]


class Table:
    """Plays games; one cache serves all requests.

    Args:
        game: name of the game.
        effort: of hints and reviews.
    """

    def __init__(self, game: str, effort: str) -> None:
        self._name, self._definition, self._effort = game, GAMES[game], effort
        self._endpoints = {each.name: each for each in self._definition.endpoints}
        cache = Cache(Memory(1 << 28))
        self._solutions = Solutions(SolutionCache(SingleFlight(cache, WaitList(0))))

    def ask(self, endpoint: str, body: Document) -> Document:
        """Return the response of an operation to a body.

        Raises:
            Rejected: if the body is invalid.
        """
        context = RequestContext(solutions=self._solutions, streamed=True)
        return execute(self._definition, self._endpoints[endpoint], body, context).document

    def hint(self, player: str, body: Document) -> Document:
        """Return the hint of a player for the body of a request."""
        return self.ask("suggest", body | {"player": player, "effort": self._effort})

    def played(self, players: int, seed: int, choose: Chooser) -> PlayedGame:
        """Play a game."""
        random = Random(seed)
        if self._name == "snow-time":
            seats = [{"seat": name} for name in NAMES[:players]]
            return self._rounds(self.ask("new", {"seats": seats})["state"], random, choose)
        seats = [{"player": name} for name in NAMES[:players]]
        state = self.ask("new", {"seats": seats, "seed": seed})["state"]
        return self._turns(state, random, choose)

    def _rounds(self, start: Document, random: Random, choose: Chooser) -> PlayedGame:
        state, rounds, winners = start, [], []
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
            resolved = self.ask("resolve", {"state": state} | rounds[-1])
            state, winners = resolved["state"], resolved["winners"]
        review = {"state": start, "rounds": rounds, "effort": self._effort}
        return PlayedGame(review, tuple(winners))

    def _turns(self, start: Document, random: Random, choose: Chooser) -> PlayedGame:
        state, turns, winners = start, [], []
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
            resolved = self.ask("resolve", {"state": state, "moves": turn})
            state, winners = resolved["state"], resolved["winners"]
        review = {"state": start, "turns": turns, "effort": self._effort}
        return PlayedGame(review, tuple(winners))
