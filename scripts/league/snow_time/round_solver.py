"""An agent that solves each round for points and for what stays in hand, and looks no further."""

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

from league.snow_time.agents import STAGES
from league.snow_time.round_kernels import OPEN, fill_payoffs
from service.core.hints import Question
from service.games.snow_time.engine.cells import resolve_cells
from service.games.snow_time.engine.kernels.rounds import NOTHING
from service.games.snow_time.engine.packing import final_card, hand_bits, hand_of
from service.games.snow_time.rules.rules import added_choices, card_choices, recovery_choices
from service.games.snow_time.rules.state import Card, Move, Seat, State
from service.solver.budget import WorkMeter
from service.solver.equilibrium.regret_matching import match_all
from service.solver.kernels import mixed

Floats = NDArray[np.float64]

MOST_FINALS: Final = 9
MOST_STEPS: Final = 1_024
MOST_ENTRIES: Final = 100_000_000
"""Payoffs weighed by all steps together; large games get fewer steps."""
ENOUGH: Final = 0.002
"""Spaces; a gap that needs no further work."""


@dataclass(frozen=True)
class Worth:
    """Spaces that a card kept in hand is worth; the healer is always kept."""

    champion: float = 0.75
    watcher: float = 1.0
    blizzard: float = 1.5

    def of(self, cards: Iterable[Card]) -> float:
        """What these cards are worth together."""
        by_card = {Card.HEALER: 0.0, Card.WATCHER: self.watcher, Card.BLIZZARD: self.blizzard}
        return sum(by_card.get(card, self.champion) for card in cards)


class RoundSolver:
    """Regret matching of everybody on spaces moved plus the worth of the hand afterwards.

    Args:
        worth: of cards kept, the same for every seat.
    """

    def __init__(self, worth: Worth = Worth()) -> None:
        self._worth = worth
        self._key = b""
        self._strategies: dict[str, tuple[list[Mapping[str, Move]], list[float]]] = {}

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        if question.decision.name == "healer":
            return {actor: most_recovered(question, actor) for actor in question.actors}
        key = STAGES.key(question)
        if key != self._key:
            self._key, self._strategies = key, solve_round(question, self._worth)
        moves, chances = self._strategies[question.player]
        return random.choices(moves, chances)[0]


def most_recovered(question: Question[State, Move], actor: str) -> Move:
    """A healer's move that takes back as many champions as it may, the highest of them."""
    return max(question.decision.choices[actor], key=_recovered)


def _recovered(move: Move) -> tuple[int, tuple[Card, ...]]:
    taken = move.last.recover or ()
    return len(taken), taken


@dataclass(frozen=True)
class Choices:
    """What a seat may do at a decision.

    Attributes:
        moves: in deck order; a single one where there is nothing to decide.
        decides: whether the seat is among those who decide.
        finals: the final cards it can show, as ``rounds.fill_cells`` names them.
        shown: for each move the place of its final card, or ``OPEN`` if a watcher will add it.
        worth: float64[moves, 2], of the hand after the round if the champion falls or returns.
        added: float64[finals, 2], the same where a watcher adds the card after the reveal.
    """

    moves: tuple[Move, ...]
    decides: bool
    finals: tuple[int, ...]
    shown: tuple[int, ...]
    worth: Floats
    added: Floats


def choices_of(seat: Seat, told: Move | None, decision: str, worth: Worth) -> Choices:
    """The choices of a seat that has told so much at a decision."""
    if told is None:
        return _listed(hand_bits(seat.hand), card_choices(seat), True, worth)
    if decision == "watcher" and told.awaits_added_card:
        return _listed(hand_bits(seat.hand), added_choices(seat, told), True, worth)
    return _listed(hand_bits(seat.hand), (told,), False, worth)


@lru_cache(maxsize=8192)
def _listed(hand: int, moves: tuple[Move, ...], decides: bool, worth: Worth) -> Choices:
    seat = Seat("", "", 0, hand_of(hand))
    waits = any(move.awaits_added_card for move in moves)
    adding = added_choices(seat, Move(Card.WATCHER)) if waits else ()
    at_once = [move for move in moves if not move.awaits_added_card]
    finals = tuple(dict.fromkeys(final_card(move) for move in (*at_once, *adding)))
    added = np.zeros((len(finals), 2), np.float64)
    for move in adding:
        added[finals.index(final_card(move))] = _kept(seat, move, worth)
    return Choices(
        moves=moves,
        decides=decides,
        finals=finals,
        shown=tuple(
            OPEN if move.awaits_added_card else finals.index(final_card(move)) for move in moves
        ),
        worth=np.array([_kept(seat, move, worth) for move in moves]),
        added=added,
    )


def _kept(seat: Seat, move: Move, worth: Worth) -> tuple[float, float]:
    """The worth of the hand after the round if the champion falls, and if it returns."""
    hand = [card for card in seat.hand if card not in move.cards]
    if move.last.card is Card.HEALER:
        hand += max(recovery_choices(seat, move), key=_recovered).last.recover or ()
    kept = worth.of(hand)
    return kept, kept + (worth.champion if move.champion else 0.0)


def solve_round(
    question: Question[State, Move], worth: Worth
) -> dict[str, tuple[list[Mapping[str, Move]], list[float]]]:
    """Each player's joint moves at a card or watcher decision, and how often it plays them."""
    state = question.position
    seats = [seat for player in state.players for seat in state.seats_of(player)]
    choices = [
        choices_of(seat, question.told.get(seat.name), question.decision.name, worth)
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
    counts = [prod(len(own.moves) for _, own in held) for held in by_player.values()]
    payoffs = round_payoffs(state, seats, choices)
    strategies = matched(payoffs, np.array(counts, np.int64), _alike(question, seats))
    solved: dict[str, tuple[list[Mapping[str, Move]], list[float]]] = {}
    for (player, held), strategy in zip(by_player.items(), strategies, strict=True):
        names = [name for name, own in held if own.decides]
        joint = product(*(own.moves for _, own in held if own.decides))
        moves: list[Mapping[str, Move]] = [dict(zip(names, m, strict=True)) for m in joint]
        solved[player] = moves, strategy.tolist()
    return solved


def round_payoffs(state: State, seats: Sequence[Seat], choices: Sequence[Choices]) -> Floats:
    """float64[players, profiles] in spaces; a player's seats stand together."""
    n = len(seats)
    finals = np.array([len(own.finals) for own in choices], np.int64)
    counts = np.array([len(own.moves) for own in choices], np.int64)
    cards = np.zeros((n, MOST_FINALS), np.int64)
    shown = np.zeros((n, counts.max()), np.int64)
    worth = np.zeros((n, counts.max(), 2), np.float64)
    added = np.zeros((n, MOST_FINALS, 2), np.float64)
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
        # Adding the healer shows nothing (R2); every hand holds it.
        np.array([_place(own.finals, NOTHING) for own in choices], np.int64),
        cells.gained[0],
        cells.marks[0],
        payoffs,
    )
    return payoffs


def _place(finals: tuple[int, ...], final: int) -> int:
    return finals.index(final) if final in finals else 0


def matched(payoffs: Floats, counts: NDArray[np.int64], alike: NDArray[np.int64]) -> list[Floats]:
    """Strategies by regret matching: the iterate or average over a window of least gap."""
    turned = np.empty_like(payoffs)
    mixed.turn(payoffs, counts, turned)
    steps = max(64, min(MOST_STEPS, MOST_ENTRIES // payoffs.size))
    best, _ = match_all(
        turned[None], counts, alike, steps, np.array([ENOUGH]), WorkMeter(None), predictive=False
    )
    return np.split(best[0], np.cumsum(counts)[:-1])


def _alike(question: Question[State, Move], seats: Sequence[Seat]) -> NDArray[np.int64]:
    """int64[players]: the first player with the same before it."""
    contents = [
        [
            (seat.score, seat.hand, question.told.get(seat.name))
            for seat in seats
            if seat.player == player
        ]
        for player in question.position.players
    ]
    return np.array([contents.index(own) for own in contents], np.int64)
