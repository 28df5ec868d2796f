"""A question for a hint and its answer, without HTTP, for games played in rounds.

Hints for turns will differ in what is told and in what is valued, and get forms of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from service.core.game import Choice, Decision

Position = TypeVar("Position")
Weights = Mapping[str, Mapping[Choice, float]]


@dataclass(frozen=True, slots=True)
class Question(Generic[Position, Choice]):
    """A legal question for a hint.

    Attributes:
        position: the resting state (chance that precedes the decision has fallen).
        revealed: the choices of this round that are already revealed, by actor.
        decision: what has to be decided now, with everybody who has to.
        player: who asks.
        actors: the asker's own actors among those who decide, in the game's order.
        objective: ``win``, ``points`` or ``lead``.
        model: how the others are taken to play.
        weights: given distributions over the first choice of some of the others' actors.
        tier: how much work may be done.
        depth: a cap on the rounds looked ahead.
        deadline_ms: milliseconds from receipt after which the search stops early, if any.
        chosen: what the asker chose, to be graded, if given.
        nonce: what makes the pick secret, if given.
        temperature: how much the pick errs, in the objective's unit; None if it does not.
        hint_level: how much is told: ``nudge``, ``shortlist`` or ``card``.
        include: what else is to be told: ``next``, ``matrix``, ``conditional``, ``dice``.
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
    include: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class MoveValue(Generic[Choice]):
    """One legal move of the asker; value, loss and probability are rounded as printed.

    Attributes:
        move: the choice of each of the asker's actors that decide.
        value: in the objective's unit, against the strategies of the others.
        loss: the best value minus this one.
        probability: how often the asker's strategy plays it.
        measures: the game's own numbers, by name, not rounded.
    """

    move: Mapping[str, Choice]
    value: float
    loss: float
    probability: float
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Reason:
    """What speaks for a move or against it.

    Attributes:
        code: what it is about.
        params: names, and numbers as printed, by name.
    """

    code: str
    params: Mapping[str, Any]


Mixture = Sequence[tuple[Mapping[str, Choice], float]]
"""Joint moves of one player, with their probabilities."""


@dataclass(frozen=True, slots=True)
class Search:
    """How a hint was found.

    Attributes:
        method: the algorithm.
        depth: rounds looked ahead.
        exact: nothing of the stated values was cut, sampled or estimated.
        complete: False if the deadline stopped the search.
        resolved: rounds resolved.
        gap: what a solved player could still gain, in the objective's unit; None if none was.
        residual: how far a printed probability is at most from its quantal response; None if
            nobody is taken to respond so.
        left_out: the greatest share of what a move may come to that was not looked beyond.
        evaluator: version of the evaluator.
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


@dataclass(frozen=True, slots=True)
class Grade(Generic[Choice]):
    """How good a choice was: its loss against the best, and that loss as a class."""

    move: Mapping[str, Choice]
    loss: float
    class_: str


@dataclass(frozen=True, slots=True)
class Hint(Generic[Choice]):
    """The answer to a question.

    Attributes:
        moves: every legal move in the order of recommendation: equal values by probability.
        pick: the move drawn from the asking player's strategy.
        pick_index: its index in ``moves``.
        strategies: for each player, moves at this decision with positive probability.
        outlook: win shares of all players; they sum to 1.
        expected_values: the objective's value for each player.
        grade: of the asker's choice, if one was given.
        search: how it was found.
    """

    moves: Sequence[MoveValue[Choice]]
    pick: Mapping[str, Choice]
    pick_index: int
    strategies: Mapping[str, Mixture[Choice]]
    win_shares: Mapping[str, float]
    expected_values: Mapping[str, float]
    grade: Grade[Choice] | None
    search: Search

    @property
    def best_response(self) -> MoveValue[Choice]:
        """The move with the highest value against the strategies of the others."""
        return min(self.moves, key=lambda move: move.loss)


@dataclass(frozen=True, slots=True)
class ConditionalValues(Generic[Choice]):
    """What if another player makes this move, the rest playing their strategies.

    Attributes:
        move: the other player's.
        probability: how often it plays that.
        values: of the asker's moves, in the order of the hint, as many as are told.
        best_response: the asking player's best move against it.
        value: of that.
        outlook: win shares of all players, the asker playing its strategy.
    """

    move: Mapping[str, Choice]
    probability: float
    values: Sequence[float]
    best_response: Mapping[str, Choice]
    value: float
    win_shares: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class FollowUp(Generic[Choice]):
    """What to do next if it is revealed so.

    Attributes:
        move: what is played first.
        revealed: what all actors show then.
        probability: how often, that being played.
        next: what is best then.
        value: of that.
    """

    move: Mapping[str, Choice]
    revealed: Mapping[str, Choice]
    probability: float
    next: Mapping[str, Choice]
    value: float


@dataclass(frozen=True, slots=True)
class WhatIfs(Generic[Choice]):
    """What is told beside a hint.

    Attributes:
        follow_ups: of what it recommends, where something is to be decided after that; None if
            that was not asked for.
        against: by player, each of its moves supposed; likewise.
        rolls: the hint of each outcome of chance, in the game's order, were it due now; likewise.
        complete: False if time was short.
    """

    follow_ups: Sequence[FollowUp[Choice]] | None = None
    conditional_values: Mapping[str, Sequence[ConditionalValues[Choice]]] | None = None
    rolls: Sequence[tuple[float, Hint[Choice]]] | None = None
    complete: bool = True
