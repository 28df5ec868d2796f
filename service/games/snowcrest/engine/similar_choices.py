"""Choices that need no search of their own: another one is worth the same, or about that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from service.core.sequential import SimilarNode
from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.effects.meditation import TWO_PLAYER_SCROLLS
from service.games.snowcrest.engine.choices.bids import beats, deciding_seat
from service.games.snowcrest.engine.end_values import Position
from service.games.snowcrest.engine.ends.turn_ends import next_turn, play_may_end_game
from service.games.snowcrest.engine.evaluation import Evaluator, comparable
from service.games.snowcrest.payments.sources import apply_payment
from service.games.snowcrest.rules.actions import NO_PAYMENT, Action, ActionType
from service.games.snowcrest.rules.turn import CollectBids, Turn, gain_scrolls


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
    most: int,
    evaluator: Evaluator,
    node_after: Callable[[Action], Position],
) -> Mapping[Action, SimilarNode]:
    """Return the bids that are not searched, with the searched bid that they resemble.

    If another player meditates, all bids above that player's gain the same, and the others do not
    answer to their size (C6).  Only what is paid differs; the evaluator estimates this, as if the
    meditation ended at once.  Lower bids gain nothing and are taken back.

    Args:
        turn, choices, node_after: see :func:`equal_plays`.
        most: bids searched that gain something, and as many others.
        evaluator: of the positions.
    """
    if not isinstance(turn.task, CollectBids) or deciding_seat(turn) == turn.state.turn:
        return {}
    seat, state = deciding_seat(turn), turn.state
    prize = TWO_PLAYER_SCROLLS if len(state.seats) == 2 else 1
    gaining, others = list[_Rated](), list[_Rated]()
    kept = _rated(choices[0], turn, seat, evaluator)
    for choice in choices:
        if choice.payment is None or choice.payment == NO_PAYMENT:
            continue
        if beats(turn, seat, choice.payment):
            paid = turn.with_state(apply_payment(state, seat, choice.payment))
            gained = gain_scrolls(paid, seat, prize, "C6")
            gaining.append(_rated(choice, gained, seat, evaluator))
        else:
            others.append(kept._replace(choice=choice))
    return {
        **_resembling_best(gaining, most, node_after),
        **_resembling_best(others, most, node_after),
    }


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
    shares = evaluator.shares(turn.state, next_turn(turn))
    return _Rated(comparable(shares[seat]), choice, turn, shares)


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
