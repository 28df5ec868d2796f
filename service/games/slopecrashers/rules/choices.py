"""Legal actions of a turn, and the violations of illegal ones (S5, S12 to S14)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from service.core.violations import Violation
from service.games.slopecrashers.rules.attacks import ATTACKS, magnets, top_cards
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card, Gift, card_label
from service.games.slopecrashers.rules.movement import (
    EndSearch,
    can_end,
    placements,
    springs,
    steps,
)
from service.games.slopecrashers.rules.state import (
    END,
    MAX_ACTIONS,
    STEP_DIRECTIONS,
    Action,
    ActionType,
    Place,
    Space,
    State,
)
from service.games.slopecrashers.rules.turn import Turn, apply_action

ANSWER = '{"type": "answer", "magnet": false}'
"""In messages."""
SNOWMAN_ROWS = (3, -1)
"""Rows where a snowman may be placed, relative to the player's row (S12)."""


def turn_choices(turn: Turn) -> tuple[Action, ...]:
    """Return the legal actions of the player in turn."""
    return tuple(
        action for action in _candidate_actions(turn) if _end_violation(turn, action) is None
    )


def answer_choices(turn: Turn) -> tuple[Action, ...]:
    """Return the legal answers of the next attacked player (S13)."""
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    target = attack.waiting[0]
    player = turn.state.seats[target].player
    cards = magnets(turn.state, target, turn.in_play)
    return (
        *(Action(ActionType.ANSWER, player=player, magnet=True, card=card) for card in cards),
        Action(ActionType.ANSWER, player=player, magnet=False),
    )


def normalized(turn: Turn, action: Action) -> Action:
    """Return the action with its card filled in, if it was omitted.

    The card is the known top card or, under an unknown one, the first card that fits.  A discard of
    an unknown card has to name the card.
    """
    needs_card = action.type in (ActionType.PLAY, ActionType.DISCARD) or action.magnet
    if action.card is not None or not needs_card:
        return action
    cards = _decider_top_cards(turn)
    if not cards:
        return action
    gift = Gift.MAGNET if action.magnet else action.gift
    fitting = [card for card in cards if gift is None or gift in card]
    if gift is None and len(cards) > 1:
        return action
    return replace(action, card=(fitting or cards)[0])


def _decider_top_cards(turn: Turn) -> tuple[Card, ...]:
    """Return the possible top cards of the player who decides."""
    seat = turn.state.turn if turn.attack is None else turn.attack.waiting[0]
    return top_cards(turn.state, seat, turn.in_play)


# Candidates: legal but for S5 -----------------------------------------------------------------


def _candidate_actions(turn: Turn) -> Iterator[Action]:
    """Yield the actions that are legal if the turn can still end after them."""
    if turn.mover.place is None:
        for landing in placements(turn.state.course):
            yield Action(ActionType.PLACE, lane=landing.lane)
        return
    if turn.movements:
        for direction in STEP_DIRECTIONS:
            for landing in steps(turn.state.course, turn.place, direction):
                yield Action(ActionType.STEP, direction=direction, lane=landing.lane)
    for card in top_cards(turn.state, turn.state.turn):
        for gift in card:
            yield from _plays(turn, card, gift)
        yield Action(ActionType.DISCARD, card=card)
    yield END


def _plays(turn: Turn, card: Card, gift: Gift) -> Iterator[Action]:
    if gift is Gift.SPRING:
        for direction in STEP_DIRECTIONS:
            for landing in springs(turn.state.course, turn.place, direction):
                yield Action(
                    ActionType.PLAY, gift=gift, card=card, direction=direction, lane=landing.lane
                )
    elif gift is Gift.SNOWMAN:
        for row, lane in _snowman_spaces(turn.state, turn.place):
            yield Action(ActionType.PLAY, gift=gift, card=card, row=row, lane=lane)
    elif gift is not Gift.MAGNET:
        yield Action(ActionType.PLAY, gift=gift, card=card)


def _snowman_spaces(state: State, place: Place) -> Iterator[Space]:
    for ahead in SNOWMAN_ROWS:
        for lane in range(state.course.lanes):
            space = Space(place.row + ahead, lane)
            if state.course.is_enterable(*space) and not _blocked(state, space):
                yield space


def _blocked(state: State, space: Space) -> bool:
    return bool(state.seats_on(space)) or state.snowman_on(space) is not None


# S5: the turn can end on a free space ---------------------------------------------------------


def _end_violation(turn: Turn, action: Action) -> str | None:
    """Return the violation code if the action breaks S5."""
    if action.type is ActionType.END:
        shared = len(turn.state.seats_on(turn.place.space)) > 1
        return "occupied-at-end" if shared else None
    after = apply_action(turn, action).play
    if not _stack_changes(turn, after) and (after.place, after.movements) in turn.visited:
        return "returns"
    return None if _can_end(after) else "no-certain-end"


def is_uncertain(turn: Turn, action: Action) -> bool:
    """Return whether an action is legal if the player knows of an end that this view cannot see.

    The player in turn knows its own gifts (S15), which another view does not.
    """
    return (
        UNKNOWN in turn.mover.gifts
        and action in _candidate_actions(turn)
        and _end_violation(turn, action) == "no-certain-end"
    )


def _stack_changes(turn: Turn, after: Turn) -> bool:
    return after.over or after.drawing or after.mover.gifts != turn.mover.gifts


def _can_end(turn: Turn) -> bool:
    """Whether the player can end the turn on a free space after any answers of the others."""
    if turn.over:
        return True
    if turn.attack is not None:
        return all(_can_end(apply_action(turn, answer).play) for answer in answer_choices(turn))
    return can_end(
        EndSearch(
            state=turn.state,
            seat=turn.state.turn,
            place=turn.place,
            movements=turn.movements,
            gifts=turn.mover.gifts,
            actions=MAX_ACTIONS - turn.count,
        )
    )


# Violations of illegal actions ----------------------------------------------------------------


def turn_violations(turn: Turn, action: Action) -> Iterator[Violation]:
    """Yield the violations of an action of the player in turn."""
    if action.type not in (
        ActionType.PLACE,
        ActionType.STEP,
        ActionType.PLAY,
        ActionType.DISCARD,
        ActionType.END,
    ):
        detail = (
            f"{action.type.label} is no action of a turn. Replace it by an action of "
            f"{turn.mover.player}, who is in turn."
        )
        yield Violation("/type", "not-a-choice", detail)
        return
    if (action.type is ActionType.PLACE) != (turn.mover.place is None):
        placed = (
            "is on the track already: use another action than `place`"
            if turn.mover.place
            else "is not on the track yet: begin the turn with `place`"
        )
        detail = f"The character of {turn.mover.player} {placed}."
        yield Violation("/type", "wrong-moment", detail, "S3")
        return
    yield from _action_violations(turn, action)


def _action_violations(turn: Turn, action: Action) -> Iterator[Violation]:
    if action.type in (ActionType.PLAY, ActionType.DISCARD):
        violations = tuple(_card_violations(turn, action))
        if violations:
            yield from violations
            return
    if action.type is ActionType.STEP and not turn.movements:
        yield Violation(
            "/type",
            "no-movement-left",
            "The player has no movements left. Play or discard a gift, or end the turn.",
            "S5",
        )
    if action in _candidate_actions(turn):
        code = _end_violation(turn, action)
        if code is not None and not is_uncertain(turn, action):
            yield Violation("", code, _FORBIDDEN[code], "S5")
        return
    yield from _target_violations(turn, action)


_FORBIDDEN = {
    "occupied-at-end": "A turn cannot end on a space with another character. Move to a free space "
    "first.",
    "returns": "The turn was already on this space with the same movements and the same stack. "
    "Choose another action.",
    "no-certain-end": "After this action the turn cannot certainly end on a free space. "
    "`legal-moves` lists the possible actions.",
}


def _card_violations(turn: Turn, action: Action) -> Iterator[Violation]:
    """Only the top card is played or discarded, and only as one of its uses (S13, S14)."""
    gifts, player = turn.mover.gifts, turn.mover.player
    if not gifts:
        detail = (
            f"{player} has no gift to play or discard. Choose another action, or add the gift to "
            "`gifts` of the seat."
        )
        yield Violation("/type", "no-gift", detail, "S14")
        return
    if action.card is None:
        yield Violation(
            "/card",
            "missing",
            'Name the card, which becomes visible, for example "card": "rocket".',
            "S15",
        )
        return
    if action.card not in top_cards(turn.state, turn.state.turn):
        if gifts[0] != UNKNOWN:
            detail = f"Only the top card of {player}, {card_label(gifts[0])}, can be used."
            yield Violation("/card", "not-on-top", detail, "S14")
        else:
            detail = "Every copy of this card is known to be elsewhere. Name another card."
            yield Violation("/card", "not-in-the-pool", detail, "S15")
        return
    if action.gift is not None and action.gift not in action.card:
        uses = " or ".join(gift.label for gift in action.card)
        detail = f"{card_label(action.card)} cannot be used as {action.gift.label}, but as {uses}."
        yield Violation("/gift", "not-a-use", detail, "S14")
    elif action.gift is Gift.MAGNET:
        detail = (
            "A magnet answers attacks. In the own turn it can only be discarded: use `discard`."
        )
        yield Violation("/gift", "magnet-in-own-turn", detail, "S13")


_REQUIRED = {Gift.SPRING: ("direction",), Gift.SNOWMAN: ("row", "lane")}
"""What a player must say about the use of a gift."""


def _target_violations(turn: Turn, action: Action) -> Iterator[Violation]:
    """Yield the violations of the direction or the space of an action."""
    course, place = turn.state.course, turn.mover.place
    if action.type is ActionType.PLACE:
        yield _lane_violation([landing.lane for landing in placements(course)], "S3")
        return
    if place is None:
        return
    if action.gift is not None:
        missing = [name for name in _REQUIRED.get(action.gift, ()) if getattr(action, name) is None]
        for name in missing:
            detail = f"`{name}` is required for `play` with the gift `{action.gift.label}`."
            yield Violation("/" + name, "missing", detail)
        if missing:
            return
    if action.gift is Gift.SNOWMAN:
        yield from _snowman_violations(turn, action)
        return
    if action.gift in ATTACKS or action.direction is None:
        return
    landings = springs if action.gift is Gift.SPRING else steps
    rule = "S7" if action.gift is Gift.SPRING else "S5"
    lanes = [landing.lane for landing in landings(course, place, action.direction)]
    if not lanes:
        yield Violation(
            "/direction",
            "not-enterable",
            "No space in this direction can be entered. Choose another direction or action.",
            rule,
        )
    elif action.lane in lanes:
        return
    elif action.lane is None:
        detail = f"`lane` is required when crossing the line: one of {_listed(lanes)}."
        yield Violation("/lane", "missing", detail, "S4")
    elif lanes == [None]:
        detail = "Remove `lane`: it is chosen only when crossing the line on the first lap."
        yield Violation("/lane", "surplus-lane", detail, "S4")
    else:
        yield _lane_violation(lanes, "S4")


def _lane_violation(lanes: list[int | None], rule: str) -> Violation:
    detail = f"This lane cannot be entered. Possible lanes: {_listed(lanes)}."
    return Violation("/lane", "not-enterable", detail, rule)


def _listed(lanes: list[int | None]) -> str:
    return ", ".join(str(lane) for lane in lanes)


def _snowman_violations(turn: Turn, action: Action) -> Iterator[Violation]:
    state = turn.state
    assert action.row is not None, "checked before"
    assert action.lane is not None, "checked before"
    space = Space(action.row, action.lane)
    if action.row - turn.place.row not in SNOWMAN_ROWS:
        rows = " or ".join(str(turn.place.row + ahead) for ahead in SNOWMAN_ROWS)
        detail = f"A snowman is placed three rows ahead or one row behind: in row {rows}."
        yield Violation("/row", "wrong-row", detail, "S12")
    if not state.course.is_enterable(*space):
        detail = "This space is outside the track, an abyss or an obstacle. Choose another space."
        yield Violation("", "not-enterable", detail, "S12")
    elif _blocked(state, space):
        yield Violation(
            "",
            "space-taken",
            "A character or a snowman is on this space. Choose a free one.",
            "S12",
        )


def answer_violations(turn: Turn, action: Action) -> Iterator[Violation]:
    """Yield the violations of an answer to an attack."""
    attack = turn.attack
    assert attack is not None, "an attack is under way"
    seat = turn.state.seats[attack.waiting[0]]
    if action.type is not ActionType.ANSWER:
        detail = f"Add the answer of {seat.player} to the attack first, such as {ANSWER}."
        yield Violation("/type", "not-a-choice", detail, "S13")
        return
    detail = f"{seat.player} does not have this magnet on top. Answer with `magnet`: false."
    yield Violation("/card", "no-magnet", detail, "S13")
