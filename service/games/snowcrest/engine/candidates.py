"""The few choices of a decision that are worth looking at, and what others are taken to answer.

Everything is judged by what the evaluator says of single things, without looking ahead; what is
found here is legal, but is not all that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from service.games.snowcrest.catalogue.cards import UNKNOWN, Build, Copy, Redraw, TakeBack
from service.games.snowcrest.effects.meditation import PAIR_SCROLLS, SOLO_PRICE
from service.games.snowcrest.engine.evaluation import Judge
from service.games.snowcrest.engine.features import free_after
from service.games.snowcrest.engine.prices import (
    cheap_bids,
    cheap_payments,
    price_of_payment,
    size_of_bid,
)
from service.games.snowcrest.payments.bids import bells
from service.games.snowcrest.rules.actions import NO_PAYMENT, SKIP, Act, Atom, Payment
from service.games.snowcrest.rules.choices import decision
from service.games.snowcrest.rules.state import Resident, State, pool
from service.games.snowcrest.rules.turn import Bid, Choose, Demand, Do, Hire, Pay, Receive, Turn

MOST_BIDS: Final = 24
"""Sizes of a bid that are thought of."""
MOST_HIDDEN: Final = 12
"""Unknown hand cards that are counted on for a bid."""
_DENIED: Final = 0.3
"""Scrolls that it is worth to others that the player gets one less."""


def decider(turn: Turn) -> int:
    """The seat that has to decide."""
    match turn.task:
        case Demand(seat=seat):
            return seat
        case Bid(waiting=waiting):
            return waiting[0]
    return turn.state.turn


def promising(turn: Turn, judge: Judge, most: int) -> Sequence[Atom]:
    """About so many choices for whoever has to decide, the best at first sight first."""
    state = turn.state
    match turn.task:
        case Pay(cost=cost, chosen=chosen):
            found = cheap_payments(judge, state, state.turn, cost, turn.idle, most)
            paid = [Atom(Act.PAY, payment=payment) for payment in found]
            return paid or (_listed(turn)[:1] if chosen else _listed(turn)[-1:])
        case Demand():
            return _best(_listed(turn), lambda atom: -_loss(turn, judge, atom), most)
        case Bid():
            return _own_bids(turn, judge, most)
        case Do(effect=Redraw()):
            return _redraws(turn, judge)
        case Do(effect=TakeBack()):
            return _best(_listed(turn), lambda atom: judge.held[_card(atom)], most)
        case Do(effect=Build()):
            return _builds(turn, judge)
        case Do(effect=Copy()):
            return _best(_listed(turn), lambda atom: judge.up[_copied(state, atom)], most + 1)
        case Hire():
            held = {card for card in turn.mover.hand if card != UNKNOWN}
            known = [atom for atom in _listed(turn) if atom.card in held or atom.card in state.row]
            return _best(
                known or _listed(turn),
                lambda atom: judge.up[_card(atom)] + judge.down[_card(atom)],
                most + 1,
            )
        case Receive():
            return _listed(turn)
        case Choose():
            return likely_turns(state, judge, _listed(turn))
    return _listed(turn)


def _listed(turn: Turn) -> tuple[Atom, ...]:
    [choices] = decision(turn).choices.values()
    return choices


def _best(atoms: Iterable[Atom], worth: Callable[[Atom], float], most: int) -> list[Atom]:
    return sorted(atoms, key=worth, reverse=True)[:most]


def _card(atom: Atom) -> int:
    assert atom.card is not None, "a choice among cards"
    return atom.card


def _copied(state: State, atom: Atom) -> int:
    if atom.card is not None:
        return atom.card
    owner = next(seat for seat in state.seats if seat.player == atom.owner)
    resident = owner.village[atom.cell or 0]
    assert resident is not None, "somebody is copied"
    return resident.card


# Turns ----------------------------------------------------------------------------------------


def likely_turns(state: State, judge: Judge, choices: Sequence[Atom]) -> list[Atom]:
    """Without most of the cells that a card can be played into: the best two."""
    likely: list[Atom] = []
    cells: dict[int, list[Atom]] = {}
    for atom in choices:
        if atom.act is Act.PLAY:
            cells.setdefault(_card(atom), []).append(atom)
        else:
            likely.append(atom)
    for atoms in cells.values():
        likely += _best(atoms, lambda atom: _room(state, judge, atom), 2)
    return likely


def _room(state: State, judge: Judge, atom: Atom) -> float:
    """What the village loses and keeps free if somebody is played into a cell."""
    village, cell = state.mover.village, atom.cell or 0
    gone: Resident | None = village[cell]
    lost = 0.0 if gone is None else judge.sending_away(gone.card)
    return judge.free * free_after(village, cell) - lost


# Single effects -------------------------------------------------------------------------------


def _builds(turn: Turn, judge: Judge) -> list[Atom]:
    """Each kind, and for it what is missed least."""
    found: dict[int, tuple[float, Atom]] = {}
    for atom in _listed(turn):
        assert atom.building is not None, "a kind is built"
        lost = 0.0
        if atom.returned is not None:
            lost = judge.building(atom.returned.building, spent=atom.returned.spent)
        if atom.building not in found or lost < found[atom.building][0]:
            found[atom.building] = lost, atom
    return [atom for _, atom in found.values()]


def _redraws(turn: Turn, judge: Judge) -> list[Atom]:
    """No card, those that are worth less than others, and all that are known."""
    held = sorted(card for card in turn.mover.hand if card != UNKNOWN)
    unseen = pool(turn.state, turn.state.turn)
    mean = sum(judge.held[card] * count for card, count in unseen.items())
    mean /= max(1, unseen.total())
    poor = tuple(card for card in held if judge.held[card] < mean)
    return [Atom(Act.REDRAW, cards=cards) for cards in dict.fromkeys(((), poor, tuple(held)))]


# Penalties (C7) -------------------------------------------------------------------------------


def _loss(turn: Turn, judge: Judge, atom: Atom) -> float:
    """What an answer to a penalty gives up; a source that pays for two items is worth it twice."""
    assert isinstance(turn.task, Demand), "a penalty is answered"
    seat = turn.state.seats[turn.task.seat]
    if atom.act is Act.SUFFER:
        return judge.omen
    if atom.act is Act.SETTLE:
        resident = seat.village[atom.cell or 0]
        assert resident is not None, "a villager settles"
        return judge.exhausting(resident.card)
    assert atom.item is not None, "an item is given"
    if atom.resource is not None:
        return judge.token(atom.resource)
    if atom.card is not None:
        return judge.discarding(atom.card if atom.card in seat.hand else UNKNOWN)
    if atom.cell is not None:
        resident = seat.village[atom.cell]
        assert resident is not None, "a villager is given"
        lost = judge.exhausting if atom.item.is_resource else judge.sending_away
        return lost(resident.card)
    assert atom.building is not None, "a building is given"
    if atom.item.is_resource:
        return judge.spending(atom.building)
    return judge.building(atom.building, spent=bool(atom.spent))


# Bids (C6) ------------------------------------------------------------------------------------


def _own_bids(turn: Turn, judge: Judge, most: int) -> list[Atom]:
    """Of who has known cards: those that just do, and then the least."""
    assert isinstance(turn.task, Bid), "a bid is due"
    state, seat = turn.state, turn.task.waiting[0]
    mover = seat == state.turn
    offered = cheap_bids(judge, state, seat, turn.idle if mover else None, MOST_BIDS)
    if not mover:
        enough = [bid for bid in offered if _beats(turn, seat, bid)][:1]
        return [Atom(Act.BID, payment=bid) for bid in (*enough, NO_PAYMENT)]
    if not offered:
        return [SKIP] if SKIP in _listed(turn) else list(_listed(turn)[:1])
    if state.solo:
        sizes = [size_of_bid(state, seat, bid) for bid in offered]
        steps = [sizes.index(size) for size in sizes if size >= SOLO_PRICE]
        whole = {sizes[place] // SOLO_PRICE: offered[place] for place in reversed(steps)}
        return [Atom(Act.BID, payment=bid) for bid in (*whole.values(), offered[0])]
    others = sorted(_expected_bells(state, other) for other in state.after(seat))
    wanted = [next((bid for bid in offered if _size(turn, bid) >= bar), None) for bar in others]
    some = [bid for bid in (*reversed(wanted), offered[0], offered[-1]) if bid is not None]
    return [Atom(Act.BID, payment=bid) for bid in dict.fromkeys(some)][: max(2, most + 1)]


def _size(turn: Turn, bid: Payment) -> int:
    return size_of_bid(turn.state, turn.state.turn, bid)


def _beats(turn: Turn, seat: int, bid: Payment) -> bool:
    assert isinstance(turn.task, Bid), "a bid is due"
    return size_of_bid(turn.state, seat, bid) > _size(turn, turn.task.bids[0])


def _expected_bells(state: State, index: int) -> float:
    """What a seat could bid, an unknown card as the mean of them."""
    seat, villagers = state.seats[index], state.catalogue.villagers
    have = bells(seat.tokens) + seat.buildings[1].up
    for resident in seat.village:
        if resident is not None and not resident.exhausted:
            have += bells(villagers[resident.card].icons)
    unseen = pool(state, index)
    mean = sum(bells(villagers[card].icons) * count for card, count in unseen.items())
    known = sum(bells(villagers[card].icons) for card in seat.hand if card != UNKNOWN)
    return have + known + seat.unknown * mean / max(1, unseen.total())


def bid_outcomes(turn: Turn, judge: Judge) -> list[tuple[float, Atom]]:
    """What another one bids, with probabilities: just enough if that is worth it, else nothing.

    Unknown cards are enough as often as the pool says (C12).
    """
    assert isinstance(turn.task, Bid), "a bid is due"
    state, seat = turn.state, turn.task.waiting[0]
    nothing = Atom(Act.BID, payment=NO_PAYMENT)
    size = _size(turn, turn.task.bids[0])
    gain = (PAIR_SCROLLS if len(state.seats) == 2 else 1) * (1.0 + _DENIED) * judge.scroll
    offered = cheap_bids(judge, state, seat, None, MOST_BIDS)
    for bid in offered:
        if size_of_bid(state, seat, bid) > size:
            worth_it = price_of_payment(judge, state, seat, bid) <= gain
            return [(1.0, Atom(Act.BID, payment=bid) if worth_it else nothing)]
    hidden = state.seats[seat].unknown
    known = offered[-1] if offered else NO_PAYMENT
    missing = size + 1 - size_of_bid(state, seat, known)
    if not hidden or price_of_payment(judge, state, seat, known) > gain:
        return [(1.0, nothing)]
    chance, cards = _hidden_bells(state, seat, missing)
    if not cards:
        return [(1.0, nothing)]
    bid = known._replace(hand=tuple(sorted((*known.hand, *cards))))
    if chance >= 1.0:
        return [(1.0, Atom(Act.BID, payment=bid))]
    return [(chance, Atom(Act.BID, payment=bid)), (1.0 - chance, nothing)]


def _hidden_bells(state: State, seat: int, missing: int) -> tuple[float, list[int]]:
    """How likely unknown hand cards show so many bells, and cards that would."""
    villagers, unseen = state.catalogue.villagers, pool(state, seat)
    shown = {card: bells(villagers[card].icons) for card in unseen}
    hidden = min(state.seats[seat].unknown, MOST_HIDDEN)
    ways: dict[tuple[int, int], int] = {(0, 0): 1}
    for card in unseen.elements():
        for (count, total), number in list(ways.items()):
            if count < hidden:
                more = count + 1, min(missing, total + shown[card])
                ways[more] = ways.get(more, 0) + number
    of_all = {total: number for (count, total), number in ways.items() if count == hidden}
    cards: list[int] = []
    left = missing
    for card in sorted(unseen.elements(), key=lambda card: -shown[card]):
        if left > 0 and shown[card] and len(cards) < hidden:
            cards.append(card)
            left -= shown[card]
    enough = of_all.get(missing, 0)
    return (enough / sum(of_all.values()), cards) if left <= 0 and enough else (0.0, [])
