"""The few choices of a decision that are worth looking at, and what others are taken to answer.

Everything is judged by what the evaluator says of single things, without looking ahead; what is
found here is legal, but is not all that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from service.games.snowcrest.catalogue.cards import UNKNOWN, Build, Copy, Redraw, TakeBack
from service.games.snowcrest.effects.meditation import BELLS_PER_SOLO_SCROLL, TWO_PLAYER_SCROLLS
from service.games.snowcrest.engine.evaluation import PhaseModel
from service.games.snowcrest.engine.features import free_after
from service.games.snowcrest.engine.prices import (
    cheap_bids,
    cheap_payments,
    known_bid_size,
    payment_price,
)
from service.games.snowcrest.payments.bids import bell_count
from service.games.snowcrest.rules.actions import NO_PAYMENT, SKIP, Action, ActionType, Payment
from service.games.snowcrest.rules.choices import pending_decision
from service.games.snowcrest.rules.state import Resident, State, unseen_deck
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ApplyEffect,
    ChooseTurn,
    CollectBids,
    PayCost,
    PlaceRecruit,
    ReceiveGain,
    Turn,
)

MAX_BIDS: Final = 24
"""Sizes of a bid that are thought of."""
MAX_HIDDEN_CARDS: Final = 12
"""Unknown hand cards that are counted on for a bid."""
_DENIED_SCROLL_VALUE: Final = 0.3
"""Scrolls that it is worth to others that the player gets one less."""


def deciding_seat(turn: Turn) -> int:
    """The seat that has to decide."""
    match turn.task:
        case AnswerPenalty(seat=seat):
            return seat
        case CollectBids(waiting=waiting):
            return waiting[0]
    return turn.state.turn


def candidate_actions(turn: Turn, model: PhaseModel, most: int) -> Sequence[Action]:
    """About so many choices for whoever has to decide, the best at first sight first."""
    state = turn.state
    match turn.task:
        case PayCost(cost=cost, chosen=chosen):
            found = cheap_payments(model, state, state.turn, cost, turn.acting_cell, most)
            paid = [Action(ActionType.PAY, payment=payment) for payment in found]
            return paid or (_listed(turn)[:1] if chosen else _listed(turn)[-1:])
        case AnswerPenalty():
            return _best(_listed(turn), lambda action: -_penalty_cost(turn, model, action), most)
        case CollectBids():
            return _bid_candidates(turn, model, most)
        case ApplyEffect(effect=Redraw()):
            return _redraw_candidates(turn, model)
        case ApplyEffect(effect=TakeBack()):
            return _best(_listed(turn), lambda action: model.in_hand[_card(action)], most)
        case ApplyEffect(effect=Build()):
            return _build_candidates(turn, model)
        case ApplyEffect(effect=Copy()):
            return _best(
                _listed(turn), lambda action: model.face_up[_copied_card(state, action)], most + 1
            )
        case PlaceRecruit():
            held = {card for card in turn.mover.hand if card != UNKNOWN}
            known = [
                action
                for action in _listed(turn)
                if action.card in held or action.card in state.row
            ]
            return _best(
                known or _listed(turn),
                lambda action: model.face_up[_card(action)] + model.exhausted[_card(action)],
                most + 1,
            )
        case ReceiveGain():
            return _listed(turn)
        case ChooseTurn():
            return turn_candidates(state, model, _listed(turn))
    return _listed(turn)


def _listed(turn: Turn) -> tuple[Action, ...]:
    [choices] = pending_decision(turn).choices.values()
    return choices


def _best(actions: Iterable[Action], worth: Callable[[Action], float], most: int) -> list[Action]:
    return sorted(actions, key=worth, reverse=True)[:most]


def _card(action: Action) -> int:
    assert action.card is not None, "a choice among cards"
    return action.card


def _copied_card(state: State, action: Action) -> int:
    if action.card is not None:
        return action.card
    owner = next(seat for seat in state.seats if seat.player == action.owner)
    resident = owner.village[action.cell or 0]
    assert resident is not None, "somebody is copied"
    return resident.card


# Turns ----------------------------------------------------------------------------------------


def turn_candidates(state: State, model: PhaseModel, choices: Sequence[Action]) -> list[Action]:
    """Without most of the cells that a card can be played into: the best two."""
    likely: list[Action] = []
    cells: dict[int, list[Action]] = {}
    for action in choices:
        if action.type is ActionType.PLAY:
            cells.setdefault(_card(action), []).append(action)
        else:
            likely.append(action)
    for actions in cells.values():
        likely += _best(actions, lambda action: _cell_value(state, model, action), 2)
    return likely


def _cell_value(state: State, model: PhaseModel, action: Action) -> float:
    """What the village loses and keeps free if somebody is played into a cell."""
    village, cell = state.mover.village, action.cell or 0
    gone: Resident | None = village[cell]
    lost = 0.0 if gone is None else model.sending_away(gone.card)
    return model.free * free_after(village, cell) - lost


# Single effects -------------------------------------------------------------------------------


def _build_candidates(turn: Turn, model: PhaseModel) -> list[Action]:
    """Each kind, and for it what is missed least."""
    found: dict[int, tuple[float, Action]] = {}
    for action in _listed(turn):
        assert action.building is not None, "a kind is built"
        lost = 0.0
        if action.returned is not None:
            lost = model.building(action.returned.building, spent=action.returned.spent)
        if action.building not in found or lost < found[action.building][0]:
            found[action.building] = lost, action
    return [action for _, action in found.values()]


def _redraw_candidates(turn: Turn, model: PhaseModel) -> list[Action]:
    """No card, those that are worth less than others, and all that are known."""
    held = sorted(card for card in turn.mover.hand if card != UNKNOWN)
    unseen = unseen_deck(turn.state, turn.state.turn)
    mean = sum(model.in_hand[card] * count for card, count in unseen.items())
    mean /= max(1, unseen.total())
    poor = tuple(card for card in held if model.in_hand[card] < mean)
    return [
        Action(ActionType.REDRAW, cards=cards) for cards in dict.fromkeys(((), poor, tuple(held)))
    ]


# Penalties (C7) -------------------------------------------------------------------------------


def _penalty_cost(turn: Turn, model: PhaseModel, action: Action) -> float:
    """What an answer to a penalty gives up; a source that pays for two items is worth it twice."""
    assert isinstance(turn.task, AnswerPenalty), "a penalty is answered"
    seat = turn.state.seats[turn.task.seat]
    if action.type is ActionType.SUFFER:
        return model.omen
    if action.type is ActionType.SETTLE:
        resident = seat.village[action.cell or 0]
        assert resident is not None, "a villager settles"
        return model.exhausting(resident.card)
    assert action.item is not None, "an item is given"
    if action.resource is not None:
        return model.token(action.resource)
    if action.card is not None:
        return model.discarding(action.card if action.card in seat.hand else UNKNOWN)
    if action.cell is not None:
        resident = seat.village[action.cell]
        assert resident is not None, "a villager is given"
        lost = model.exhausting if action.item.is_resource else model.sending_away
        return lost(resident.card)
    assert action.building is not None, "a building is given"
    if action.item.is_resource:
        return model.spending(action.building)
    return model.building(action.building, spent=bool(action.spent))


# Bids (C6) ------------------------------------------------------------------------------------


def _bid_candidates(turn: Turn, model: PhaseModel, most: int) -> list[Action]:
    """Of who has known cards: those that just do, and then the least."""
    assert isinstance(turn.task, CollectBids), "a bid is due"
    state, seat = turn.state, turn.task.waiting[0]
    mover = seat == state.turn
    offered = cheap_bids(model, state, seat, turn.acting_cell if mover else None, MAX_BIDS)
    if not mover:
        enough = [bid for bid in offered if _beats(turn, seat, bid)][:1]
        return [Action(ActionType.BID, payment=bid) for bid in (*enough, NO_PAYMENT)]
    if not offered:
        return [SKIP] if SKIP in _listed(turn) else list(_listed(turn)[:1])
    if state.solo:
        sizes = [known_bid_size(state, seat, bid) for bid in offered]
        steps = [sizes.index(size) for size in sizes if size >= BELLS_PER_SOLO_SCROLL]
        whole = {sizes[place] // BELLS_PER_SOLO_SCROLL: offered[place] for place in reversed(steps)}
        return [Action(ActionType.BID, payment=bid) for bid in (*whole.values(), offered[0])]
    others = sorted(_expected_bells(state, other) for other in state.seats_after(seat))
    wanted = [
        next((bid for bid in offered if _active_bid_size(turn, bid) >= bar), None) for bar in others
    ]
    some = [bid for bid in (*reversed(wanted), offered[0], offered[-1]) if bid is not None]
    return [Action(ActionType.BID, payment=bid) for bid in dict.fromkeys(some)][: max(2, most + 1)]


def _active_bid_size(turn: Turn, bid: Payment) -> int:
    return known_bid_size(turn.state, turn.state.turn, bid)


def _beats(turn: Turn, seat: int, bid: Payment) -> bool:
    assert isinstance(turn.task, CollectBids), "a bid is due"
    return known_bid_size(turn.state, seat, bid) > _active_bid_size(turn, turn.task.bids[0])


def _expected_bells(state: State, index: int) -> float:
    """What a seat could bid, an unknown card as the mean of them."""
    seat, villagers = state.seats[index], state.catalogue.villagers
    total = bell_count(seat.tokens) + seat.buildings[1].up
    for resident in seat.village:
        if resident is not None and not resident.exhausted:
            total += bell_count(villagers[resident.card].icons)
    unseen = unseen_deck(state, index)
    mean = sum(bell_count(villagers[card].icons) * count for card, count in unseen.items())
    known = sum(bell_count(villagers[card].icons) for card in seat.hand if card != UNKNOWN)
    return total + known + seat.unknown_count * mean / max(1, unseen.total())


def bid_outcomes(turn: Turn, model: PhaseModel) -> list[tuple[float, Action]]:
    """What another one bids, with probabilities: just enough if that is worth it, else nothing.

    Unknown cards are enough as often as the pool says (C12).
    """
    assert isinstance(turn.task, CollectBids), "a bid is due"
    state, seat = turn.state, turn.task.waiting[0]
    nothing = Action(ActionType.BID, payment=NO_PAYMENT)
    size = _active_bid_size(turn, turn.task.bids[0])
    gain = (
        (TWO_PLAYER_SCROLLS if len(state.seats) == 2 else 1)
        * (1.0 + _DENIED_SCROLL_VALUE)
        * model.scroll
    )
    offered = cheap_bids(model, state, seat, None, MAX_BIDS)
    for bid in offered:
        if known_bid_size(state, seat, bid) > size:
            worth_it = payment_price(model, state, seat, bid) <= gain
            return [(1.0, Action(ActionType.BID, payment=bid) if worth_it else nothing)]
    hidden = state.seats[seat].unknown_count
    known = offered[-1] if offered else NO_PAYMENT
    missing = size + 1 - known_bid_size(state, seat, known)
    if not hidden or payment_price(model, state, seat, known) > gain:
        return [(1.0, nothing)]
    chance, cards = _hidden_bell_chance(state, seat, missing)
    if not cards:
        return [(1.0, nothing)]
    bid = known._replace(hand=tuple(sorted((*known.hand, *cards))))
    if chance >= 1.0:
        return [(1.0, Action(ActionType.BID, payment=bid))]
    return [(chance, Action(ActionType.BID, payment=bid)), (1.0 - chance, nothing)]


def _hidden_bell_chance(state: State, seat: int, missing: int) -> tuple[float, list[int]]:
    """How likely unknown hand cards show so many bells, and cards that would."""
    villagers, unseen = state.catalogue.villagers, unseen_deck(state, seat)
    shown = {card: bell_count(villagers[card].icons) for card in unseen}
    hidden = min(state.seats[seat].unknown_count, MAX_HIDDEN_CARDS)
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
