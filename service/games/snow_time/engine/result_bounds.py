"""What a player can be sure of in a round: bounds of its share over all legal plays of the others.

Shares of finished games are exact.  A game that goes on can still end in any way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from service.core.hints import Question
from service.core.simultaneous import ResultBounds
from service.games.snow_time.engine.canonical import CanonicalSeats, canonical_seats
from service.games.snow_time.engine.cells import resolve_cells
from service.games.snow_time.engine.evaluation import CLASSES
from service.games.snow_time.engine.kernels.effects import OPEN
from service.games.snow_time.engine.kernels.rounds import (
    ARRIVED_SHIFT,
    BLIZZARD,
    NOTHING,
    SEATS_MASK,
    SPARED,
)
from service.games.snow_time.engine.stage_game.options import Options, options_of
from service.games.snow_time.engine.stage_game.profiles import final_cards
from service.games.snow_time.rules.state import Card, Move, State

_ANY_HAND = (0.0,) * CLASSES
"""Value of hands: what is taken back does not change the result of a round."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Shares:
    """The asker's smallest and largest share by the final card of each seat.

    Attributes:
        least, most: float64[final cards of the first seat, of the second one, ...].
    """

    least: Floats
    most: Floats


def result_bounds(
    question: Question[State, Move], moves: Sequence[Mapping[str, Move]]
) -> Sequence[ResultBounds[Move]]:
    """Return the bounds of each of the asker's moves, later choices of this round included.

    Args:
        question: of the asker.
        moves: of the asker.
    """
    canonical = canonical_seats(question)
    options = [
        options_of(
            seat,
            question.revealed.get(seat.name),
            question.decision.name,
            _ANY_HAND,
            question.position.board,
        )
        for seat in canonical.seats
    ]
    shares = _shares(question, canonical, options)
    names = [seat.name for seat in canonical.seats]
    own = [place for place, seat in enumerate(canonical.seats) if seat.player == question.player]
    return [_of_move(shares, options, own, names, move) for move in moves]


def _shares(
    question: Question[State, Move], canonical: CanonicalSeats, options: Sequence[Options]
) -> _Shares:
    state = question.position
    counts = [len(each.cards) for each in options]
    cells = resolve_cells(
        final_cards(options),
        np.array(counts, np.int64),
        np.array([state.fruit], np.int64),
        np.array([seat.score for seat in canonical.seats], np.int64),
        state.board,
    )
    arrived = cells.marks[0].reshape(counts) >> ARRIVED_SHIFT & SEATS_MASK
    asker = canonical.players.index(question.player)
    share_of = np.zeros(SEATS_MASK + 1)
    for seats in range(1, SEATS_MASK + 1):
        winners = {owner for seat, owner in enumerate(canonical.owners) if seats >> seat & 1}
        share_of[seats] = 1.0 / len(winners) if asker in winners else 0.0
    return _Shares(share_of[arrived], np.where(arrived == 0, 1.0, share_of[arrived]))


def _of_move(
    shares: _Shares,
    options: Sequence[Options],
    own: Sequence[int],
    names: Sequence[str],
    move: Mapping[str, Move],
) -> ResultBounds[Move]:
    least, most = shares.least, shares.most
    adding = []
    for place in own:
        chosen = options[place]
        option = chosen.moves.index(move[names[place]]) if names[place] in move else 0
        at = range(chosen.addable) if chosen.shown[option] == OPEN else [chosen.shown[option]]
        least, most = least.take(at, axis=place), most.take(at, axis=place)
        if chosen.shown[option] == OPEN:
            adding.append(place)
    others = [place for place in range(len(options)) if place not in own]
    lowest = min(
        _guaranteed(least, adding, [place for place in others if place not in hidden], hidden)
        for hidden in _hidden(options, others if adding else ())
    )
    winning = np.nonzero(most > 0.0)
    needed = {
        names[place]: Move(card)
        for place in others
        if len(options[place].cards) > 1
        and (card := _only_card(options[place], np.unique(winning[place]))) is not None
    }
    return ResultBounds(lowest, float(most.max()), len(winning[0]) / most.size, needed)


def _hidden(options: Sequence[Options], others: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the sets of seats that may add their card at the same time as the asker."""
    can = [place for place in others if OPEN in options[place].shown]
    return [some for count in range(len(can) + 1) for some in combinations(can, count)]


def _guaranteed(
    least: Floats, adding: Sequence[int], seen: Sequence[int], hidden: Sequence[int]
) -> float:
    """Return what the asker is sure of if it adds the best cards, having seen some seats' cards."""
    least = least.min(axis=tuple(hidden), keepdims=True) if hidden else least
    least = least.max(axis=tuple(adding), keepdims=True) if adding else least
    return float(least.min())


def _only_card(options: Options, used: NDArray[np.int64]) -> Card | None:
    """Return the card that a seat must show if only this one is among the final cards used."""
    if len(used) != 1 or options.cards[int(used[0])] == NOTHING:
        return None
    final = options.cards[int(used[0])]
    return Card.BLIZZARD if final == BLIZZARD else Card(final % SPARED)
