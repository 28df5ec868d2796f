"""Reasons that argue: why one move is better or worse than another, by parts of the difference.

The parts are those of :mod:`service.games.snow_time.engine.parts`; ``docs/comparisons.md`` has the
equations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.core.advice import DECIDED, FORCED, TOLERANCES
from service.core.comparison import by_size, leaning
from service.core.hints import Hint, MoveValue, Question, Reason
from service.core.rounding import TIE, rounded
from service.games.snow_time.api.reasons.dangers import chance_of, dangers_of
from service.games.snow_time.api.reasons.facts import champion_of
from service.games.snow_time.engine.columns import OVER
from service.games.snow_time.rules.resolution import BONUS, POINT_KINDS
from service.games.snow_time.rules.rules import recoverable
from service.games.snow_time.rules.state import SINGLE_USE, Card, Move, State

_POINTS: Final = "More or fewer points of this kind, by `points`."
_FALLS: Final = (
    "The champion on `level` falls, with probability `chance`. `others` play the card; the "
    "watchers of `adders` may add it."
)

ARGUMENT_CODES: Final = {
    "fruit": _POINTS,
    "fight": _POINTS,
    "mana": _POINTS,
    "bonus": "More or fewer spaces from bonuses, by `points`.",
    "recovers": "The healer takes back up to `count` champions; `cards`, if they are chosen.",
    "recovers-fewer": "The healer takes back `count` champions fewer.",
    "no-recovery": "Only the other move takes back up to `count` champions.",
    "returns": "The champion on `level` returns to hand with probability `chance`.",
    "struck": _FALLS,
    "brawl": _FALLS,
    "buried": _FALLS,
    "hand": "More or fewer champions in hand after the round.",
    "hand-value": "Better or worse champions in hand after the round.",
    "keeps": "`card`, which can be played only once, stays in hand.",
    "spends": "`card` leaves the game.",
    "may-spend": "`card` leaves the game if the watcher adds it.",
    "card-worth": "`card` is worth more or less in hand after the round.",
    "race": "A space counts more, and a card less, the closer the leader is to the end.",
    "others-gain": "The others gain more or fewer spaces, by `points`; above all `player`.",
    "others-cards": "The others are left with better or worse cards.",
    "end": "The result if the game ends in this round, with probability `chance`.",
    "end-chance": "The same with another probability: `chance`, and `instead` with the other move.",
    "later": "Further rounds.",
    "same": "No part differs from the pick.",
}
"""Codes of reasons and their descriptions."""

MAX_ARGUMENTS: Final = 3
MIN_PART: Final = 0.1
"""Parts smaller than this fraction of the largest one give no reason."""
EXPLAINED: Final = 0.7
"""Reasons for the pick end when they explain this fraction of what speaks for it."""
ONE_SIDED: Final = 2.0
"""If what speaks for the pick is more than this multiple of its lead, its largest cost is named."""
MIN_DANGER: Final = 0.5
"""A champion of the pick that falls with this probability is a warning."""
MOST_OF_IT: Final = 0.6
"""A player is named if this fraction of the others' spaces is due to it."""
_SINGLE_USE: Final = {card.label: card for card in SINGLE_USE}
MIN_CHANGE: Final = 0.01
"""Chances of an end that differ by less are the same to a person."""


@dataclass(frozen=True)
class _Case:
    """A move and the one it is compared with."""

    question: Question[State, Move]
    hint: Hint[Move]
    row: MoveValue[Move]
    other: MoveValue[Move]
    parts: Mapping[str, float]


def arguments_of(
    question: Question[State, Move], hint: Hint[Move], row: MoveValue[Move]
) -> list[Reason]:
    """Return at most three reasons for or against a move.

    The reasons for the pick are those that explain most of the difference to the best other move,
    and a danger.  The reasons about any other move are what it gains against the pick and what
    that costs.

    Args:
        question: the question.
        hint: the hint, with the strategies of all players.
        row: one of the hint's moves.
    """
    comparison = row.comparison
    is_pick = row.move == hint.pick
    if hint.verdict.code == DECIDED:
        return []
    if comparison is None:
        return list(_warning(question, hint, row))
    if not comparison.parts:
        return [Reason("same", {})]
    other = next(each for each in hint.moves if each.move == comparison.other)
    case = _Case(question, hint, row, other, comparison.parts)
    largest = max(map(abs, comparison.parts.values()), default=0.0)
    pros, cons = (
        [
            argument
            for part in by_size(comparison.parts, sign)
            if abs(comparison.parts[part]) >= MIN_PART * largest
            for argument in _argument(case, part)
        ]
        for sign in (1, -1)
    )
    if is_pick:
        return _for_pick(case, pros, cons, list(_warning(question, hint, row)))
    if comparison.difference > 0.0:
        numbers = MAX_ARGUMENTS - 1, 1
    else:
        numbers = 1, MAX_ARGUMENTS - min(1, len(pros))
    return _choose(pros, cons, question, comparison.difference, numbers)


def _value(reason: Reason) -> float:
    """Return the part of the difference that a reason explains; 0 for a danger alone."""
    return float(reason.params.get("value", 0.0))


def _for_pick(
    case: _Case, pros: list[Reason], cons: list[Reason], warning: list[Reason]
) -> list[Reason]:
    """Return what explains most of the pick's lead, then its danger or its largest cost.

    Args:
        case: the pick, and the best other move.
        pros, cons: by size.
        warning: at most one.
    """
    question, lead = case.question, rounded(sum(case.parts.values()))
    total = sum(reason.params["value"] for reason in pros)
    one_sided = bool(cons) and total > ONE_SIDED * lead
    chosen: list[Reason] = []
    explained = 0.0
    for reason in pros[: 1 if one_sided else MAX_ARGUMENTS - 1]:
        if explained >= EXPLAINED * total and chosen:
            break
        chosen.append(reason)
        explained += reason.params["value"]
    known = {reason.code for reason in chosen}
    # A danger that is a cost, too, has its value.
    risks = {reason.code: reason for reason in (*warning, *cons)}
    by_code = dict.fromkeys(reason.code for reason in (*warning, *cons))
    costs = [risks[code] for code in by_code if code not in known]
    if costs and (warning or one_sided or not chosen):
        more = [reason for reason in pros if reason.code not in known]
        return _choose([*chosen, *more], costs, question, lead, (len(chosen), 1))
    return chosen


def _choose(
    gains: Sequence[Reason],
    costs: Sequence[Reason],
    question: Question[State, Move],
    difference: float,
    numbers: tuple[int, int],
) -> list[Reason]:
    """Return at most three reasons; they speak for a difference above the tolerance.

    Args:
        gains, costs: by size.
        question: with the objective, which decides the tolerance.
        difference: what they explain.
        numbers: of gains and of costs, unless that would argue for the opposite.
    """
    clear = abs(difference) > TOLERANCES[question.objective]
    return leaning(gains, costs, difference if clear else 0.0, _value, *numbers, MAX_ARGUMENTS)


def _warning(
    question: Question[State, Move], hint: Hint[Move], row: MoveValue[Move]
) -> Iterator[Reason]:
    """Yield the largest danger of a champion of the move."""
    worst = _largest_danger(question, hint, row)
    if worst and worst.params["chance"] >= MIN_DANGER:
        yield worst


def _largest_danger(
    question: Question[State, Move], hint: Hint[Move], row: MoveValue[Move]
) -> Reason | None:
    """Return how a champion of the move most likely falls."""
    dangers = [
        danger
        for seat in row.move
        if (champion := champion_of(question, question.position.seat(seat), row.move)) is not None
        for danger in dangers_of(question, hint, row, seat, champion)
    ]
    return max(dangers, key=lambda danger: danger.params["chance"], default=None)


def _argument(case: _Case, part: str) -> Iterator[Reason]:
    """Yield the reason of a part; none if the numbers of the moves do not show it."""
    value = case.parts[part]
    params: dict[str, Any] = {"part": part, "value": value}
    row, other = case.row, case.other
    if part in POINT_KINDS:
        points = rounded(row.measures[part] - other.measures[part])
        if points * value > 0.0:
            yield Reason(part, params | {"points": abs(points)})
    elif part == "champions":
        yield from _champions(case, params)
    elif part in _SINGLE_USE:
        yield from _single_use(case, _SINGLE_USE[part], params)
    elif part == "others_spaces":
        yield from _others(case, params)
    elif part == "end":
        chance, instead = rounded(row.measures[OVER]), rounded(other.measures[OVER])
        if abs(chance - instead) < MIN_CHANGE:
            yield Reason("end", params | {"chance": chance})
        else:
            yield Reason("end-chance", params | {"chance": chance, "instead": instead})
    else:
        yield Reason(part.replace("_", "-"), params)


def _single_use(case: _Case, card: Card, params: dict[str, Any]) -> Iterator[Reason]:
    """Yield whether the move spends a card that can be played only once.

    If both moves keep it, what it is worth in the hand has changed; if both spend it, nothing
    speaks about it.
    """
    value = params["value"]
    params = params | {"card": card.label}
    spent, instead = _spends(case.row, card), _spends(case.other, card)
    if len(spent) < len(instead) and value > 0.0:
        yield Reason("keeps", params | _seat_of(instead - spent))
        return
    if len(spent) > len(instead) and value < 0.0:
        yield Reason("spends", params | _seat_of(spent - instead))
        return
    state = case.question.position
    owners = {seat for seat in case.row.move if card in state.seat(seat).hand}
    adding = {seat for seat in owners if case.row.move[seat].awaits_added_card}
    if value < 0.0 and card is Card.BLIZZARD and adding:
        yield Reason("may-spend", params | _seat_of(adding))
    elif owners - spent:
        yield Reason("card-worth", params)


def _spends(row: MoveValue[Move], card: Card) -> set[str]:
    """Return the seats that play a card."""
    return {seat for seat, move in row.move.items() if card in move.cards}


def _seat_of(seats: set[str]) -> dict[str, Any]:
    return {"seat": min(seats)} if len(seats) == 1 else {}


def _champions(case: _Case, params: dict[str, Any]) -> Iterator[Reason]:
    """Yield why the hand has more or fewer champions after the round than with the other move."""
    question, row, value = case.question, case.row, params["value"]
    state = question.position
    own, others = (_all_recovered(state, each.move) for each in (row, case.other))
    more_fall = _fallen(row) - _fallen(case.other)
    if value > 0.0 and own > others:
        yield Reason("recovers", params | {"count": own} | _chosen_cards(row))
    elif value < 0.0 and _all_recovered(state, row.move, with_added=True) < others:
        code, count = ("recovers-fewer", others - own) if own else ("no-recovery", others)
        yield Reason(code, params | {"count": count})
    elif more_fall * value > -TIE:
        # The same number comes back, or more, but not the same champions.
        yield Reason("hand-value", params)
    elif value > 0.0:
        seats = [seat for seat in row.move if row.measures[f"played:{seat}"]]
        champions = {
            seat: champion
            for seat in seats
            if (champion := champion_of(question, state.seat(seat), row.move)) is not None
        }
        if len(champions) == 1:
            [(seat, champion)] = champions.items()
            chance = chance_of(row, "survived", seat)
            returns = {"seat": seat, "level": int(champion), "chance": chance}
            yield Reason("returns", params | returns)
        else:
            yield Reason("hand", params)
    else:
        worst = _largest_danger(question, case.hint, row)
        yield Reason(worst.code, {**params, **worst.params}) if worst else Reason("hand", params)


def _fallen(row: MoveValue[Move]) -> float:
    """Return the expected number of own champions that fall."""
    return sum(row.measures[f"played:{s}"] - row.measures[f"survived:{s}"] for s in row.move)


def _chosen_cards(row: MoveValue[Move]) -> dict[str, Any]:
    """Return the champions that a move of one seat takes back, if it says so."""
    chosen = [move.last.recover for move in row.move.values()]
    return {"cards": [card.label for card in chosen[0]]} if len(chosen) == 1 and chosen[0] else {}


def _all_recovered(state: State, moves: Mapping[str, Move], *, with_added: bool = False) -> int:
    """Return the number of champions that the moves of a player take back at most.

    Args:
        state: before the round.
        moves: by seat.
        with_added: count the healer that a watcher may add.
    """
    total = 0
    for name, move in moves.items():
        seat = state.seat(name)
        adds = with_added and move.awaits_added_card and Card.HEALER in seat.hand
        if move.last.recover is not None:
            total += len(move.last.recover)
        elif adds or move.awaits_recovery:
            total += max(map(len, recoverable(seat)))
    return total


def _others(case: _Case, params: dict[str, Any]) -> Iterator[Reason]:
    """Yield who gains more or fewer spaces than with the other move."""
    asker, value = case.question.player, params["value"]
    changes = {
        player: gain - case.other.gains[player]
        for player, gain in case.row.gains.items()
        if player != asker
    }
    total = rounded(sum(changes.values()))
    if total * value >= 0.0:
        return
    params |= {"points": abs(total)}
    player = max(changes, key=lambda player: -value * changes[player])
    if abs(changes[player]) >= MOST_OF_IT * sum(map(abs, changes.values())):
        params |= {"player": player, "points": rounded(abs(changes[player]))}
    yield Reason("others-gain", params)


def nudge_codes(question: Question[State, Move], hint: Hint[Move]) -> list[str]:
    """Return what distinguishes the good moves from the bad ones, most important first.

    What the pick contradicts is left out.
    """
    state = question.position
    if hint.verdict.code in (FORCED, DECIDED):
        return [hint.verdict.code]
    good, bad = hint.good_and_bad
    if not good or not bad:
        return [NO_DIFFERENCE]
    by_nudge: dict[str, float] = dict.fromkeys(NUDGES, 0.0)
    for rows, sign in ((good, 1.0), (bad, -1.0)):
        for row in rows:
            relative = {} if row.move == hint.pick or not row.comparison else row.comparison.parts
            for part, value in relative.items():
                if part in _NUDGE_OF_PART:
                    by_nudge[_NUDGE_OF_PART[part]] += sign * value / len(rows)
    pick = hint.moves[hint.pick_index]
    if _all_recovered(state, pick.move):
        which = question.decision.name == "healer"
        by_nudge["recovers-which" if which else "recovers"] = by_nudge.pop("returns")
    elif _return_chance(pick) < MIN_NUDGE_RETURN:
        by_nudge["returns"] = 0.0
    if any(_spends(pick, card) for card in _SINGLE_USE.values()):
        by_nudge["keeps"] = 0.0
    for kind in POINT_KINDS:
        if pick.measures[kind] < MIN_NUDGE_POINTS:
            by_nudge[kind] = 0.0
    largest = max(by_nudge.values())
    speaking = [code for code, value in by_nudge.items() if value > 0.0]
    strong = [code for code in speaking if by_nudge[code] >= MIN_NUDGE * largest]
    return sorted(strong, key=lambda code: -by_nudge[code])[:MAX_NUDGES] or [NO_DIFFERENCE]


def _return_chance(row: MoveValue[Move]) -> float:
    """Return how likely the champions of a move come back to hand; 0 without a champion."""
    return max(chance_of(row, "survived", seat) for seat in row.move)


NO_DIFFERENCE: Final = "even"
"""Nudge code if nothing distinguishes good moves from bad ones."""
MAX_NUDGES: Final = 2
MIN_NUDGE: Final = 0.3
"""A second nudge needs this fraction of the weight of the first."""
MIN_NUDGE_POINTS: Final = 0.25
"""If the pick is expected to score fewer points of a kind, no nudge is about it."""
MIN_NUDGE_RETURN: Final = 0.5
"""If the pick's champion returns with a smaller probability, no nudge is about it."""

NUDGES: Final = (
    *("fight", "fruit", "mana", "bonus"),
    *("returns", "recovers", "recovers-which", "keeps", "others", "end", "later"),
    *(NO_DIFFERENCE, FORCED, DECIDED),
)
"""Nudge codes: what distinguishes the good moves from the bad ones, or why nothing does."""

_NUDGE_OF_PART: Final = {
    **{kind: kind for kind in (*POINT_KINDS, BONUS)},
    "champions": "returns",
    "watcher": "keeps",
    "blizzard": "keeps",
    "others_spaces": "others",
    "others_cards": "others",
    "end": "end",
    "later": "later",
}
