"""Solutions of decisions of turns that were solved in the form that equal decisions share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from service.core.game import Choice, Game, Play
from service.core.sequential import TurnGame
from service.core.turn_hints import CanonicalTurn, TurnQuestion
from service.solver.search.turn_expectimax import TurnSolution
from service.solver.search.turn_plans import follow_plan, next_question

Row = TypeVar("Row")


def cache_key(game: TurnGame[Play, Choice], question: TurnQuestion[Play, Choice]) -> bytes:
    """Return everything that a solution depends on, except the versions of code and rules.

    Args:
        game: the game.
        question: in canonical form, if it has one.
    """
    [choices] = question.decision.choices.values()
    graded = None if question.chosen is None else choices.index(question.chosen)
    return repr((question.effort, game.position_key(question), graded)).encode()


def restored(
    rules: Game[Any, Play, Choice, Any, Any],
    question: TurnQuestion[Play, Choice],
    form: CanonicalTurn[Play, Choice],
    solution: TurnSolution,
) -> TurnSolution:
    """Return the solution of a question, given that of its canonical form.

    Of equal choices, the first one in the canonical form remains the first one.
    """
    [choices] = question.decision.choices.values()
    [canonical] = form.question.decision.choices.values()
    places = {choice: place for place, choice in enumerate(canonical)}
    order = [places[form.form_of(choice)] for choice in choices]

    def in_order(rows: Sequence[Row]) -> tuple[Row, ...]:
        return tuple(rows[place] for place in order) if rows else ()

    return replace(
        solution,
        shares=in_order(solution.shares),
        errors=in_order(solution.errors),
        bounds=in_order(solution.bounds),
        parts=in_order(solution.parts),
        difference_errors=in_order(solution.difference_errors),
        preferences=tuple([*solution.preferences[place], -float(place)] for place in order),
        plans=tuple(tuple(_restored_plan(rules, question, form, plan)) for plan in solution.plans),
    )


def _restored_plan(
    rules: Game[Any, Play, Choice, Any, Any],
    question: TurnQuestion[Play, Choice],
    form: CanonicalTurn[Play, Choice],
    plan: Sequence[int],
) -> Iterator[int]:
    """Yield the places of the choices of a plan; a long list may lack one, which ends the plan."""
    following: TurnQuestion[Play, Choice] | None = question
    for chosen in follow_plan(rules, form.question, plan).choices:
        choice = form.restored(chosen)
        if following is None:
            return
        [choices] = following.decision.choices.values()
        if choice not in choices:
            return
        place = choices.index(choice)
        yield place
        following = next_question(rules, following, place)
