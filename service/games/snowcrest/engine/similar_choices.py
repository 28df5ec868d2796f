"""Choices that need no search of their own: another one is worth the same, or about that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from service.core.frozen import replace
from service.core.sequential import SimilarNode
from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.effects.meditation import TWO_PLAYER_SCROLLS
from service.games.snowcrest.engine.choices.bids import beats, deciding_seat
from service.games.snowcrest.engine.end_values import Position
from service.games.snowcrest.engine.ends.turn_ends import (
    may_end_game,
    next_turn,
    play_may_end_game,
)
from service.games.snowcrest.engine.evaluation import Evaluator, comparable
from service.games.snowcrest.payments.sources import apply_payment
from service.games.snowcrest.rules.actions import NO_PAYMENT, Action, ActionType, Payment
from service.games.snowcrest.rules.turn import CollectBids, Turn


def equal_plays(
    turn: Turn, choices: Sequence[Action], node_after: Callable[[Action], Position]
) -> Mapping[Action, Position]:
    """Return the plays of the last turn with what follows a play of the same worth.

    The same card may enter an empty cell or replace the same villager.  If challenges are open,
    cells differ: they may count rows of exhausted villagers.

    Args:
        turn: in which the choices are.
        choices: of the player.
        node_after: returns the position that a choice leads to.
    """
    nodes, by_choice = dict[object, Position](), dict[Action, Position]()
    if any(posted.by is None for posted in turn.state.challenges):
        return by_choice
    for choice in choices:
        if choice.type is ActionType.PLAY and choice.payment is None:
            resident = turn.mover.village[choice.cell or 0]
            key = choice.card, resident and resident.card
            if key not in nodes:
                nodes[key] = node_after(choice)
            by_choice[choice] = nodes[key]
    return by_choice


def similar_plays(
    turn: Turn,
    choices: Sequence[Action],
    cells: int,
    evaluator: Evaluator,
    after: Callable[[Turn, Action], Turn],
    node_after: Callable[[Action], Position],
) -> Mapping[Action, SimilarNode]:
    """Return the plays that are not searched, with the searched play they resemble.

    A played villager does the same in every cell.  Only the replaced villager and full lines
    differ.  The evaluator estimates this as a difference of win shares.

    Args:
        turn, choices, node_after: see :func:`equal_plays`.
        cells: searched for each card.
        evaluator: of the positions.
        after: returns the turn after a choice.
    """
    by_card: dict[Card | None, list[_Rated]] = {}
    for choice in choices:
        if choice.type is ActionType.PLAY and not play_may_end_game(turn, choice):
            by_card.setdefault(choice.card, []).append(
                _rated(choice, after(turn, choice), turn.state.turn, evaluator)
            )
    similar: dict[Action, SimilarNode] = {}
    for plays in by_card.values():
        similar |= _resembling_best(plays, cells, node_after)
    return similar


def similar_bids(
    turn: Turn,
    choices: Sequence[Action],
    graded: Action | None,
    searched: int,
    evaluator: Evaluator,
    node_after: Callable[[Action], Position],
    resolved: Callable[[Action], Turn],
) -> Mapping[Action, SimilarNode]:
    """Return the bids that are not searched, with the searched bid that they resemble.

    If another player meditates, all bids above that player's gain the same, and the bids of the
    others do not depend on them.  Lower bids gain nothing, and may be taken back.  What differs is
    what is given up (C6); the evaluator estimates it after the meditation, with the likeliest
    answers of the others.  All bids are searched if the meditation or this turn may end the game,
    and with unknown own cards, which a bid shows.

    Args:
        turn, choices, node_after: see :func:`equal_plays`.
        graded: a bid that is always searched, or None.
        searched: number of higher bids that are searched, and of lower ones.
        evaluator: of the positions.
        resolved: returns the turn after a bid and the meditation, if the others do what is likely.
    """
    state = turn.state
    if not isinstance(turn.task, CollectBids) or deciding_seat(turn) == state.turn:
        return {}
    seat, prizes = deciding_seat(turn), max(TWO_PLAYER_SCROLLS, len(state.seats) - 1)
    if may_end_game(turn) or state.supply <= prizes or state.seats[seat].unknown_count:
        return {}
    higher, lower = list[Action](), list[Action]()
    for choice in choices:
        if choice.payment is not None and choice.payment != NO_PAYMENT:
            (higher if beats(turn, seat, choice.payment) else lower).append(choice)
    similar: dict[Action, SimilarNode] = {}
    for bids in (higher, lower):
        if len(bids) > searched:
            rated = _rated_bids(turn, bids, resolved(bids[0]), evaluator, is_lower=bids is lower)
            similar |= _resembling_best(rated, searched, node_after)
    return {choice: node for choice, node in similar.items() if choice != graded}


class _Rated(NamedTuple):
    """A choice, the turn that it leads to, and the win shares as if the turn ended there.

    Attributes:
        value: the share of the player who chooses, for comparisons.
    """

    value: int
    choice: Action
    turn: Turn
    shares: Sequence[float]


def _rated(choice: Action, turn: Turn, seat: int, evaluator: Evaluator) -> _Rated:
    estimated = np.array([evaluator.shares(turn.state, next_turn(turn))])
    [shares] = evaluator.stated(estimated, seat).tolist()
    return _Rated(comparable(shares[seat]), choice, turn, shares)


def _rated_bids(
    turn: Turn, bids: Sequence[Action], after: Turn, evaluator: Evaluator, *, is_lower: bool
) -> list[_Rated]:
    """Return bids with the win shares after the meditation; lower ones are taken back if better.

    Args:
        turn: in which a bid is due.
        bids: of the deciding player.
        after: the turn after the meditation with one of the bids.
        evaluator: of the positions.
        is_lower: whether the bids gain nothing.
    """
    seat, before = deciding_seat(turn), turn.state
    scrolls = after.state.seats[seat].scrolls

    def rated(bid: Action, payment: Payment) -> _Rated:
        paid = apply_payment(before, seat, payment).seats[seat]
        state = after.state.with_seat(seat, replace(paid, scrolls=scrolls))
        return _rated(bid, replace(after, state=state), seat, evaluator)

    spent = [rated(bid, bid.payment or NO_PAYMENT) for bid in bids]
    if not is_lower:
        return spent
    kept = rated(bids[0], NO_PAYMENT)
    return [
        each if each.value > kept.value else kept._replace(choice=each.choice) for each in spent
    ]


def _resembling_best(
    rated: Sequence[_Rated], searched: int, node_after: Callable[[Action], Position]
) -> dict[Action, SimilarNode]:
    """Return all choices but the best ones, with the best one that they resemble."""
    ranked = sorted(rated, key=lambda each: -each.value)
    similar = {}
    if len(ranked) > searched:
        best, node = ranked[0], node_after(ranked[0].choice)
        for _, choice, turn, shares in ranked[searched:]:
            difference = tuple(
                other - share for other, share in zip(shares, best.shares, strict=True)
            )
            similar[choice] = SimilarNode(node, difference, (Position(best.turn), Position(turn)))
    return similar
