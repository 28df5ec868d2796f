"""A slow and simple normal form of a decision, computed directly with the rules.

Every profile is played move by move with ``resolution.resolve``; nothing is packed, tabulated or
precomputed.  Win shares are the evaluator's, looked up by the hands after the round.

The open watchers of a player add the cards that are best for the player; the first ones on ties.
If several players have open watchers, each watcher's card is the best one if the other watchers
had added a healer, which shows nothing.  A healer takes back the set that leaves the most valuable
hand, by the evaluator with the leader's space before the round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product

import numpy as np

from service.core.game import Decision
from service.core.hints import Question
from service.games.snow_time.engine.evaluation import default_evaluator
from service.games.snow_time.rules.resolution import resolve
from service.games.snow_time.rules.rules import added_choices, recovery_choices
from service.games.snow_time.rules.state import Card, Move, Seat, State
from tests.games.snow_time.champion_fates import FATES, fates_of
from tests.games.snow_time.positions import GAME, move, track
from tests.solver.scenarios import Scenario, random_scenario
from tests.solver.search.reference_expectimax import KINDS, TIE, estimate

OBJECTIVES = ("win", "points", "lead")
LATE = track(9, (6, "fight", 2), (7, "mana", 1), (8, "fruit", 3))
"""A short track whose last spaces have bonuses."""

Moves = Mapping[str, Move]
Mixed = Sequence[tuple[Moves, float]]
"""Complete moves of all seats, with their probabilities."""


@dataclass(frozen=True)
class Ended:
    """The result of a round.

    Attributes:
        gains: spaces by player, summed over its seats.
        shares: shares of the win, by player.
        points: by seat and kind.
        fates: by seat, the fates of its champion.
        over: whether the game is over.
    """

    gains: Mapping[str, int]
    shares: Mapping[str, float]
    points: Mapping[str, tuple[int, ...]]
    fates: Mapping[str, set[str]]
    over: bool


@dataclass(frozen=True)
class PlainNormalForm:
    """A question, and the payoffs of every profile."""

    state: State
    objective: str
    revealed: Moves
    asker: str

    @cached_property
    def decision(self) -> Decision[Move]:
        """The decision that follows the revealed moves."""
        return self._scenario.decision

    @property
    def question(self) -> Question[State, Move]:
        return replace(
            self._scenario.question, model="equilibrium", effort="standard", include=frozenset()
        )

    @property
    def _scenario(self) -> Scenario:
        return Scenario(self.state, self.asker, self.objective, revealed=self.revealed)

    # Rounds -----------------------------------------------------------------------------------

    @cached_property
    def _ended(self) -> dict[tuple[Move, ...], Ended]:
        return {}

    def ended(self, moves: Moves) -> Ended:
        """Return the result of complete moves."""
        key = tuple(moves[seat.name] for seat in self.state.seats)
        if key not in self._ended:
            self._ended[key] = self._play(key)
        return self._ended[key]

    def _play(self, moves: tuple[Move, ...]) -> Ended:
        state, resolution = self.state, resolve(self.state, moves)
        after = resolution.state
        winners = GAME.winners(after)
        names = [seat.name for seat in state.seats]
        return Ended(
            gains={
                player: sum(seat.score for seat in after.seats_of(player))
                - sum(seat.score for seat in state.seats_of(player))
                for player in state.players
            },
            shares={player: (player in winners) / len(winners) for player in state.players}
            if winners
            else estimate(after),
            points={
                name: tuple(getattr(awarded, kind) for kind in KINDS)
                for name, awarded in zip(names, resolution.points, strict=True)
            },
            fates=fates_of(moves, resolution),
            over=bool(winners),
        )

    def value(self, moves: Moves, player: str) -> float:
        """Return the payoff of complete moves for a player."""
        ended = self.ended(moves)
        if self.objective == "win":
            return ended.shares[player]
        others = [gain for name, gain in ended.gains.items() if name != player]
        trail = sum(others) / len(others) if self.objective == "lead" else 0.0
        return ended.gains[player] - trail

    # Later decisions --------------------------------------------------------------------------

    def shown(self, chosen: Moves) -> dict[str, Move]:
        """Return the moves of all seats so far; moves not chosen are the revealed ones."""
        return {**self.revealed, **chosen}

    def watching(self, chosen: Moves) -> dict[str, list[str]]:
        """Return the seats with an open watcher by player, in the order of ``in_order``."""
        by_player: dict[str, list[str]] = {}
        for seat in in_order(self.state):
            if self.shown(chosen)[seat.name].awaits_added_card:
                by_player.setdefault(seat.player, []).append(seat.name)
        return by_player

    def played(self, chosen: Moves) -> dict[str, Move]:
        """Return the complete moves of a profile if no profile is settled."""
        moves = self.shown(chosen)
        watching = self.watching(chosen)
        added: dict[str, Move] = {}
        for player, own in watching.items():
            idle = {name: Move(Card.HEALER) for name in moves if moves[name].awaits_added_card}
            added |= self._answer(player, own, moves | idle)
        return self.complete(moves | added)

    def _answer(self, player: str, own: Sequence[str], moves: Moves) -> dict[str, Move]:
        best: dict[str, Move] = {}
        most = -np.inf
        for cards in self.additions(own):
            value = self.value(self.complete({**moves, **cards}), player)
            if value > most + TIE:
                best, most = cards, value
        return best

    def additions(self, seats: Sequence[str]) -> list[dict[str, Move]]:
        """Return every joint choice of added cards, the last seat varying fastest.

        To add no card is never better than to add the healer, which shows nothing either.
        """
        watcher, track = Move(Card.WATCHER), replace(self.state.board, optional_watcher=False)
        legal = [added_choices(self.state.seat(name), watcher, track) for name in seats]
        return [dict(zip(seats, cards, strict=True)) for cards in product(*legal)]

    def complete(self, moves: Moves) -> dict[str, Move]:
        """Return the moves with the recoveries of healers."""
        return {name: self._healed(self.state.seat(name), move) for name, move in moves.items()}

    def _healed(self, seat: Seat, move: Move) -> Move:
        if not move.awaits_recovery:
            return move
        choices = recovery_choices(seat, move)
        others_at_the_last = self.decision.name == "healer" and seat.player != self.asker
        seen = self._seen()
        if others_at_the_last and (self.objective != "win" or GAME.winners(seen)):
            return choices[0]  # All sets are worth the same: the first one.
        hand = {*seat.hand, Card.HEALER} - ({Card.WATCHER} & {move.card})
        leader = max(seat.score for seat in seen.seats)
        values = [
            hand_value(self.state, leader, hand | set(choice.last.recover or ()))
            for choice in choices
        ]
        return choices[values.index(max(values))]

    def _seen(self) -> State:
        """Return the position that healers consider: after the round at the healer decision."""
        state = self.state
        if self.decision.name == "healer":
            moves = {seat.name: self.revealed[seat.name] for seat in state.seats}
            any_set = [
                recovery_choices(seat, moves[seat.name])[0]
                if moves[seat.name].awaits_recovery
                else moves[seat.name]
                for seat in state.seats
            ]
            state = resolve(state, tuple(any_set)).state
        return state

    # Expectations -----------------------------------------------------------------------------

    def outcome(self, chances: Mixed, asker: str) -> dict[str, float]:
        """Return expected numbers by name, as in the columns of an outcome."""
        names = [seat.name for seat in self.state.seats_of(asker)]
        totals: dict[str, float] = {}

        def count(name: str, amount: float) -> None:
            totals[name] = totals.get(name, 0.0) + amount

        for moves, chance in chances:
            ended = self.ended(moves)
            count("mass", chance)
            count("estimated", chance * (not ended.over))
            for player in self.state.players:
                count(f"gain:{player}", chance * ended.gains[player])
                count(f"share:{player}", chance * ended.shares[player])
            for name in names:
                for kind, points in zip(KINDS, ended.points[name], strict=True):
                    count(kind, chance * points)
                for fate in FATES:
                    count(f"{fate}:{name}", chance * (fate in ended.fates.get(name, ())))
        return totals


def hand_value(state: State, leader: int, cards: Iterable[Card]) -> float:
    """Return the evaluator's factor of a hand while the leader stands on that space."""
    scale = default_evaluator().tables(state.board, len(state.players))
    return float(scale.hands[leader, scale.classes[bits(cards)]])


def bits(cards: Iterable[Card]) -> int:
    return sum(1 << (card - 1) for card in cards)


def in_order(state: State) -> list[Seat]:
    """Return the seats by score, hand and name; a player's first seat varies slowest."""
    return sorted(
        state.seats,
        key=lambda seat: (seat.score, bits(seat.hand), seat.name),
    )


def random_normal_form(seed: int, most: int = 2_500) -> PlainNormalForm:
    """Return a random position with at most so many complete plays, at a random decision."""
    scenario = random_scenario(seed, most)
    return PlainNormalForm(scenario.state, scenario.objective, scenario.revealed, scenario.player)


def words(*moves: str) -> dict[str, Move]:
    """Return moves of the seats a, b, ... in the short notation."""
    return {"abcde"[place]: move(word) for place, word in enumerate(moves)}


def asked(state: State, objective: str, *moves: str, asker: str = "a") -> PlainNormalForm:
    return PlainNormalForm(state, objective, words(*moves), asker)
