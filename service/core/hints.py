"""Questions and hints for games in rounds, independent of HTTP.

Turn-based games have their own forms in ``sequential.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from service.core.advice import AVOID, Verdict
from service.core.comparison import Comparison
from service.core.game import Choice, Decision
from service.core.profiles import PlayerProfile
from service.core.vocabulary import FULL

Position = TypeVar("Position")
Weights = Mapping[str, Mapping[Choice, float]]
"""By actor, the weight of each of its choices."""


@dataclass(frozen=True, slots=True)
class ObservedDecision(Generic[Position, Choice]):
    """A decision of an earlier round, and what is known about its choices.

    Attributes:
        position: see :class:`Question`.
        revealed: see :class:`Question`.
        decision: with all actors who decided.
        choices: of the actors whose choice is known.
    """

    position: Position
    revealed: Mapping[str, Choice]
    decision: Decision[Choice]
    choices: Mapping[str, Choice]


ObservedRound = Sequence[ObservedDecision[Position, Choice]]
"""The decisions of one round, in order."""


@dataclass(frozen=True, slots=True)
class Question(Generic[Position, Choice]):
    """A legal question for a hint.

    Attributes:
        position: the state before the decision; chance events before it are resolved.
        revealed: the choices of this round that are already revealed, by actor.
        decision: the decision in question, with all actors who decide.
        player: the asker, the player who wants the hint.
        actors: the asker's actors among those who decide, in the game's order.
        objective: ``win``, ``points`` or ``lead``.
        model: how the other players are assumed to choose.
        weights: given distributions over the first choice of some of the others' actors.
        effort: work budget of the search.
        depth: maximum number of rounds to look ahead.
        deadline_ms: milliseconds after receipt at which the search stops, or None.
        chosen: the asker's choice to grade, or None.
        nonce: secret that makes the pick unpredictable for others, or None.
        temperature: how much the pick errs, in the objective's unit; None for no errors.
        hint_level: how much the hint reveals: ``nudge``, ``shortlist`` or ``card``.
        detail: how long the hint is: ``full`` or ``brief``.
        include: optional parts: ``next``, ``matrix``, ``conditional``, ``dice``.
        history: earlier rounds of these players, in the order of play.
        profiles: of other players from earlier games, in compact form, by player.
    """

    position: Position
    revealed: Mapping[str, Choice]
    decision: Decision[Choice]
    player: str
    actors: tuple[str, ...]
    objective: str
    model: str
    weights: Weights[Choice]
    effort: str
    depth: int
    deadline_ms: int | None
    chosen: Mapping[str, Choice] | None
    nonce: str | None
    temperature: float | None = None
    hint_level: str = "card"
    detail: str = FULL
    include: frozenset[str] = frozenset()
    history: Sequence[ObservedRound[Position, Choice]] = ()
    profiles: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class MoveValue(Generic[Choice]):
    """One legal move of the asker; value, loss and probability are rounded.

    Attributes:
        move: the choice of each of the asker's actors that decide.
        value: in the objective's unit, against the strategies of the other players.
        loss: the best value minus this one.
        probability: of the move in the asker's strategy.
        measures: further numbers defined by the game, by name, not rounded.
        gains: expected spaces (or points) that each player gains, not rounded.
        comparison: with the pick, and for the pick with the best other move; None if there is no
            other move.
    """

    move: Mapping[str, Choice]
    value: float
    loss: float
    probability: float
    measures: Mapping[str, float]
    gains: Mapping[str, float] = field(default_factory=dict)
    comparison: Comparison[Mapping[str, Choice]] | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    """An argument for or against a move.

    Attributes:
        code: stable code of the kind of argument.
        params: names and rounded numbers, by name.
    """

    code: str
    params: Mapping[str, Any]


Mixture = Sequence[tuple[Mapping[str, Choice], float]]
"""Joint moves of one player, with their probabilities."""


@dataclass(frozen=True, slots=True)
class LearnedSearch:
    """How a strategy uses the predicted play of the others.

    Attributes:
        trust: weight of the value against predicted play; the rest is that of the worst case.
        risk: what the strategy can lose against one opponent who knows it, compared with the
            equilibrium strategy, in the objective's unit.
        library: version of the library of styles.
    """

    trust: float
    risk: float
    library: int


@dataclass(frozen=True, slots=True)
class Search:
    """How a hint was computed.

    Attributes:
        method: the algorithm.
        depth: rounds looked ahead.
        exact: whether no value was pruned, sampled or estimated.
        complete: False if the deadline stopped the search.
        nodes: rounds resolved.
        epsilon: the largest gain of a solved player from a unilateral deviation, in the
            objective's unit (the ε of an ε-equilibrium); None if no strategies were solved.
        quantal_residual: the largest difference between a rounded probability and its quantal
            response; None if no player responds quantally.
        unsearched: over all moves, the largest share of a move's outcomes that was not looked
            beyond.
        evaluator: version of the evaluator.
        learned: how predictions of the others were used; None under other models.
    """

    method: str
    depth: int
    exact: bool
    complete: bool
    nodes: int
    epsilon: float | None
    quantal_residual: float | None
    unsearched: float
    evaluator: str
    learned: LearnedSearch | None = None


@dataclass(frozen=True, slots=True)
class Grade(Generic[Choice]):
    """The grade of a choice: its loss against the best one, and the class of that loss."""

    move: Mapping[str, Choice]
    loss: float
    class_: str


@dataclass(frozen=True, slots=True)
class Hint(Generic[Choice]):
    """The answer to a question.

    Attributes:
        moves: every legal move in the order of recommendation.
        verdict: how clear the case is; indices of ``moves``.
        pick: the move drawn from the asker's strategy.
        pick_index: its index in ``moves``.
        strategies: for each player, its moves at this decision with positive probability.
        win_shares: of all players; they sum to 1.
        expected_values: of the objective, for each player.
        grade: of the asker's choice, or None.
        search: how the hint was computed.
        profiles: of the other players, by name; under the model ``learned`` only.
        needed: by actor, the choices of others without which the asker cannot win; only if it loses
            against their strategies.
        replies: by other player, in the order of its strategy: the values of the asker's moves if
            it makes this move; empty if they are not known.
    """

    moves: Sequence[MoveValue[Choice]]
    verdict: Verdict
    pick: Mapping[str, Choice]
    pick_index: int
    strategies: Mapping[str, Mixture[Choice]]
    win_shares: Mapping[str, float]
    expected_values: Mapping[str, float]
    grade: Grade[Choice] | None
    search: Search
    profiles: Mapping[str, PlayerProfile] = field(default_factory=dict)
    needed: Mapping[str, Choice] = field(default_factory=dict)
    replies: Mapping[str, Sequence[Sequence[float]]] = field(default_factory=dict)

    @property
    def good_and_bad(
        self,
    ) -> tuple[Sequence[MoveValue[Choice]], Sequence[MoveValue[Choice]]]:
        """The moves that the headline recommends, and those that it does not."""
        named = [self.moves[index] for index in self.verdict.choices]
        rest = [row for index, row in enumerate(self.moves) if index not in self.verdict.choices]
        return (rest, named) if self.verdict.code == AVOID else (named, rest)

    @property
    def best_response(self) -> MoveValue[Choice]:
        """The move with the highest value against the strategies of the others."""
        return min(self.moves, key=lambda move: move.loss)


# Optional parts --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ConditionalValues(Generic[Choice]):
    """The values of the asker's moves if one other player makes a certain move.

    All remaining players play their strategies.

    Attributes:
        move: of the other player.
        probability: of that move in its strategy.
        values: of the asker's moves, in the order of the hint, as many as are listed.
        best_response: the asker's best move against it.
        value: of the best move.
        win_shares: of all players if the asker plays its strategy.
    """

    move: Mapping[str, Choice]
    probability: float
    values: Sequence[float]
    best_response: Mapping[str, Choice]
    value: float
    win_shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FollowUp(Generic[Choice]):
    """The asker's best next choice after a certain reveal.

    Attributes:
        move: the asker's first move.
        revealed: the choices of all actors.
        probability: of this reveal after the first move.
        next: the best next choice.
        value: of the next choice.
    """

    move: Mapping[str, Choice]
    revealed: Mapping[str, Choice]
    probability: float
    next: Mapping[str, Choice]
    value: float


@dataclass(frozen=True, slots=True)
class WhatIfs(Generic[Choice]):
    """The optional parts of a hint; a part that was not requested is None.

    Attributes:
        follow_ups: the next choices after the recommended moves.
        conditional_values: by player, for each of its moves.
        rolls: for each chance outcome, in the game's order, its probability and the hint after it.
        complete: False if the deadline passed.
    """

    follow_ups: Sequence[FollowUp[Choice]] | None = None
    conditional_values: Mapping[str, Sequence[ConditionalValues[Choice]]] | None = None
    rolls: Sequence[tuple[float, Hint[Choice]]] | None = None
    complete: bool = True
