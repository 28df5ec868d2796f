"""Bids that the search follows, and likely bids of other players (C6)."""

from __future__ import annotations

from functools import lru_cache
from operator import itemgetter
from typing import Final

from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Catalogue
from service.games.snowcrest.effects.meditation import BELLS_PER_SOLO_SCROLL, TWO_PLAYER_SCROLLS
from service.games.snowcrest.engine.choices.prices import cheap_bids, known_bid_size, payment_price
from service.games.snowcrest.engine.evaluation import PhaseModel
from service.games.snowcrest.payments.bids import bell_count
from service.games.snowcrest.payments.sources import payment_value
from service.games.snowcrest.rules.actions import NO_PAYMENT, SKIP, Action, ActionType, Payment
from service.games.snowcrest.rules.choices import pending_decision
from service.games.snowcrest.rules.state import Seat, State, unseen_deck, unseen_deck_of
from service.games.snowcrest.rules.turn import AnswerPenalty, CollectBids, DecideBids, Turn

MAX_BIDS: Final = 24
"""Largest number of bid sizes considered."""
MAX_HIDDEN_CARDS: Final = 12
"""Largest number of unknown hand cards considered for a bid."""
MAX_FINAL: Final = 16
"""Largest number of choices followed at a decision of the last turn."""
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


def listed_choices(turn: Turn) -> tuple[Action, ...]:
    """Return the listed choices of the deciding player."""
    [choices] = pending_decision(turn).choices.values()
    return choices


def bid_candidates(turn: Turn, model: PhaseModel, limit: int) -> list[Action]:
    """Return the bids of known cards that just reach the others' likely bids, and the smallest."""
    assert isinstance(turn.task, CollectBids), "the task collects bids"
    state, seat = turn.state, turn.task.waiting[0]
    mover = seat == state.turn
    offered = cheap_bids(model, state, seat, turn.acting_cell if mover else None, MAX_BIDS)
    if not mover:
        enough = [bid for bid in offered if beats(turn, seat, bid)][:1]
        return [Action(ActionType.BID, payment=bid) for bid in (*enough, NO_PAYMENT)]
    if not offered:
        return [SKIP] if SKIP in listed_choices(turn) else list(listed_choices(turn)[:1])
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


def final_bids(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return the candidates, the cheapest bid of each size, and bids of different worth.

    In the last turn a bid of each size may win, and what it gives up may decide a tie.
    """
    candidates = bid_candidates(turn, model, MAX_FINAL)
    seat = deciding_seat(turn)
    cell = turn.acting_cell if seat == turn.state.turn else None
    offered = cheap_bids(model, turn.state, seat, cell, MAX_FINAL)
    by_size = [Action(ActionType.BID, payment=bid) for bid in offered]
    return [*dict.fromkeys([*candidates, *by_size, *_of_different_worth(turn, model)])][:MAX_FINAL]


def final_answering_bids(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return no bid, and the winning bids of different worth of another player, cheapest first."""
    seat = deciding_seat(turn)
    winning = [
        action
        for action in _of_different_worth(turn, model)
        if action.payment is not None and beats(turn, seat, action.payment)
    ]
    return [Action(ActionType.BID, payment=NO_PAYMENT), *winning[:MAX_FINAL]]


def _of_different_worth(turn: Turn, model: PhaseModel) -> list[Action]:
    """Return the cheapest of the listed bids that give up the same resources, cheapest first."""
    state, seat = turn.state, deciding_seat(turn)
    by_worth: dict[object, tuple[float, Action]] = {}
    for action in listed_choices(turn):
        if action.payment is None:
            continue
        price = payment_price(model, state, seat, action.payment)
        worth = payment_value(state, seat, action.payment)
        if worth not in by_worth or price < by_worth[worth][0]:
            by_worth[worth] = price, action
    return [action for _, action in sorted(by_worth.values(), key=itemgetter(0))]


def _active_bid_size(turn: Turn, bid: Payment) -> int:
    return known_bid_size(turn.state, turn.state.turn, bid)


def beats(turn: Turn, seat: int, bid: Payment) -> bool:
    """Return whether a bid is known to be higher than that of the active player."""
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
    chance, cards = _hidden_bell_chance(state.seats[seat], state.catalogue, missing)
    if not cards:
        return [(1.0, no_bid)]
    bid = known._replace(hand=tuple(sorted((*known.hand, *cards))))
    if chance >= 1.0:
        return [(1.0, Action(ActionType.BID, payment=bid))]
    return [(chance, Action(ActionType.BID, payment=bid)), (1.0 - chance, no_bid)]


# A search asks for each of many bids that differ in what they are paid with.
@lru_cache(maxsize=256)
def _hidden_bell_chance(
    seat: Seat, catalogue: Catalogue, missing: int
) -> tuple[float, tuple[Card, ...]]:
    """Return the probability that unknown hand cards show enough bells, and cards that would."""
    villagers, unseen = catalogue.villagers, unseen_deck_of(seat, catalogue)
    shown = {card: bell_count(villagers[card].icons) for card in unseen}
    hidden = min(seat.unknown_count, MAX_HIDDEN_CARDS)
    counts: dict[tuple[int, int], int] = {(0, 0): 1}
    for card in unseen.elements():
        for (count, total), number in list(counts.items()):
            if count < hidden:
                more = count + 1, min(missing, total + shown[card])
                counts[more] = counts.get(more, 0) + number
    of_all = {total: number for (count, total), number in counts.items() if count == hidden}
    cards: list[Card] = []
    left = missing
    for card in sorted(unseen.elements(), key=lambda card: -shown[card]):
        if left > 0 and shown[card] and len(cards) < hidden:
            cards.append(card)
            left -= shown[card]
    enough = of_all.get(missing, 0)
    if left > 0 or not enough:
        return 0.0, ()
    return enough / sum(of_all.values()), tuple(cards)
