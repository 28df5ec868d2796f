"""The rules of Snow Time as a game of the core, in the order of the rule sheet.

This is the readable reference.  It writes the event log.  Tests compare the compiled rules of the
engine with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product

from service.core.game import Chance, Decision, Step
from service.core.violations import Violation
from service.games.snow_time.rules.resolution import Event, Resolution, recoveries, resolve
from service.games.snow_time.rules.state import (
    CHAMPIONS,
    DICE,
    FRUIT_LEVELS,
    Card,
    Move,
    Seat,
    State,
    Track,
)

Dice = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Round:
    """A round in progress.

    Attributes:
        state: the position; it includes the fruit of this round if ``grown`` is true.
        grown: whether the dice of this round have been rolled.
        moves: the moves so far, in seat order; empty before the cards are revealed.
        resolution: the result of the round once it is complete.
    """

    state: State
    grown: bool = True
    moves: tuple[Move, ...] = ()
    resolution: Resolution | None = None


class SnowTime:
    """The rules as a :class:`~service.core.game.Game`."""

    name = "snow-time"

    def begin(self, state: State) -> Step[Round, Event]:
        return Step(Round(state, grown=False))

    def pending(self, play: Round) -> Decision[Move] | Chance[Dice] | None:
        if play.resolution is not None or winners(play.state):
            return None
        if not play.grown:
            return Chance("growth", growth_outcomes(dice_rolled(play.state.supply)))
        state = play.state
        if not play.moves:
            return Decision("card", {seat.name: card_choices(seat) for seat in state.seats})
        pairs = tuple(zip(state.seats, play.moves, strict=True))
        watching = {
            seat.name: added_choices(seat, move, state.board)
            for seat, move in pairs
            if move.awaits_added_card
        }
        if watching:
            return Decision("watcher", watching)
        healing = {
            seat.name: recovery_choices(seat, move) for seat, move in pairs if move.awaits_recovery
        }
        return Decision("healer", healing)

    def choose(self, play: Round, choices: Mapping[str, Move]) -> Step[Round, Event]:
        seats = play.state.seats
        before = {seat.name: move for seat, move in zip(seats, play.moves, strict=False)}
        chosen = before | dict(choices)
        moves = tuple(_with_forced_recovery(seat, chosen[seat.name]) for seat in seats)
        shown = _shown(play, moves)
        if any(move.awaits_added_card or move.awaits_recovery for move in moves):
            return Step(replace(play, moves=moves), shown)
        resolution = resolve(play.state, moves)
        events = shown + recoveries(play.state, moves) + resolution.events
        return Step(replace(play, moves=moves, resolution=resolution), events)

    def draw(self, play: Round, outcome: Dice) -> Step[Round, Event]:
        grown = grow(play.state, outcome)
        event = Event("growth", "growth", dice=outcome)
        return Step(Round(grown), (event,) if outcome else ())

    def rest(self, play: Round) -> State:
        return play.state if play.resolution is None else play.resolution.state

    def over(self, state: State) -> bool:
        return bool(winners(state))

    def winners(self, state: State) -> tuple[str, ...]:
        return winners(state)

    def violations_of(
        self, play: Round, actor: str | None, choice: Move | Dice
    ) -> tuple[Violation, ...]:
        if actor is None or not isinstance(choice, Move):
            return (
                Violation(
                    "",
                    "impossible-draw",
                    f"Each die shows 1 to {FRUIT_LEVELS}.",
                ),
            )
        # A move can be legal by itself and still not belong to the current decision.
        stray = Violation(
            "",
            "not-a-choice",
            "The move does not belong to the current decision; choose one of `legal-moves`.",
        )
        return tuple(move_violations(play.state.seat(actor), choice, play.state.board)) or (stray,)


# Growth -------------------------------------------------------------------------------------


def dice_rolled(supply: int) -> int:
    """Return the number of dice of growth: one per token in the supply, at most two."""
    return min(DICE, supply)


@lru_cache(maxsize=DICE + 1)
def growth_outcomes(dice: int) -> tuple[tuple[Dice, Fraction], ...]:
    """Return the distinct rolls, each ascending, with probabilities.

    There are 21 rolls of two dice, 6 of one and 1 of none.
    """
    ways: dict[Dice, int] = {}
    for roll in product(range(1, FRUIT_LEVELS + 1), repeat=dice):
        ordered = tuple(sorted(roll))
        ways[ordered] = ways.get(ordered, 0) + 1
    return tuple((roll, Fraction(count, FRUIT_LEVELS**dice)) for roll, count in ways.items())


def grow(state: State, dice: Iterable[int]) -> State:
    """Return the position after growth: each die puts one fruit on its level."""
    fruit = list(state.fruit)
    for level in dice:
        fruit[level - 1] += 1
    return replace(state, fruit=tuple(fruit))


# Decisions ----------------------------------------------------------------------------------


def card_choices(seat: Seat) -> tuple[Move, ...]:
    """Return the choices of the card decision: any card of the hand."""
    return tuple(Move(card) for card in seat.hand)


def added_choices(seat: Seat, move: Move, track: Track) -> tuple[Move, ...]:
    """Return the choices of the watcher decision: any other card (R3), or none if allowed (R2)."""
    cards = tuple(card for card in seat.hand if card is not Card.WATCHER)
    nothing = (Card.NONE,) if track.optional_watcher else ()
    return tuple(move.adding(card) for card in cards + nothing)


def recovery_choices(seat: Seat, move: Move) -> tuple[Move, ...]:
    """Return the choices of the healer decision (R4), see :func:`recoverable`."""
    return tuple(move.recovering(champions) for champions in recoverable(seat))


def recoverable(seat: Seat) -> tuple[tuple[Card, ...], ...]:
    """Return the sets of champions that the seat's healer may take back (R4).

    A healer takes back up to two discarded champions, or all seven if all seven are discarded.
    Smaller sets come first, then deck order.
    """
    discarded = seat.discarded_champions
    if len(discarded) == len(CHAMPIONS):
        return (discarded,)
    return tuple(taken for size in range(3) for taken in combinations(discarded, size))


def _with_forced_recovery(seat: Seat, move: Move) -> Move:
    """Return the move with its recovery if only one set is legal; else the move unchanged."""
    if not move.awaits_recovery:
        return move
    legal = recoverable(seat)
    return move.recovering(legal[0]) if len(legal) == 1 else move


def _shown(play: Round, moves: tuple[Move, ...]) -> tuple[Event, ...]:
    """Return the event of the cards that this choice reveals."""
    seats = play.state.seats
    if not play.moves:
        cards = tuple((seat.name, (move.card,)) for seat, move in zip(seats, moves, strict=True))
        return (Event("reveal", "card", cards=cards),)
    added = tuple(
        (seat.name, (move.then.card,))
        for seat, before, move in zip(seats, play.moves, moves, strict=True)
        if move.then is not None and before.then is None and move.then.card is not Card.NONE
    )
    return (Event("add", "watcher", rule="R3", cards=added),) if added else ()


def move_violations(seat: Seat, move: Move, track: Track | None) -> Iterable[Violation]:
    """Yield every violation of a seat's move.

    Only the seat's hand and discards matter, and the options of the track, if it is known.
    """
    if move.card not in seat.hand:
        yield not_in_hand(seat, move.card, "/card")
    inner, at = move, ""
    if move.then is not None:
        inner, at = move.then, "/then"
        if inner.card is Card.WATCHER:
            others = [card for card in seat.hand if card is not Card.WATCHER]
            detail = f"A watcher cannot add a watcher. Choose one of {_listed(others)}."
            yield Violation("/then/card", "watcher-added", detail, "R3")
        elif inner.card is Card.NONE:
            if track is not None and not track.optional_watcher:
                yield Violation("/then/card", "card-required", _required(seat), "R2")
        elif inner.card not in seat.hand:
            yield not_in_hand(seat, inner.card, "/then/card")
    taken = inner.recover if inner.card is Card.HEALER else None
    if taken is not None and taken not in recoverable(seat):
        yield _illegal_recovery(seat, taken, at + "/recover")


def _required(seat: Seat) -> str:
    cards = _listed(card for card in seat.hand if card is not Card.WATCHER)
    return (
        f"A watcher must add a card. Choose one of {cards}, or set `optional_watcher` of the track."
    )


def not_in_hand(seat: Seat, card: Card, at: str) -> Violation:
    """Return the violation of a card that is not in the hand of a seat."""
    detail = (
        f"The card {card.label} is not in the hand of {seat.name}, which is {_listed(seat.hand)}."
    )
    return Violation(at, "card-not-in-hand", detail)


def _listed(cards: Iterable[Card]) -> str:
    return ", ".join(card.label for card in cards)


def _illegal_recovery(seat: Seat, recover: tuple[Card, ...], at: str) -> Violation:
    discarded = seat.discarded_champions
    if len(discarded) == len(CHAMPIONS):
        detail = (
            f"All seven champions of {seat.name} are discarded: the healer takes back all. List "
            "all seven, or remove `recover`."
        )
    elif any(card not in discarded for card in recover):
        detail = f"The healer can only take back discarded champions of {seat.name}"
        detail += f": {_listed(discarded)}." if discarded else ", but there are none: send []."
    else:
        detail = (
            f"A healer takes back at most two champions, unless all seven are discarded: choose "
            f"from {_listed(discarded)}."
        )
    return Violation(at, "illegal-recovery", detail, "R4")


def winners(state: State) -> tuple[str, ...]:
    """Return the players with a seat on the last space (R10, two-player variant)."""
    last = state.board.length
    arrived = {seat.player for seat in state.seats if seat.score == last}
    return tuple(player for player in state.players if player in arrived)
