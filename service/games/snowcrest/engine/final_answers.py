"""Best answers of other players in the last turn: to penalties and to a meditation.

Penalties are answered by backward induction over the players that answer: each one knows the
answers before, and maximizes its own final standing.  An answer changes nothing but its own seat
(C7), so the answers of one seat are listed once for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, NamedTuple

import numpy as np

from service.core.arrays import Floats, Ints
from service.games.snowcrest.engine.final_scores import FinalNumbers, FinalScores, Hidden
from service.games.snowcrest.engine.kernels.choices.last_turn import (
    list_answering_bids,
    list_last_turn,
)
from service.games.snowcrest.engine.kernels.choices.listing import Search
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.rules.acting import act, deciding_seat, draw
from service.games.snowcrest.engine.kernels.rules.positions import next_task
from service.games.snowcrest.engine.packing import Packing, Vector

_FURTHER_ANSWERS: Final = 6
"""Answers to further items of a penalty that are compared."""
_MAX_SAMPLED: Final = 64
"""Combinations of answers that are compared if some cards are unknown."""
_MAX_COUNTED: Final = 5_000
"""Combinations of answers that are compared if all cards are known."""
_COMBINATIONS_PER_POSITION: Final = 8
"""So many combinations with unknown cards take the time of a position."""
_MOST_STEPS: Final = 600
"""Answers to the items of a penalty that are followed; further options of a seat are left out.
Penalties of the default catalogue take fewer than 100."""
_DIGITS: Final = 9
"""Digits of a standing that count; the others are rounding errors."""


class Option(NamedTuple):
    """Answers of a seat to all items of a penalty, and what its final score depends on after them.

    Attributes:
        answers: packed.
        points, resources, hidden: see :class:`~.final_scores.FinalNumbers`.
    """

    answers: tuple[bytes, ...]
    points: int
    resources: tuple[int, ...]
    hidden: Hidden


class FinalAnswers:
    """Finds the best answers of other players in the last turn.

    Args:
        packing: of the positions.
        search: lists the answers; its buffers are overwritten.
        count: called with a number of positions for each option of a seat, and for each choice.
    """

    def __init__(self, packing: Packing, search: Search, count: Callable[[int], None]) -> None:
        self._packing, self._search, self._count = packing, search, count
        self.scores = FinalScores(packing)
        self._options: dict[bytes, list[Option]] = {}
        self._best: dict[object, Option] = {}

    def best(self, position: Vector) -> list[Vector]:
        """Return the best answers of the player who has to decide, packed.

        Returns:
            The answers to all items of a penalty, or one bid.
        """
        if position[next_task(position)] == at.COLLECT:
            return [self._best_bid(position)]
        option = self._best_penalty(position)
        return [np.frombuffer(answer, np.int16).copy() for answer in option.answers]

    # Bids (C6) --------------------------------------------------------------------------------

    def _best_bid(self, position: Vector) -> Vector:
        """Return the bid after which the final standing is best; nothing if that is as good."""
        seat = int(deciding_seat(position))
        bids = self._search.actions[: list_answering_bids(position, self._search, seat)].copy()
        after = [self._after_bids(self._after(position, bid)) for bid in bids]
        best: Vector = bids[self._best_for(seat, after)]
        return best

    def _best_for(self, seat: int, positions: Sequence[Vector]) -> int:
        """Return the index of the best final position for a seat, the first of equal ones."""
        standings = self.scores.standings(self.scores.numbers(np.array(positions)))[:, seat]
        return int(standings.round(_DIGITS).argmax())

    def _after_bids(self, position: Vector) -> Vector:
        """Return a position after the further bids and what becomes of them."""
        self._count(1)
        while position[at.TASKS] and position[next_task(position)] in (at.COLLECT, at.DECIDE):
            seat = int(deciding_seat(position))
            if position[next_task(position)] == at.COLLECT:
                choices = [self._best_bid(position)]
            else:
                # A bid that gains nothing is left only if that is better for the active player.
                choices = self._listed(position)[: None if seat == position[at.TURN] else 1]
            after = [self._after(position, choice) for choice in choices]
            position = after[self._best_for(seat, after) if len(after) > 1 else 0]
        return position

    def _after(self, position: Vector, action: Vector) -> Vector:
        """Return the position after a choice, and after the unknown cards that are drawn next."""
        after = position.copy()
        act(after, self._search.cards, action)
        while after[at.TASKS] and after[next_task(after)] == at.DRAW_CARDS:
            draw(after, self._search.cards, at.UNKNOWN)
        return after

    # Penalties (C7) ---------------------------------------------------------------------------

    def _best_penalty(self, position: Vector) -> Option:
        """Return the best option of the seat that has to answer, the cheapest of equal ones."""
        keys, seats, options, after = list[bytes](), list[int](), list[list[Option]](), position
        # What follows the answers is the same after all of them.
        while after[at.TASKS] and after[next_task(after)] == at.PENALTY:
            keys.append(self._key(after))
            seats.append(int(deciding_seat(after)))
            options.append(self._options_of(after))
            for answer in options[-1][0].answers:
                after = self._after(after, np.frombuffer(answer, np.int16).copy())
        numbers = self.scores.numbers(after[None])
        rest = [
            (int(numbers.points[0, seat]), numbers.resources[0, seat].tobytes(), hidden)
            for seat, hidden in enumerate(numbers.hidden[0])
            if seat not in seats
        ]
        key = (*keys, *rest)
        if key not in self._best:
            combinations = min(_MAX_SAMPLED, prod(map(len, options)))
            self._count(1 + combinations // _COMBINATIONS_PER_POSITION)
            self._best[key] = options[0][self._best_option(numbers, seats, options)]
        return self._best[key]

    def _key(self, position: Vector) -> bytes:
        """Return what the options of a seat depend on."""
        seat = int(deciding_seat(position))
        first, size = self._packing.seat_at(seat), int(self._search.cards[at.SEAT_SIZE])
        acting = position[at.ACTING] if seat == position[at.TURN] else -1
        items = position[at.ITEMS : at.STACK]
        return np.array([seat, acting, *items, *position[first : first + size]]).tobytes()

    def _options_of(self, position: Vector) -> list[Option]:
        """Return the options of a seat with different results: depth first, cheapest first."""
        key = self._key(position)
        if key in self._options:
            return self._options[key]
        seat, found, reached = int(deciding_seat(position)), dict[object, Option](), set[bytes]()
        open_: list[tuple[Vector, tuple[bytes, ...]]] = [(position, ())]
        while open_ and (len(reached) < _MOST_STEPS or not found):
            here, given = open_.pop()
            if here.tobytes() in reached:
                continue
            reached.add(here.tobytes())
            penalty = here[at.TASKS] and here[next_task(here)] == at.PENALTY
            if not penalty or deciding_seat(here) != seat:
                option = self._option(here, seat, given)
                if option[1:] not in found:
                    found[option[1:]] = option
                    self._count(1)
                continue
            answers = self._listed(here)
            for answer in reversed(answers[:_FURTHER_ANSWERS] if given else answers):
                open_.append((self._after(here, answer), (*given, answer.tobytes())))
        self._options[key] = [*found.values()]
        return self._options[key]

    def _listed(self, position: Vector) -> list[Vector]:
        return [*self._search.actions[: list_last_turn(position, self._search)[0]].copy()]

    def _option(self, position: Vector, seat: int, answers: tuple[bytes, ...]) -> Option:
        points, resources, hidden, _ = self.scores.numbers(position[None])
        own = tuple(resources[0, seat].tolist())
        return Option(answers, int(points[0, seat]), own, hidden[0][seat])

    def _best_option(
        self, numbers: FinalNumbers, seats: Sequence[int], options: list[list[Option]]
    ) -> int:
        """Return the index of the best option of the first seat.

        Args:
            numbers: of the final position; those of the seats that answer do not matter.
            seats: that answer.
            options: of each of them.
        """
        hidden = any(count for _, count in numbers.hidden[0])
        hidden |= any(option.hidden[1] for own in options for option in own)
        most, options = _MAX_SAMPLED if hidden else _MAX_COUNTED, [*options]
        while prod(map(len, options)) > most:
            longest = max(range(len(options)), key=lambda index: len(options[index]))
            options[longest] = options[longest][:-1]
        chosen = np.indices(tuple(map(len, options))).reshape(len(options), -1)
        count = chosen.shape[1]
        points = np.repeat(numbers.points, count, axis=0)
        resources = np.repeat(numbers.resources, count, axis=0)
        columns = [[each] * count for each in numbers.hidden[0]]
        for seat, own, index in zip(seats, options, chosen, strict=True):
            points[:, seat] = np.array([option.points for option in own])[index]
            resources[:, seat] = np.array([option.resources for option in own])[index]
            columns[seat] = [own[place].hidden for place in index.tolist()]
        every = FinalNumbers(
            points, resources, [*zip(*columns, strict=True)], np.repeat(numbers.ending, count)
        )
        table = self.scores.standings(every)[:, list(seats)]
        return best_by_induction(table.reshape(*map(len, options), len(seats)))[0]


def best_by_induction(table: Floats) -> list[int]:
    """Return the players' options by backward induction, the first of equal ones.

    Args:
        table: float64[options of each player ..., players], what each player maximizes, in the
            order in which they choose.
    """
    left, best = table.round(_DIGITS), list[Ints]()
    for player in range(table.shape[-1] - 1, -1, -1):
        best.append(left[..., player].argmax(axis=-1))
        left = np.take_along_axis(left, best[-1][..., None, None], axis=-2)[..., 0, :]
    chosen: list[int] = []
    for options in reversed(best):
        chosen.append(int(options[tuple(chosen)]))
    return chosen
