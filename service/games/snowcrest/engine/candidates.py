"""A few promising choices of a decision, and likely answers of other players.

Choices are rated by the evaluator's prices of single items, without search.  All candidates are
legal, but not all legal choices are candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import itemgetter
from typing import Final

from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    Build,
    Copy,
    Gain,
    GainKind,
    Meditate,
    PerBuilding,
    Redraw,
    TakeBack,
    Trade,
    TurnUpBuildings,
)
from service.games.snowcrest.effects.meditation import BELLS_PER_SOLO_SCROLL, TWO_PLAYER_SCROLLS
from service.games.snowcrest.effects.options import trade_cost
from service.games.snowcrest.effects.paid_effects import enables
from service.games.snowcrest.engine.evaluation import PhaseModel
from service.games.snowcrest.engine.features import free_after
from service.games.snowcrest.engine.prices import (
    cheap_bids,
    cheap_payments,
    known_bid_size,
    payment_price,
)
from service.games.snowcrest.payments.bids import bell_count
from service.games.snowcrest.payments.sources import payment_value
from service.games.snowcrest.rules.actions import NO_PAYMENT, SKIP, Action, ActionType, Payment
from service.games.snowcrest.rules.choices import pending_decision
from service.games.snowcrest.rules.state import Resident, State, unseen_deck
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ApplyEffect,
    ChooseTurn,
    CollectBids,
    DecideBids,
    PayCost,
    PerformAction,
    PlaceRecruit,
    ReceiveGain,
    Turn,
)

MAX_BIDS: Final = 24
"""Largest number of bid sizes considered."""
MAX_HIDDEN_CARDS: Final = 12
"""Largest number of unknown hand cards considered for a bid."""
MAX_FINAL: Final = 16
"""Largest number of choices followed at a decision of the last turn."""
_OF_SOURCES: Final = (Meditate, PerBuilding, Redraw, TakeBack, TurnUpBuildings)
"""Effects that depend on what paid for them."""
_DENIED_SCROLL_VALUE: Final = 0.3
"""Value to the others, in scrolls, of one scroll less for the active player."""


def deciding_seat(turn: Turn) -> int:
    """Return the index of the seat that has to decide."""
    match turn.task:
        case AnswerPenalty(seat=seat):
            return seat
        case CollectBids(waiting=waiting) | DecideBids(waiting=waiting):
            return waiting[0]
    return turn.state.turn


def candidate_actions(turn: Turn, model: PhaseModel, limit: int) -> Sequence[Action]:
    """Return about ``limit`` choices of the deciding player, most promising first."""
    state = turn.state
    match turn.task:
        case PayCost(cost=cost, chosen=chosen):
            payments = cheap_payments(model, state, state.turn, cost, turn.acting_cell, limit)
            actions = [
                Action(ActionType.PAY, payment=payment)
                for payment in payments
                if enables(turn, turn.task, payment)
            ]
            return actions or (_listed(turn)[:1] if chosen else _listed(turn)[-1:])
        case AnswerPenalty():
            return _best(_listed(turn), lambda action: -_penalty_cost(turn, model, action), limit)
        case CollectBids():
            return _bid_candidates(turn, model, limit)
        case ApplyEffect(effect=Redraw()):
            return _redraw_candidates(turn, model)
        case ApplyEffect(effect=TakeBack()):
            return _best(_listed(turn), lambda action: _taken_value(model, action), limit)
        case ApplyEffect(effect=Build()):
            return _build_candidates(turn, model)
        case ApplyEffect(effect=Trade(sets=sets)):
            return _trade_candidates(turn, model, sets)
        case ApplyEffect(effect=Copy()):
            return _best(
                _listed(turn), lambda action: model.face_up[_copied_card(state, action)], limit + 1
            )
        case PlaceRecruit():
            hand = {card for card in turn.mover.hand if card != UNKNOWN}
            known = [
                action
                for action in _listed(turn)
                if action.card in hand or action.card in state.row
            ]
            return _best(
                known or _listed(turn),
                lambda action: model.face_up[_card(action)] + model.exhausted[_card(action)],
                limit + 1,
            )
        case ReceiveGain():
            return _listed(turn)
        case DecideBids():
            return _listed(turn)[:limit]
        case ChooseTurn():
            return turn_candidates(state, model, _listed(turn))
    return _listed(turn)


def final_actions(turn: Turn, model: PhaseModel) -> tuple[Sequence[Action], bool]:
    """Return the choices to follow in the last turn of a game, and whether none is left out.

    Payments of the same worth are one choice, if nothing else than the final resources can depend
    on what they give up.
    """
    match turn.task:
        case PayCost():
            actions = _distinct_payments(turn, model)
        case AnswerPenalty():
            actions = _best(
                _listed(turn), lambda action: -_penalty_cost(turn, model, action), MAX_FINAL + 1
            )
        case CollectBids():
            return _final_bids(turn, model), False
        case ApplyEffect(effect=Redraw()):
            return candidate_actions(turn, model, MAX_FINAL), False
        case _:
            actions = list(_listed(turn))
    return actions[:MAX_FINAL], len(actions) <= MAX_FINAL


def _distinct_payments(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return the payments of different worth, cheapest first."""
    state, seat = turn.state, turn.state.turn
    by_worth: dict[object, tuple[float, Action]] = {}
    assert isinstance(turn.task, PayCost), "a cost is paid"
    sources_matter = (
        any(posted.by is None for posted in state.challenges)
        or any(isinstance(task, PerformAction | ApplyEffect) for task in turn.tasks[1:])
        or any(isinstance(effect, _OF_SOURCES) for effect in turn.task.effects)
    )
    for action in _listed(turn):
        payment = action.payment
        if payment is None:
            by_worth[None] = 0.0, action
            continue
        price = payment_price(model, state, seat, payment)
        worth: object = payment_value(state, seat, payment)
        if sources_matter:
            used = payment.buildings, len(payment.hand), len(payment.cells)
            worth = worth, used
        if worth not in by_worth or price < by_worth[worth][0]:
            by_worth[worth] = price, action
    return [action for _, action in sorted(by_worth.values(), key=itemgetter(0))]


def _listed(turn: Turn) -> tuple[Action, ...]:
    [choices] = pending_decision(turn).choices.values()
    return choices


def _best(actions: Iterable[Action], value: Callable[[Action], float], limit: int) -> list[Action]:
    return sorted(actions, key=value, reverse=True)[:limit]


def _card(action: Action) -> int:
    assert action.card is not None, "a choice among cards"
    return action.card


def _taken_value(model: PhaseModel, action: Action) -> float:
    """Return the value of a card taken back; 0 for declining."""
    return 0.0 if action.card is None else model.in_hand[action.card]


def _copied_card(state: State, action: Action) -> int:
    if action.card is not None:
        return action.card
    owner = next(seat for seat in state.seats if seat.player == action.owner)
    resident = owner.village[action.cell or 0]
    assert resident is not None, "the copied cell has a villager"
    return resident.card


# Turns ----------------------------------------------------------------------------------------


def turn_candidates(state: State, model: PhaseModel, choices: Sequence[Action]) -> list[Action]:
    """Return the choices with at most the two best cells for each playable card."""
    candidates: list[Action] = []
    cells: dict[int, list[Action]] = {}
    for action in choices:
        if action.type is ActionType.PLAY:
            cells.setdefault(_card(action), []).append(action)
        else:
            candidates.append(action)
    for actions in cells.values():
        candidates += _best(actions, lambda action: _cell_value(state, model, action), 2)
    return candidates


def _cell_value(state: State, model: PhaseModel, action: Action) -> float:
    """Return the value of playing into a cell: what stays free minus what is replaced."""
    village, cell = state.mover.village, action.cell or 0
    replaced: Resident | None = village[cell]
    price = 0.0 if replaced is None else model.sending_away(replaced.card)
    return model.free * free_after(village, cell) - price


# Single effects -------------------------------------------------------------------------------


def _build_candidates(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return each kind of building with the cheapest building to return for it."""
    cheapest: dict[int, tuple[float, Action]] = {}
    for action in _listed(turn):
        assert action.building is not None, "a kind is built"
        price = 0.0
        if action.returned is not None:
            price = model.building(action.returned.building, spent=action.returned.spent)
        if action.building not in cheapest or price < cheapest[action.building][0]:
            cheapest[action.building] = price, action
    return [action for _, action in cheapest.values()]


def _redraw_candidates(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return three sets of cards: none, those worth less than the mean draw, and all known ones."""
    hand = sorted(card for card in turn.mover.hand if card != UNKNOWN)
    unseen = unseen_deck(turn.state, turn.state.turn)
    mean = sum(model.in_hand[card] * count for card, count in unseen.items())
    mean /= max(1, unseen.total())
    poor = tuple(card for card in hand if model.in_hand[card] < mean)
    return [
        Action(ActionType.REDRAW, cards=cards) for cards in dict.fromkeys(((), poor, tuple(hand)))
    ]


def _trade_candidates(turn: Turn, model: PhaseModel, sets: Sequence[Gain]) -> list[Action]:
    """Return the trades that known sources can pay, and declining."""
    state = turn.state
    payable = {
        side.what
        for side in sets
        if side.what is GainKind.SCROLL
        or cheap_payments(model, state, state.turn, trade_cost(side), turn.acting_cell, 1)
    }
    return [each for each in _listed(turn) if each.give is None or each.give in payable]


# Penalties (C7) -------------------------------------------------------------------------------


def _penalty_cost(turn: Turn, model: PhaseModel, action: Action) -> float:
    """Return the value that a penalty answer gives up."""
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
        price = model.exhausting if action.item.is_resource else model.sending_away
        return price(resident.card)
    assert action.building is not None, "a building is given"
    if action.item.is_resource:
        return model.spending(action.building)
    return model.building(action.building, spent=bool(action.spent))


# Bids (C6) ------------------------------------------------------------------------------------


def _bid_candidates(turn: Turn, model: PhaseModel, limit: int) -> list[Action]:
    """Return the bids of known cards that just reach the others' likely bids, and the smallest."""
    assert isinstance(turn.task, CollectBids), "the task collects bids"
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
        by_scrolls = {
            sizes[step] // BELLS_PER_SOLO_SCROLL: offered[step] for step in reversed(steps)
        }
        return [Action(ActionType.BID, payment=bid) for bid in (*by_scrolls.values(), offered[0])]
    others = sorted(_expected_bells(state, other) for other in state.seats_after(seat))
    sufficient = [
        next((bid for bid in offered if _active_bid_size(turn, bid) >= bells), None)
        for bells in others
    ]
    candidates = [
        bid for bid in (*reversed(sufficient), offered[0], offered[-1]) if bid is not None
    ]
    return [Action(ActionType.BID, payment=bid) for bid in dict.fromkeys(candidates)][
        : max(2, limit + 1)
    ]


def _final_bids(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return the candidates, and the cheapest bid of each size: in the last turn each may win."""
    candidates = _bid_candidates(turn, model, MAX_FINAL)
    assert isinstance(turn.task, CollectBids), "the task collects bids"
    seat = turn.task.waiting[0]
    cell = turn.acting_cell if seat == turn.state.turn else None
    offered = cheap_bids(model, turn.state, seat, cell, MAX_FINAL)
    by_size = [Action(ActionType.BID, payment=bid) for bid in offered]
    return [*dict.fromkeys([*candidates, *by_size])][:MAX_FINAL]


def _active_bid_size(turn: Turn, bid: Payment) -> int:
    return known_bid_size(turn.state, turn.state.turn, bid)


def _beats(turn: Turn, seat: int, bid: Payment) -> bool:
    assert isinstance(turn.task, CollectBids), "the task collects bids"
    return known_bid_size(turn.state, seat, bid) > _active_bid_size(turn, turn.task.bids[0])


def _expected_bells(state: State, index: int) -> float:
    """Return the bells that a seat can bid, counting an unknown card as the mean unseen card."""
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
    """Return the likely bids of another player with probabilities.

    The player bids just enough if that is worth the cost, else nothing.  The unseen cards of the
    deck determine the probability that unknown hand cards contain enough bells (C12).
    """
    assert isinstance(turn.task, CollectBids), "the task collects bids"
    state, seat = turn.state, turn.task.waiting[0]
    no_bid = Action(ActionType.BID, payment=NO_PAYMENT)
    size = _active_bid_size(turn, turn.task.bids[0])
    gain = (
        (TWO_PLAYER_SCROLLS if len(state.seats) == 2 else 1)
        * (1.0 + _DENIED_SCROLL_VALUE)
        * model.scroll
    )
    offered = cheap_bids(model, state, seat, None, MAX_BIDS)
    for bid in offered:
        if known_bid_size(state, seat, bid) > size:
            profitable = payment_price(model, state, seat, bid) <= gain
            return [(1.0, Action(ActionType.BID, payment=bid) if profitable else no_bid)]
    hidden = state.seats[seat].unknown_count
    known = offered[-1] if offered else NO_PAYMENT
    missing = size + 1 - known_bid_size(state, seat, known)
    if not hidden or payment_price(model, state, seat, known) > gain:
        return [(1.0, no_bid)]
    chance, cards = _hidden_bell_chance(state, seat, missing)
    if not cards:
        return [(1.0, no_bid)]
    bid = known._replace(hand=tuple(sorted((*known.hand, *cards))))
    if chance >= 1.0:
        return [(1.0, Action(ActionType.BID, payment=bid))]
    return [(chance, Action(ActionType.BID, payment=bid)), (1.0 - chance, no_bid)]


def _hidden_bell_chance(state: State, seat: int, missing: int) -> tuple[float, list[int]]:
    """Return the probability that unknown hand cards show enough bells, and cards that would."""
    villagers, unseen = state.catalogue.villagers, unseen_deck(state, seat)
    shown = {card: bell_count(villagers[card].icons) for card in unseen}
    hidden = min(state.seats[seat].unknown_count, MAX_HIDDEN_CARDS)
    counts: dict[tuple[int, int], int] = {(0, 0): 1}
    for card in unseen.elements():
        for (count, total), number in list(counts.items()):
            if count < hidden:
                more = count + 1, min(missing, total + shown[card])
                counts[more] = counts.get(more, 0) + number
    of_all = {total: number for (count, total), number in counts.items() if count == hidden}
    cards: list[int] = []
    left = missing
    for card in sorted(unseen.elements(), key=lambda card: -shown[card]):
        if left > 0 and shown[card] and len(cards) < hidden:
            cards.append(card)
            left -= shown[card]
    enough = of_all.get(missing, 0)
    return (enough / sum(of_all.values()), cards) if left <= 0 and enough else (0.0, [])
