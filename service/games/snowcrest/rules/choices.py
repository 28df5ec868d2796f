"""What may be done next, and why anything else may not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from service.core.frozen import replace
from service.core.game import Decision
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
    Payment,
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
    """Who has to choose next, and the choices."""
    mover = turn.mover.player
    match turn.task:
        case PlaceFirstVillager():
            cards = possible_hand_cards(turn.state, turn.state.turn)
            return Decision(
                "set-up",
                {
                    mover: tuple(
                        Action(ActionType.PLACE_FIRST_VILLAGER, card=card) for card in cards
                    )
                },
            )
        case ChooseTurn():
            return Decision("turn", {mover: turn_choices(turn.state)})
        case PayCost():
            return Decision("pay", {mover: payment_choices(turn, turn.task)})
        case ApplyEffect(effect=effect):
            return Decision(EFFECT_LABELS[type(effect)], {mover: effect_choices(turn, effect)})
        case ReceiveGain():
            return Decision("gain", {mover: gain_choices()})
        case PlaceRecruit():
            return Decision("recruit", {mover: recruit_choices(turn)})
        case AnswerPenalty(seat=seat):
            asked = turn.state.seats[seat].player
            return Decision("penalty", {asked: penalty_choices(turn, turn.task)})
        case CollectBids(waiting=waiting):
            asked = turn.state.seats[waiting[0]].player
            return Decision("bid", {asked: bid_choices(turn, turn.task)})
    raise AssertionError(f"{turn.task} waits for nobody's choice")


# The choice that begins a turn (C3) -----------------------------------------------------------


def turn_choices(state: State) -> tuple[Action, ...]:
    """Activating and playing, or resting where that is due, or passing where nothing else is."""
    if exhausted_lines(state.mover.village):
        return (REST,)
    active = tuple(
        Action(ActionType.ACTIVATE, cell=cell)
        for cell, resident in enumerate(state.mover.village)
        if resident is not None and not resident.exhausted
    )
    played = tuple(_play_choices(state))
    # What only cards that nobody has told would pay for may turn out not to be possible.
    certain = active or (played and any(_play_choices(without_unknown_cards(state, state.turn))))
    return (*active, *played) if certain else (*active, *played, PASS)


def _play_choices(state: State) -> Iterator[Action]:
    held = tuple(possible_hand_cards(state, state.turn))
    for card in (*held, *dict.fromkeys(state.row)):
        for cell in _playable_cells(state, card):
            yield Action(ActionType.PLAY, card=card, cell=cell)


def _playable_cells(state: State, card: Card) -> Iterator[int]:
    """Where a villager can be put and paid for."""
    cost = barley_cost(state.villager(card).cost)
    rest = _without_card(state, card)
    if not can_pay(rest, state.turn, cost):
        return
    for cell, resident in enumerate(state.mover.village):
        if resident is not None:
            if _is_protected(state, cell):
                continue
            # A villager about to be replaced pays nothing (C4).
            shows = state.villager(resident.card).icons != NOTHING
            if shows and not can_pay(rest, state.turn, cost, cell):
                continue
        yield cell


def _without_card(state: State, card: Card) -> State:
    """As it is once a card has left the hand, if it comes from there; it pays nothing (C4)."""
    if card not in state.catalogue.deck:
        return state
    return state.with_seat(state.turn, state.mover.without_card(card).with_discard(card))


def _is_protected(state: State, cell: int) -> bool:
    """Whether the villager of a cell cannot be replaced: exhausted, or a starter for beginners."""
    resident = state.mover.village[cell]
    assert resident is not None, "somebody lives there"
    starter = state.villager(resident.card).kind is VillagerKind.STARTER
    return resident.exhausted or (state.starter_variant and starter)


# Paying (C4) ----------------------------------------------------------------------------------


def payment_choices(turn: Turn, due: PayCost) -> tuple[Action, ...]:
    """The payments that no other one dominates; skipping, where paying is not certain."""
    state = turn.state
    listed = tuple(
        Action(ActionType.PAY, payment=payment)
        for payment in list_payments(state, state.turn, due.cost, turn.acting_cell)
    )
    if due.chosen:
        return listed
    known = without_unknown_cards(state, state.turn)
    certain = can_pay(known, state.turn, due.cost, turn.acting_cell)
    return listed if certain else (*listed, SKIP)


# Why something is none of the choices ---------------------------------------------------------


def normalized(action: Action) -> Action:
    """The atom with its sets in order; one may be told in any."""
    payment, cards = action.payment, action.cards
    if payment is not None:
        payment = payment._replace(
            hand=tuple(sorted(payment.hand)), cells=tuple(sorted(payment.cells))
        )
    return replace(action, payment=payment, cards=None if cards is None else tuple(sorted(cards)))


def faults(turn: Turn, node: Decision[Action], told: Action) -> tuple[Violation, ...]:
    """Everything wrong with a choice; nothing if it is legal, listed or not."""
    [listed] = node.choices.values()
    [due] = node.choices
    action = normalized(replace(told, player=None))
    if action in listed:
        return ()
    if action.act not in _ACTS[node.name]:
        detail = f"{due} has to decide: {node.name}; {told.act.label} does not."
        return (Violation("/type", "not-a-choice", detail),)
    found = tuple(_faults(turn, action, told))
    if found or _may_be_unlisted(turn, action):
        return found
    return (Violation("", "not-a-choice", "This is none of the choices."),)


_ACTS: Final[dict[str, tuple[ActionType, ...]]] = {
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
DECISIONS: Final = tuple(_ACTS)


def _may_be_unlisted(turn: Turn, action: Action) -> bool:
    """Whether it is of a kind of which not all legal ones are listed."""
    match turn.task:
        case PayCost():
            return action.act is ActionType.PAY
        case CollectBids(waiting=waiting):
            own = waiting[0] == turn.state.turn
            return action.act is ActionType.BID and not (own and action.payment == NO_PAYMENT)
        case ApplyEffect(effect=Redraw()):
            return True
        case ChooseTurn():
            return action.act is ActionType.PLAY
    return False


def _faults(turn: Turn, action: Action, told: Action) -> Iterator[Violation]:
    state = turn.state
    match turn.task:
        case ChooseTurn():
            yield from _turn_faults(turn, action, told)
        case PayCost(cost=cost) if told.payment is not None:
            found = payment_violations(state, state.turn, cost, turn.acting_cell, told.payment)
            yield from _under(found, "/payment")
        case PayCost():
            yield Violation("/type", "has-to-pay", "What can be paid for has to be paid.", "C5")
        case CollectBids(waiting=waiting):
            yield from _bid_faults(turn, waiting[0], told)
        case ApplyEffect(effect=Redraw()):
            if not may_have_in_hand(state, state.turn, told.cards or ()):
                yield Violation("/cards", "not-in-hand", "Not all of them are in the hand.", "C19")
        case ApplyEffect(effect=TakeBack()):
            yield Violation("/card", "not-in-discards", "It is not among the own discards.")
        case ApplyEffect(effect=Copy()):
            yield Violation("", "nothing-to-copy", "Nobody there can be copied.", "C17")
        case ApplyEffect(effect=Build()):
            yield Violation("", "cannot-build", "That cannot be built like this.", "C21")
        case ApplyEffect(effect=Trade()):
            yield Violation("", "cannot-trade", "That cannot be traded.", "C9")
        case PlaceRecruit() | PlaceFirstVillager():
            yield Violation("/card", "card-not-there", "There is no such card to choose.")
        case AnswerPenalty():
            yield from _penalty_faults(turn.task, action)


def _under(found: Iterator[Violation], prefix: str) -> Iterator[Violation]:
    return (fault.under(prefix) for fault in found)


def _bid_faults(turn: Turn, seat: int, told: Action) -> Iterator[Violation]:
    if told.payment is None:
        yield Violation("/type", "has-to-bid", "Who can bid and has no choice bids.", "C6")
        return
    own = seat == turn.state.turn
    if own and normalized(told).payment == NO_PAYMENT:
        yield Violation("/payment", "bids-nothing", "The player bids one bell at least.", "C6")
    acting_cell = turn.acting_cell if own else None
    yield from _under(bid_violations(turn.state, seat, acting_cell, told.payment), "/payment")


def _penalty_faults(task: AnswerPenalty, action: Action) -> Iterator[Violation]:
    item = task.items[0]
    if action.item is not item:
        yield Violation("/item", "another-item", f"The item {item.label} is due.", "C7")
    else:
        yield Violation("", "not-to-give", f"This is nothing to give for {item.label}.", "C7")


def _turn_faults(turn: Turn, action: Action, told: Action) -> Iterator[Violation]:
    state = turn.state
    due = bool(exhausted_lines(state.mover.village))
    if due != (action.act is ActionType.REST):
        detail = "Three exhausted villagers in a row have to rest." if due else "No rest is due."
        yield Violation("/type", "rest-due" if due else "no-rest-due", detail, "C3")
    elif action.act is ActionType.PASS:
        yield Violation("/type", "no-pass", "Somebody can be activated or played.", "C3")
    elif action.act is ActionType.ACTIVATE:
        yield Violation("/cell", "not-face-up", "Nobody is face up there.", "C3")
    elif action.act is ActionType.PLAY:
        yield from _play_faults(turn, action, told)


def _play_faults(turn: Turn, action: Action, told: Action) -> Iterator[Violation]:
    state = turn.state
    assert action.card is not None, "a villager is played"
    assert action.cell is not None, "a villager is played into a cell"
    there = action.card in possible_hand_cards(state, state.turn) or action.card in state.row
    if not there:
        detail = f"{state.catalogue.id(action.card)} is neither in the hand nor in the row."
        yield Violation("/card", "card-not-there", detail, "C3")
    resident = state.mover.village[action.cell]
    if resident is not None and _is_protected(state, action.cell):
        if resident.exhausted:
            detail = "An exhausted villager cannot be replaced."
            yield Violation("/cell", "cell-exhausted", detail, "C3")
        else:
            detail = "In the variant for beginners starters stay."
            yield Violation("/cell", "starter-stays", detail, "C3")
    elif there:
        yield from _play_payment_faults(turn, action, told)


def _play_payment_faults(turn: Turn, action: Action, told: Action) -> Iterator[Violation]:
    """A payment may be told with the card that is played (C4)."""
    bare = replace(action, payment=None)
    if bare not in turn_choices(turn.state):
        yield Violation("/card", "cannot-pay", "The villager cannot be paid for.", "C4")
        return
    place_villager = apply_choice(turn, bare).play
    due = place_villager.tasks[0] if place_villager.tasks else None
    if isinstance(due, PayCost) and due.chosen:
        found = payment_violations(
            place_villager.state,
            turn.state.turn,
            due.cost,
            place_villager.acting_cell,
            told.payment or Payment(),
        )
        yield from _under(found, "/payment")
    elif action.payment != NO_PAYMENT:
        yield Violation("/payment", "could-be-left-out", "The villager costs nothing.", "C4")
