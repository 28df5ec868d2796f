"""The parts of a payoff, computed from the positions before and after a round; slow and simple.

The equations are those of ``docs/comparisons.md``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import exp, fsum, log

from service.games.snow_time.engine.evaluation import default_evaluator
from service.games.snow_time.rules.resolution import Points
from service.games.snow_time.rules.state import Card, Seat, State
from tests.games.snow_time.positions import GAME

KINDS = ("fight", "fruit", "mana", "bonus")
NAMES = (
    *KINDS,
    "champions",
    "watcher",
    "blizzard",
    "race",
    "others_spaces",
    "others_cards",
    "end",
)


class _Weights:
    """The evaluator's logarithms while the leader is so far from the last space."""

    def __init__(self, players: int, distance: int) -> None:
        self.pace, self._hands = default_evaluator().weights[players].at(distance)

    @cache  # noqa: B019 - there are few objects
    def champions(self, hand: Sequence[Card]) -> float:
        low = sum(1 for card in hand if card in (Card.ONE, Card.TWO, Card.THREE))
        high = sum(1 for card in hand if card.is_champion) - low
        return self._hands[(low * 5 + high) * 4]

    def single(self, card: Card, hand: Sequence[Card]) -> float:
        alone = {Card.WATCHER: 1, Card.BLIZZARD: 2}[card]
        return (self._hands[alone] - self._hands[0]) * (card in hand)

    @cache  # noqa: B019
    def of(self, hand: Sequence[Card]) -> float:
        specials = (self.single(card, hand) for card in (Card.WATCHER, Card.BLIZZARD))
        return self.champions(hand) + sum(specials)


@cache
def _weights(players: int, distance: int) -> _Weights:
    return _Weights(players, distance)


def _weights_in(state: State, leader: int) -> _Weights:
    """Return the weights of a position with the leader on a space."""
    return _weights(len(state.players), max(1, state.board.length - leader))


def _mean(one: float, other: float) -> float:
    """Return the logarithmic mean of two positive numbers."""
    return one if abs(one / other - 1.0) < 1e-12 else (one - other) / (log(one) - log(other))


def spaces_by_kind(before: Seat, after: Seat, points: Points) -> dict[str, int]:
    """Return the spaces that a seat moves, by kind, in the order of the awards."""
    left = after.score - before.score
    spaces = {}
    for kind in KINDS:
        spaces[kind] = min(left, getattr(points, kind))
        left -= spaces[kind]
    assert left == 0
    return spaces


def plain_parts(
    before: State, after: State, points: Sequence[Points], asker: str, objective: str
) -> dict[str, float]:
    """Return the parts by name.

    Args:
        before, after: the positions before and after the choices of a round.
        points: of each seat.
        asker: the player.
        objective: ``win``, ``points`` or ``lead``.
    """
    parts = dict.fromkeys(NAMES, 0.0)
    seats = list(zip(before.seats, after.seats, points, strict=True))
    if objective != "win":
        for old, new, awarded in seats:
            if old.player == asker:
                for kind, spaces in spaces_by_kind(old, new, awarded).items():
                    parts[kind] += spaces
            elif objective == "lead":
                parts["others_spaces"] -= (new.score - old.score) / (len(before.players) - 1)
        return parts
    start = max(seat.score for seat in before.seats)
    slow = _weights_in(before, start)
    fast = _weights_in(before, max(seat.score for seat in after.seats))

    def potentials(state: State, weights: _Weights) -> list[float]:
        return [exp(weights.pace * (s.score - start) + weights.of(s.hand)) for s in state.seats]

    old_potentials, new_potentials = potentials(before, slow), potentials(after, fast)

    def total(numbers: Sequence[float], own: bool) -> float:
        places = [i for i, seat in enumerate(before.seats) if (seat.player == asker) == own]
        return fsum(numbers[place] for place in places)

    sides = {own: (total(old_potentials, own), total(new_potentials, own)) for own in (True, False)}
    sums = [fsum(numbers) for numbers in (old_potentials, new_potentials)]
    for place, (old, new, awarded) in enumerate(seats):
        own = old.player == asker
        weight = _mean(old_potentials[place], new_potentials[place])
        weight *= fsum(sides[not own]) / 2.0 / (sums[0] * sums[1])
        pace = (slow.pace + fast.pace) / 2.0

        def change(what, old: Seat = old, new: Seat = new) -> float:
            """Return the mean change of a weight of the hand over both positions."""
            return sum(what(w, new.hand) - what(w, old.hand) for w in (slow, fast)) / 2.0

        cards = change(_Weights.of)
        race = (fast.pace - slow.pace) * ((old.score + new.score) / 2.0 - start)
        race += sum(fast.of(hand) - slow.of(hand) for hand in (old.hand, new.hand)) / 2.0
        if own:
            for kind, spaces in spaces_by_kind(old, new, awarded).items():
                parts[kind] += weight * pace * spaces
            parts["champions"] += weight * change(_Weights.champions)
            for card in (Card.WATCHER, Card.BLIZZARD):
                parts[card.label] += weight * change(
                    lambda weights, hand, card=card: weights.single(card, hand)
                )
            parts["race"] += weight * race
        else:
            parts["others_spaces"] -= weight * pace * (new.score - old.score)
            parts["others_cards"] -= weight * cards
            parts["race"] -= weight * race
    winners = GAME.winners(after)
    if winners:
        parts["end"] += (asker in winners) / len(winners) - sides[True][1] / sums[1]
    return parts
