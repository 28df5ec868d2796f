"""One round against given strategies: the best-response model over compiled kernels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.core.best_response_model import (
    Continuation,
    OutcomeColumns,
    OutcomeTables,
    PlanTree,
    PlanValues,
    ReachablePositions,
)
from service.games.snow_time.engine.best_response.contracted_rounds import ContractedRound
from service.games.snow_time.engine.best_response.joint_lines import OtherLines
from service.games.snow_time.engine.best_response.plan_parts import PlannedRound
from service.games.snow_time.engine.cells import resolve_cells
from service.games.snow_time.engine.columns import columns_of
from service.games.snow_time.engine.evaluation import Evaluator
from service.games.snow_time.engine.kernels import expectations
from service.games.snow_time.engine.kernels.effects import OWNER, SCORE, SEAT_COLUMNS
from service.games.snow_time.engine.kernels.rounds import Cells
from service.games.snow_time.engine.objective import Objective
from service.games.snow_time.engine.packed_rounds import PackedRound, uniform_round
from service.games.snow_time.engine.packing import (
    final_counts,
    merged_counts,
    options_alone,
)
from service.games.snow_time.rules.rules import dice_rolled, growth_outcomes
from service.games.snow_time.rules.state import DICE, FRUIT_TOKENS, Move, Track

REACH_BLOCK_LINES: Final = 250_000
"""Number of joint lines whose positions are listed at once; limits the memory."""
EXPECT_BLOCK_CELLS: Final = 100_000
"""Number of cells that are resolved at once; limits the memory."""
TWO_STEP_LINES: Final = 20_000
"""From so many joint lines on, two steps are faster than one."""
_NOTHING = expectations.After(np.zeros(0, np.int32), np.zeros((0, 0), np.float64))


@dataclass(frozen=True)
class RoundSetup:
    """Data that does not change between rounds.

    The asker's seats come first.  Otherwise seats are in canonical order.

    Attributes:
        names: the seats.
        owners: int64[seats, 1], the player of each seat.
        players: in canonical order.
        asker: index of the asker among the players.
        own: number of the asker's seats.
        track: the track in use.
        objective: of all players.
    """

    names: tuple[str, ...]
    owners: NDArray[np.int64]
    players: tuple[str, ...]
    asker: int
    own: int
    track: Track
    objective: Objective

    @cached_property
    def columns(self) -> OutcomeColumns:
        """The columns of the outcomes of this round."""
        return columns_of(len(self.players), self.names[: self.own])


class SnowTimeBestResponse:
    """One round from a batch of positions that differ only in their fruit.

    It implements :class:`~service.core.best_response_model.BestResponseModel`.
    """

    def __init__(
        self,
        setup: RoundSetup,
        packed: PackedRound,
        scores: NDArray[np.int64],
        hands: NDArray[np.int64],
        fruits: NDArray[np.int64],
        deciding: tuple[str, ...],
        evaluator: Evaluator,
    ) -> None:
        self._setup = setup
        self._packed_round = packed
        self._scores = scores
        self._hands = hands
        self._fruits = fruits
        self._deciding = deciding
        self._evaluator = evaluator

    @property
    def players(self) -> tuple[str, ...]:
        return self._setup.players

    @property
    def asker(self) -> int:
        return self._setup.asker

    @property
    def moves(self) -> tuple[Mapping[str, Move], ...]:
        own = self._setup.names[: self._setup.own]
        return tuple(
            {name: move for name, move in zip(own, joint, strict=True) if name in self._deciding}
            for joint in self._packed_round.plans.moves
        )

    @property
    def columns(self) -> OutcomeColumns:
        return self._setup.columns

    @property
    def batch(self) -> int:
        return len(self._fruits)

    @property
    def rounds(self) -> int:
        return self.batch * int(self._packed_round.final_counts.prod())

    @property
    def joint_lines(self) -> int:
        full = self._packed_round.full
        return len(full.plans) * int(full.counts[self._setup.own :].prod())

    def expected_outcomes(self, beyond: Continuation | None) -> OutcomeTables:
        packed, setup = self._packed_round, self._setup
        plans = packed.merged if beyond is None else packed.full
        others = packed.lines[setup.own :]
        sizes = (
            (1,) * len(others),
            tuple(len(lines.first_label_starts) for lines in others),
            tuple(lines.second_labels for lines in others),
        )
        rows_of_plan = np.array([prod(sizes[label]) for label in plans.labels], np.int64)
        ends = rows_of_plan.cumsum()
        strides = np.zeros((3, len(packed.lines)), np.int64)
        for label in (1, 2):
            step = 1
            for place in range(len(others) - 1, -1, -1):
                strides[label, setup.own + place] = step
                step *= sizes[label][place]
        width = setup.columns.width
        out = np.zeros((self.batch, int(ends[-1]), width), np.float64)
        tables = self._evaluator.tables(setup.track, len(setup.players))
        lines = expectations.Lines(
            plans.lines, plans.probabilities, plans.counts, packed.final_counts
        )
        block = max(1, EXPECT_BLOCK_CELLS // int(packed.final_counts.prod()))
        for first in range(0, self.batch, block):
            some = slice(first, first + block)
            cells = resolve_cells(
                packed.finals,
                packed.final_counts,
                self._fruits[some],
                self._scores,
                setup.track,
            )
            expectations.expect(
                cells,
                self._scores,
                setup.owners,
                lines,
                expectations.Plans(plans.plans, plans.labels, ends - rows_of_plan, strides),
                expectations.Potentials(tables.potentials, tables.hands, tables.classes),
                _NOTHING if beyond is None else expectations.After(beyond.positions, beyond.values),
                out[some],
            )
        by_plan = [
            out[:, end - rows : end].reshape(self.batch, *sizes[label], width)
            for label, end, rows in zip(plans.labels, ends, rows_of_plan, strict=True)
        ]
        return OutcomeTables(plans.tree, by_plan, [lines.first_label_starts for lines in others])

    @property
    def two_steps(self) -> bool:
        merged = self._packed_round.merged
        lines = len(merged.plans) * int(merged.counts[self._setup.own :].prod())
        return self.batch == 1 and lines >= TWO_STEP_LINES

    def plan_values(
        self, weights: NDArray[np.float64], on_shares: bool, plans: Sequence[int]
    ) -> PlanValues:
        return self._contracted.values(weights, on_shares, plans)

    def plan_outcomes(self, taken: Sequence[NDArray[np.bool_] | None]) -> NDArray[np.float64]:
        return self._contracted.outcomes(taken)

    def plan_parts(
        self, taken: Sequence[NDArray[np.bool_] | None], *, merged: bool
    ) -> NDArray[np.float64]:
        packed, setup = self._packed_round, self._setup
        plans = packed.merged if merged else packed.full
        planned = PlannedRound(
            plans=plans,
            seats=self._seat_columns,
            hands=self._hands,
            final_counts=packed.final_counts,
            others=OtherLines(plans, packed.final_counts, self._label_counts),
            cells=self._cells,
        )
        evaluator = self._evaluator.tables(setup.track, len(setup.players))
        return planned.parts(taken, evaluator, setup.objective)

    @cached_property
    def plans(self) -> PlanTree:
        others = self._packed_round.lines[self._setup.own :]
        return PlanTree(
            self._packed_round.merged.tree, [lines.first_label_starts for lines in others]
        )

    @cached_property
    def _contracted(self) -> ContractedRound:
        packed, setup = self._packed_round, self._setup
        return ContractedRound(
            packed.merged,
            packed.final_counts,
            self._label_counts,
            self._cells,
            self._seat_columns,
            self._evaluator.tables(setup.track, len(setup.players)),
            setup.columns,
        )

    @property
    def _label_counts(self) -> list[tuple[int, ...]]:
        """The number of labels of each other seat, by level."""
        others = self._packed_round.lines[self._setup.own :]
        return [(1, len(lines.first_label_starts), lines.second_labels) for lines in others]

    @cached_property
    def _seat_columns(self) -> NDArray[np.int64]:
        """int64[n, 6], see the columns of ``kernels/effects.py``."""
        seats = np.zeros((len(self._scores), SEAT_COLUMNS), np.int64)
        seats[:, SCORE], seats[:, OWNER] = self._scores, self._setup.owners[:, 0]
        return seats

    @cached_property
    def _cells(self) -> Cells:
        """The results of the final cards in a single position."""
        assert self.batch == 1, "a single position, not a batch"
        packed = self._packed_round
        return resolve_cells(
            packed.finals, packed.final_counts, self._fruits, self._scores, self._setup.track
        )

    def reachable_positions(self) -> Iterator[ReachablePositions]:
        packed, cells, track = self._packed_round, self._cells, self._setup.track
        seats = len(packed.lines)
        known: dict[bytes, int] = {}
        for first in range(0, self.joint_lines, REACH_BLOCK_LINES):
            size = min(REACH_BLOCK_LINES, self.joint_lines - first)
            out = np.empty((size, 2 * seats + 7), np.int16)
            expectations.reach(
                cells.gained[0],
                cells.marks[0],
                self._fruits[0],
                packed.final_counts,
                self._scores,
                packed.full.lines,
                packed.full.counts,
                packed.full.plans,
                first,
                out,
            )
            rows = out.view(np.dtype((np.void, out.shape[1] * out.itemsize))).ravel()
            distinct, inverse = np.unique(rows, return_inverse=True)
            before = len(known)
            indices = np.array(
                [known.setdefault(row.tobytes(), len(known)) for row in distinct], np.int32
            )
            fresh = distinct[indices >= before]
            after = fresh.view(np.int16).reshape(len(fresh), out.shape[1]).astype(np.int64)
            hands = after[:, seats : 2 * seats]
            yield ReachablePositions(
                indices=indices[inverse.ravel()],
                positions=[row.tobytes() for row in fresh],
                rounds=_count_after(after, seats, final_counts(spared=track.spared_champion)),
                outcomes=_count_after(after, seats, merged_counts(hands, track)),
            )

    def next_round(
        self, position: bytes
    ) -> tuple[NDArray[np.float64], SnowTimeBestResponse] | None:
        setup = self._setup
        row = np.frombuffer(position, np.int16).astype(np.int64)
        n = len(self._scores)
        if row[-1]:
            return None
        probabilities, rolls = _rolls(dice_rolled(FRUIT_TOKENS - int(row[2 * n : -1].sum())))
        hands = row[n : 2 * n].copy()
        packed = uniform_round(tuple(hands.tolist()), setup.own, options_alone(setup.track))
        fruits = row[2 * n : -1] + rolls
        return probabilities, SnowTimeBestResponse(
            setup, packed, row[:n].copy(), hands, fruits, setup.names, self._evaluator
        )


def _count_after(
    rows: NDArray[np.int64], seats: int, by_hand: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Count the outcomes of the round that follows each position.

    Returns:
        int64[positions]: dice outcomes times the product of ``by_hand`` over the seats; 0 if the
        game is over.
    """
    supply = FRUIT_TOKENS - rows[:, 2 * seats : -1].sum(axis=1)
    rolls = np.array(
        [len(growth_outcomes(dice_rolled(left))) for left in range(FRUIT_TOKENS + 1)], np.int64
    )
    joint = by_hand[rows[:, seats : 2 * seats]].prod(axis=1)
    counted: NDArray[np.int64] = rolls[supply] * joint * (rows[:, -1] == 0)
    return counted


@lru_cache(maxsize=DICE + 1)
def _rolls(dice: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the outcomes of growth: float64[outcomes] probabilities, int64[outcomes, 6] fruit."""
    outcomes = growth_outcomes(dice)
    grown = np.zeros((len(outcomes), 6), np.int64)
    for place, (roll, _) in enumerate(outcomes):
        for level in roll:
            grown[place, level - 1] += 1
    return np.array([float(probability) for _, probability in outcomes]), grown
