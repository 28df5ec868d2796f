"""All profiles of a decision, packed for the kernels: their cells and payoffs.

A *profile* is one option of each seat.  The final cards of all seats are a *cell*, see
``kernels/joint.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.canonical import CanonicalSeats
from service.games.snow_time.engine.evaluation import CLASSES, EvaluatorTables, hand_classes
from service.games.snow_time.engine.kernels import effects, heuristics, joint
from service.games.snow_time.engine.kernels.effects import OPEN
from service.games.snow_time.engine.kernels.parts import Changes
from service.games.snow_time.engine.kernels.profile_parts import add_profile_parts
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, SEATS_MASK, Cells
from service.games.snow_time.engine.objective import Objective
from service.games.snow_time.engine.packing import MAX_FINAL_CARDS, hand_bits
from service.games.snow_time.engine.parts import PARTS, changes_of
from service.games.snow_time.engine.seat_effects import SeatEffects
from service.games.snow_time.engine.stage_game.options import Options

MAX_SEATS: Final = 5

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class Profiles:
    """The profiles of a decision.

    Attributes:
        counts: number of joint options of each player.
        over: bool[cells], whether the game ends in the cell.
    """

    def __init__(
        self,
        canonical: CanonicalSeats,
        options: Sequence[Options],
        cells: Cells,
        evaluator: EvaluatorTables,
    ) -> None:
        """Pack the options of all seats.

        Args:
            canonical: the seats in canonical order.
            options: of each seat.
            cells: results of the seats' final cards.
            evaluator: the evaluator's tables.
        """
        self._canonical, self._options, self._evaluator = canonical, options, evaluator
        self._results = cells
        self._gained, self._marks = cells.gained[0], cells.marks[0]
        self._cards = final_cards(options)
        self._seats = np.array(
            [
                (seat.score, owner, len(own.cards), len(own.moves), own.nothing, own.addable)
                for seat, owner, own in zip(canonical.seats, canonical.owners, options, strict=True)
            ],
            np.int64,
        )
        # Table rows: the options, then the final cards that a watcher can add.
        most = max(len(own.moves) for own in options)
        self._finals = _padded([own.shown for own in options], most)
        self._rows = _padded([_rows(own) for own in options], most)
        self._shown = _padded([_rows_by_card(own, most) for own in options], MAX_FINAL_CARDS)
        self._first_added = most
        self._classes = np.zeros((len(options), most + MAX_FINAL_CARDS, 2), np.int64)
        for place, own in enumerate(options):
            self._classes[place, : len(own.classes)] = own.classes
            self._classes[place, most : most + len(own.added)] = own.added
        self._effects = SeatEffects(self._gained, self._marks, self._seats, evaluator)
        self.counts = tuple(
            prod(len(options[seat].moves) for seat in canonical.seats_of(player))
            for player in range(len(canonical.players))
        )
        over: NDArray[np.bool_] = self._marks >> ARRIVED_SHIFT & SEATS_MASK != 0
        self.over = over

    def choose_cells(self, objective: Objective) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return the open seats, as masks, and the cell of every profile.

        If several players have open watchers, each watcher adds the best card against others that
        add nothing.

        Returns:
            int32[profiles] masks and int32[profiles] cells.
        """
        masks, _, _ = self._additions
        return masks, self._cells(self._value_tables(objective), objective)

    def _cells(self, tables: Floats, objective: Objective) -> NDArray[np.int32]:
        """Return int32[profiles], the cell of every profile, for given values by effect."""
        _, shown, additions = self._additions
        sets, chosen = self._watcher_sets, shown.copy()
        answers = np.empty((len(sets), len(self._marks)), np.int32)
        if len(sets):
            joint.best_added_cards(
                sets,
                self._seats,
                self._effects.numbers,
                tables,
                self._shown,
                self._first_added,
                objective.win_shares,
                objective.opponent_weight,
                answers,
            )
            joint.add_cards(additions, answers.ravel(), chosen)
        return chosen

    @cached_property
    def _additions(
        self,
    ) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
        """The open seats of every profile, its cell without added cards, and the additions."""
        sets, profiles = self._watcher_sets, prod(self.counts)
        rows = np.zeros(1 << MAX_SEATS, np.int64)
        rows[sets] = range(len(sets))
        masks, shown = np.empty(profiles, np.int32), np.empty(profiles, np.int32)
        additions = np.empty((profiles * len(self.counts) if len(sets) else 0, 3), np.int32)
        count = joint.list_additions(
            self._seats, self._finals, rows, len(self._marks), masks, shown, additions
        )
        return masks, shown, additions[:count].copy()

    def payoffs(self, cells: NDArray[np.int32], objective: Objective) -> Floats:
        """Return float64[players, profiles], the payoffs of all profiles in order."""
        values, totals = self._zeros(len(cells))
        effects.add_values(
            cells.view(np.uint32),
            self._effects.numbers,
            self._value_tables(objective),
            self._kernel_options,
            values,
            totals,
        )
        return _to_payoffs(values, totals, objective)

    def payoffs_of(self, profiles: Ints, cells: NDArray[np.int32], objective: Objective) -> Floats:
        """Return float64[players, k], the payoffs of the given profiles in the given cells."""
        values, totals = self._zeros(len(cells))
        effects.add_profile_values(
            profiles,
            cells.view(np.uint32),
            self._effects.numbers,
            self._value_tables(objective),
            self._kernel_options,
            values,
            totals,
        )
        return _to_payoffs(values, totals, objective)

    def heuristic_payoffs(
        self,
        cells: NDArray[np.int32] | None,
        hand_values: Floats,
        ignore_losses: NDArray[np.bool_],
    ) -> Floats:
        """Return float64[valuations, players, profiles], spaces gained plus the value of the hand.

        Args:
            cells: int32[profiles]; None if watchers add the cards that are best by these payoffs.
            hand_values: float64[valuations, classes], in spaces.
            ignore_losses: bool[valuations], whether every champion counts as if it returned.
        """
        _, shown, additions = self._additions
        payoffs = np.zeros((len(hand_values), len(self.counts), len(shown)))
        heuristics.add_heuristic_payoffs(
            hand_values,
            ignore_losses,
            self._classes,
            self._effects.width,
            shown if cells is None else cells,
            heuristics.Watching(
                self._watcher_sets if cells is None else self._watcher_sets[:0],
                additions,
                self._shown,
            ),
            self._kernel_options,
            self._effects.numbers,
            self._effects.empty_tables(self._classes),
            payoffs,
        )
        return payoffs

    def _zeros(self, count: int) -> tuple[Floats, Floats]:
        return np.zeros((len(self.counts), count)), np.zeros(count)

    @property
    def _kernel_options(self) -> effects.Options:
        return effects.Options(self._seats, self._rows, self._first_added)

    def _value_tables(self, objective: Objective) -> Floats:
        return self._share_tables if objective.win_shares else self._gain_tables

    @cached_property
    def _share_tables(self) -> Floats:
        return self._effects.shares(self._classes)

    @cached_property
    def _gain_tables(self) -> Floats:
        return self._effects.spaces(self._classes, np.zeros(CLASSES))

    def outcomes(
        self,
        player: int,
        strategies: Floats,
        shares: Floats,
        later: Floats,
        cells: NDArray[np.int32],
        settled: tuple[Ints, NDArray[np.int32], Floats],
        out: Floats,
    ) -> None:
        """Add the outcomes of a player's moves, see ``joint.outcomes``.

        Args:
            player: index of the player.
            strategies: float64[sum of moves], of all players.
            shares: float64[players, profiles].
            later: float64[players, profiles]; or float64[players, 0] if all are 0.
            cells: int32[profiles]; ``-1 - k`` for the k-th mixture of ``settled``.
            settled: see ``MixedCells.concatenated``.
            out: float64[moves, columns].
        """
        joint.outcomes(
            player,
            np.array(self.counts, np.int64),
            strategies,
            self._seats,
            self._cards,
            shares,
            later,
            joint.ProfileCells(cells, *settled),
            self._results.first,
            out,
        )

    def parts(
        self,
        player: int,
        strategies: Floats,
        objective: Objective,
        cells: NDArray[np.int32],
        settled: tuple[Ints, NDArray[np.int32], Floats],
    ) -> Floats:
        """Return float64[moves, parts], the parts of a player's payoffs.

        Args:
            player: index of the player.
            strategies: float64[sum of moves], of all players.
            objective: of the payoffs.
            cells, settled: see :meth:`outcomes`.
        """
        out = np.zeros((self.counts[player], len(PARTS)))
        add_profile_parts(
            player,
            objective.win_shares,
            objective.opponent_weight,
            np.array(self.counts),
            strategies,
            self._kernel_options,
            joint.ProfileCells(cells, *settled),
            self._changes,
            self._results.first,
            out,
        )
        return out

    @cached_property
    def _changes(self) -> Changes:
        hands = [hand_bits(seat.hand) for seat in self._canonical.seats]
        return changes_of(
            self._seats, self._classes, hand_classes()[hands], self._results, self._evaluator
        )

    def stride(self, seat: int) -> tuple[int, int]:
        """Return a seat's stride in cell numbers and its number of final cards."""
        counts = self._seats[:, effects.FINALS]
        return int(counts[seat + 1 :].prod()), int(counts[seat])

    def gained(self, cell: int, seat: int) -> int:
        """Return the spaces that a seat gains in a cell."""
        return int(self._gained[cell, seat])

    def mark(self, cell: int) -> int:
        """Return the mark of a cell, see ``kernels/rounds.py``."""
        return int(self._marks[cell])

    @cached_property
    def _watcher_sets(self) -> Ints:
        """Return int64[sets], the non-empty sets of possibly open seats of one player, as masks."""
        masks = []
        for player in range(len(self._canonical.players)):
            can = [
                seat
                for seat in self._canonical.seats_of(player)
                if OPEN in self._options[seat].shown
            ]
            masks += [
                sum(1 << seat for seat, watches in zip(can, chosen, strict=True) if watches)
                for chosen in product((False, True), repeat=len(can))
                if any(chosen)
            ]
        return np.array(masks, np.int64)


def final_cards(options: Sequence[Options]) -> Ints:
    """Return int64[seats, 16], the final cards of each seat."""
    return _padded([own.cards for own in options], MAX_FINAL_CARDS)


def _padded(rows: Sequence[Sequence[int]], width: int) -> Ints:
    table = np.zeros((len(rows), width), np.int64)
    for place, row in enumerate(rows):
        table[place, : len(row)] = row
    return table


def _rows(options: Options) -> Sequence[int]:
    """Return the table row of each option, or ``OPEN``."""
    return [OPEN if card == OPEN else place for place, card in enumerate(options.shown)]


def _rows_by_card(options: Options, first_added: int) -> Sequence[int]:
    """Return the table row of each final card that is shown at once, else that of the added one."""
    return [
        options.shown.index(place) if place in options.shown else first_added + place
        for place in range(len(options.cards))
    ]


def _to_payoffs(values: Floats, totals: Floats, objective: Objective) -> Floats:
    """Return float64[players, k], payoffs from values and their totals; changes ``values``."""
    if objective.win_shares:
        values /= totals
    else:
        values -= objective.opponent_weight * (totals - values)
    return values
