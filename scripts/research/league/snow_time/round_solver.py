"""An agent that solves each round for points and the worth of hands, without lookahead."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from research.league.snow_time.agents import SOLVER_GAME, Strategy, draw_move
from research.league.snow_time.round_kernels import OPEN, fill_payoffs
from service.core.hints import Question
from service.games.snow_time.engine.cells import resolve_cells
from service.games.snow_time.engine.kernels.rounds import NOTHING
from service.games.snow_time.engine.packing import final_card, hand_bits, hand_of
from service.games.snow_time.rules.rules import added_choices, card_choices, recovery_choices
from service.games.snow_time.rules.state import Card, Move, Seat, State, default_track
from service.solver.budget import WorkMeter
from service.solver.equilibrium.regret_matching import match_all
from service.solver.kernels import action_values

Floats = NDArray[np.float64]

MAX_FINALS: Final = 9
MAX_STEPS: Final = 1_024
MAX_ENTRIES: Final = 100_000_000
"""Payoffs times steps; large games get fewer steps."""
TARGET_EPSILON: Final = 0.002
"""In spaces; matching stops at this epsilon."""


@dataclass(frozen=True)
class CardWorth:
    """Worth of a card in hand, in spaces; the healer always returns, so it is worth 0."""

    champion: float = 0.75
    watcher: float = 1.0
    blizzard: float = 1.5

    def of(self, cards: Iterable[Card]) -> float:
        """Return the worth of these cards together."""
        by_card = {Card.HEALER: 0.0, Card.WATCHER: self.watcher, Card.BLIZZARD: self.blizzard}
        return sum(by_card.get(card, self.champion) for card in cards)


class RoundSolver:
    """Plays regret matching strategies on spaces moved plus the worth of the hand afterwards.

    Args:
        worth: of cards in hand, the same for every seat.
    """

    def __init__(self, worth: CardWorth = CardWorth()) -> None:
        self._worth = worth
        self._key = b""
        self._strategies: dict[str, tuple[list[Mapping[str, Move]], list[float]]] = {}

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        return draw_move(self.strategy(question), random)

    def strategy(self, question: Question[State, Move]) -> Strategy:
        """Return the player's moves with their probabilities."""
        if question.decision.name == "healer":
            return [({actor: most_recovered(question, actor) for actor in question.actors}, 1.0)]
        key = SOLVER_GAME.position_key(question)
        if key != self._key:
            self._key, self._strategies = key, solve_round(question, self._worth)
        moves, chances = self._strategies[question.player]
        return list(zip(moves, chances, strict=True))


def most_recovered(question: Question[State, Move], actor: str) -> Move:
    """Return the healer's move that takes back the most and highest champions."""
    return max(question.decision.choices[actor], key=_recovered)


def _recovered(move: Move) -> tuple[int, tuple[Card, ...]]:
    taken = move.last.recover or ()
    return len(taken), taken


@dataclass(frozen=True)
class Choices:
    """The options of a seat at a decision.

    Attributes:
        moves: in deck order; a single one if the seat does not decide.
        decides: whether the seat decides now.
        finals: possible final cards, numbered as in ``rounds.fill_cells``.
        shown: index of the final card of each move, or ``OPEN`` if a watcher adds it later.
        worth: float64[moves, 2], of the hand after the round, if the champion is discarded, and
            if it returns.
        added: float64[finals, 2], the same if a watcher adds the card after the reveal.
    """

    moves: tuple[Move, ...]
    decides: bool
    finals: tuple[int, ...]
    shown: tuple[int, ...]
    worth: Floats
    added: Floats


def choices_of(seat: Seat, revealed: Move | None, decision: str, worth: CardWorth) -> Choices:
    """Return the options of a seat at a decision, given its revealed move, if any."""
    if revealed is None:
        return _choices(hand_bits(seat.hand), card_choices(seat), True, worth)
    if decision == "watcher" and revealed.awaits_added_card:
        return _choices(
            hand_bits(seat.hand), added_choices(seat, revealed, default_track()), True, worth
        )
    return _choices(hand_bits(seat.hand), (revealed,), False, worth)


@lru_cache(maxsize=8192)
def _choices(hand: int, moves: tuple[Move, ...], decides: bool, worth: CardWorth) -> Choices:
    seat = Seat("", "", 0, hand_of(hand))
    waits = any(move.awaits_added_card for move in moves)
    adding = added_choices(seat, Move(Card.WATCHER), default_track()) if waits else ()
    at_once = [move for move in moves if not move.awaits_added_card]
    finals = tuple(dict.fromkeys(final_card(move, default_track()) for move in (*at_once, *adding)))
    added = np.zeros((len(finals), 2), np.float64)
    for move in adding:
        added[finals.index(final_card(move, default_track()))] = _hand_worth(seat, move, worth)
    return Choices(
        moves=moves,
        decides=decides,
        finals=finals,
        shown=tuple(
            OPEN if move.awaits_added_card else finals.index(final_card(move, default_track()))
            for move in moves
        ),
        worth=np.array([_hand_worth(seat, move, worth) for move in moves]),
        added=added,
    )


def _hand_worth(seat: Seat, move: Move, worth: CardWorth) -> tuple[float, float]:
    """Return the worth of the hand after the round without and with the champion played."""
    hand = [card for card in seat.hand if card not in move.cards]
    if move.last.card is Card.HEALER:
        hand += max(recovery_choices(seat, move), key=_recovered).last.recover or ()
    value = worth.of(hand)
    return value, value + (worth.champion if move.champion else 0.0)


def solve_round(
    question: Question[State, Move], worth: CardWorth
) -> dict[str, tuple[list[Mapping[str, Move]], list[float]]]:
    """Return each player's joint moves at a card or watcher decision, and their probabilities."""
    state = question.position
    seats = [seat for player in state.players for seat in state.seats_of(player)]
    choices = [
        choices_of(seat, question.revealed.get(seat.name), question.decision.name, worth)
        for seat in seats
    ]
    by_player = {
        player: [
            (seat.name, own)
            for seat, own in zip(seats, choices, strict=True)
            if seat.player == player
        ]
        for player in state.players
    }
    counts = [prod(len(own.moves) for _, own in seats_of) for seats_of in by_player.values()]
    payoffs = round_payoffs(state, seats, choices)
    strategies = match_regrets(
        payoffs, np.array(counts, np.int64), _symmetry_classes(question, seats)
    )
    solved: dict[str, tuple[list[Mapping[str, Move]], list[float]]] = {}
    for (player, seats_of), strategy in zip(by_player.items(), strategies, strict=True):
        names = [name for name, own in seats_of if own.decides]
        joint = product(*(own.moves for _, own in seats_of if own.decides))
        moves: list[Mapping[str, Move]] = [dict(zip(names, m, strict=True)) for m in joint]
        solved[player] = moves, strategy.tolist()
    return solved


def round_payoffs(state: State, seats: Sequence[Seat], choices: Sequence[Choices]) -> Floats:
    """Return float64[players, profiles] in spaces; a player's seats are adjacent."""
    n = len(seats)
    finals = np.array([len(own.finals) for own in choices], np.int64)
    counts = np.array([len(own.moves) for own in choices], np.int64)
    cards = np.zeros((n, MAX_FINALS), np.int64)
    shown = np.zeros((n, counts.max()), np.int64)
    worth = np.zeros((n, counts.max(), 2), np.float64)
    added = np.zeros((n, MAX_FINALS, 2), np.float64)
    for place, own in enumerate(choices):
        cards[place, : len(own.finals)] = own.finals
        shown[place, : len(own.shown)] = own.shown
        worth[place, : len(own.worth)] = own.worth
        added[place, : len(own.added)] = own.added
    cells = resolve_cells(
        cards,
        finals,
        np.array([state.fruit], np.int64),
        np.array([seat.score for seat in seats], np.int64),
        state.board,
    )
    payoffs = np.empty((len(state.players), int(counts.prod())), np.float64)
    fill_payoffs(
        np.array([state.players.index(seat.player) for seat in seats], np.int64),
        finals,
        counts,
        shown,
        worth,
        added,
        # An added healer has no effect in the round (R2); every hand has a healer.
        np.array([_index(own.finals, NOTHING) for own in choices], np.int64),
        cells.gained[0],
        cells.marks[0],
        payoffs,
    )
    return payoffs


def _index(finals: tuple[int, ...], final: int) -> int:
    return finals.index(final) if final in finals else 0


def match_regrets(
    payoffs: Floats, counts: NDArray[np.int64], alike: NDArray[np.int64]
) -> list[Floats]:
    """Return regret matching strategies: the iterate or window average of least epsilon."""
    turned = np.empty_like(payoffs)
    action_values.to_own_action_last(payoffs, counts, turned)
    steps = max(64, min(MAX_STEPS, MAX_ENTRIES // payoffs.size))
    best, _ = match_all(
        turned[None],
        counts,
        alike,
        steps,
        np.array([TARGET_EPSILON]),
        WorkMeter(None),
        predictive=False,
    )
    return np.split(best[0], np.cumsum(counts)[:-1])


def _symmetry_classes(question: Question[State, Move], seats: Sequence[Seat]) -> NDArray[np.int64]:
    """Return int64[players]: index of the first player with the same seats."""
    contents = [
        [
            (seat.score, seat.hand, question.revealed.get(seat.name))
            for seat in seats
            if seat.player == player
        ]
        for player in question.position.players
    ]
    return np.array([contents.index(own) for own in contents], np.int64)
