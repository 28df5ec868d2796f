"""The legal choices of a decision, and the violations of an illegal one."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final

from service.core.frozen import replace
from service.core.game import Decision, LazyChoices
from service.core.violations import Violation
from service.games.snowcrest.catalogue.cards import (
    EFFECT_LABELS,
    Build,
    Card,
    Copy,
    Redraw,
    TakeBack,
    Trade,
    VillagerKind,
)
from service.games.snowcrest.effects.meditation import bid_choices
from service.games.snowcrest.effects.options import (
    effect_choices,
    gain_choices,
    may_have_in_hand,
    recruit_choices,
    without_unknown_cards,
)
from service.games.snowcrest.effects.penalties import penalty_choices
from service.games.snowcrest.payments.bids import bid_violations
from service.games.snowcrest.payments.payments import (
    barley_cost,
    can_pay,
    list_payments,
    payment_violations,
)
from service.games.snowcrest.payments.resources import NOTHING
from service.games.snowcrest.payments.sources import possible_hand_cards
from service.games.snowcrest.rules.actions import (
    NO_PAYMENT,
    PASS,
    REST,
    SKIP,
    Action,
    ActionType,
)
from service.games.snowcrest.rules.progress import apply_choice
from service.games.snowcrest.rules.state import State, exhausted_lines
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ApplyEffect,
    ChooseTurn,
    CollectBids,
    PayCost,
    PlaceFirstVillager,
    PlaceRecruit,
    ReceiveGain,
    Turn,
)


def pending_decision(turn: Turn) -> Decision[Action]:
    """Return the pending decision: the deciding player and the listed legal choices.

    The choices are listed on demand, because there can be very many payments and bids.
    """
    seat = turn.state.turn
    match turn.task:
        case PlaceFirstVillager():
            name = "set-up"
        case ChooseTurn():
            name = "turn"
        case PayCost():
            name = "pay"
        case ApplyEffect(effect=effect):
            name = EFFECT_LABELS[type(effect)]
        case ReceiveGain():
            name = "gain"
        case PlaceRecruit():
            name = "recruit"
        case AnswerPenalty(seat=seat):
            name = "penalty"
        case CollectBids(waiting=waiting):
            name, seat = "bid", waiting[0]
        case _:
            raise AssertionError(f"{turn.task} needs no choice")
    return Decision(name, LazyChoices(turn.state.seats[seat].player, partial(_listed, turn)))


def _listed(turn: Turn) -> tuple[Action, ...]:
    match turn.task:
        case PlaceFirstVillager():
            cards = possible_hand_cards(turn.state, turn.state.turn)
            return tuple(Action(ActionType.PLACE_FIRST_VILLAGER, card=card) for card in cards)
        case ChooseTurn():
            return turn_choices(turn.state)
        case PayCost():
            return payment_choices(turn, turn.task)
        case ApplyEffect(effect=effect):
            return effect_choices(turn, effect)
        case ReceiveGain():
            return gain_choices()
        case PlaceRecruit():
            return recruit_choices(turn)
        case AnswerPenalty():
            return penalty_choices(turn, turn.task)
        case CollectBids():
            return bid_choices(turn, turn.task)
    raise AssertionError(f"{turn.task} needs no choice")


# The choice that begins a turn (C3) -----------------------------------------------------------


def turn_choices(state: State) -> tuple[Action, ...]:
    """Return the choices that begin a turn (C3).

    A rest is the only choice if it is forced.  A pass is listed unless the player is certain to be
    able to activate or play a villager.
    """
    if exhausted_lines(state.mover.village):
        return (REST,)
    activations = _activations(state)
    plays = tuple(_play_choices(state))
    # A play that needs unknown hand cards for its payment may turn out to be impossible (C12).
    certain = activations or (
        plays and any(_play_choices(without_unknown_cards(state, state.turn)))
    )
    return (*activations, *plays) if certain else (*activations, *plays, PASS)


def _activations(state: State) -> tuple[Action, ...]:
    return tuple(
        Action(ActionType.ACTIVATE, cell=cell)
        for cell, resident in enumerate(state.mover.village)
        if resident is not None and not resident.exhausted
    )


def _play_choices(state: State) -> Iterator[Action]:
    hand = tuple(possible_hand_cards(state, state.turn))
    for card in (*hand, *dict.fromkeys(state.row)):
        for cell in _playable_cells(state, card):
            yield Action(ActionType.PLAY, card=card, cell=cell)


def _playable_cells(state: State, card: Card) -> Iterator[int]:
    """Yield the cells into which the player can play a villager and pay for it."""
    cost = barley_cost(state.villager(card).cost)
    remaining = _without_card(state, card)
    if not can_pay(remaining, state.turn, cost):
        return
    for cell, resident in enumerate(state.mover.village):
        if resident is not None:
            if _is_protected(state, cell):
                continue
            # A villager about to be replaced pays nothing (C4).
            shows = state.villager(resident.card).icons != NOTHING
            if shows and not can_pay(remaining, state.turn, cost, cell):
                continue
        yield cell


def _without_card(state: State, card: Card) -> State:
    """Return the state without a card that is about to leave the hand; it pays nothing (C4)."""
    if card not in state.catalogue.deck:
        return state
    return state.with_seat(state.turn, state.mover.without_card(card).with_discard(card))


def _is_protected(state: State, cell: int) -> bool:
    """Return whether a villager cannot be replaced.

    Exhausted villagers stay, and in the starter variant starters stay too.
    """
    resident = state.mover.village[cell]
    assert resident is not None, "the cell has a villager"
    starter = state.villager(resident.card).kind is VillagerKind.STARTER
    return resident.exhausted or (state.starter_variant and starter)


# Paying (C4) ----------------------------------------------------------------------------------


def payment_choices(turn: Turn, task: PayCost) -> tuple[Action, ...]:
    """Return the payments that no other payment dominates (C4).

    Skipping is listed too unless the cost is certain to be payable.
    """
    state = turn.state
    listed = tuple(
        Action(ActionType.PAY, payment=payment)
        for payment in list_payments(state, state.turn, task.cost, turn.acting_cell)
    )
    return (*listed, SKIP) if _may_skip(turn, task) else listed


def _may_skip(turn: Turn, task: PayCost) -> bool:
    """Return whether the player need not pay: the known cards do not cover an action's cost."""
    known = without_unknown_cards(turn.state, turn.state.turn)
    return not (task.chosen or can_pay(known, turn.state.turn, task.cost, turn.acting_cell))


# Violations of illegal choices ----------------------------------------------------------------


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
    "take-back": (ActionType.TAKE_BACK,),
    "redraw": (ActionType.REDRAW,),
    "copy": (ActionType.COPY,),
    "gain": (ActionType.GAIN,),
    "recruit": (ActionType.RECRUIT,),
    "penalty": (ActionType.GIVE, ActionType.SETTLE, ActionType.SUFFER),
    "bid": (ActionType.BID, ActionType.SKIP),
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
        case PayCost(cost=cost) if sent.payment is not None:
            violations = payment_violations(state, state.turn, cost, turn.acting_cell, sent.payment)
            yield from _under(violations, "/payment")
        case PayCost():
            if action.type is ActionType.SKIP and _may_skip(turn, turn.task):
                return
            yield Violation(
                "/type",
                "has-to-pay",
                "The cost can be paid, so it must be paid. Send `pay` with a `payment`.",
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
                "C9",
            )
        case PlaceRecruit() | PlaceFirstVillager():
            yield Violation(
                "/card",
                "card-not-there",
                "This card cannot be placed. `legal-moves` lists the possible cards.",
            )
        case AnswerPenalty():
            yield from _penalty_violations(turn.task, action)


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


def _penalty_violations(task: AnswerPenalty, action: Action) -> Iterator[Violation]:
    item = task.items[0]
    if action.item is not item:
        yield Violation(
            "/item",
            "another-item",
            f"The next penalty item is {item.label}: set `item` to it.",
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
    elif action.type is ActionType.ACTIVATE and action not in _activations(state):
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
    if resident is not None and _is_protected(state, action.cell):
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
    if action.cell not in _playable_cells(turn.state, action.card):
        yield Violation(
            "/card",
            "cannot-pay",
            "The player cannot pay for the villager. Choose a cheaper one.",
            "C4",
        )
        return
    if action.payment is None:
        return  # The payment is a decision of its own.
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
