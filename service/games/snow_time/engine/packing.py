"""Packing for the kernels: hands as bit sets, lines of a seat, plans of an asker."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, product

import numpy as np
from numpy.typing import NDArray

from service.games.snow_time.engine.evaluation import hand_classes
from service.games.snow_time.engine.kernels.rounds import BLIZZARD, NOTHING, SPARED
from service.games.snow_time.rules.rules import added_choices, card_choices, recovery_choices
from service.games.snow_time.rules.state import DECK, Card, Move, Seat, Track

LINE_WIDTH, FINAL, HAND, CHAMPION = 5, 0, 1, 2
MAX_FINAL_CARDS = 16
"""Nothing, seven champions, a blizzard, seven spared champions."""


def hand_bits(hand: Iterable[Card]) -> int:
    """Return a hand as a bit set in deck order."""
    return sum(1 << (card - 1) for card in hand)


def hand_of(bits: int) -> tuple[Card, ...]:
    """Return the hand of a bit set, in deck order."""
    return tuple(card for card in DECK if bits >> (card - 1) & 1)


@lru_cache(maxsize=2)
def final_counts(*, spared: bool) -> NDArray[np.int64]:
    """Return int64[1024], the number of final cards of each hand.

    Args:
        spared: whether a blizzard spares the champions that watchers add.
    """
    counts = np.ones(1 << len(DECK), np.int64)
    for hand in range(counts.size):
        champions = sum(1 for card in hand_of(hand) if card.is_champion)
        twice = spared and Card.WATCHER in hand_of(hand)
        counts[hand] += 2 * champions if twice else champions
        counts[hand] += Card.BLIZZARD in hand_of(hand)
    return counts


def merged_counts(hands: NDArray[np.int64], track: Track) -> NDArray[np.int64]:
    """Return int64[1024], the number of merged lines of each given hand; 0 for all other hands."""
    counts = np.zeros(1 << len(DECK), np.int64)
    for hand in np.unique(hands):
        lines = lines_of(Seat("", "", 0, hand_of(int(hand))), None, None, track)
        counts[hand] = len(lines.merged)
    return counts


@lru_cache(maxsize=256)
def pack_track(track: Track) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the bonus kind (-1 for none) and the advance of each space, int64[length + 1] each."""
    kinds = np.full(track.length + 1, -1, np.int64)
    advances = np.zeros(track.length + 1, np.int64)
    for bonus in track.bonuses:
        kinds[bonus.space], advances[bonus.space] = bonus.kind, bonus.advance
    return kinds, advances


@dataclass(frozen=True)
class Lines:
    """Every complete move of one seat, in deck order of its decisions.

    Attributes:
        moves: the complete moves.
        finals: the distinct final cards that they show.
        packed: int64[lines, 5]: index into ``finals``, hand after the round without the
            champion played, that champion's bit, first label, second label.
        probabilities: float64[lines], under the seat's strategy.
        merged: int64[merged lines, 5], like ``packed``; lines are merged if they have the same
            labels and the same final card and leave hands of the same class.
        merged_probabilities: float64[merged lines].
        merged_line: int64[lines], the index of each line in ``merged``.
        second_labels: number of second labels.
        first_label_starts: int64[first labels], the first second label of each.
    """

    moves: tuple[Move, ...]
    finals: tuple[int, ...]
    packed: NDArray[np.int64]
    probabilities: NDArray[np.float64]
    merged: NDArray[np.int64]
    merged_probabilities: NDArray[np.float64]
    merged_line: NDArray[np.int64]
    second_labels: int
    first_label_starts: NDArray[np.int64]


def lines_of(
    seat: Seat, revealed: Move | None, weights: Mapping[Move, float] | None, track: Track
) -> Lines:
    """Return the lines of a seat that are consistent with its revealed cards.

    Args:
        seat: the seat.
        revealed: its move so far; None before the reveal.
        weights: a distribution over its card choice; None for the uniform one.  Later choices are
            uniform.
        track: only its options matter.
    """
    if revealed is None and weights is None:
        return _uniform_lines(replace(seat, name="", player="", score=0), options_alone(track))
    return _pack_lines(seat, revealed, weights, track)


def options_alone(track: Track) -> Track:
    """Return a track with the same options, but without spaces, as the key of a cache."""
    return replace(track, length=0, bonuses=())


@lru_cache(maxsize=1024)
def _uniform_lines(seat: Seat, track: Track) -> Lines:
    return _pack_lines(seat, None, None, track)


def _pack_lines(
    seat: Seat, revealed: Move | None, weights: Mapping[Move, float] | None, track: Track
) -> Lines:
    moves: list[Move] = []
    probabilities: list[float] = []
    for first in card_choices(seat):
        chance = 1.0 if weights is None else weights.get(first, 0.0)
        if not chance or (revealed and first.card is not revealed.card):
            continue
        added = added_choices(seat, first, track) if first.awaits_added_card else (first,)
        added = _consistent(added, revealed, lambda move: move.then and move.then.card)
        for second in added:
            complete = recovery_choices(seat, second) if second.awaits_recovery else (second,)
            complete = _consistent(complete, revealed, lambda move: move.last.recover)
            moves += complete
            probabilities += [chance / len(added) / len(complete)] * len(complete)
    cards = [final_card(move, track) for move in moves]
    finals = tuple(dict.fromkeys(cards))
    packed = np.zeros((len(moves), LINE_WIDTH), np.int64)
    firsts: list[Card] = []
    seconds: list[tuple[Card, ...]] = []
    starts: list[int] = []
    for index, move in enumerate(moves):
        if move.cards not in seconds:
            seconds.append(move.cards)
        if move.card not in firsts:
            firsts.append(move.card)
            starts.append(len(seconds) - 1)
        champion = 0 if move.champion is None else 1 << (move.champion - 1)
        packed[index] = (
            finals.index(cards[index]),
            _hand_without_champion(seat, move),
            champion,
            len(firsts) - 1,
            len(seconds) - 1,
        )
    weight = np.array(probabilities)
    weight /= weight.sum()
    by_class = packed.copy()
    by_class[:, HAND] = hand_classes()[packed[:, HAND]]
    _, places, inverse = np.unique(by_class, axis=0, return_index=True, return_inverse=True)
    merged_line = inverse.ravel()
    merged_probabilities: NDArray[np.float64] = np.zeros(len(places), np.float64)
    np.add.at(merged_probabilities, merged_line, weight)
    return Lines(
        moves=tuple(moves),
        finals=finals,
        packed=packed,
        probabilities=weight,
        merged=packed[places],
        merged_probabilities=merged_probabilities,
        merged_line=merged_line,
        second_labels=len(seconds),
        first_label_starts=np.array(starts, np.int64),
    )


def _consistent(
    moves: tuple[Move, ...], revealed: Move | None, part: Callable[[Move], object]
) -> tuple[Move, ...]:
    """Return the moves whose part equals the revealed part; all moves if it is not revealed."""
    if revealed is None or part(revealed) is None:
        return moves
    return tuple(move for move in moves if part(move) == part(revealed))


def final_card(move: Move, track: Track) -> int:
    """Return the final card, see ``kernels.rounds.SPARED``; of the track only options matter."""
    if move.champion is not None:
        spared = track.spared_champion and move.then is not None
        return move.champion + SPARED if spared else int(move.champion)
    return BLIZZARD if move.last.card is Card.BLIZZARD else NOTHING


def _hand_without_champion(seat: Seat, move: Move) -> int:
    hand = {card for card in seat.hand if card not in move.cards} | {Card.HEALER}
    return hand_bits(hand | set(move.last.recover or ()))


Tree = tuple[tuple[tuple[int, ...], ...], ...]
"""For each move and each joint added card, the plans that differ only in the recovery."""


@dataclass(frozen=True)
class Plans:
    """All plans of an asker for a round, in the order of its decisions.

    Attributes:
        moves: the joint moves at the decision of the question, one part per own seat.
        tree: the plans by move and added card, as indices into ``packed``.
        packed: int64[plans, own seats], line indices.
        labels: int64[plans]: 2 if a plan competes with others after the added cards, else 1 if it
            does after the first cards, else 0.
    """

    moves: tuple[tuple[Move, ...], ...]
    tree: Tree
    packed: NDArray[np.int64]
    labels: NDArray[np.int64]


def plans_of(own: tuple[Lines, ...], decision: str) -> Plans:
    """Return the plans from a decision on; choices of earlier decisions are revealed and fixed."""
    joint = list(product(*(range(len(lines.moves)) for lines in own)))

    def parts(plan: tuple[int, ...], at: str) -> tuple[Move, ...]:
        return tuple(lines.moves[line].up_to(at) for lines, line in zip(own, plan, strict=True))

    def in_order(plans: Iterable[tuple[int, ...]], at: str) -> list[list[tuple[int, ...]]]:
        ordered = sorted(plans, key=lambda plan: [move.key for move in parts(plan, at)])
        return [list(group) for _, group in groupby(ordered, key=lambda plan: parts(plan, at))]

    moves, tree = [], []
    packed: list[tuple[int, ...]] = []
    labels: list[int] = []
    for chosen in in_order(joint, decision):
        moves.append(parts(chosen[0], decision))
        groups = in_order(chosen, "watcher")
        indices: list[tuple[int, ...]] = []
        for group in groups:
            final = in_order(group, "healer")
            start = len(packed)
            packed += [plan for [plan] in final]
            labels += [2 if len(final) > 1 else 1 if len(groups) > 1 else 0] * len(final)
            indices.append(tuple(range(start, len(packed))))
        tree.append(tuple(indices))
    return Plans(tuple(moves), tuple(tree), np.array(packed, np.int64), np.array(labels, np.int64))
