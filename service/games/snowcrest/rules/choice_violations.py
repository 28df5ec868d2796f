"""The violations of an illegal choice; a choice without any is legal, listed or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from service.core.frozen import replace
from service.core.game import Decision
from service.core.violations import Violation
from service.games.snowcrest.catalogue.cards import Build, Copy, Redraw, TakeBack, Trade
from service.games.snowcrest.rules.actions import NO_PAYMENT, Action, ActionType, Payment
from service.games.snowcrest.rules.choices import (
    activations,
    is_protected,
    may_skip_payment,
    playable_cells,
)
from service.games.snowcrest.rules.effects.options import may_have_in_hand
from service.games.snowcrest.rules.effects.paid_effects import enables
from service.games.snowcrest.rules.payments.bids import bid_violations
from service.games.snowcrest.rules.payments.payments import payment_violations
from service.games.snowcrest.rules.payments.sources import possible_hand_cards
from service.games.snowcrest.rules.progress import apply_choice
from service.games.snowcrest.rules.state import exhausted_lines
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ApplyEffect,
    ChooseTurn,
    CollectBids,
    GiveItems,
    PayCost,
    PlaceFirstVillager,
    PlaceRecruit,
    Turn,
)


def normalized(action: Action) -> Action:
    """Return the action with cards and cells in ascending order; a request may give any order."""
    payment, cards = action.payment, action.cards
    if payment is not None:
        payment = payment._replace(
            hand=tuple(sorted(payment.hand)), cells=tuple(sorted(payment.cells))
        )
    return replace(action, payment=payment, cards=None if cards is None else tuple(sorted(cards)))


def choice_violations(turn: Turn, node: Decision[Action], sent: Action) -> tuple[Violation, ...]:
    """Return every violation of a choice; none if it is legal, listed or not.

    Payments, bids, plays and activations are judged without the list of all choices, which can be
    very long.
    """
    [player] = node.choices
    action = normalized(replace(sent, player=None))
    if action.type not in _ACTION_TYPES[node.name]:
        detail = (
            f"{player} decides {node.name}, not {action.type.label}. Expected the type "
            f"{' or '.join(each.label for each in _ACTION_TYPES[node.name])}."
        )
        return (Violation("/type", "not-a-choice", detail),)
    if not _is_judged_alone(turn, action) and action in node.choices[player]:
        return ()
    violations = tuple(_choice_violations(turn, action, sent))
    if violations or _is_judged_alone(turn, action) or action.type is ActionType.REDRAW:
        return violations
    return (
        Violation(
            "", "not-a-choice", "This is not one of the legal choices, which `legal-moves` lists."
        ),
    )


_ACTION_TYPES: Final[dict[str, tuple[ActionType, ...]]] = {
    "set-up": (ActionType.PLACE_FIRST_VILLAGER,),
    "turn": (ActionType.ACTIVATE, ActionType.PLAY, ActionType.REST, ActionType.PASS),
    "pay": (ActionType.PAY, ActionType.SKIP),
    "build": (ActionType.BUILD,),
    "trade": (ActionType.TRADE, ActionType.DECLINE),
    "take-back": (ActionType.TAKE_BACK, ActionType.DECLINE),
    "redraw": (ActionType.REDRAW,),
    "copy": (ActionType.COPY,),
    "wake": (ActionType.WAKE,),
    "exhaust": (ActionType.EXHAUST,),
    "discard": (ActionType.DISCARD, ActionType.SKIP),
    "gain": (ActionType.GAIN,),
    "recruit": (ActionType.RECRUIT,),
    "give": (ActionType.GIVE,),
    "penalty": (ActionType.GIVE, ActionType.SETTLE, ActionType.SUFFER),
    "bid": (ActionType.BID, ActionType.SKIP),
    "return-bid": (ActionType.RETURN_BID, ActionType.LEAVE_BID),
}
DECISIONS: Final = tuple(_ACTION_TYPES)
"""Names of all decisions, the values of ``decision`` in JSON."""


_JUDGED_ALONE: Final = {
    ActionType.PAY,
    ActionType.BID,
    ActionType.PLAY,
    ActionType.ACTIVATE,
    ActionType.REST,
}
"""Types of actions for which :func:`_choice_violations` is complete."""


def _is_judged_alone(turn: Turn, action: Action) -> bool:
    """Return whether an action without violations is legal, listed or not."""
    skips_payment = isinstance(turn.task, PayCost) and action.type is ActionType.SKIP
    return action.type in _JUDGED_ALONE or skips_payment


def _choice_violations(turn: Turn, action: Action, sent: Action) -> Iterator[Violation]:
    state = turn.state
    match turn.task:
        case ChooseTurn():
            yield from _turn_violations(turn, action, sent)
        case PayCost() if action.payment is not None:
            yield from _payment_violations(turn, turn.task, action.payment, sent)
        case PayCost():
            if action.type is ActionType.SKIP and may_skip_payment(turn, turn.task):
                return
            yield Violation(
                "/type",
                "has-to-pay",
                "It can be paid without hand cards, so it must be. Send `pay` with a `payment`.",
                "C5",
            )
        case CollectBids(waiting=waiting):
            yield from _bid_violations(turn, waiting[0], sent)
        case ApplyEffect(effect=Redraw()):
            if not may_have_in_hand(state, state.turn, sent.cards or ()):
                yield Violation(
                    "/cards",
                    "not-in-hand",
                    "Some of these cards are not in the hand. Remove them.",
                    "C19",
                )
        case ApplyEffect(effect=TakeBack()):
            yield Violation(
                "/card",
                "not-in-discards",
                "The card is not in the discards of the player. Choose one of `discards`.",
            )
        case ApplyEffect(effect=Copy()):
            yield Violation(
                "",
                "nothing-to-copy",
                "There is no villager to copy at this place. Choose another cell.",
                "C17",
            )
        case ApplyEffect(effect=Build()):
            yield Violation(
                "",
                "cannot-build",
                "This building cannot be built in this way. `legal-moves` lists the possible ones.",
                "C21",
            )
        case ApplyEffect(effect=Trade()):
            yield Violation(
                "",
                "cannot-trade",
                "This trade is not possible. `legal-moves` lists the trades; or `decline`.",
                "C5",
            )
        case PlaceRecruit() | PlaceFirstVillager():
            yield Violation(
                "/card",
                "card-not-there",
                "This card cannot be placed. `legal-moves` lists the possible cards.",
            )
        case AnswerPenalty() | GiveItems():
            yield from _penalty_violations(turn.task, action)


def _payment_violations(
    turn: Turn, task: PayCost, payment: Payment, sent: Action
) -> Iterator[Violation]:
    """Check a payment (C4), and that an effect is possible after it (C5)."""
    state = turn.state
    violations = tuple(
        payment_violations(
            state, state.turn, task.cost, turn.acting_cell, sent.payment or NO_PAYMENT
        )
    )
    if violations:
        yield from _under(iter(violations), "/payment")
    elif not enables(turn, task, payment):
        yield Violation(
            "/payment",
            "prevents-the-action",
            "The action could not be carried out after this payment. Keep what it needs, such as "
            "a bell to bid; or `skip`.",
            "C5",
        )


def _under(violations: Iterator[Violation], prefix: str) -> Iterator[Violation]:
    return (violation.under(prefix) for violation in violations)


def _bid_violations(turn: Turn, seat: int, sent: Action) -> Iterator[Violation]:
    if sent.payment is None:
        yield Violation(
            "/type",
            "has-to-bid",
            "A player who can bid must bid. Send `bid` with a `payment`.",
            "C6",
        )
        return
    own = seat == turn.state.turn
    if own and normalized(sent).payment == NO_PAYMENT:
        yield Violation(
            "/payment",
            "bids-nothing",
            "The active player must bid at least one bell. Add a bell or gold.",
            "C6",
        )
    acting_cell = turn.acting_cell if own else None
    yield from _under(bid_violations(turn.state, seat, acting_cell, sent.payment), "/payment")


def _penalty_violations(task: AnswerPenalty | GiveItems, action: Action) -> Iterator[Violation]:
    item = task.items[0]
    if action.item is not item:
        yield Violation(
            "/item",
            "another-item",
            f"The next item is {item.label}: set `item` to it.",
            "C7",
        )
    else:
        yield Violation(
            "",
            "not-to-give",
            f"This cannot be given for {item.label}. `legal-moves` lists the choices.",
            "C7",
        )


def _turn_violations(turn: Turn, action: Action, sent: Action) -> Iterator[Violation]:
    state = turn.state
    forced = bool(exhausted_lines(state.mover.village))
    if forced != (action.type is ActionType.REST):
        detail = (
            'Three exhausted villagers in a row force a rest. Send {"type": "rest"}.'
            if forced
            else "A rest needs three exhausted villagers in a row. Activate or play one."
        )
        yield Violation("/type", "rest-due" if forced else "no-rest-due", detail, "C3")
    elif action.type is ActionType.PASS:
        yield Violation(
            "/type", "no-pass", "The player can activate or play a villager, so cannot pass.", "C3"
        )
    elif action.type is ActionType.ACTIVATE and action not in activations(state):
        yield Violation(
            "/cell", "not-face-up", "The cell has no face-up villager. Choose another cell.", "C3"
        )
    elif action.type is ActionType.PLAY:
        yield from _play_violations(turn, action, sent)


def _play_violations(turn: Turn, action: Action, sent: Action) -> Iterator[Violation]:
    state = turn.state
    assert action.card is not None, "a villager is played"
    assert action.cell is not None, "a villager is played into a cell"
    available = action.card in possible_hand_cards(state, state.turn) or action.card in state.row
    if not available:
        card = state.catalogue.id(action.card)
        detail = f"{card} is neither in the hand nor in the row. Choose another card."
        yield Violation("/card", "card-not-there", detail, "C3")
    resident = state.mover.village[action.cell]
    if resident is not None and is_protected(state, action.cell):
        if resident.exhausted:
            detail = "An exhausted villager cannot be replaced. Choose another cell."
            yield Violation("/cell", "cell-exhausted", detail, "C3")
        else:
            detail = "In the starter variant, starters cannot be replaced. Choose another cell."
            yield Violation("/cell", "starter-stays", detail, "C3")
    elif available:
        yield from _play_payment_violations(turn, action, sent)


def _play_payment_violations(turn: Turn, action: Action, sent: Action) -> Iterator[Violation]:
    """Check a payment that comes in the same action as the played card (C4)."""
    assert action.card is not None, "a villager is played"
    assert action.cell is not None, "a villager is played into a cell"
    if action.cell not in playable_cells(turn.state, action.card):
        yield Violation(
            "/card",
            "cannot-pay",
            "The player cannot pay for the villager. Choose a cheaper one.",
            "C4",
        )
        return
    if action.payment is None:
        return  # The payment is a separate decision.
    played = apply_choice(turn, replace(action, payment=None)).play
    task = played.tasks[0] if played.tasks else None
    if isinstance(task, PayCost) and task.chosen:
        violations = payment_violations(
            played.state,
            turn.state.turn,
            task.cost,
            played.acting_cell,
            sent.payment or NO_PAYMENT,
        )
        yield from _under(violations, "/payment")
    elif action.payment != NO_PAYMENT:
        yield Violation(
            "/payment", "could-be-left-out", "The villager costs nothing. Remove `payment`.", "C4"
        )
