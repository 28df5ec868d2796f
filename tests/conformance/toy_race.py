"""A race by turns, made up for the tests: a bluff over a hidden draw.

Whose turn it is walks one space, or takes a sledge: draws a tile of 1, 2 or 3 from a face-down
heap, looks at it and calls it "high" (2 or 3) or "low".  The next player, outside their own
turn and without seeing the tile, believes or doubts.  Believed, the sledge goes as far as the
tile says; doubted in vain, one space further; caught, it stays and the doubter walks one space.
The first on the last space wins.  Tiles are never put back, so that every game ends.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from service.core.faults import Fault
from service.core.play import Chance, Decision, Step

PLAYERS = ("ada", "ben", "cleo")
LAST = 7
TILES = (1, 2, 3)


@dataclass(frozen=True, slots=True)
class Race:
    """Between two turns: everybody's space, whose turn it is, how many tiles of each kind."""

    spaces: tuple[int, ...] = (0, 0, 0)
    turn: int = 0
    heap: tuple[int, ...] = (3, 2, 1)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way: what was done, drawn, called and answered so far."""

    race: Race
    done: str | None = None
    tile: int | None = None
    called: str | None = None
    answered: str | None = None


class ToyRace:
    """One who acts, one who answers, and chance between them."""

    name = "toy-race"

    def begin(self, state: Race) -> Turn:
        return Turn(state)

    def pending(self, play: Turn) -> Decision[str] | Chance[int] | None:
        race = play.race
        mover, other = PLAYERS[race.turn], PLAYERS[(race.turn + 1) % len(PLAYERS)]
        if self.winners(race):
            return None
        if play.done is None:
            return Decision("move", {mover: ("walk", "sledge") if sum(race.heap) else ("walk",)})
        if play.done == "walk" or play.answered is not None:
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
        if play.done is None:
            return Step(replace(play, done=choice), (f"{actor}: {choice}",))
        if play.called is None:
            return Step(replace(play, called=choice), (f"{actor}: it is {choice}",))
        shown = () if choice == "believe" else (f"it is a {play.tile}",)
        return Step(replace(play, answered=choice), (f"{actor}: I {choice}", *shown))

    def draw(self, play: Turn, outcome: int) -> Step[Turn, str]:
        # The record does not name the tile: it is for the mover's eyes.
        return Step(replace(play, tile=outcome), ("a tile is drawn",))

    def rest(self, play: Turn) -> Race:
        race = play.race
        if play.done is None:
            return race
        following = (race.turn + 1) % len(PLAYERS)
        walked = {race.turn: 1}
        heap = race.heap
        if play.done == "sledge":
            caught = play.called != ("low" if play.tile == 1 else "high")
            walked = {race.turn: play.tile}
            if play.answered == "doubt":
                walked = {following: 1} if caught else {race.turn: play.tile + 1}
            heap = tuple(
                count - (tile == play.tile) for tile, count in zip(TILES, race.heap, strict=True)
            )
        spaces = tuple(
            min(space + walked.get(place, 0), LAST) for place, space in enumerate(race.spaces)
        )
        return Race(spaces, following, heap)

    def winners(self, state: Race) -> tuple[str, ...]:
        return tuple(
            name for name, space in zip(PLAYERS, state.spaces, strict=True) if space == LAST
        )

    def refusal(self, play: Turn, actor: str, choice: str) -> tuple[Fault, ...]:
        return (Fault("", "not-now", f"{actor} cannot {choice} now."),)
