"""The plans of a hint: choices until something else happens.

One plan begins with the best choice, the others with choices that a player would consider; after
that, each choice is the one that a hint at its decision recommends.  So an app can follow the first
plan without asking again, and all plans can be compared with it.  Their decisions share the
reaches, outcomes and end values of their trees: the search of the first one has computed most of
what the others need.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import replace
from typing import Any, Generic, TypeVar

from service.core.arrays import Floats
from service.core.game import Chance, Choice, Decision, Game, Play
from service.core.sequential import (
    Check,
    EndValue,
    Leaves,
    Node,
    Outcomes,
    Reach,
    Replies,
    SimilarNode,
    TurnGame,
    TurnTree,
    Waiting,
)
from service.core.turn_hints import TurnPlan, TurnQuestion
from service.core.violations import OutOfTime
from service.solver.search.turn_comparisons import considered
from service.solver.search.turn_expectimax import (
    TurnSolution,
    graded_place,
    rank_choices,
    render_turn_hint,
    solve,
)

Result = TypeVar("Result")
_Memo = dict[Hashable, Any]
"""Results by method and arguments; see :class:`~service.core.sequential.TurnTree`."""


def solve_with_plans(
    game: TurnGame[Play, Choice], question: TurnQuestion[Play, Choice], stop_at: float | None
) -> TurnSolution:
    """Search a decision, and those after it that the asker decides in the same way.

    Returns:
        The solution of the decision with its plans.  A plan ends early if its decisions take too
        many positions (:attr:`~service.core.turn_budgets.TurnBudget.planned`), or if the deadline
        stops the planning; then the solution is not complete.

    Raises:
        OutOfTime: if the deadline passed before there was any result.
    """
    tree = _MemoizedTree(game.tree(question), {})
    solution = solve(game, question, stop_at, tree, attributed=True)
    ranking = rank_choices(solution, tree.asker)
    if not solution.complete:
        return replace(solution, plans=((ranking[0],),))
    planner = _Planner(game, tree, stop_at, solution)
    hint = render_turn_hint(solution, question, tree.players)
    places = [0, *considered(hint.choices, question.chosen)]
    plans = tuple(planner.plan(question, ranking[place]) for place in places)
    return replace(solution, plans=plans, complete=planner.complete)


class _Planner(Generic[Play, Choice]):
    """Follows choices to what happens after them.

    Args:
        game: the game.
        tree: of the first decision, with its results.
        stop_at: ``time.monotonic()`` at which to stop, or None.
        solution: of the first decision.

    Attributes:
        complete: False if the deadline stopped a plan.
    """

    def __init__(
        self,
        game: TurnGame[Play, Choice],
        tree: _MemoizedTree[Choice],
        stop_at: float | None,
        solution: TurnSolution,
    ) -> None:
        self._game, self._tree = game, tree
        self._stop_at, self._first_nodes = stop_at, solution.nodes
        self._first_each = solution.nodes / len(solution.shares)
        self.complete = True

    def plan(self, question: TurnQuestion[Play, Choice], place: int) -> tuple[int, ...]:
        """Return a choice and the best ones after it, each by its place in its decision."""
        plan, spent, each = [place], self._first_nodes, self._first_each
        most = self._game.budgets[question.effort].planned
        following = next_question(self._game.rules, question, place)
        while following is not None:
            [choices] = following.decision.choices.values()
            place = 0
            if len(choices) > 1:
                if most is not None and spent + each * len(choices) > most:
                    break
                step = self._solved(following)
                if step is None:
                    break
                place, nodes = step
                spent, each = spent + nodes, nodes / len(choices)
            plan.append(place)
            following = next_question(self._game.rules, following, place)
        return tuple(plan)

    def _solved(self, question: TurnQuestion[Play, Choice]) -> tuple[int, int] | None:
        """Return the best choice and the positions searched; None if the time is over."""
        game = self._game
        form = game.canonical(question)
        solved = question if form is None else form.question
        tree = game.tree(solved)
        try:
            step = solve(game, solved, self._stop_at, self._tree.at(tree))
        except OutOfTime:
            self.complete = False
            return None
        if not step.complete:
            self.complete = False
            return None
        place = rank_choices(step, tree.asker)[0]
        if form is not None:
            [choices] = question.decision.choices.values()
            [canonical] = solved.decision.choices.values()
            place = choices.index(form.restored(canonical[place]))
        return place, step.nodes


def is_settled(
    game: TurnGame[Play, Choice], solution: TurnSolution, question: TurnQuestion[Play, Choice]
) -> bool:
    """Return whether the solution without a choice to grade has its grade, too.

    A recommended choice is best: to search it further than the hint did would grade the hint
    as a loss.
    """
    [choices] = question.decision.choices.values()
    recommended = choices[solution.plans[0][0]] == question.chosen
    return recommended or graded_place(game, question) is None


def is_planned(solution: TurnSolution, question: TurnQuestion[Play, Choice]) -> bool:
    """Return whether a plan of the solution begins with the choice to grade, to explain it."""
    [choices] = question.decision.choices.values()
    return question.chosen in [choices[plan[0]] for plan in solution.plans]


def follow_plan(
    rules: Game[Any, Play, Choice, Any, Any],
    question: TurnQuestion[Play, Choice],
    plan: Sequence[int],
) -> TurnPlan[Play, Choice]:
    """Return the choices of one of a solution's plans, and what happens after them.

    Args:
        rules: of the game.
        question: that the solution answers.
        plan: of the solution.
    """
    return _follow(rules, question, plan)[0]


def _follow(
    rules: Game[Any, Play, Choice, Any, Any],
    question: TurnQuestion[Play, Choice],
    plan: Sequence[int],
) -> tuple[TurnPlan[Play, Choice], Play | None]:
    """Return the plan, see :func:`follow_plan`, and the stated turn after it."""
    [choices] = question.decision.choices.values()
    chosen, plays, events = list[Choice](), list[Play](), list[Any]()
    play, stated = question.play, question.stated
    for place in plan:
        choice = {question.player: choices[place]}
        chosen.append(choices[place])
        plays.append(play)
        step = rules.choose(play, choice)
        play = step.play
        events += step.events
        node = rules.pending(play)
        if stated is not None:
            stated = rules.choose(stated, choice).play
            node = _stated_decision(node, rules.pending(stated))
        choices = node.choices.get(question.player, ()) if isinstance(node, Decision) else ()
    return TurnPlan(chosen, plays, play, node, events), stated


def _stated_decision(
    seen: Decision[Choice] | Chance[Any] | None, stated: Decision[Choice] | Chance[Any] | None
) -> Decision[Choice] | Chance[Any] | None:
    """Return the decision with the legal choices, unless it depends on what the asker sees."""
    if (
        isinstance(seen, Decision)
        and isinstance(stated, Decision)
        and seen.choices.keys() == stated.choices.keys()
    ):
        return stated
    return seen


def next_question(
    rules: Game[Any, Play, Choice, Any, Any], question: TurnQuestion[Play, Choice], place: int
) -> TurnQuestion[Play, Choice] | None:
    """Return the question after a choice; None if the asker does not decide next."""
    after, stated = _follow(rules, question, [place])
    if not isinstance(after.open, Decision) or question.player not in after.open.choices:
        return None
    return replace(question, play=after.play, decision=after.open, chosen=None, stated=stated)


class _MemoizedTree(Generic[Choice]):
    """A tree that stores its results for the other decisions of a plan."""

    def __init__(self, tree: TurnTree[Choice], memo: _Memo) -> None:
        self._tree, self._memo = tree, memo
        self.players, self.asker = tree.players, tree.asker
        self.looks_ahead = tree.looks_ahead

    def at(self, tree: TurnTree[Choice]) -> _MemoizedTree[Choice]:
        """Return the tree of another decision with the same results."""
        return _MemoizedTree(tree, self._memo)

    def watch(self, check: Check) -> None:
        self._tree.watch(check)

    def after(self, choice: Choice) -> Node | SimilarNode:
        return self._tree.after(choice)

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        return self._stored(self._tree.reach, node, ends, events)

    def outcomes(self, event: Node, most: int) -> Outcomes:
        return self._stored(self._tree.outcomes, event, most)

    def replies(self, node: Node) -> Replies | None:
        return self._stored(self._tree.replies, node)

    def cut_off(self, node: Node) -> Node:
        return self._tree.cut_off(node)

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        return self._stored(self._tree.evaluate_end, end, rounds, determinizations)

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        return self._tree.leaves(ends, rounds, determinizations)

    def estimate(self, features: Floats) -> Floats:
        return self._tree.estimate(features)

    def preference(self, end: Node) -> Sequence[float]:
        return self._tree.preference(end)

    def waiting(self, end: Node) -> Waiting | None:
        return self._stored(self._tree.waiting, end)

    def _stored(self, method: Callable[..., Result], *arguments: Hashable) -> Result:
        key = (method.__name__, *arguments)
        try:
            result: Result = self._memo[key]
        except KeyError:
            result = self._memo[key] = method(*arguments)
        return result
