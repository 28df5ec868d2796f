"""Values of the ends of a turn: final scores, or the estimates after the turns of the others.

The estimate at the end of the turn itself counts, too: it has no sampling error, so it decides
among ends that a few deals cannot tell apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from service.core.advice import UNKNOWN
from service.core.arrays import Floats, Ints
from service.core.sequential import EndValue, Leaves
from service.core.turn_hints import Bounds
from service.games.snowcrest.engine.ends.final_scores import (
    FINAL_DEALS,
    final_bounds,
    final_shares,
)
from service.games.snowcrest.engine.ends.turn_ends import (
    ends_game,
    has_small_turns,
    is_end,
    next_turn,
)
from service.games.snowcrest.engine.evaluation import Evaluator
from service.games.snowcrest.engine.lookahead import LookAhead, Played, uncertain
from service.games.snowcrest.engine.parts import terms
from service.games.snowcrest.rules.state import State
from service.games.snowcrest.rules.turn import Turn

STATIC_DEALS: Final = 6
"""So many deals say as much about which end is better as the estimates there do, about; see
``evaluator.md``."""
LEAST_DEALS: Final = 2
"""A single deal would have no visible error."""
DRAWN_DIVISOR: Final = 3
"""Ends after an event get this fraction of the determinizations, because an event has several."""


class Position:
    """A node of the search tree, immutable and hashed once: a search looks it up many times.

    Attributes:
        turn: the turn so far.
        events: number of events before it.
        assumed: whether the choices of others before it are assumed, or not all own choices are
            known; then nothing is proven.
    """

    __slots__ = ("_hash", "_turn_hash", "assumed", "events", "turn")

    def __init__(
        self, turn: Turn, events: int = 0, turn_hash: int | None = None, *, assumed: bool = False
    ) -> None:
        self.turn, self.events, self.assumed = turn, events, assumed
        self._turn_hash = hash(turn) if turn_hash is None else turn_hash
        self._hash = hash((self._turn_hash, events, assumed))

    def preceded(self, events: int) -> Position:
        """Return the same turn with another number of events before it."""
        if events == self.events:
            return self
        return Position(self.turn, events, self._turn_hash, assumed=self.assumed)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Position)
            and self._hash == other._hash
            and self.events == other.events
            and self.assumed == other.assumed
            and self.turn == other.turn
        )


class EndValues:
    """Evaluates the ends of a turn; each at most once.

    Args:
        state: the position of the decision.
        asker: index of the asker's seat.
        evaluator: estimates positions, and the choices of all players.
        certain: whether final scores are what they would be; otherwise no value is exactly 1.

    Attributes:
        looks_ahead: whether the turns of others follow an end that fits into the compiled form.
            False in solo games, and for catalogues with large turns, because the compiled rules
            cannot be interrupted.
    """

    def __init__(
        self, state: State, asker: int, evaluator: Evaluator, *, certain: bool = True
    ) -> None:
        self._asker, self._evaluator, self._certain = asker, evaluator, certain
        self._look_ahead = LookAhead(state, asker, evaluator)
        self.looks_ahead = (
            len(state.seats) > 1
            and has_small_turns(state.catalogue)
            and self._look_ahead.pack(Turn(state)) is not None
        )
        self._final: dict[Turn, Floats] = {}
        self._played: dict[tuple[Position, int, int], Played | None] = {}

    def evaluate(self, end: Position, rounds: int, determinizations: int) -> EndValue:
        """Return the value of an end, see :class:`~service.core.sequential.TurnTree`."""
        turn = end.turn
        if ends_game(turn):
            final = self._final_shares(turn)
            return EndValue(final, len(final), int(len(final) > 1), bounds=self._bounds(end))
        estimated = np.array([self._evaluator.shares(turn.state, next_turn(turn))])
        static = self._evaluator.stated(estimated, self._asker)
        played = self._play_on(end, rounds, determinizations)
        if played is None:
            return EndValue(static, 1, 1)
        return mean_of_deals(played, static, determinizations)

    def _bounds(self, end: Position) -> Bounds:
        """Return the bounds at the end of the game."""
        is_proven = self._certain and not end.assumed
        return final_bounds(end.turn.state, self._asker) if is_proven else UNKNOWN

    def leaves(self, ends: Sequence[Position], rounds: int, determinizations: int) -> Leaves:
        """Return the leaves of ends, or of other positions, which are only estimated."""
        turns = [end.turn for end in ends]
        played = [self._played.get((end, rounds, determinizations)) for end in ends]
        own = [*map(self._static_leaf, turns, self._estimated(turns))]
        return leaves_of(self._look_ahead, self._asker, own, played, determinizations)

    def _play_on(self, end: Position, rounds: int, determinizations: int) -> Played | None:
        """Return what follows an end; None without rounds, or if the end does not fit."""
        key = end, rounds, determinizations
        if not rounds or not self.looks_ahead:
            return None
        if key not in self._played:
            vector = self._look_ahead.pack(end.turn)
            deals = deals_after(end.events, determinizations)
            self._played[key] = (
                None if vector is None else self._look_ahead.play_on(vector, rounds, deals)
            )
        return self._played[key]

    def _final_shares(self, turn: Turn) -> Floats:
        if turn not in self._final:
            shares = final_shares(turn.state, FINAL_DEALS)
            self._final[turn] = shares if self._certain else uncertain(shares)
        return self._final[turn]

    def _estimated(self, turns: Sequence[Turn]) -> Floats:
        states, next_seats = [turn.state for turn in turns], [next_turn(turn) for turn in turns]
        return terms(self._evaluator, self._asker, states, next_seats)

    def _static_leaf(self, turn: Turn, own_terms: Floats) -> EndLeaves:
        """Return the leaf of a finished game, or of a position that is only estimated."""
        over = is_end(turn) and ends_game(turn)
        result = self._final_shares(turn)[:, self._asker].mean() if over else np.nan
        return EndLeaves(np.ones(1), np.array([result]), own_terms[None])


# Any representation of positions --------------------------------------------------------------


def deals_after(events: int, determinizations: int) -> int:
    """Return the number of deals for an end with so many events before it."""
    divisor: int = DRAWN_DIVISOR**events
    return max(LEAST_DEALS, determinizations // divisor)


def mean_of_deals(played: Played, static: Floats, determinizations: int) -> EndValue:
    """Return the value of an end from its deals and from its own estimate, float64[1, seats]."""
    weight = _static_weight(played, determinizations)
    shares = (1.0 - weight) * played.shares + weight * static
    return EndValue(shares, len(shares), played.turns)


class EndLeaves(NamedTuple):
    """The leaves of one end.

    Attributes:
        probabilities, results, terms: see :class:`~service.core.sequential.Leaves`.
    """

    probabilities: Floats
    results: Floats
    terms: Floats


def leaves_of(
    look_ahead: LookAhead,
    asker: int,
    own: Sequence[EndLeaves],
    played: Sequence[Played | None],
    determinizations: int,
) -> Leaves:
    """Return the leaves of ends: each end itself, and those of its deals.

    Args:
        look_ahead: played on.
        asker: index of the asker's seat.
        own: each end itself.
        played: what followed each end, if anything.
        determinizations: as the ends were evaluated.
    """
    ahead = iter(look_ahead.terms_of_leaves([each for each in played if each]))
    by_end = list(own)
    for place, found in enumerate(played):
        if found is not None:
            of_deals = EndLeaves(
                np.full(len(found.finished), 1.0 / len(found.finished)),
                np.where(found.finished, found.shares[:, asker], np.nan),
                next(ahead),
            )
            by_end[place] = _mixed(own[place], of_deals, _static_weight(found, determinizations))
    of_end: Ints = np.repeat(np.arange(len(by_end)), [len(each.results) for each in by_end])
    return Leaves(of_end, *map(np.concatenate, zip(*by_end, strict=True)))


def _mixed(own: EndLeaves, of_deals: EndLeaves, weight: float) -> EndLeaves:
    """Return the leaves of an end that counts with a weight itself."""
    probabilities, *others = map(np.concatenate, zip(own, of_deals, strict=True))
    probabilities[:1] *= weight
    probabilities[1:] *= 1.0 - weight
    return EndLeaves(probabilities, *others)


def _static_weight(played: Played, determinizations: int) -> float:
    """Return the weight of the estimate at the end of the turn itself.

    It counts like :data:`STATIC_DEALS` deals if all leaves are estimated, and nothing if all games
    are over.
    """
    estimated = STATIC_DEALS * float(np.mean(~played.finished))
    return estimated / (estimated + determinizations)
