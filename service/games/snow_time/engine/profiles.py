"""All joint options of a table, packed for the kernels: what they come to and what they are worth.

A *profile* is one option of each seat; the final cards of all seats are a *cell* (see
``kernels/joint.py``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.canonical import Table
from service.games.snow_time.engine.cells import Cells
from service.games.snow_time.engine.evaluation import CLASSES, EvaluatorTables
from service.games.snow_time.engine.kernels import effects, joint
from service.games.snow_time.engine.kernels.effects import OPEN
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, SEATS_MASK
from service.games.snow_time.engine.options import Options

MAX_FINAL_CARDS: Final = 9
MAX_SEATS: Final = 5

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Objective:
    """What everybody pursues.

    Attributes:
        on_shares: shares of the win, or spaces gained.
        against: what a space gained by others counts against the own ones.
    """

    win_shares: bool
    opponent_weight: float


class Profiles:
    """The profiles of a table.

    Attributes:
        counts: joint options of each player.
        over: bool[cells], whether the game ends there.
    """

    def __init__(
        self, table: Table, options: Sequence[Options], cells: Cells, scale: EvaluatorTables
    ) -> None:
        """Packs a table.

        Args:
            table: in canonical order.
            options: of each seat.
            cells: of their final cards.
            scale: the evaluator on this track.
        """
        self._table, self._options, self._scale = table, options, scale
        self._gained, self._marks = cells.gained[0], cells.marks[0]
        self._points = cells.points[0]
        self._cards = final_cards(options)
        self._seats = np.array(
            [
                (seat.score, owner, len(own.cards), len(own.moves), own.nothing)
                for seat, owner, own in zip(table.seats, table.owners, options, strict=True)
            ],
            np.int64,
        )
        # Rows of tables: the options, then the final cards that a watcher may add.
        most = max(len(own.moves) for own in options)
        self._finals = _padded([own.shown for own in options], most)
        self._rows = _padded([_rows(own) for own in options], most)
        self._shown = _padded([_rows_by_card(own) for own in options], MAX_FINAL_CARDS)
        self._first_added = most
        self._classes = np.zeros((len(options), most + MAX_FINAL_CARDS, 2), np.int64)
        for place, own in enumerate(options):
            self._classes[place, : len(own.classes)] = own.classes
            self._classes[place, most : most + len(own.added)] = own.added
        self._width = int(self._gained.max()) + 1
        self._effects = np.empty(self._gained.shape[::-1], np.uint32)
        effects.number_effects(self._gained, self._marks, self._seats, self._width, self._effects)
        self.counts = tuple(
            prod(len(options[seat].moves) for seat in table.of(player))
            for player in range(len(table.players))
        )
        over: NDArray[np.bool_] = self._marks >> ARRIVED_SHIFT & SEATS_MASK != 0
        self.over = over

    def choose_cells(self, objective: Objective) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Open seats, as masks, and the final cards of all profiles; where several players'
        watchers meet, each answers as if the others added nothing.
        """
        sets = self._sets_of_watchers()
        rows = np.zeros(1 << MAX_SEATS, np.int64)
        rows[sets] = range(len(sets))
        answers = np.empty((len(sets), len(self._marks)), np.int32)
        if len(sets):
            joint.best_added_cards(
                sets,
                self._seats,
                self._effects,
                self._tables(objective),
                self._shown,
                self._first_added,
                objective.win_shares,
                objective.opponent_weight,
                answers,
            )
        masks = np.empty(prod(self.counts), np.int32)
        chosen = np.empty(prod(self.counts), np.int32)
        joint.choose_cells(self._seats, self._finals, rows, answers, masks, chosen)
        return masks, chosen

    def value_all(self, cells: NDArray[np.int32], objective: Objective) -> Floats:
        """float64[players, profiles]: what everybody gets from all profiles, in their order."""
        values, totals = self._nothing(len(cells))
        effects.add_values(
            cells.view(np.uint32), *self._worths(self._tables(objective)), values, totals
        )
        return _aimed(values, totals, objective)

    def value(self, profiles: Ints, cells: NDArray[np.int32], objective: Objective) -> Floats:
        """float64[players, k]: what everybody gets from profiles with these final cards."""
        values, totals = self._nothing(len(cells))
        effects.add_profile_values(
            profiles, cells.view(np.uint32), *self._worths(self._tables(objective)), values, totals
        )
        return _aimed(values, totals, objective)

    def interest(self, cells: NDArray[np.int32], hand_values: Floats) -> Floats:
        """float64[players, profiles]: what everybody gains and keeps, see ``interests.py``."""
        values, totals = self._nothing(len(cells))
        effects.add_values(
            cells.view(np.uint32), *self._worths(self._spaces(hand_values)), values, totals
        )
        return values

    def _nothing(self, many: int) -> tuple[Floats, Floats]:
        return np.zeros((len(self.counts), many)), np.zeros(many)

    def _worths(self, tables: Floats) -> tuple[NDArray[np.uint32], Floats, Ints, Ints, int]:
        """What kernels have to know that look up worths, in the order of their parameters."""
        return self._effects, tables, self._seats, self._rows, self._first_added

    def _tables(self, objective: Objective) -> Floats:
        return self._shares if objective.win_shares else self._gains

    @cached_property
    def _shares(self) -> Floats:
        tables = self._empty_tables()
        effects.tabulate_shares(
            self._seats,
            self._classes,
            self._width,
            self._scale.potentials,
            self._scale.hands,
            tables,
        )
        return tables

    @cached_property
    def _gains(self) -> Floats:
        return self._spaces(np.zeros(CLASSES))

    def _spaces(self, hand_values: Floats) -> Floats:
        tables = self._empty_tables()
        effects.tabulate_spaces(self._classes, self._width, hand_values, tables)
        return tables

    def _empty_tables(self) -> Floats:
        """float64[seats, rows, effects], not filled yet."""
        foremost = int(self._seats[:, effects.SCORE].max())
        # Nobody comes to lead by more than is gained, or goes on from the last space.
        leaders = min(len(self._scale.potentials) - foremost, self._width)
        rows = effects.LEADER + leaders
        return np.empty((*self._classes.shape[:2], rows * self._width * 2))

    def outcomes(
        self,
        player: int,
        strategies: Floats,
        shares: Floats,
        further: bool,
        later: Floats,
        cells: NDArray[np.int32],
        settled: tuple[Ints, NDArray[np.int32], Floats],
        out: Floats,
    ) -> None:
        """Adds what a player's moves lead to, see ``joint.outcomes``.

        Args:
            strategies: float64[sum of moves], of all players.
            shares, later: float64[players, profiles]; without ``further`` the latter are noughts.
            cells: int32[profiles]; ``-1 - k`` where it is the k-th of ``settled``.
            settled: see ``MixedCells.joined``.
            out: float64[moves, columns].
        """
        joint.outcomes(
            player,
            np.array(self.counts, np.int64),
            strategies,
            self._seats,
            self._cards,
            shares,
            further,
            later,
            cells,
            *settled,
            self._gained,
            self._points,
            self._marks,
            out,
        )

    def stride(self, seat: int) -> tuple[int, int]:
        """How a seat's final card counts in the number of a cell, and how many it has."""
        counts = self._seats[:, effects.FINALS]
        return int(counts[seat + 1 :].prod()), int(counts[seat])

    def gained(self, cell: int, seat: int) -> int:
        """The spaces that a seat gains."""
        return int(self._gained[cell, seat])

    def mark(self, cell: int) -> int:
        """Who returns, who arrived, what fruit is taken, see ``kernels/rounds.py``."""
        return int(self._marks[cell])

    def _sets_of_watchers(self) -> Ints:
        """Each set of seats of one player whose final cards can be open, as a mask."""
        found = []
        for player in range(len(self._table.players)):
            can = [seat for seat in self._table.of(player) if OPEN in self._options[seat].shown]
            found += [
                sum(1 << seat for seat, watches in zip(can, chosen, strict=True) if watches)
                for chosen in product((False, True), repeat=len(can))
                if any(chosen)
            ]
        return np.array(found, np.int64)


def final_cards(options: Sequence[Options]) -> Ints:
    """int64[seats, 9]: the final cards of each seat."""
    return _padded([own.cards for own in options], MAX_FINAL_CARDS)


def _padded(rows: Sequence[Sequence[int]], width: int) -> Ints:
    table = np.zeros((len(rows), width), np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table


def _rows(options: Options) -> Sequence[int]:
    """The row of a table for each option, or ``OPEN``."""
    return [OPEN if card == OPEN else place for place, card in enumerate(options.shown)]


def _rows_by_card(options: Options) -> Sequence[int]:
    """The row of a table for each final card where it is shown at once."""
    return [options.shown.index(place) for place in range(len(options.cards))]


def _aimed(values: Floats, totals: Floats, objective: Objective) -> Floats:
    """float64[players, k]: what is aimed at, from parts of it and their sums over players."""
    if objective.win_shares:
        values /= totals
    else:
        values -= objective.opponent_weight * (totals - values)
    return values
