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
    Kind,
    Redraw,
    TakeBack,
    Trade,
)
from service.games.snowcrest.effects.meditation import bid_choices
from service.games.snowcrest.effects.options import (
    choices,
    gains,
    hires,
    holds,
    without_unknown,
)
from service.games.snowcrest.effects.penalties import answers
from service.games.snowcrest.payments.bids import bid_faults
from service.games.snowcrest.payments.payments import barley, can_pay, payment_faults, payments
from service.games.snowcrest.payments.resources import NOTHING
from service.games.snowcrest.payments.sources import hand_cards
from service.games.snowcrest.rules.actions import NO_PAYMENT, PASS, REST, SKIP, Act, Atom, Payment
from service.games.snowcrest.rules.progress import decided
from service.games.snowcrest.rules.state import State, exhausted_lines
from service.games.snowcrest.rules.turn import (
    Bid,
    Choose,
    Demand,
    Do,
    Found,
    Hire,
    Pay,
    Receive,
    Turn,
)


def decision(turn: Turn) -> Decision[Atom]:
    """Who has to choose next, and the choices."""
    mover = turn.mover.player
    match turn.task:
        case Found():
            cards = hand_cards(turn.state, turn.state.turn)
            return Decision("set-up", {mover: tuple(Atom(Act.FOUND, card=card) for card in cards)})
        case Choose():
            return Decision("turn", {mover: turn_choices(turn.state)})
        case Pay():
            return Decision("pay", {mover: pay_choices(turn, turn.task)})
        case Do(effect=effect):
            return Decision(EFFECT_LABELS[type(effect)], {mover: choices(turn, effect)})
        case Receive():
            return Decision("gain", {mover: gains()})
        case Hire():
            return Decision("recruit", {mover: hires(turn)})
        case Demand(seat=seat):
            asked = turn.state.seats[seat].player
            return Decision("penalty", {asked: answers(turn, turn.task)})
        case Bid(waiting=waiting):
            asked = turn.state.seats[waiting[0]].player
            return Decision("bid", {asked: bid_choices(turn, turn.task)})
    raise AssertionError(f"{turn.task} waits for nobody's choice")


# The choice that begins a turn (C3) -----------------------------------------------------------


def turn_choices(state: State) -> tuple[Atom, ...]:
    """Activating and playing, or resting where that is due, or passing where nothing else is."""
    if exhausted_lines(state.mover.village):
        return (REST,)
    active = tuple(
        Atom(Act.ACTIVATE, cell=cell)
        for cell, resident in enumerate(state.mover.village)
        if resident is not None and not resident.exhausted
    )
    played = tuple(_plays(state))
    # What only cards that nobody has told would pay for may turn out not to be possible.
    certain = active or (played and any(_plays(without_unknown(state, state.turn))))
    return (*active, *played) if certain else (*active, *played, PASS)


def _plays(state: State) -> Iterator[Atom]:
    held = tuple(hand_cards(state, state.turn))
    for card in (*held, *dict.fromkeys(state.row)):
        for cell in _cells_for(state, card):
            yield Atom(Act.PLAY, card=card, cell=cell)


def _cells_for(state: State, card: Card) -> Iterator[int]:
    """Where a villager can be put and paid for."""
    cost = barley(state.villager(card).cost)
    rest = _without(state, card)
    if not can_pay(rest, state.turn, cost):
        return
    for cell, resident in enumerate(state.mover.village):
        if resident is not None:
            if _stays(state, cell):
                continue
            # A villager about to be replaced pays nothing (C4).
            shows = state.villager(resident.card).icons != NOTHING
            if shows and not can_pay(rest, state.turn, cost, cell):
                continue
        yield cell


def _without(state: State, card: Card) -> State:
    """As it is once a card has left the hand, if it comes from there; it pays nothing (C4)."""
    if card not in state.catalogue.deck:
        return state
    return state.with_seat(state.turn, state.mover.without_card(card).discarding(card))


def _stays(state: State, cell: int) -> bool:
    """Whether the villager of a cell cannot be replaced: exhausted, or a starter for beginners."""
    resident = state.mover.village[cell]
    assert resident is not None, "somebody lives there"
    starter = state.villager(resident.card).kind is Kind.STARTER
    return resident.exhausted or (state.starter_variant and starter)


# Paying (C4) ----------------------------------------------------------------------------------


def pay_choices(turn: Turn, due: Pay) -> tuple[Atom, ...]:
    """The payments that no other one dominates; skipping, where paying is not certain."""
    state = turn.state
    listed = tuple(
        Atom(Act.PAY, payment=payment)
        for payment in payments(state, state.turn, due.cost, turn.idle)
    )
    if due.chosen:
        return listed
    known = without_unknown(state, state.turn)
    certain = can_pay(known, state.turn, due.cost, turn.idle)
    return listed if certain else (*listed, SKIP)


# Why something is none of the choices ---------------------------------------------------------


def completed(atom: Atom) -> Atom:
    """The atom with its sets in order; one may be told in any."""
    payment, cards = atom.payment, atom.cards
    if payment is not None:
        payment = payment._replace(
            hand=tuple(sorted(payment.hand)), cells=tuple(sorted(payment.cells))
        )
    return replace(atom, payment=payment, cards=None if cards is None else tuple(sorted(cards)))


def faults(turn: Turn, node: Decision[Atom], told: Atom) -> tuple[Violation, ...]:
    """Everything wrong with a choice; nothing if it is legal, listed or not."""
    [listed] = node.choices.values()
    [due] = node.choices
    atom = completed(replace(told, player=None))
    if atom in listed:
        return ()
    if atom.act not in _ACTS[node.name]:
        detail = f"{due} has to decide: {node.name}; {told.act.label} does not."
        return (Violation("/type", "not-a-choice", detail),)
    found = tuple(_faults(turn, atom, told))
    if found or _may_be_unlisted(turn, atom):
        return found
    return (Violation("", "not-a-choice", "This is none of the choices."),)


_ACTS: Final[dict[str, tuple[Act, ...]]] = {
    "set-up": (Act.FOUND,),
    "turn": (Act.ACTIVATE, Act.PLAY, Act.REST, Act.PASS),
    "pay": (Act.PAY, Act.SKIP),
    "build": (Act.BUILD,),
    "trade": (Act.TRADE, Act.DECLINE),
    "take-back": (Act.TAKE_BACK,),
    "redraw": (Act.REDRAW,),
    "copy": (Act.COPY,),
    "gain": (Act.GAIN,),
    "recruit": (Act.RECRUIT,),
    "penalty": (Act.GIVE, Act.SETTLE, Act.SUFFER),
    "bid": (Act.BID, Act.SKIP),
}
DECISIONS: Final = tuple(_ACTS)


def _may_be_unlisted(turn: Turn, atom: Atom) -> bool:
    """Whether it is of a kind of which not all legal ones are listed."""
    match turn.task:
        case Pay():
            return atom.act is Act.PAY
        case Bid(waiting=waiting):
            own = waiting[0] == turn.state.turn
            return atom.act is Act.BID and not (own and atom.payment == NO_PAYMENT)
        case Do(effect=Redraw()):
            return True
        case Choose():
            return atom.act is Act.PLAY
    return False


def _faults(turn: Turn, atom: Atom, told: Atom) -> Iterator[Violation]:
    state = turn.state
    match turn.task:
        case Choose():
            yield from _turn_faults(turn, atom, told)
        case Pay(cost=cost) if told.payment is not None:
            found = payment_faults(state, state.turn, cost, turn.idle, told.payment)
            yield from _under(found, "/payment")
        case Pay():
            yield Violation("/type", "has-to-pay", "What can be paid for has to be paid.", "C5")
        case Bid(waiting=waiting):
            yield from _bid_faults(turn, waiting[0], told)
        case Do(effect=Redraw()):
            if not holds(state, state.turn, told.cards or ()):
                yield Violation("/cards", "not-in-hand", "Not all of them are in the hand.", "C19")
        case Do(effect=TakeBack()):
            yield Violation("/card", "not-in-discards", "It is not among the own discards.")
        case Do(effect=Copy()):
            yield Violation("", "nothing-to-copy", "Nobody there can be copied.", "C17")
        case Do(effect=Build()):
            yield Violation("", "cannot-build", "That cannot be built like this.", "C21")
        case Do(effect=Trade()):
            yield Violation("", "cannot-trade", "That cannot be traded.", "C9")
        case Hire() | Found():
            yield Violation("/card", "card-not-there", "There is no such card to choose.")
        case Demand():
            yield from _penalty_faults(turn.task, atom)


def _under(found: Iterator[Violation], prefix: str) -> Iterator[Violation]:
    return (fault.under(prefix) for fault in found)


def _bid_faults(turn: Turn, seat: int, told: Atom) -> Iterator[Violation]:
    if told.payment is None:
        yield Violation("/type", "has-to-bid", "Who can bid and has no choice bids.", "C6")
        return
    own = seat == turn.state.turn
    if own and completed(told).payment == NO_PAYMENT:
        yield Violation("/payment", "bids-nothing", "The player bids one bell at least.", "C6")
    idle = turn.idle if own else None
    yield from _under(bid_faults(turn.state, seat, idle, told.payment), "/payment")


def _penalty_faults(task: Demand, atom: Atom) -> Iterator[Violation]:
    item = task.items[0]
    if atom.item is not item:
        yield Violation("/item", "another-item", f"The item {item.label} is due.", "C7")
    else:
        yield Violation("", "not-to-give", f"This is nothing to give for {item.label}.", "C7")


def _turn_faults(turn: Turn, atom: Atom, told: Atom) -> Iterator[Violation]:
    state = turn.state
    due = bool(exhausted_lines(state.mover.village))
    if due != (atom.act is Act.REST):
        detail = "Three exhausted villagers in a row have to rest." if due else "No rest is due."
        yield Violation("/type", "rest-due" if due else "no-rest-due", detail, "C3")
    elif atom.act is Act.PASS:
        yield Violation("/type", "no-pass", "Somebody can be activated or played.", "C3")
    elif atom.act is Act.ACTIVATE:
        yield Violation("/cell", "not-face-up", "Nobody is face up there.", "C3")
    elif atom.act is Act.PLAY:
        yield from _play_faults(turn, atom, told)


def _play_faults(turn: Turn, atom: Atom, told: Atom) -> Iterator[Violation]:
    state = turn.state
    assert atom.card is not None, "a villager is played"
    assert atom.cell is not None, "a villager is played into a cell"
    there = atom.card in hand_cards(state, state.turn) or atom.card in state.row
    if not there:
        detail = f"{state.catalogue.id(atom.card)} is neither in the hand nor in the row."
        yield Violation("/card", "card-not-there", detail, "C3")
    resident = state.mover.village[atom.cell]
    if resident is not None and _stays(state, atom.cell):
        if resident.exhausted:
            detail = "An exhausted villager cannot be replaced."
            yield Violation("/cell", "cell-exhausted", detail, "C3")
        else:
            detail = "In the variant for beginners starters stay."
            yield Violation("/cell", "starter-stays", detail, "C3")
    elif there:
        yield from _play_payment_faults(turn, atom, told)


def _play_payment_faults(turn: Turn, atom: Atom, told: Atom) -> Iterator[Violation]:
    """A payment may be told with the card that is played (C4)."""
    bare = replace(atom, payment=None)
    if bare not in turn_choices(turn.state):
        yield Violation("/card", "cannot-pay", "The villager cannot be paid for.", "C4")
        return
    laid = decided(turn, bare).play
    due = laid.tasks[0] if laid.tasks else None
    if isinstance(due, Pay) and due.chosen:
        found = payment_faults(
            laid.state, turn.state.turn, due.cost, laid.idle, told.payment or Payment()
        )
        yield from _under(found, "/payment")
    elif atom.payment != NO_PAYMENT:
        yield Violation("/payment", "could-be-left-out", "The villager costs nothing.", "C4")
