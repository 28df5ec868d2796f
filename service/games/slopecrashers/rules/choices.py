"""What may be done next in a turn, and why anything else may not (S5, S12 to S14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from service.core.violations import Violation
from service.games.slopecrashers.rules.attacks import ATTACKS, magnets, top_cards
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card, Gift, label
from service.games.slopecrashers.rules.movement import Outset, can_end, placements, springs, steps
from service.games.slopecrashers.rules.state import (
    AHEAD,
    END,
    MOST_ATOMS,
    Act,
    Atom,
    Place,
    Space,
    State,
)
from service.games.slopecrashers.rules.turn import Turn, applied

SNOWMAN_ROWS = (3, -1)
"""Where a snowman may be put, seen from the player's row (S12)."""


def turn_choices(turn: Turn) -> tuple[Atom, ...]:
    """What the player may do now."""
    return tuple(atom for atom in _possible(turn) if not _forbidden(turn, atom))


def answer_choices(turn: Turn) -> tuple[Atom, ...]:
    """What the attacked player who is asked may do (S13)."""
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    asked = attack.waiting[0]
    player = turn.state.seats[asked].player
    cards = magnets(turn.state, asked, turn.in_play)
    return (
        *(Atom(Act.ANSWER, player=player, magnet=True, card=card) for card in cards),
        Atom(Act.ANSWER, player=player, magnet=False),
    )


def completed(turn: Turn, told: Atom) -> Atom:
    """The atom with its card, where that was left out and is known or can be taken for plain."""
    needs_card = told.act in (Act.PLAY, Act.DISCARD) or told.magnet
    if told.card is not None or not needs_card:
        return told
    cards = _deciding_cards(turn)
    if not cards:
        return told
    gift = Gift.MAGNET if told.magnet else told.gift
    fitting = [card for card in cards if gift is None or gift in card]
    if gift is None and len(cards) > 1:
        return told  # An unknown card is discarded: it has to be told which it was.
    return replace(told, card=(fitting or cards)[0])


def _deciding_cards(turn: Turn) -> tuple[Card, ...]:
    """What lies, or may lie, on top of the stack of who decides."""
    seat = turn.state.turn if turn.attack is None else turn.attack.waiting[0]
    return top_cards(turn.state, seat, turn.in_play)


# What could be done if it were certain that the turn can end ------------------------------------


def _possible(turn: Turn) -> Iterator[Atom]:
    if turn.mover.place is None:
        for landing in placements(turn.state.course):
            yield Atom(Act.PLACE, lane=landing.lane)
        return
    if turn.movements:
        for direction in AHEAD:
            for landing in steps(turn.state.course, turn.place, direction):
                yield Atom(Act.STEP, direction=direction, lane=landing.lane)
    for card in top_cards(turn.state, turn.state.turn):
        for gift in card:
            yield from _plays(turn, card, gift)
        yield Atom(Act.DISCARD, card=card)
    yield END


def _plays(turn: Turn, card: Card, gift: Gift) -> Iterator[Atom]:
    if gift is Gift.SPRING:
        for direction in AHEAD:
            for landing in springs(turn.state.course, turn.place, direction):
                yield Atom(Act.PLAY, gift=gift, card=card, direction=direction, lane=landing.lane)
    elif gift is Gift.SNOWMAN:
        for row, lane in _snowman_spaces(turn.state, turn.place):
            yield Atom(Act.PLAY, gift=gift, card=card, row=row, lane=lane)
    elif gift is not Gift.MAGNET:
        yield Atom(Act.PLAY, gift=gift, card=card)


def _snowman_spaces(state: State, place: Place) -> Iterator[Space]:
    for ahead in SNOWMAN_ROWS:
        for lane in range(state.course.lanes):
            space = Space(place.row + ahead, lane)
            if state.course.is_enterable(*space) and not _blocked(state, space):
                yield space


def _blocked(state: State, space: Space) -> bool:
    return bool(state.standing_on(space)) or state.snowman_on(space) is not None


# What S5 forbids ------------------------------------------------------------------------------


def _forbidden(turn: Turn, atom: Atom) -> str | None:
    """The code of the fault, if the atom breaks S5."""
    if atom.act is Act.END:
        shared = len(turn.state.standing_on(turn.place.space)) > 1
        return "occupied-at-end" if shared else None
    after = applied(turn, atom).play
    if not _stack_changes(turn, after) and (after.place, after.movements) in turn.been:
        return "returns"
    return None if _is_certain(after) else "no-certain-end"


def _stack_changes(turn: Turn, after: Turn) -> bool:
    return after.over or after.drawing or after.mover.gifts != turn.mover.gifts


def _is_certain(turn: Turn) -> bool:
    """Whether the player can end this turn on a free space, whatever the others answer."""
    if turn.over:
        return True
    if turn.attack is not None:
        return all(_is_certain(applied(turn, answer).play) for answer in answer_choices(turn))
    return can_end(
        Outset(
            state=turn.state,
            seat=turn.state.turn,
            place=turn.place,
            movements=turn.movements,
            gifts=turn.mover.gifts,
            atoms=MOST_ATOMS - turn.count,
        )
    )


# Why an atom is none of the choices -----------------------------------------------------------


def turn_faults(turn: Turn, told: Atom) -> Iterator[Violation]:
    """Everything wrong with what the player wants to do."""
    if told.act not in (Act.PLACE, Act.STEP, Act.PLAY, Act.DISCARD, Act.END):
        detail = f"{turn.mover.player} has to go on with the turn, not to {told.act.label}."
        yield Violation("/type", "not-a-choice", detail)
        return
    if (told.act is Act.PLACE) != (turn.mover.place is None):
        placed = "is on the board already" if turn.mover.place else "is not on the board yet"
        detail = f"The character of {turn.mover.player} {placed}."
        yield Violation("/type", "wrong-moment", detail, "S3")
        return
    yield from _atom_faults(turn, told)


def _atom_faults(turn: Turn, told: Atom) -> Iterator[Violation]:
    if told.act in (Act.PLAY, Act.DISCARD):
        faults = tuple(_card_faults(turn, told))
        if faults:
            yield from faults
            return
    if told.act is Act.STEP and not turn.movements:
        yield Violation("/type", "no-movement-left", "No movement is left.", "S5")
    if told in _possible(turn):
        code = _forbidden(turn, told)
        if code is not None:
            yield Violation("", code, _FORBIDDEN[code], "S5")
        return
    yield from _aim_faults(turn, told)


_FORBIDDEN = {
    "occupied-at-end": "A turn may not end on a space where another character is.",
    "returns": "The turn was on this space already with the same movements and the same stack.",
    "no-certain-end": "After this it is not certain that the turn can end on a free space.",
}


def _card_faults(turn: Turn, told: Atom) -> Iterator[Violation]:
    """A gift is used or discarded from the top only, and as one of its uses (S13, S14)."""
    gifts, player = turn.mover.gifts, turn.mover.player
    if not gifts:
        yield Violation("/type", "no-gift", f"{player} has no gift.", "S14")
        return
    if told.card is None:
        yield Violation("/card", "missing", "It is seen now, so which card is it?", "S15")
        return
    if told.card not in top_cards(turn.state, turn.state.turn):
        if gifts[0] != UNKNOWN:
            detail = f"On top of {player}'s stack lies {label(gifts[0])}."
            yield Violation("/card", "not-on-top", detail, "S14")
        else:
            detail = "All cards of that name are known to be elsewhere."
            yield Violation("/card", "not-in-the-pool", detail, "S15")
        return
    if told.gift is not None and told.gift not in told.card:
        detail = f"{label(told.card)} cannot be used as {told.gift.label}."
        yield Violation("/gift", "not-a-use", detail, "S14")
    elif told.gift is Gift.MAGNET:
        detail = "A magnet answers attacks; in one's own turn it can only be discarded."
        yield Violation("/gift", "magnet-in-own-turn", detail, "S13")


def _aim_faults(turn: Turn, told: Atom) -> Iterator[Violation]:
    """What is wrong with where an atom leads."""
    course, place = turn.state.course, turn.mover.place
    if told.act is Act.PLACE:
        yield Violation(
            "/lane", "not-enterable", "There is no such space that can be entered.", "S3"
        )
        return
    if place is None:
        return
    if told.gift is Gift.SNOWMAN:
        yield from _snowman_faults(turn, told)
        return
    if told.gift in ATTACKS or told.direction is None:
        return
    leads = springs if told.gift is Gift.SPRING else steps
    rule = "S7" if told.gift is Gift.SPRING else "S5"
    lanes = [landing.lane for landing in leads(course, place, told.direction)]
    if not lanes:
        yield Violation("/direction", "not-enterable", "Nothing can be entered there.", rule)
    elif told.lane in lanes:
        return
    elif told.lane is None:
        yield Violation("/lane", "missing", "Behind the line the lane is to be chosen.", "S4")
    elif lanes == [None]:
        detail = "A lane is chosen only where the line is crossed on the first lap."
        yield Violation("/lane", "surplus-lane", detail, "S4")
    else:
        yield Violation("/lane", "not-enterable", "That lane cannot be entered there.", "S4")


def _snowman_faults(turn: Turn, told: Atom) -> Iterator[Violation]:
    state = turn.state
    assert told.row is not None, "a snowman is told with its space"
    assert told.lane is not None, "a snowman is told with its space"
    space = Space(told.row, told.lane)
    if told.row - turn.place.row not in SNOWMAN_ROWS:
        detail = "A snowman is put three rows ahead or one behind."
        yield Violation("/row", "wrong-row", detail, "S12")
    if not state.course.is_enterable(*space):
        yield Violation("", "not-enterable", "There is no such space that can be entered.", "S12")
    elif _blocked(state, space):
        yield Violation("", "space-taken", "A character or a snowman is there already.", "S12")


def answer_faults(turn: Turn, told: Atom) -> Iterator[Violation]:
    """What is wrong with an answer to an attack."""
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    seat = turn.state.seats[attack.waiting[0]]
    if told.act is not Act.ANSWER:
        detail = f"An answer of {seat.player} to the attack is due."
        yield Violation("/type", "not-a-choice", detail, "S13")
        return
    detail = f"{seat.player} has no such magnet on top."
    yield Violation("/card", "no-magnet", detail, "S13")
