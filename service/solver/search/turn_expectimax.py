"""Hints for turn-based games: expectimax over the asker's turn.

The value of a node is the best of what it reaches: the ends of the turn, each with the asker's
mean share after the others' turns, and the events, each with the mean of its outcomes (Michie
1966; Russell and Norvig, *Artificial Intelligence*, section 5.5).  The search follows only the
most promising ends and events by the game's own estimate.  How many depends on the effort and on
the number of events before them, so that the work is bounded and equal for equal questions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from service.core.game import Choice, Play
from service.core.rounding import TIE, apportion, rounded
from service.core.sequential import Node, TurnGame, TurnTree
from service.core.turn_hints import Bounds, ChoiceValue, TurnHint, TurnQuestion
from service.core.vocabulary import WIN
from service.solver.codec import unpack_head
from service.solver.hints.grading import grade_class
from service.solver.search.attribution import Composition, attribute
from service.solver.search.node_values import NodeValue
from service.solver.search.turn_errors import difference_error, share_error
from service.solver.search.turn_search import TurnSearch

METHOD: Final = "turn-expectimax"
PACKING: Final = "8"
"""Version of the bytes that :meth:`TurnSolution.pack` returns."""


@dataclass(frozen=True, slots=True)
class TurnSolution:
    """A searched decision, without names.

    Attributes:
        shares: of each choice, in the order of the decision: the shares of all players.
        errors: of each choice: a bound for the error of the asker's share that holds in nine of
            ten positions.
        bounds: of each choice: see :data:`~service.core.turn_hints.Bounds`.
        rounds: see :class:`~service.core.turn_hints.TurnHint`, as the following ones.
        determinizations: number of deals.
        exact: whether no value was estimated, pruned or sampled.
        complete: False if the deadline stopped the search.
        nodes: positions searched.
        parts: of each choice: see :func:`~service.solver.search.attribution.attribute`; empty if
            they were not requested.
        difference_errors: of each choice: the same for the difference between the asker's share
            and the best one.
        preferences: of each choice, what decides among equal values; larger is better.
        assumed: the indices of the choices that name an unknown card of the asker's.  They are
            valued as if the card were that one, rank behind the others, and count at most as much
            as the best of these: a player without the card has no such choice.
        plans: of the best choice, and of others that a player would consider: the index of the
            choice and of those after it, each in the order of its decision; see
            :mod:`service.solver.search.turn_plans`.
    """

    shares: Sequence[Sequence[float]]
    errors: Sequence[float]
    bounds: Sequence[Bounds]
    rounds: int
    determinizations: int
    exact: bool
    complete: bool
    nodes: int
    parts: Sequence[Sequence[float]] = ()
    difference_errors: Sequence[float] = ()
    preferences: Sequence[Sequence[float]] = ()
    assumed: Sequence[int] = ()
    plans: Sequence[Sequence[int]] = ()

    @property
    def method(self) -> str:
        """The algorithm."""
        return METHOD

    @property
    def epsilon(self) -> None:
        """None: there are no mixed strategies."""

    def pack(self) -> bytes:
        """Return the solution as bytes."""
        document = {
            "shares": self.shares,
            "errors": self.errors,
            "bounds": self.bounds,
            "rounds": self.rounds,
            "worlds": self.determinizations,
            "exact": self.exact,
            "complete": self.complete,
            "resolved": self.nodes,
            "parts": self.parts,
            "difference_errors": self.difference_errors,
            "preferences": self.preferences,
            "assumed": self.assumed,
            "plans": self.plans,
        }
        return json.dumps(document).encode()


def unpack(packed: bytes) -> TurnSolution:
    """Return the solution that :meth:`TurnSolution.pack` packed; ``cached_values.py`` checks it.

    Raises:
        ValueError: if the bytes are not a packed solution.
    """
    try:
        document = unpack_head(packed)
        nodes, determinizations = document.pop("resolved"), document.pop("worlds")
        document["bounds"] = tuple(map(tuple, document["bounds"]))
        document["plans"] = tuple(map(tuple, document["plans"]))
        for name in ("parts", "difference_errors", "preferences", "assumed"):
            document[name] = tuple(document[name])
        return TurnSolution(nodes=nodes, determinizations=determinizations, **document)
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not a packed turn solution") from error


def solve(
    game: TurnGame[Play, Choice],
    question: TurnQuestion[Play, Choice],
    stop_at: float | None,
    tree: TurnTree[Choice] | None = None,
    *,
    attributed: bool = False,
) -> TurnSolution:
    """Search a decision.

    Args:
        game: the game.
        question: the decision.
        tree: of the decision; by default the game's.
        attributed: whether the solution has the parts of the values.
        stop_at: ``time.monotonic()`` at which to stop with the values of the widest breadth that
            is finished for all choices, or None.

    Raises:
        OutOfTime: if the deadline passed before the first breadth was finished.
    """
    [choices] = question.decision.choices.values()
    budget = game.budgets[question.effort]
    tree = tree or game.tree(question)
    search = TurnSearch(tree, budget, stop_at, graded_place(game, question))
    values = search.values_of(choices)
    exact = not (search.cut or search.estimated)
    errors = game.error_model(question)
    own = [value.shares[:, tree.asker] for value in values]
    solution = TurnSolution(
        shares=[value.shares.mean(axis=0).tolist() for value in values],
        errors=[0.0 if exact else share_error(errors, shares) for shares in own],
        bounds=tuple(value.bounds for value in values),
        rounds=search.rounds,
        determinizations=search.determinizations,
        exact=exact,
        complete=search.complete,
        nodes=search.nodes,
        preferences=tuple(list(value.preference) for value in values),
        assumed=tuple(
            place for place, choice in enumerate(choices) if game.assumes(question, choice)
        ),
    )
    best = rank_choices(solution, tree.asker)[0]
    solution = replace(
        solution,
        difference_errors=tuple(
            0.0 if exact or place == best else difference_error(errors, shares, own[best])
            for place, shares in enumerate(own)
        ),
    )
    if not attributed or len(choices) < 2:
        return solution
    compositions = [_composition(value) for value in values]
    parts = attribute(search.tree, game.parts, compositions, best, search.rounds)
    return replace(solution, parts=tuple(parts.tolist()))


def graded_place(game: TurnGame[Play, Choice], question: TurnQuestion[Play, Choice]) -> int | None:
    """Return the index of the choice to grade if only some choices have the most work, else None.

    The solution depends on it.
    """
    budget = game.budgets[question.effort]
    limits = [breadth.best for breadth in budget.breadths] + [line.best for line in budget.lines]
    if question.chosen is None or limits.count(None) == len(limits):
        return None
    [choices] = question.decision.choices.values()
    return choices.index(question.chosen)


def _composition(value: NodeValue) -> Composition:
    """Return the ends below a node with their probabilities."""
    ends: dict[tuple[Node, int], float] = {}
    waiting = 0.0
    open_: list[tuple[float, NodeValue]] = [(1.0, value)]
    while open_:
        probability, node = open_.pop()
        if node.end is not None:
            key = node.end, node.sample_size
            ends[key] = ends.get(key, 0.0) + probability
            waiting += probability * node.waiting
        open_ += [(probability * share, below) for share, below in node.below]
    return Composition(value.mean, ends, value.similar, waiting)


def render_turn_hint(
    solution: TurnSolution,
    question: TurnQuestion[Play, Choice],
    players: Sequence[str],
) -> TurnHint[Choice]:
    """Return the asker's hint with rounded numbers.

    Args:
        solution: of the question.
        question: the question.
        players: in the order of the shares.
    """
    asker = players.index(question.player)
    [choices] = question.decision.choices.values()
    by_choice = _rounded_shares(solution)
    losses, ranking = _losses(solution, by_choice, asker), rank_choices(solution, asker)
    best = by_choice[ranking[0]][asker]
    ranked = [
        ChoiceValue(
            choice=choices[place],
            value=by_choice[place][asker] if losses[place] else min(best, by_choice[place][asker]),
            loss=losses[place],
            error=rounded(solution.errors[place]),
            shares=dict(zip(players, by_choice[place], strict=True)),
            bounds=solution.bounds[place],
            assumed=place in solution.assumed,
        )
        for place in ranking
    ]
    graded = next((value for value in ranked if value.choice == question.chosen), None)
    return TurnHint(
        choices=ranked,
        grade=None
        if graded is None
        else (graded, _class_of(solution, graded, choices, ranked[0].value)),
        win_shares=ranked[0].shares,
        method=solution.method,
        rounds=solution.rounds,
        determinizations=solution.determinizations,
        exact=solution.exact,
        complete=solution.complete,
        nodes=solution.nodes,
    )


def _class_of(
    solution: TurnSolution, graded: ChoiceValue[Choice], choices: Sequence[Choice], best: float
) -> str:
    """Return the grade class of a choice; a loss within its standard error is at worst good."""
    error = solution.difference_errors[choices.index(graded.choice)]
    return grade_class(WIN, graded.loss, best, error / 2.0)


def rank_choices(solution: TurnSolution, asker: int) -> list[int]:
    """Return the indices of the choices in the order of a hint."""
    losses = _losses(solution, _rounded_shares(solution), asker)
    preferences = solution.preferences or [()] * len(losses)

    def key(place: int) -> tuple[bool, float, list[float]]:
        loss = 0.0 if losses[place] <= TIE else losses[place]
        return place in solution.assumed, loss, [-number for number in preferences[place]]

    # The best ones are equal; of the others, only the same values are.
    return sorted(range(len(losses)), key=key)


def _rounded_shares(solution: TurnSolution) -> list[list[float]]:
    # In a solo game a share is the probability of winning; shares do not sum to 1.
    return [
        apportion(shares) if len(shares) > 1 else [rounded(shares[0])] for shares in solution.shares
    ]


def _losses(
    solution: TurnSolution, by_choice: Sequence[Sequence[float]], asker: int
) -> list[float]:
    """Return how much less each choice is worth than the best one that assumes no card."""
    values = [shares[asker] for shares in by_choice]
    certain = [value for place, value in enumerate(values) if place not in solution.assumed]
    best = max(certain or values)
    return [max(0.0, rounded(best - value)) for value in values]
