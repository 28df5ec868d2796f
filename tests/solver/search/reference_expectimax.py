"""Expectimax as the contract words it, slow and obvious, straight on the rules.

Nothing is packed, tabulated or pruned, and nothing of ``service/solver`` or of the kernels is
used: the tree of :class:`SnowTime` is walked node by node.  The asker takes the best joint choice
at each node where it decides, everybody else picks uniformly among the legal choices there (or by
given weights at the first card), dice fall by their exact chances.  What a decider may know is
what earlier nodes have shown, so walking the nodes in order is all there is to information.
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
"""Expected numbers by name: ("gain", player), ("share", player), ("estimated", ""), and of the
first round ("over", ""), ("points", kind) and (fate, seat) for each of FATES."""

Told = Mapping[str, Move]
Weights = Mapping[str, Mapping[Move, float]]


# Evaluation ---------------------------------------------------------------------------------


def estimate(state: State) -> dict[str, float]:
    """Win shares: what a seat's space and its hand are worth beside the leader, multiplied."""
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
    """The expectation over (probability, outcome)."""
    cases = list(cases)
    if len(cases) == 1:
        return cases[0][1]
    names = cases[0][1].keys()
    return {name: fsum(chance * outcome[name] for chance, outcome in cases) for name in names}


@dataclass
class Reference:
    """Expectimax of one asker, who pursues one objective.

    Attributes:
        seen: what has been found for later rounds, since many lines lead to one position.
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
        self, state: State, told: Told, weights: Weights, depth: int
    ) -> list[tuple[dict[str, Move], Outcome]]:
        """Every legal move at the first decision that is not told, in deck order."""
        play = Round(state)
        while isinstance(node := GAME.pending(play), Decision):
            if not all(tells(told.get(seat), node.name) for seat in node.choices):
                return self._options(play, node, told, weights, depth)
            laid = {seat: part(told[seat], node.name) for seat in node.choices}
            play = GAME.choose(play, laid).play
        raise AssertionError("everything has been told")

    def _options(
        self, play: Round, node: Decision[Move], told: Told, weights: Weights, depth: int
    ) -> list[tuple[dict[str, Move], Outcome]]:
        """The asker's joint choices at a node, each with what is expected of it."""
        own, others = [], []
        for seat in sorted(map(play.state.seat, node.choices), key=by_content):
            move = told.get(seat.name)
            said = tells(move, node.name)
            legal = (part(move, node.name),) if move and said else node.choices[seat.name]
            (own if seat.player == self.player else others).append((seat.name, legal))
        given = weights if node.name == "card" else {}
        options = []
        for mine, _ in mixtures(own, {}):
            cases = []
            for theirs, chance in mixtures(others, given):
                further = GAME.choose(play, mine | theirs).play
                cases.append((chance, self._walk(further, told, weights, depth)))
            decided = {seat: mine[seat] for seat in mine if not tells(told.get(seat), node.name)}
            options.append((decided, mean(cases)))
        return options

    def _walk(self, play: Round, told: Told, weights: Weights, depth: int) -> Outcome:
        node = GAME.pending(play)
        if node is None:
            return self._settled(play, depth)
        if isinstance(node, Chance):
            return mean(
                (float(chance), self._walk(GAME.draw(play, dice).play, told, weights, depth))
                for dice, chance in node.outcomes
            )
        options = [outcome for _, outcome in self._options(play, node, told, weights, depth)]
        best = max(self.value(outcome) for outcome in options)
        return next(outcome for outcome in options if self.value(outcome) >= best - TIE)

    def _settled(self, play: Round, depth: int) -> Outcome:
        """The outcome of a complete round, ``depth`` of them being left with this one."""
        before, after, resolution = play.state, GAME.rest(play), play.resolution
        assert resolution is not None
        winners = GAME.winners(after)
        outcome: Outcome = {("estimated", ""): 0.0, ("over", ""): float(bool(winners))}
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
        """A later round from its growth on: nothing is told and nobody is weighted."""
        if (state, depth) not in self.seen:
            self.seen[state, depth] = self._walk(GAME.begin(state).play, {}, {}, depth)
        return self.seen[state, depth]


def by_content(seat: Seat) -> tuple[int, int, str]:
    """The order of seats that deck order of joint moves goes by: places do not matter."""
    return seat.score, bits(seat), seat.name


def mixtures(
    deciders: list[tuple[str, tuple[Move, ...]]], weights: Weights
) -> list[tuple[dict[str, Move], float]]:
    """Joint choices with their probabilities: independent, uniform where nothing is given."""
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


# What is told -------------------------------------------------------------------------------


def tells(move: Move | None, decision: str) -> bool:
    """Whether a move so far says what was chosen at a decision that its seat has."""
    if move is None:
        return False
    told: dict[str, Any] = {"card": move.card, "watcher": move.then, "healer": move.last.recover}
    return told[decision] is not None


def part(move: Move, decision: str) -> Move:
    """The part of a move that is chosen by the end of a decision."""
    if decision == "card":
        return Move(move.card)
    if decision == "watcher":
        assert move.then is not None
        return Move(move.card, Move(move.then.card))
    return move
