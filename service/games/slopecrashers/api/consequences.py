"""What a turn of Slopecrashers does, compared with another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from service.core.game import Chance, Decision
from service.core.sequential import NEXT_TURN, OTHERS
from service.core.turn_hints import TurnPlan
from service.games.common.turns.consequences import (
    WHOLE,
    Change,
    Compared,
    codes_with_balance,
)
from service.games.slopecrashers.api.names import space_name
from service.games.slopecrashers.rules.course import Field
from service.games.slopecrashers.rules.gifts import UNKNOWN, card_label
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import END, Action, Place, Seat, Space, State
from service.games.slopecrashers.rules.turn import Turn

CONSEQUENCE_CODES: Final = codes_with_balance(
    {
        "finishes": "Crosses the finish line and wins.",
        "misses-win": "Does not cross the finish line, which the other turn does.",
        "further": "Ends on `space`, `count` rows further ahead than the other turn.",
        "behind": "Ends `count` rows further back than the other turn.",
        "passes": "Gets ahead of `players`.",
        "draws": "Draws the gift on `space`.",
        "leaves-gift": "Leaves the gift on `space`, which the other turn draws.",
        "keeps": "Keeps `card`, which the other turn uses or discards.",
        "spends": "Uses or discards `card`, which the other turn keeps.",
        "boost": "The boost on `space` gives one more movement.",
        "chili": "The chili gives `count` movements.",
        "misses-turn": "Misses the next turn.",
        "plays-on": "Plays the next turn, which the other turn misses.",
        "stung": "Begins the next turn with one movement.",
        "not-stung": "Begins the next turn with two movements, the other turn with one.",
        "blocked": "`kind` on `space` blocks the way.",
        "avoids": "`kind` on `space` would block the way after the other turn.",
        "gift-ahead": "The gift on `space` is within reach of the next turn.",
        "boost-ahead": "The boost on `space` is within reach of the next turn.",
        "suspends": "`player` misses a turn.",
        "stings": "`player` begins a turn with one movement.",
        "moves": "`player` slides to `space`.",
        "aims": "Attacks `players` with `gift`; a magnet can foil it.",
        "spares": "Does not attack `player`, which the other turn does.",
        "snowman": "A snowman on `space`, in the way of `player` if there is one.",
    }
)
"""Codes of reasons and their descriptions; the rows of the table of sentences."""

REACH: Final = 2
"""Rows ahead that matter for the next turn: its movements."""
NEAR: Final = 4
"""Rows ahead, or behind a snowman, that matter for the turns after it."""
_EFFECTS: Final = {"suspended": "suspends", "stung": "stings", "slide": "moves"}
_BLOCKING: Final = {
    Field.ABYSS: "abyss",
    Field.OBSTACLE: "obstacle",
    Field.OFF_COURSE: "edge",
}
"""Kinds of what blocks the way on a space, besides a snowman."""
_OTHERS, _WAY = (OTHERS, NEXT_TURN), ("progress", NEXT_TURN)


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a plan.

    Attributes:
        seat: of the player.
        state: the position.
        own: events of the player.
        others: events of other players.
    """

    seat: Seat
    state: State
    own: list[Event]
    others: list[Event]

    @classmethod
    def of(cls, player: str, plan: TurnPlan[Turn, Action]) -> _End:
        state = plan.play.state
        own = [event for event in plan.events if event.player == player]
        others = [event for event in plan.events if event.player not in (None, player)]
        return cls(state.seats[state.players.index(player)], state, own, others)

    def count(self, kind: str) -> int:
        """Return the number of own events of a type."""
        return sum(event.type == kind for event in self.own)


def changes(compared: Compared[Turn, Action]) -> Iterator[Change]:
    """Yield what the first plan does and the other one does not, and the other way round."""
    player = compared.question.player
    own, other = _End.of(player, compared.plan), _End.of(player, compared.other)
    wins = own.count("win"), other.count("win")
    if wins[0] != wins[1]:
        yield Change("finishes" if wins[0] else "misses-win", {}, WHOLE, gain=bool(wins[0]))
        return
    yield from _gifts(compared, own, other)
    yield from _movements(own, other)
    yield from _next_turn(compared, own, other)
    yield from _attacks(compared, own, other)
    if own.seat.place is not None and other.seat.place is not None:
        yield from _rows(compared, own, other, own.seat.place, other.seat.place)


def same_stage(plan: TurnPlan[Turn, Action], other: TurnPlan[Turn, Action]) -> bool:
    """Return whether the same comes next after two plans, with as many movements left."""
    return type(plan.open) is type(other.open) and plan.play.movements == other.play.movements


# Movement -------------------------------------------------------------------------------------


def _rows(
    compared: Compared[Turn, Action], own: _End, other: _End, place: Place, instead: Place
) -> Iterator[Change]:
    """Yield how far the player gets, and what lies ahead of it."""
    length = own.state.course.length
    rows = (place.lap - instead.lap) * length + place.row - instead.row
    ends = END in compared.other.choices[:1]
    # A turn that goes on can still catch up, and any movement is more than none.
    if rows > 0 and compared.other_is_done and not ends:
        params = {"count": rows, "space": space_name(*place.space)}
        yield Change("further", params, ("progress",))
        passed = _passed(own.state, place, instead, compared.question.player)
        if passed:
            yield Change("passes", {"players": passed}, (OTHERS, "progress"), rank=1)
    if rows < 0 and compared.is_done:
        yield Change("behind", {"count": -rows}, ("progress",), gain=False)
    if compared.same_stage and place.space != instead.space:
        yield from _ahead(own, other, place, instead)


def _passed(state: State, place: Place, instead: Place, player: str) -> list[str]:
    """Return the players who are behind a place and not behind the other one."""
    return [
        seat.player
        for seat in state.seats
        if seat.place is not None
        and seat.player != player
        and place.progress > seat.place.progress >= instead.progress
    ]


def _ahead(own: _End, other: _End, place: Place, instead: Place) -> Iterator[Change]:
    """Yield what lies ahead of one of two places and not of the other one."""
    block, instead_block = _block(own.state, place), _block(other.state, instead)
    if block and not instead_block:
        yield Change("blocked", block, _WAY, gain=False)
    if instead_block and not block and place.lane != instead.lane:
        yield Change("avoids", instead_block, _WAY)
    for field, code in ((Field.GIFT, "gift-ahead"), (Field.BOOST, "boost-ahead")):
        space = _within_reach(own.state, place, field)
        if space and not _within_reach(other.state, instead, field):
            parts = ("gifts", *_WAY)
            yield Change(code, {"space": space_name(*space)}, parts, rank=1)


def _block(state: State, place: Place) -> dict[str, str]:
    """Return the first thing that blocks the lane ahead, if it is near."""
    for row in range(place.row + 1, min(place.row + NEAR, state.course.length)):
        space = Space(row, place.lane)
        field = state.course.rows[row][place.lane]
        if not field.is_enterable or state.snowman_on(space) is not None:
            kind = _BLOCKING.get(field, "snowman")
            return {"kind": kind, "space": space_name(*space)}
    return {}


def _within_reach(state: State, place: Place, field: Field) -> Space | None:
    """Return the first such space ahead that the next turn can reach straight on."""
    course = state.course
    for row in range(place.row + 1, min(place.row + REACH + 1, course.length)):
        blocked = state.snowman_on(Space(row, place.lane)) is not None
        if blocked or not course.is_enterable(row, place.lane):
            return None
        if course.rows[row][place.lane].has(field):
            return Space(row, place.lane)
    return None


def _movements(own: _End, other: _End) -> Iterator[Change]:
    """Yield the movements that boosts and chilies give."""
    spaces = [event.end for event in own.own if event.type in ("step", "jump", "enter")]
    if own.count("boost") > other.count("boost"):
        boosts = [
            each
            for each in spaces
            if each and own.state.course.rows[each.row][each.lane].has(Field.BOOST)
        ]
        params = {"space": space_name(*boosts[-1].space)}
        yield Change("boost", params, ("progress",), rank=1)
    chili = sum(event.movements or 0 for event in own.own if event.type == "chili")
    if chili and not other.count("chili"):
        yield Change("chili", {"count": chili}, ("progress",), rank=1)


# Gifts ----------------------------------------------------------------------------------------


def _gifts(compared: Compared[Turn, Action], own: _End, other: _End) -> Iterator[Change]:
    """Yield gifts that are drawn, kept and used."""
    drawn, instead = _drawn(compared.plan, own), _drawn(compared.other, other)
    if drawn and not instead and compared.other_is_done:
        yield Change("draws", {"space": space_name(*drawn)}, ("gifts", NEXT_TURN))
    if instead and not drawn and compared.is_done:
        yield Change("leaves-gift", {"space": space_name(*instead)}, ("gifts",), gain=False)
    kept, kept_instead = (Counter(end.seat.gifts) for end in (own, other))
    held = compared.question.play.mover.gifts
    for card in dict.fromkeys(card for card in held if card != UNKNOWN):
        params = {"card": card_label(card)}
        if kept[card] > kept_instead[card] and compared.is_done:
            yield Change("keeps", params, ("gifts",), rank=1)
        if kept[card] < kept_instead[card] and compared.other_is_done:
            yield Change("spends", params, ("gifts",), gain=False)


def _drawn(plan: TurnPlan[Turn, Action], end: _End) -> Space | None:
    """Return the space of the gift that a plan draws, if it draws one."""
    if end.count("draw") or isinstance(plan.open, Chance):
        return None if end.seat.place is None else end.seat.place.space
    return None


# The next turn, and the others ----------------------------------------------------------------


def _next_turn(compared: Compared[Turn, Action], own: _End, other: _End) -> Iterator[Change]:
    """Yield whether the player misses its next turn or is stung."""
    parts = (NEXT_TURN,)
    for lost, instead, cost, gain in (
        (own.seat.misses_turn, other.seat.misses_turn, "misses-turn", "plays-on"),
        (own.seat.stung, other.seat.stung, "stung", "not-stung"),
    ):
        if lost and not instead and compared.other_is_done:
            yield Change(cost, {}, parts, gain=False)
        if instead and not lost and compared.is_done:
            yield Change(gain, {}, parts)


def _attacks(compared: Compared[Turn, Action], own: _End, other: _End) -> Iterator[Change]:
    """Yield whom an attack or a snowman sets back."""
    effects, instead = _effects(own), _effects(other)
    for (code, player), event in effects.items():
        if (code, player) not in instead:
            space = {} if event.end is None else {"space": space_name(*event.end.space)}
            yield Change(code, {"player": player, **space}, _OTHERS)
    for _, player in instead.keys() - effects.keys():
        if compared.is_done:
            yield Change("spares", {"player": player}, _OTHERS, gain=False)
    attack = compared.plan.play.attack
    if attack is not None and isinstance(compared.plan.open, Decision):
        players = [own.state.players[seat] for seat in attack.waiting]
        if compared.question.player not in players:
            yield Change("aims", {"gift": attack.gift.label, "players": players}, _OTHERS)
    for event in own.own:
        if event.type == "snowman-placed" and not other.count("snowman-placed"):
            assert event.space is not None, "a snowman has a space"
            victim = _behind(own.state, event.space, compared.question.player)
            params = {"space": space_name(*event.space)} | ({"player": victim} if victim else {})
            yield Change("snowman", params, _OTHERS)


def _effects(end: _End) -> dict[tuple[str, str], Event]:
    """Return what happens to other players, by what it is and whom it hits."""
    return {
        (_EFFECTS[event.type], event.player): event
        for event in end.others
        if event.type in _EFFECTS and event.player is not None
    }


def _behind(state: State, space: Space, player: str) -> str | None:
    """Return the other player who is next behind a space on its lane, if it is near."""
    near = [
        (seat.place.row, seat.player)
        for seat in state.seats
        if seat.place is not None
        and seat.player != player
        and seat.place.lane == space.lane
        and space.row - NEAR <= seat.place.row < space.row
    ]
    return max(near)[1] if near else None
