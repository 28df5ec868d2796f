"""A race by turns, invented for the tests: a bluff about a hidden draw.

The mover walks one space or takes a sledge. With a sledge the mover draws a tile of 1, 2 or 3 from
a face-down heap, looks at it and calls it "high" (2 or 3) or "low". The next player, outside their
own turn and without seeing the tile, believes or doubts. If believed, the sledge moves as many
spaces as the tile; if doubted wrongly, one space more; if doubted rightly, it stays and the doubter
walks one space. The first player on the last space wins. A player on the ice has nothing to decide
in their turn, which only takes them off the ice. Tiles never return to the heap, so every game
ends.

A tile may be given as unseen (``0``) by a client that did not see it. It has probability 0, moves
two spaces, and cannot be caught.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from service.core.game import Chance, Decision, Step
from service.core.violations import Violation

PLAYERS = ("ada", "ben", "cleo")
LAST = 7
TILES = (1, 2, 3)
UNSEEN = 0


@dataclass(frozen=True, slots=True)
class Race:
    """A position between two turns.

    Attributes:
        spaces: of each player.
        turn: index of the player to move.
        heap: number of tiles of each kind.
        ice: players on the ice.
    """

    spaces: tuple[int, ...] = (0, 0, 0)
    turn: int = 0
    heap: tuple[int, ...] = (3, 2, 1)
    ice: frozenset[int] = frozenset({2})


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in progress: the action, tile, call and answer so far."""

    race: Race
    action: str | None = None
    tile: int | None = None
    called: str | None = None
    answered: str | None = None


class ToyRace:
    """A game with a mover, a player who answers, and a chance node between them."""

    name = "toy-race"

    def begin(self, state: Race) -> Step[Turn, str]:
        if state.turn in state.ice and not self.over(state):
            return Step(Turn(state, action="slip"), (f"{PLAYERS[state.turn]} slips off the ice",))
        return Step(Turn(state))

    def pending(self, play: Turn) -> Decision[str] | Chance[int] | None:
        race = play.race
        mover, other = PLAYERS[race.turn], PLAYERS[(race.turn + 1) % len(PLAYERS)]
        if self.winners(race):
            return None
        if play.action is None:
            return Decision("move", {mover: ("walk", "sledge") if sum(race.heap) else ("walk",)})
        if play.action in ("walk", "slip") or play.answered is not None:
            return None
        if play.tile is None:
            heap = zip(TILES, race.heap, strict=True)
            drawn = ((tile, Fraction(count, sum(race.heap))) for tile, count in heap if count)
            return Chance("tile", tuple(drawn))
        if play.called is None:
            return Decision("call", {mover: ("high", "low")})
        return Decision("answer", {other: ("believe", "doubt")})

    def choose(self, play: Turn, choices: Mapping[str, str]) -> Step[Turn, str]:
        [(actor, choice)] = choices.items()
        if play.action is None:
            return Step(replace(play, action=choice), (f"{actor}: {choice}",))
        if play.called is None:
            return Step(replace(play, called=choice), (f"{actor}: it is {choice}",))
        shown = () if choice == "believe" else (f"it is a {play.tile}",)
        return Step(replace(play, answered=choice), (f"{actor}: I {choice}", *shown))

    def draw(self, play: Turn, outcome: int) -> Step[Turn, str]:
        # The event log does not name the tile, because only the mover sees it.
        return Step(replace(play, tile=outcome), ("a tile is drawn",))

    def rest(self, play: Turn) -> Race:
        race = play.race
        if play.action is None:
            return race
        following = (race.turn + 1) % len(PLAYERS)
        walked = {} if play.action == "slip" else {race.turn: 1}
        heap = race.heap
        if play.action == "sledge":
            unseen = play.tile == UNSEEN
            caught = not unseen and play.called != ("low" if play.tile == 1 else "high")
            walked = {race.turn: 2 if unseen else play.tile}
            if play.answered == "doubt" and not unseen:
                walked = {following: 1} if caught else {race.turn: play.tile + 1}
            heap = tuple(
                count - (tile == play.tile) for tile, count in zip(TILES, race.heap, strict=True)
            )
        spaces = tuple(
            min(space + walked.get(index, 0), LAST) for index, space in enumerate(race.spaces)
        )
        return Race(spaces, following, heap, race.ice - {race.turn})

    def over(self, state: Race) -> bool:
        return LAST in state.spaces

    def winners(self, state: Race) -> tuple[str, ...]:
        return tuple(
            name for name, space in zip(PLAYERS, state.spaces, strict=True) if space == LAST
        )

    def violations_of(self, play: Turn, actor: str | None, choice: Any) -> tuple[Violation, ...]:
        if actor is None:
            unseen = choice == UNSEEN
            return (
                () if unseen else (Violation("", "impossible-draw", "There is no such tile left."),)
            )
        return (Violation("", "not-now", f"{actor} cannot {choice} now."),)
