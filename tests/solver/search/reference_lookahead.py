"""Reference for two rounds under a solved model: slow and simple, directly on the rules.

Every second round is a separate question at depth 1.  The values at depth 2 must follow from
resolving each joint choice of the first round, each roll of the dice, and the expected values of
the second round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import fsum

from service.core.game import Chance, Decision
from service.core.hints import Question
from service.games.snow_time.engine.evaluation import default_evaluator
from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import Move, State
from service.solver.hints.hint import compute_hint
from tests.solver.scenarios import SUGGEST, owners_of
from tests.solver.search.reference_expectimax import GAME, bits, estimate

Values = Mapping[str, float]
"""Objective values by player."""


class TwoRounds:
    """The expected values of two rounds for a question with position, model and objective."""

    def __init__(self, question: Question[State, Move]) -> None:
        self.question = question
        self.state = question.position
        self.leader = max(seat.score for seat in self.state.seats)
        self.known: dict[State, Values] = {}

    def after(self, cards: Mapping[str, Move]) -> Values:
        """Return the values after the first cards of all players."""
        after = self.finished(Round(self.state), cards)
        if GAME.winners(after):
            return self.one_round(after)
        later = self.next_round(after)
        if self.question.objective == "win":
            return later
        return {player: now + later[player] for player, now in self.one_round(after).items()}

    def one_round(self, after: State) -> Values:
        """Return the objective values of the first round."""
        players = after.players
        if self.question.objective == "win":
            winners = GAME.winners(after)
            share = {player: (player in winners) / len(winners or "-") for player in players}
            return share if winners else estimate(after)
        gains = {
            player: fsum(
                seat.score - self.state.seat(seat.name).score for seat in after.seats_of(player)
            )
            for player in players
        }
        if self.question.objective == "points":
            return gains
        total = fsum(gains.values())
        return {player: own - (total - own) / (len(gains) - 1) for player, own in gains.items()}

    def finished(self, play: Round, choices: Mapping[str, Move]) -> State:
        """Return the position at the end of the round."""
        play = GAME.choose(play, dict(choices)).play
        while (node := GAME.pending(play)) is not None:
            assert isinstance(node, Decision)
            if node.name == "healer":
                chosen = {seat: self.healed(play, node, seat) for seat in node.choices}
            else:
                [(seat, legal)] = node.choices.items()  # Only one watcher may decide.
                chosen = {seat: self.added(play, seat, legal)}
            play = GAME.choose(play, chosen).play
        return GAME.rest(play)

    def added(self, play: Round, seat: str, legal: tuple[Move, ...]) -> Move:
        """Return a single watcher's best card by the estimate of one round, the first of equals."""
        player = self.state.seat(seat).player
        return max(
            legal,
            key=lambda move: round(self.one_round(self.finished(play, {seat: move}))[player], 12),
        )

    def healed(self, play: Round, node: Decision[Move], seat: str) -> Move:
        """Return the set for the hand with the best value next to the leader before the round."""
        scale = default_evaluator().tables(self.state.board, len(self.state.players))
        anything = {other: legal[0] for other, legal in node.choices.items()}

        def worth(move: Move) -> float:
            after = GAME.rest(GAME.choose(play, anything | {seat: move}).play)
            return float(scale.hands[self.leader, scale.classes[bits(after.seat(seat))]])

        return max(node.choices[seat], key=worth)

    def next_round(self, after: State) -> Values:
        """Return the mean over all rolls of the expected values by the service."""
        if after not in self.known:
            start = GAME.begin(after).play
            growth = GAME.pending(start)
            assert isinstance(growth, Chance)
            cases = [
                (float(chance), self.expected(GAME.draw(start, dice).play))
                for dice, chance in growth.outcomes
            ]
            self.known[after] = {
                player: fsum(chance * values[player] for chance, values in cases)
                for player in after.players
            }
        return self.known[after]

    def expected(self, play: Round) -> Values:
        node = GAME.pending(play)
        assert isinstance(node, Decision)
        own = [seat.name for seat in play.state.seats_of(self.question.player)]
        asked = replace(
            self.question,
            position=play.state,
            decision=node,
            actors=tuple(name for name in own if name in node.choices),
            depth=1,
        )
        return compute_hint(SUGGEST.search_game, asked, owners_of(play.state)).expected_values
