"""How a turn goes on: tasks that nobody has to decide, and what choices and draws come to."""

from __future__ import annotations

from service.core.frozen import replace
from service.core.game import Step
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Gained
from service.games.snowcrest.catalogue.schema import ROW
from service.games.snowcrest.effects.effects import do, draw, perform, receive
from service.games.snowcrest.effects.meditation import bid_made, meditated
from service.games.snowcrest.effects.options import chosen, entering, gained, hired, laid, released
from service.games.snowcrest.effects.penalties import answered, flipped, lain
from service.games.snowcrest.payments.payments import barley
from service.games.snowcrest.payments.resources import NOTHING, Resource, plus
from service.games.snowcrest.payments.sources import exhausted, paid
from service.games.snowcrest.rules.actions import Act, Atom, Payment
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.solo import lost_by_resting
from service.games.snowcrest.rules.state import (
    CENTRE,
    Phase,
    Resident,
    State,
    after_top,
    on_top,
    pool,
    unseen_commons,
    unseen_forest,
    unseen_guardians,
)
from service.games.snowcrest.rules.turn import (
    Bid,
    Choose,
    Demand,
    Do,
    Doom,
    Draw,
    EndTurn,
    Exhaust,
    FillRow,
    Flip,
    Found,
    Hire,
    Lay,
    Pay,
    Perform,
    Receive,
    Release,
    Reveal,
    Task,
    Turn,
    Wake,
    claimed,
    skipped,
    with_omen,
    without_resident,
)

TurnStep = Step[Turn, Event]


def begun(state: State) -> TurnStep:
    """The turn of who is next, up to the first choice."""
    match state.phase:
        case Phase.OVER:
            return Step(Turn(state))
        case Phase.SET_UP:
            return _advanced(Turn(state, (Found(), EndTurn())))
    return _advanced(Turn(state, (Choose(), FillRow(), EndTurn())))


def decided(turn: Turn, atom: Atom) -> TurnStep:
    """The turn once a legal choice or answer has been made."""
    told = replace(turn, atoms=(*turn.atoms, atom))
    return _advanced(_applied(told, turn.task, atom))


def drawn(turn: Turn, atom: Atom) -> TurnStep:
    """The turn once a card has been drawn or turned up."""
    assert atom.card is not None, "a draw has a card"
    told = replace(turn, atoms=(*turn.atoms, atom))
    return _advanced(_dealt(told.rest, turn.task, atom.card))


def _advanced(turn: Turn) -> TurnStep:
    """Goes on until somebody has to choose, a card is due, or the turn is complete."""
    judged = None
    while turn.tasks:
        # A card and its payment are one, and after the last turn nobody claims any more; nor has
        # anything come of it where the player has what it had before.
        if turn.mover is not judged and not (
            _pays_for_chosen(turn.task) or isinstance(turn.task, Reveal)
        ):
            turn = claimed(turn)
            judged = turn.mover
        following = _settled(turn.rest, turn.task)
        if following is None:
            break
        turn = following
    return Step(replace(turn, log=()), turn.log)


def _pays_for_chosen(task: Task) -> bool:
    return isinstance(task, Pay) and task.chosen


# What nobody decides --------------------------------------------------------------------------


def _settled(turn: Turn, task: Task) -> Turn | None:
    """Does a task that is no longer among the turn's; None if it waits for a choice or card."""
    match task:
        case Perform(action=action):
            return perform(turn, action)
        case Do(effect=effect):
            return do(turn, effect)
        case Receive(what=what, count=count):
            return receive(turn, what, count)
        case Draw(count=count):
            return draw(turn, count)
        case Doom(seat=seat, count=count):
            return with_omen(turn, seat, count, "C7")
        case Demand(items=()):
            return turn
        case Lay(card=card, forest=forest):
            return lain(turn, card, forest=forest)
        case Bid(waiting=()):
            return meditated(turn, task)
        case Release(card=card):
            return released(turn, card)
        case Exhaust(cell=cell):
            return _exhausted(turn, cell)
        case Wake():
            return _awake(turn)
        case FillRow():
            short = len(turn.state.row) < ROW
            return None if short and common_outcomes(turn.state) else turn
        case EndTurn():
            return _ended(turn)
        case Reveal() if not any(seat.unknown for seat in turn.state.seats):
            return _over(turn)
    return None


def _exhausted(turn: Turn, cell: int) -> Turn:
    turn = replace(turn, idle=None)
    resident = turn.mover.village[cell]
    assert resident is not None, "who acts stays where they are"
    event = Event("exhaust", "C5", player=turn.mover.player, card=resident.card, cell=cell)
    return turn.with_mover(exhausted(turn.mover, cell), event)


def _awake(turn: Turn) -> Turn:
    village = tuple(
        None if resident is None else Resident(resident.card) for resident in turn.mover.village
    )
    event = Event("awake", "C16", player=turn.mover.player)
    return turn.with_mover(replace(turn.mover, village=village), event)


def _ended(turn: Turn) -> Turn:
    state = turn.state
    following = (state.turn + 1) % len(state.seats)
    if following:
        return turn.at(replace(state, turn=following))
    if state.phase is Phase.SET_UP:
        return turn.at(replace(state, turn=0, phase=Phase.TURNS), Event("start", "C20"))
    turn = turn.at(replace(state, turn=0))
    if not state.ending:
        return turn
    return _over(turn) if state.solo else turn.first(Reveal())


def _over(turn: Turn) -> Turn:
    state = replace(turn.state, phase=Phase.OVER)
    return replace(turn.at(state, Event("end", "C11")), tasks=())


# What was chosen ------------------------------------------------------------------------------


def _applied(turn: Turn, task: Task, atom: Atom) -> Turn:
    left = turn.rest
    match task:
        case Found():
            return _founded(left, atom)
        case Choose():
            return _turn_chosen(left, atom)
        case Pay():
            return _paid(left, task, atom)
        case Do(effect=effect):
            return chosen(left, effect, atom)
        case Receive(count=count):
            assert atom.resource is not None, "a kind is chosen"
            return gained(left, count, atom.resource)
        case Demand():
            return answered(left, task, atom)
        case Bid():
            return bid_made(left, task, atom)
        case Hire(cell=cell):
            assert atom.card is not None, "somebody is recruited"
            return hired(left, cell, atom.card)
    raise AssertionError(f"{task} waits for nobody's choice")


def _founded(turn: Turn, atom: Atom) -> Turn:
    """Barley tokens pay first, and omen for what is missing: only at the set-up (C20)."""
    assert atom.card is not None, "a villager is put into the centre"
    cost = turn.state.villager(atom.card).cost
    spent = min(cost, turn.mover.tokens[Resource.BARLEY])
    tokens = plus(turn.mover.tokens, (1, 0, 0, 0, 0), -spent)
    event = Event(
        "found", "C20", player=turn.mover.player, card=atom.card, cell=CENTRE, count=spent
    )
    turn = laid(turn, atom.card, CENTRE)
    turn = turn.with_mover(replace(turn.mover, tokens=tokens), event)
    return replace(with_omen(turn, turn.state.turn, cost - spent, "C20"), idle=None)


def _turn_chosen(turn: Turn, atom: Atom) -> Turn:
    player = turn.mover.player
    match atom.act:
        case Act.ACTIVATE:
            return _activated(turn, atom)
        case Act.PLAY:
            return _played(turn, atom)
        case Act.REST:
            return _rested(turn)
    return turn.noting(Event("pass", "C3", player=player))


def _activated(turn: Turn, atom: Atom) -> Turn:
    assert atom.cell is not None, "a villager is activated"
    resident = turn.mover.village[atom.cell]
    assert resident is not None, "a villager is activated"
    event = Event("activate", player=turn.mover.player, card=resident.card, cell=atom.cell)
    actions = map(Perform, turn.state.villager(resident.card).actions)
    turn = replace(turn, idle=atom.cell).noting(event)
    return turn.first(*actions, Exhaust(atom.cell))


def _played(turn: Turn, atom: Atom) -> Turn:
    """The villager comes into the cell, perhaps in somebody's place, and is paid for (C3, C4)."""
    assert atom.card is not None, "a villager is played"
    assert atom.cell is not None, "a villager is played into a cell"
    player, gone = turn.mover.player, turn.mover.village[atom.cell]
    turn = turn.noting(Event("play", "C3", player=player, card=atom.card, cell=atom.cell))
    if gone is not None:
        event = Event("replace", "C3", player=player, card=gone.card, cell=atom.cell)
        turn = without_resident(turn.noting(event), turn.state.turn, atom.cell)
    turn = entering(laid(turn, atom.card, atom.cell).first(Exhaust(atom.cell)), atom.card)
    cost = turn.state.villager(atom.card).cost
    if not cost:
        return turn
    due = turn.first(Pay(barley(cost), chosen=True))
    if atom.payment is None:
        return due
    return _paid(due.rest, Pay(barley(cost), chosen=True), Atom(Act.PAY, payment=atom.payment))


def _rested(turn: Turn) -> Turn:
    """Visible icons are counted as the rest begins; juniper is taken last (C16)."""
    state, seat = turn.state, turn.mover
    if state.solo:
        state = replace(state, rests=state.rests + 1)
        turn = turn.at(state, Event("rest", "C13", player=seat.player, count=state.rests))
        if lost_by_resting(state):
            return _over(turn.noting(Event("lost", "C13", player=seat.player)))
    else:
        turn = turn.noting(Event("rest", "C16", player=seat.player))
    visible = NOTHING
    for resident in seat.village:
        if resident is not None:
            villager = state.villager(resident.card)
            visible = plus(visible, villager.back if resident.exhausted else villager.icons)
    order = sorted(Resource, key=lambda resource: resource is Resource.JUNIPER)
    gains = (Receive(Gained(resource), visible[resource]) for resource in order)
    return turn.first(*gains, Wake())


def _paid(turn: Turn, task: Pay, atom: Atom) -> Turn:
    if atom.act is Act.SKIP:
        return skipped(turn, "pay")
    payment = atom.payment or Payment()
    event = Event("pay", "C4", player=turn.mover.player, payment=payment)
    turn = turn.at(paid(turn.state, turn.state.turn, payment), event)
    return turn.first(*map(Do, task.effects))


# What was drawn -------------------------------------------------------------------------------


def common_outcomes(state: State) -> dict[Card, int]:
    return on_top(unseen_commons(state), state.below.commons)


def outcomes(turn: Turn) -> dict[Card, int]:
    """The cards that may come next, each as often as there are such cards unseen (C12)."""
    state = turn.state
    match turn.task:
        case Draw():
            return pool(state, state.turn)
        case Flip(forest=True):
            return on_top(unseen_forest(state), state.below.forest)
        case Flip():
            return on_top(unseen_guardians(state), state.below.guardians)
        case FillRow():
            return common_outcomes(state)
        case Reveal():
            return pool(state, _unread(state))
    raise AssertionError(f"{turn.task} waits for no card")


def _unread(state: State) -> int:
    """The first seat with unknown cards in hand."""
    return next(index for index, seat in enumerate(state.seats) if seat.unknown)


def _dealt(turn: Turn, task: Task, card: Card) -> Turn:
    match task:
        case Draw(count=count):
            event = Event("draw", player=turn.mover.player, card=card)
            return turn.with_mover(turn.mover.with_card(card), event).first(Draw(count - 1))
        case Flip(forest=forest):
            return flipped(turn, card, forest=forest)
        case FillRow():
            return _row_filled(turn, card)
    return _revealed(turn, card)


def _row_filled(turn: Turn, card: Card) -> Turn:
    state = turn.state
    below = after_top(unseen_commons(state), state.below.commons)
    state = replace(state, row=(*state.row, card), below=replace(state.below, commons=below))
    return turn.at(state, Event("row", "C18", card=card)).first(FillRow())


def _revealed(turn: Turn, card: Card) -> Turn:
    index = _unread(turn.state)
    seat = turn.state.seats[index]
    hand = list(seat.hand)
    hand[hand.index(UNKNOWN)] = card
    state = turn.state.with_seat(index, replace(seat, hand=tuple(sorted(hand))))
    event = Event("reveal", "C11", player=seat.player, card=card)
    return turn.at(state, event).first(Reveal())
