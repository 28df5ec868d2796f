"""Why a move is worth what it is: facts of the table, and numbers of the solve in print.

Every number either stands in the state or is an expectation of the solve that the move's value is
told from, with the later decisions of the round in it.  The only other ones are how often a seat
plays a card at this decision, which are the printed strategies summed up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from service.core.hints import Hint, MoveValue, Question, Reason
from service.core.rounding import rounded
from service.games.snow_time.engine.columns import OVER
from service.games.snow_time.rules.resolution import BONUS
from service.games.snow_time.rules.rules import recoverable
from service.games.snow_time.rules.state import FRUIT_LEVELS, Card, Kind, Move, Seat, State

CODES: Final = {
    "race": "The game ends in this round with `chance`; `to_go` are the spaces left, by seat.",
    "brawl": "The champion on `level` falls in a brawl with `chance`; `others` play the same "
    "level at this decision with these chances.",
    "struck": "The champion is knocked down from above with `chance`; `others` play the level "
    "above at this decision.",
    "buried": "A blizzard discards the champion with `chance`; `others` play one at this decision.",
    "saved": "With `chance` another champion is played on the level above and this one stays all "
    "the same, because the other falls or the game is over first.",
    "returns": "The champion comes back to hand with `chance`.",
    "fruit": "There are `tokens` on `level`; `points` are expected for fruit.",
    "fight": "`points` are expected for brawls, strikes and blizzards.",
    "mana": "`points` are expected for the lowest champion.",
    "bonus": "`points` are expected of bonus spaces; `next` is the first ahead, by seat.",
    "spends": "The only `card` of the seat is gone for good.",
    "keeps": "The only `card` of the seat stays in hand, where the own strategy plays it, too.",
    "recovers": "The healer takes back `count` champions: these `cards`, or so many at most.",
}
"""What can speak for a move or against it, in the order in which it is told."""

MIN_CHANCE: Final = 0.05
"""Chances and points below that are not worth a sentence."""
MIN_RETURN_CHANCE: Final = 0.75
_ONCE: Final = (Card.WATCHER, Card.BLIZZARD)


def reasons_of(
    question: Question[State, Move], hint: Hint[Move], found: MoveValue[Move]
) -> Iterator[Reason]:
    """What there is to say of a move; ``seat`` tells of which, where it is about a single one.

    Args:
        question: what was asked.
        hint: the answer, with everybody's strategies.
        found: one of its moves.
    """
    state = question.position
    over = rounded(found.measures[OVER])
    if _told(over):
        left = sorted((state.board.length - seat.score, seat.name) for seat in state.seats)
        to_go = {name: spaces for spaces, name in left}
        yield Reason("race", {"chance": over, "to_go": to_go})
    own = [state.seat(name) for name in found.move]
    shown = {seat.name: _champion(question, seat, found.move) for seat in own}
    for seat in own:
        champion = shown[seat.name]
        if champion is not None:
            yield from _fates(question, hint, found, seat.name, champion)
    yield from _gains(state, found, [card for card in shown.values() if card], own)
    for seat in own:
        yield from _cards(hint, found.move[seat.name], seat)


def _told(number: float) -> bool:
    return number >= MIN_CHANCE


def _champion(question: Question[State, Move], seat: Seat, move: Mapping[str, Move]) -> Card | None:
    """What the seat's move puts on the tree; None if nothing, or nothing yet."""
    laid = move.get(seat.name) or question.told.get(seat.name)
    return laid.champion if laid else None


def _fates(
    question: Question[State, Move],
    hint: Hint[Move],
    found: MoveValue[Move],
    seat: str,
    champion: Card,
) -> Iterator[Reason]:
    """What becomes of a champion."""

    def chance(fate: str) -> float:
        played = found.measures[f"played:{seat}"]
        return rounded(found.measures[f"{fate}:{seat}"] / played) if played else 0.0

    level = int(champion)
    rivals: tuple[tuple[str, str, Card | None], ...] = (
        ("brawl", "brawled", champion),
        ("struck", "struck", Card(level + 1) if level < Card.SEVEN else None),
        ("buried", "buried", Card.BLIZZARD),
    )
    for code, fate, card in rivals:
        if _told(chance(fate)):
            others = {} if card is None else _who_plays(question, hint, found, card, seat)
            told = {"seat": seat, "level": level, "chance": chance(fate), "others": others}
            yield Reason(code, told)
    for code, fate, least in (
        ("saved", "saved", MIN_CHANCE),
        ("returns", "survived", MIN_RETURN_CHANCE),
    ):
        if chance(fate) >= least:
            yield Reason(code, {"seat": seat, "level": level, "chance": chance(fate)})


def _who_plays(
    question: Question[State, Move],
    hint: Hint[Move],
    found: MoveValue[Move],
    card: Card,
    but: str,
) -> dict[str, float]:
    """How often each other seat shows a card at this decision, as far as it does, the likeliest
    first.
    """
    state = question.position
    chances: dict[str, float] = {}
    for seat in state.seats:
        if seat.name == but:
            continue
        told = question.told.get(seat.name)
        if seat.name in found.move:
            told = found.move[seat.name]
        if told is not None and (
            seat.name in found.move or seat.name not in question.decision.choices
        ):
            chances[seat.name] = float(told.last.card is card)
        else:
            chances[seat.name] = sum(
                probability
                for move, probability in hint.strategies[seat.player]
                if move[seat.name].last.card is card
            )
    shown = ((rounded(chance), name) for name, chance in chances.items() if chance > 0.0)
    return {name: chance for chance, name in sorted(shown, key=lambda told: (-told[0], told[1]))}


def _gains(
    state: State, found: MoveValue[Move], champions: list[Card], own: list[Seat]
) -> Iterator[Reason]:
    """What the round brings."""
    points = {name: rounded(found.measures[name]) for name in (*_KINDS, BONUS)}
    stakes = [
        {"level": int(card), "tokens": state.fruit[card - 1]}
        for card in champions
        if card <= FRUIT_LEVELS and state.fruit[card - 1]
    ]
    for stake in stakes:
        yield Reason("fruit", {**stake, "points": points[Kind.FRUIT.label]})
    for kind in (Kind.FIGHT, Kind.MANA):
        if _told(points[kind.label]):
            yield Reason(kind.label, {"points": points[kind.label]})
    if _told(points[BONUS]):
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
    """What is spent for good, kept for later, or taken back, by the card that is chosen now."""
    played = [told[seat.name] for told, _ in hint.strategies[seat.player] if seat.name in told]
    for card in _ONCE:
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
