"""A decision of Snow Time as a :class:`~service.core.simultaneous.SimultaneousGame`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import product
from math import prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.core.best_response_model import OutcomeColumns
from service.core.hints import Question
from service.core.simultaneous import ContinuationValue, OpenSubgames
from service.games.snow_time.engine.canonical import canonical_seats
from service.games.snow_time.engine.cells import resolve_cells
from service.games.snow_time.engine.columns import columns_of
from service.games.snow_time.engine.evaluation import CLASSES, Evaluator
from service.games.snow_time.engine.heuristic_payoffs import (
    KEPT_KINDS,
    TYPICAL_VALUES,
    hand_values,
)
from service.games.snow_time.engine.kernels.effects import OPEN
from service.games.snow_time.engine.kernels.rounds import ARRIVED_SHIFT, SEATS_MASK, TAKEN_SHIFT
from service.games.snow_time.engine.objective import Objective
from service.games.snow_time.engine.packing import hand_of
from service.games.snow_time.engine.stage_game.mixed_cells import MixedCells
from service.games.snow_time.engine.stage_game.options import best_recovery, hand_after, options_of
from service.games.snow_time.engine.stage_game.profiles import (
    MAX_SEATS,
    Floats,
    Ints,
    Profiles,
    final_cards,
)
from service.games.snow_time.engine.stage_game.watcher_subgame import WatcherSubgame
from service.games.snow_time.rules.state import Move, State

_INDIFFERENT: Final = (0.0,) * CLASSES
"""Value of hands if the recovery does not matter."""


class SnowTimeNormalForm:
    """A decision as a game in normal form; a profile is one option of each seat."""

    def __init__(self, question: Question[State, Move], evaluator: Evaluator) -> None:
        state = question.position
        self._state = state
        self._canonical = canonical = canonical_seats(question)
        self._tables = evaluator.tables(state.board, len(canonical.players))
        self._leader = max(seat.score for seat in canonical.seats)
        self._objective = Objective.of(question.objective, len(canonical.players))
        revealed = [question.revealed.get(seat.name) for seat in canonical.seats]
        self._options = tuple(
            options_of(
                seat,
                move,
                question.decision.name,
                self._tables.preference(self._leader),
                state.board,
            )
            for seat, move in zip(canonical.seats, revealed, strict=True)
        )
        self._cells = resolve_cells(
            final_cards(self._options),
            np.array([len(options.cards) for options in self._options], np.int64),
            np.array([state.fruit], np.int64),
            np.array([seat.score for seat in canonical.seats], np.int64),
            state.board,
        )
        healers = {
            seat.player for seat in canonical.seats if seat.name in question.decision.choices
        }
        self.single_round = question.decision.name == "healer" and len(healers) > 1
        if self.single_round:
            self._fix_other_healers(question)
        self._profiles = Profiles(canonical, self._options, self._cells, self._tables)
        self._settled = MixedCells()
        self._subgames: dict[int, WatcherSubgame] = {}
        self._continuation_shares: dict[int, Floats] = {}
        self._last_shares: tuple[NDArray[np.bool_], Floats] | None = None
        self.players = canonical.players
        self.rounds = self._cells.marks.size
        self.counts = self._profiles.counts
        self._open_masks, self._initial_cells = self._profiles.choose_cells(self._objective)
        self._final_cells = self._initial_cells.copy()
        self.payoffs = self._profiles.payoffs(self._initial_cells, self._objective)
        self._later_gains = np.zeros(self.payoffs.shape)
        """float64[players, profiles]: spaces gained in further rounds, included in the payoffs."""
        self._further = False
        self.kept_kinds = KEPT_KINDS
        self.typical_values = TYPICAL_VALUES

    def _fix_other_healers(self, question: Question[State, Move]) -> None:
        """Fix the recoveries of other players: each takes the set that is best by itself."""
        arrived = self._cells.marks[0, 0] >> ARRIVED_SHIFT & SEATS_MASK
        preference = _INDIFFERENT
        if self._objective.win_shares and not arrived:
            gained = self._cells.gained[0, 0].tolist()
            leader = max(
                seat.score + more for seat, more in zip(self._canonical.seats, gained, strict=True)
            )
            preference = self._tables.preference(leader)
        fixed = list(self._options)
        for place, seat in enumerate(self._canonical.seats):
            options = fixed[place]
            if options.decides and seat.player != question.player:
                best = best_recovery(seat, question.revealed[seat.name], preference)
                at = options.moves.index(best)
                fixed[place] = replace(
                    options,
                    moves=(best,),
                    shown=options.shown[at : at + 1],
                    classes=options.classes[at : at + 1],
                )
        self._options = tuple(fixed)

    # Open profiles -------------------------------------------------------------------------

    def open_profiles(self) -> tuple[Ints, Ints]:
        profiles, sizes = self._subgame_profiles
        unsettled = self._final_cells[profiles] >= 0
        return profiles[unsettled], sizes[unsettled]

    @cached_property
    def _subgame_profiles(self) -> tuple[Ints, Ints]:
        """Return profiles with open watchers of several players, and the sizes of their subgames.

        Settled profiles are included.
        """
        sizes = np.zeros(1 << len(self._canonical.seats), np.int64)
        for mask in range(len(sizes)):
            seats = _seats(mask)
            deciding = {self._canonical.owners[seat] for seat in seats}
            if len(deciding) > 1:
                additions = prod(self._options[seat].addable for seat in seats)
                sizes[mask] = len(deciding) * additions
        by_profile = sizes[self._open_masks]
        profiles = np.flatnonzero(by_profile)
        return profiles, by_profile[profiles]

    def open_subgames(self, profiles: Ints) -> Sequence[OpenSubgames]:
        masks = self._open_masks[profiles]
        by_sizes: dict[tuple[int, ...], list[tuple[WatcherSubgame, Ints]]] = {}
        for mask in np.unique(masks).tolist():
            subgame = self._subgame(mask)
            by_sizes.setdefault(subgame.sizes, []).append((subgame, profiles[masks == mask]))
        return [self._opened(sizes, subgames) for sizes, subgames in by_sizes.items()]

    def _opened(
        self, sizes: tuple[int, ...], subgames: Sequence[tuple[WatcherSubgame, Ints]]
    ) -> OpenSubgames:
        profiles = np.concatenate([own for _, own in subgames])
        cells = np.concatenate(
            [subgame.cells(self._final_cells[own]) for subgame, own in subgames]
        ).astype(np.int32)
        additions = cells.shape[1]
        values = self._profiles.payoffs_of(
            np.repeat(profiles, additions), cells.ravel(), self._objective
        )
        payoffs = np.moveaxis(values.reshape(len(self.players), *cells.shape), 0, 1)
        counts = [len(own) for _, own in subgames]
        return OpenSubgames(
            profiles,
            np.repeat([subgame.mask for subgame, _ in subgames], counts),
            np.repeat([subgame.deciding for subgame, _ in subgames], counts, axis=0),
            sizes,
            np.ascontiguousarray(payoffs),
            cells,
        )

    def _subgame(self, mask: int) -> WatcherSubgame:
        if mask not in self._subgames:
            seats = _seats(mask)
            owners = [self._canonical.owners[seat] for seat in seats]
            deciding = tuple(dict.fromkeys(owners))
            sizes = tuple(
                prod(
                    self._options[seat].addable
                    for seat, owner in zip(seats, owners, strict=True)
                    if owner == player
                )
                for player in deciding
            )
            steps = [(*self._profiles.stride(seat), self._options[seat].addable) for seat in seats]
            self._subgames[mask] = WatcherSubgame(mask, deciding, sizes, steps)
        return self._subgames[mask]

    def set_subgame_solutions(self, subgames: OpenSubgames, strategies: Floats) -> None:
        chances = np.ones((len(subgames.profiles), 1))
        first = 0
        for size in subgames.sizes:
            own = strategies[:, first : first + size]
            chances = (chances[:, :, None] * own[:, None, :]).reshape(len(chances), -1)
            first += size
        profiles = subgames.profiles
        self._last_shares = None
        self.payoffs[:, profiles] = (subgames.payoffs * chances[:, None]).sum(axis=2).T
        self._add_later_gains(profiles, self._later_gains[:, profiles])
        for profile in profiles.tolist():
            self._continuation_shares.pop(profile, None)
        self._final_cells[profiles] = -1 - len(self._settled) - np.arange(len(chances))
        self._settled.add(subgames.outcome_ids, chances)

    def heuristic_payoffs(
        self,
        values: Sequence[Sequence[float]],
        *,
        ignore_losses: Sequence[bool] = (),
        throughout: bool = False,
    ) -> Floats:
        return self._profiles.heuristic_payoffs(
            None if throughout else self._initial_cells,
            np.array([hand_values(tuple(own)) for own in values]),
            np.array(ignore_losses or [False] * len(values)),
        )

    # Further rounds ------------------------------------------------------------------------

    def _cells_of(self, profile: int) -> tuple[NDArray[np.int32], Floats]:
        """Return the cells of a profile and their probabilities."""
        cell = int(self._final_cells[profile])
        if cell < 0:
            return self._settled.mixture(-1 - cell)
        return np.array([cell], np.int32), np.ones(1)

    def successors(self, profile: int) -> Sequence[tuple[float, State | None]]:
        cells, chances = self._cells_of(profile)
        return [
            (float(chance), self._position(profile, int(cell)))
            for cell, chance in zip(cells, chances, strict=True)
        ]

    def _position(self, profile: int, cell: int) -> State | None:
        mark = self._profiles.mark(cell)
        if mark >> ARRIVED_SHIFT & SEATS_MASK:
            return None
        preference = self._tables.preference(self._leader)
        seats = {}
        for place in range(len(self._canonical.seats) - 1, -1, -1):
            seat, options = self._canonical.seats[place], self._options[place]
            profile, option = divmod(profile, len(options.moves))
            stride, count = self._profiles.stride(place)
            move = options.moves[option]
            if options.shown[option] == OPEN:
                move = move.adding(options.showing[cell // stride % count])
            move = best_recovery(seat, move, preference)
            hand = hand_of(hand_after(seat, move, returns=bool(mark >> place & 1)))
            gained = self._profiles.gained(cell, place)
            seats[seat.name] = replace(seat, score=seat.score + gained, hand=hand)
        fruit = tuple(
            0 if mark >> (TAKEN_SHIFT + place) & 1 else tokens
            for place, tokens in enumerate(self._state.fruit)
        )
        return replace(
            self._state, seats=tuple(seats[seat.name] for seat in self._state.seats), fruit=fruit
        )

    def set_continuation(self, profile: int, prospects: Sequence[ContinuationValue | None]) -> None:
        cells, chances = self._cells_of(profile)
        win = Objective(win_shares=True, opponent_weight=0.0)
        shares = self._profiles.payoffs_of(np.full(len(cells), profile), cells, win)
        gains = np.zeros_like(shares)
        for place, prospect in enumerate(prospects):
            if prospect is not None:
                shares[:, place] = [prospect.shares[player] for player in self.players]
                gains[:, place] = [prospect.gains[player] for player in self.players]
        self._last_shares = None
        self._continuation_shares[profile] = (shares * chances).sum(axis=1)
        if self._objective.win_shares:
            self.payoffs[:, profile] = self._continuation_shares[profile]
        self._set_later_gains(np.array([profile]), (gains * chances).sum(axis=1)[:, None])

    def set_default_gains(self, gains: Mapping[str, float]) -> None:
        by_player = np.array([gains[player] for player in self.players])
        over = self._profiles.over
        mixtures = map(self._settled.mixture, range(len(self._settled)))
        goes_on = np.array([float(chances[~over[cells]].sum()) for cells, chances in mixtures])
        pure = self._final_cells >= 0
        share = np.zeros(len(pure))
        share[pure] = ~over[self._final_cells[pure]]
        share[~pure] = goes_on[-1 - self._final_cells[~pure]]
        others = np.delete(np.arange(len(share)), list(self._continuation_shares))
        self._set_later_gains(others, by_player[:, None] * share[others])

    def _set_later_gains(self, profiles: Ints, gains: Floats) -> None:
        """Replace the gains of further rounds in the given profiles."""
        self._further = True
        change = gains - self._later_gains[:, profiles]
        self._later_gains[:, profiles] = gains
        self._add_later_gains(profiles, change)

    def _add_later_gains(self, profiles: Ints, gains: Floats) -> None:
        if not self._objective.win_shares:
            others = gains.sum(axis=0) - gains
            self.payoffs[:, profiles] += gains - self._objective.opponent_weight * others

    # Symmetry, weights and outcomes --------------------------------------------------------

    @cached_property
    def symmetry_classes(self) -> tuple[int, ...]:
        # The move counts matter because at the healer decision only the asker has a choice.
        keys = [
            (self.counts[p], *(self._canonical.keys[seat] for seat in self._canonical.seats_of(p)))
            for p in self._numbers
        ]
        return tuple(keys.index(key) for key in keys)

    @cached_property
    def mirrors(self) -> tuple[Ints | None, ...]:
        return tuple(self._mirror(player) for player in self._numbers)

    @property
    def _numbers(self) -> range:
        return range(len(self.players))

    def _mirror(self, player: int) -> Ints | None:
        seats = self._canonical.seats_of(player)
        keys = [self._canonical.keys[seat] for seat in seats]
        if len(seats) != 2 or keys[0] != keys[1]:
            return None
        one, two = (len(self._options[seat].moves) for seat in seats)
        return np.arange(one * two).reshape(one, two).T.ravel()

    def allowed_mixtures(
        self, weights: Mapping[str, Mapping[Move, float]]
    ) -> tuple[Floats | None, ...]:
        return tuple(self._given(weights, player) for player in self._numbers)

    def _given(self, weights: Mapping[str, Mapping[Move, float]], player: int) -> Floats | None:
        names = [self._canonical.seats[seat].name for seat in self._canonical.seats_of(player)]
        if not any(name in weights for name in names):
            return None
        distributions = np.ones((1, 1))
        for name, seat in zip(names, self._canonical.seats_of(player), strict=True):
            moves = self._options[seat].moves
            own = np.eye(len(moves))
            if name in weights:
                row = np.array([[weights[name].get(move, 0.0) for move in moves]])
                own = row / row.sum()
            distributions = (distributions[:, None, :, None] * own[None, :, None, :]).reshape(
                len(distributions) * len(own), -1
            )
        return distributions

    def moves(self, player: int) -> tuple[Mapping[str, Move], ...]:
        seats = [seat for seat in self._canonical.seats_of(player) if self._options[seat].decides]
        names = [self._canonical.seats[seat].name for seat in seats]
        joined = product(*(self._options[seat].moves for seat in seats))
        return tuple(dict(zip(names, chosen, strict=True)) for chosen in joined)

    def columns(self, player: int) -> OutcomeColumns:
        own = [self._canonical.seats[seat].name for seat in self._canonical.seats_of(player)]
        return columns_of(len(self.players), own)

    def outcomes(self, player: int, strategies: Floats) -> Floats:
        out = np.zeros((self.counts[player], self.columns(player).width), np.float64)
        self._profiles.outcomes(
            player,
            strategies,
            self._shares(strategies),
            self._later_gains if self._further else self._later_gains[:, :0],
            self._final_cells,
            self._settled.concatenated(),
            out,
        )
        return out

    def parts(self, player: int, strategies: Floats) -> Floats:
        settled = self._settled.concatenated()
        return self._profiles.parts(player, strategies, self._objective, self._final_cells, settled)

    def _shares(self, strategies: Floats) -> Floats:
        """Return float64[players, profiles], shares of the win in the reachable profiles."""
        if self._objective.win_shares:
            return self.payoffs
        reachable = self._reachable(strategies)
        # The players' outcomes are computed one after the other, under the same strategies.
        if self._last_shares is not None and np.array_equal(reachable, self._last_shares[0]):
            return self._last_shares[1]
        shares = np.zeros_like(self.payoffs)
        win = Objective(win_shares=True, opponent_weight=0.0)
        profiles = np.flatnonzero(reachable)
        cells = self._final_cells[profiles]
        pure = cells >= 0
        shares[:, profiles[pure]] = self._profiles.payoffs_of(profiles[pure], cells[pure], win)
        for profile, place in zip(profiles[~pure], -1 - cells[~pure], strict=True):
            mixed, weights = self._settled.mixture(int(place))
            values = self._profiles.payoffs_of(np.full(len(mixed), profile), mixed, win)
            shares[:, profile] = (values * weights).sum(axis=1)
        for profile, continuation in self._continuation_shares.items():
            shares[:, profile] = continuation
        self._last_shares = (reachable, shares)
        return shares

    def _reachable(self, strategies: Floats) -> NDArray[np.bool_]:
        """Return bool[profiles], whether at most one player deviates from the strategies."""
        deviations = np.zeros(1, np.int64)
        first = 0
        for count in self.counts:
            unplayed = strategies[first : first + count] <= 0.0
            deviations = (deviations[:, None] + unplayed).ravel()
            first += count
        return deviations <= 1


def _seats(mask: int) -> list[int]:
    return [seat for seat in range(MAX_SEATS) if mask >> seat & 1]
