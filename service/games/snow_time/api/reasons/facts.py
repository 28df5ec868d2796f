"""Facts about a move: of the position, and rounded numbers of the solution.

Every number is either part of the state or an expectation of the solution that the move's value
comes from, with the later decisions of the round included.  The only exceptions are the
probabilities in ``others``, which are sums of the printed strategies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from service.core.hints import Hint, MoveValue, Question, Reason
from service.core.rounding import rounded
from service.games.snow_time.api.reasons.dangers import chance_of, dangers_of
from service.games.snow_time.engine.columns import OVER
from service.games.snow_time.rules.resolution import BONUS
from service.games.snow_time.rules.rules import recoverable
from service.games.snow_time.rules.state import FRUIT_LEVELS, Card, Kind, Move, Seat, State

FACT_CODES: Final = {
    "race": "The game ends in this round with probability `chance`. `to_go`: the spaces to the "
    "last space, by seat.",
    "brawl": "The champion on `level` falls in a brawl with probability `chance`.",
    "struck": "The champion is knocked down from above with probability `chance`.",
    "buried": "A blizzard discards the champion with probability `chance`.",
    "saved": "With probability `chance` another champion is played on the level above and this one "
    "still returns, because the other one falls first or the game ends first.",
    "returns": "The champion returns to hand with probability `chance`.",
    "fruit": "`level` has `tokens` fruit tokens. `points`: expected fruit points.",
    "fight": "`points`: expected points for brawls, strikes and blizzards.",
    "mana": "`points`: expected points for the lowest champion.",
    "bonus": "`points`: expected spaces from bonuses. `next`: the next bonus space ahead, by seat.",
    "spends": "The move uses the seat's only `card`, which then leaves the game.",
    "keeps": "The seat's only `card` stays in hand, although the player's strategy sometimes plays "
    "it.",
    "recovers": "The healer takes back `count` champions: `cards`, or at most that many if `cards` "
    "is absent.",
}
"""Codes of facts and their descriptions, in the order of the facts of a move."""

MIN_CHANCE: Final = 0.05
"""Smaller probabilities and points are no fact worth mentioning."""
MIN_RETURN_CHANCE: Final = 0.75
_SINGLE_USE: Final = (Card.WATCHER, Card.BLIZZARD)


def facts_of(
    question: Question[State, Move], hint: Hint[Move], row: MoveValue[Move]
) -> Iterator[Reason]:
    """Yield the facts of a move; ``seat`` names the own seat if a fact is about a single one.

    Args:
        question: the question.
        hint: the hint, with the strategies of all players.
        row: one of the hint's moves.
    """
    state = question.position
    over = rounded(row.measures[OVER])
    if _matters(over):
        left = sorted((state.board.length - seat.score, seat.name) for seat in state.seats)
        to_go = {name: spaces for spaces, name in left}
        yield Reason("race", {"chance": over, "to_go": to_go})
    own = [state.seat(name) for name in row.move]
    shown = {seat.name: champion_of(question, seat, row.move) for seat in own}
    for seat in own:
        champion = shown[seat.name]
        if champion is not None:
            yield from _fates(question, hint, row, seat.name, champion)
    yield from _gains(state, row, [card for card in shown.values() if card], own)
    for seat in own:
        yield from _cards(hint, row.move[seat.name], seat)


def _matters(number: float) -> bool:
    return number >= MIN_CHANCE


def champion_of(
    question: Question[State, Move], seat: Seat, move: Mapping[str, Move]
) -> Card | None:
    """Return the champion that the seat's move puts on the tree; None if there is none yet."""
    chosen = move.get(seat.name) or question.revealed.get(seat.name)
    return chosen.champion if chosen else None


def _fates(
    question: Question[State, Move],
    hint: Hint[Move],
    row: MoveValue[Move],
    seat: str,
    champion: Card,
) -> Iterator[Reason]:
    """Yield the reasons about the fate of a champion."""
    level = int(champion)
    for danger in dangers_of(question, hint, row, seat, champion):
        if _matters(danger.params["chance"]):
            yield danger
    for code, fate, least in (
        ("saved", "saved", MIN_CHANCE),
        ("returns", "survived", MIN_RETURN_CHANCE),
    ):
        chance = chance_of(row, fate, seat)
        if chance >= least:
            yield Reason(code, {"seat": seat, "level": level, "chance": chance})


def _gains(
    state: State, row: MoveValue[Move], champions: list[Card], own: list[Seat]
) -> Iterator[Reason]:
    """Yield the reasons about points and bonuses."""
    points = {name: rounded(row.measures[name]) for name in (*_KINDS, BONUS)}
    stakes = [
        {"level": int(card), "tokens": state.fruit[card - 1]}
        for card in champions
        if card <= FRUIT_LEVELS and state.fruit[card - 1]
    ]
    for stake in stakes:
        yield Reason("fruit", {**stake, "points": points[Kind.FRUIT.label]})
    for kind in (Kind.FIGHT, Kind.MANA):
        if _matters(points[kind.label]):
            yield Reason(kind.label, {"points": points[kind.label]})
    if _matters(points[BONUS]):
        ahead = {seat.name: _next_bonus(state, seat) for seat in own}
        yield Reason(
            "bonus",
            {
                "points": points[BONUS],
                "next": {name: space for name, space in ahead.items() if space is not None},
            },
        )


_KINDS: Final = tuple(kind.label for kind in Kind)


def _next_bonus(state: State, seat: Seat) -> dict[str, int | str] | None:
    ahead = (bonus for bonus in state.board.bonuses if bonus.space > seat.score)
    bonus = min(ahead, key=lambda bonus: bonus.space, default=None)
    if bonus is None:
        return None
    return {"space": bonus.space, "kind": bonus.kind.label, "advance": bonus.advance}


def _cards(hint: Hint[Move], move: Move, seat: Seat) -> Iterator[Reason]:
    """Yield the reasons about cards that are spent, kept or taken back."""
    played = [move[seat.name] for move, _ in hint.strategies[seat.player] if seat.name in move]
    for card in _SINGLE_USE:
        if move.last.card is card:
            yield Reason("spends", {"seat": seat.name, "card": card.label})
        elif card in seat.hand and any(other.last.card is card for other in played):
            yield Reason("keeps", {"seat": seat.name, "card": card.label})
    if move.last.card is Card.HEALER:
        taken = move.last.recover
        count = max(map(len, recoverable(seat))) if taken is None else len(taken)
        if count:
            cards = {} if taken is None else {"cards": [card.label for card in taken]}
            yield Reason("recovers", {"seat": seat.name, "count": count, **cards})
