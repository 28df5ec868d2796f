"""Reference expectimax: slow and simple, directly on the rules.

It uses no packing, tables, pruning, ``service/solver`` or kernels: it walks the tree of
:class:`SnowTime` node by node.  The asker takes the best joint choice at each of its nodes, all
others choose uniformly among the legal choices (or by given weights at the first card), and dice
have their exact probabilities.  A player knows what earlier nodes have revealed, so walking the
nodes in order models the information correctly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from math import fsum, prod
from typing import Any

from service.core.game import Chance, Decision
from service.games.snow_time.engine.evaluation import default_evaluator
from service.games.snow_time.rules.rules import Round, SnowTime
from service.games.snow_time.rules.state import Move, Seat, State
from tests.games.snow_time.champion_fates import FATES, fates_of

GAME = SnowTime()
TIE = 1e-12
KINDS = ("fight", "fruit", "mana", "bonus")

Outcome = dict[tuple[str, str], float]
"""Expected numbers by name: ("gain", player), ("share", player), ("estimated", ""), and for the
first round ("over", ""), ("points", kind) and (fate, seat) for each of FATES."""

Revealed = Mapping[str, Move]
Weights = Mapping[str, Mapping[Move, float]]


# Evaluation ---------------------------------------------------------------------------------


def estimate(state: State) -> dict[str, float]:
    """Return win shares: products of the potentials of a seat's space and its hand."""
    scale = default_evaluator().tables(state.board, len(state.players))
    leader = max(seat.score for seat in state.seats)
    potential = {
        seat.name: float(
            scale.potentials[leader, seat.score] * scale.hands[leader, scale.classes[bits(seat)]]
        )
        for seat in state.seats
    }
    total = fsum(potential.values())
    return {
        player: fsum(potential[seat.name] for seat in state.seats_of(player)) / total
        for player in state.players
    }


def bits(seat: Seat) -> int:
    return sum(1 << (card - 1) for card in seat.hand)


# Outcomes -----------------------------------------------------------------------------------


def mean(cases: Iterable[tuple[float, Outcome]]) -> Outcome:
    """Return the expectation over (probability, outcome)."""
    cases = list(cases)
    if len(cases) == 1:
        return cases[0][1]
    names = cases[0][1].keys()
    return {name: fsum(chance * outcome[name] for chance, outcome in cases) for name in names}


@dataclass
class Reference:
    """Expectimax of one player with one objective.

    Attributes:
        seen: outcomes of later rounds, by position and depth.
    """

    player: str
    objective: str
    seen: dict[tuple[State, int], Outcome] = field(default_factory=dict)

    def value(self, outcome: Outcome) -> float:
        if self.objective == "win":
            return outcome["share", self.player]
        gains = {name: gain for (what, name), gain in outcome.items() if what == "gain"}
        own = gains.pop(self.player)
        return own if self.objective == "points" else own - fsum(gains.values()) / len(gains)

    def moves(
        self, state: State, revealed: Revealed, weights: Weights, depth: int
    ) -> list[tuple[dict[str, Move], Outcome]]:
        """Return every legal move at the first decision that is not revealed, in deck order."""
        play = Round(state)
        while isinstance(node := GAME.pending(play), Decision):
            if not all(is_revealed(revealed.get(seat), node.name) for seat in node.choices):
                return self._options(play, node, revealed, weights, depth)
            choices = {seat: part(revealed[seat], node.name) for seat in node.choices}
            play = GAME.choose(play, choices).play
        raise AssertionError("all choices are revealed")

    def _options(
        self, play: Round, node: Decision[Move], revealed: Revealed, weights: Weights, depth: int
    ) -> list[tuple[dict[str, Move], Outcome]]:
        """Return the asker's joint choices at a node with their expected outcomes."""
        own, others = [], []
        for seat in sorted(map(play.state.seat, node.choices), key=by_content):
            move = revealed.get(seat.name)
            is_given = is_revealed(move, node.name)
            legal = (part(move, node.name),) if move and is_given else node.choices[seat.name]
            (own if seat.player == self.player else others).append((seat.name, legal))
        given = weights if node.name == "card" else {}
        options = []
        for mine, _ in mixtures(own, {}):
            cases = []
            for theirs, chance in mixtures(others, given):
                further = GAME.choose(play, mine | theirs).play
                cases.append((chance, self._walk(further, revealed, weights, depth)))
            decided = {
                seat: mine[seat] for seat in mine if not is_revealed(revealed.get(seat), node.name)
            }
            options.append((decided, mean(cases)))
        return options

    def _walk(self, play: Round, revealed: Revealed, weights: Weights, depth: int) -> Outcome:
        node = GAME.pending(play)
        if node is None:
            return self._round_outcome(play, depth)
        if isinstance(node, Chance):
            return mean(
                (float(chance), self._walk(GAME.draw(play, dice).play, revealed, weights, depth))
                for dice, chance in node.outcomes
            )
        options = [outcome for _, outcome in self._options(play, node, revealed, weights, depth)]
        best = max(self.value(outcome) for outcome in options)
        return next(outcome for outcome in options if self.value(outcome) >= best - TIE)

    def _round_outcome(self, play: Round, depth: int) -> Outcome:
        """Return the outcome of a complete round; ``depth`` rounds remain including this one."""
        before, after, resolution = play.state, GAME.rest(play), play.resolution
        assert resolution is not None
        winners = GAME.winners(after)
        outcome: Outcome = {("estimated", ""): 0.0}
        further: Outcome = {}
        shares: Mapping[str, float] = dict.fromkeys(after.players, 0.0)
        if winners:
            shares = shares | {player: 1 / len(winners) for player in winners}
        elif depth == 1:
            shares, outcome["estimated", ""] = estimate(after), 1.0
        else:
            further = self._later(after, depth - 1)
            outcome["estimated", ""] = further["estimated", ""]
            shares = {player: further["share", player] for player in after.players}
        for player in after.players:
            gain = sum(seat.score for seat in after.seats_of(player))
            gain -= sum(seat.score for seat in before.seats_of(player))
            outcome["gain", player] = gain + further.get(("gain", player), 0.0)
            outcome["share", player] = shares[player]
        fates = fates_of(play.moves, resolution)
        own = [place for place, seat in enumerate(after.seats) if seat.player == self.player]
        for kind in KINDS:
            awarded = sum(getattr(resolution.points[place], kind) for place in own)
            outcome["points", kind] = float(awarded)
        for place in own:
            seat = after.seats[place].name
            for fate in FATES:
                outcome[fate, seat] = float(fate in fates.get(seat, ()))
        return outcome

    def _later(self, state: State, depth: int) -> Outcome:
        """Return the outcome of a later round from its growth on, without reveals and weights."""
        if (state, depth) not in self.seen:
            self.seen[state, depth] = self._walk(GAME.begin(state).play, {}, {}, depth)
        return self.seen[state, depth]


def by_content(seat: Seat) -> tuple[int, int, str]:
    """Return the sort key of seats for the deck order of joint moves."""
    return seat.score, bits(seat), seat.name


def mixtures(
    deciders: list[tuple[str, tuple[Move, ...]]], weights: Weights
) -> list[tuple[dict[str, Move], float]]:
    """Return joint choices with probabilities: independent, uniform unless weights are given."""
    singles = []
    for seat, legal in deciders:
        given = weights.get(seat, dict.fromkeys(legal, 1.0))
        total = fsum(given.get(choice, 0.0) for choice in legal)
        singles.append(
            [(seat, choice, given[choice] / total) for choice in legal if given.get(choice, 0.0)]
        )
    return [
        ({seat: choice for seat, choice, _ in joint}, prod(chance for _, _, chance in joint))
        for joint in product(*singles)
    ]


# Revealed choices ---------------------------------------------------------------------------


def is_revealed(move: Move | None, decision: str) -> bool:
    """Return whether a move so far contains the choice of a decision of its seat."""
    if move is None:
        return False
    revealed: dict[str, Any] = {
        "card": move.card,
        "watcher": move.then,
        "healer": move.last.recover,
    }
    return revealed[decision] is not None


def part(move: Move, decision: str) -> Move:
    """Return the part of a move that is chosen by the end of a decision."""
    if decision == "card":
        return Move(move.card)
    if decision == "watcher":
        assert move.then is not None
        return Move(move.card, Move(move.then.card))
    return move
