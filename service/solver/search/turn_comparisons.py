"""Compare the choices of a hint for a turn with each other, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from service.core.advice import MISTAKES, TOLERANCES
from service.core.comparison import compare
from service.core.game import Choice, Play
from service.core.rounding import TIE, rounded
from service.core.sequential import RESULT, TurnGame
from service.core.turn_hints import ChoiceValue, TurnHint
from service.core.vocabulary import WIN
from service.solver.search.turn_expectimax import TurnSolution, rank_choices

MAX_CONSIDERED: Final = 3
"""A hint explains so many choices that are worse than the best one but no mistakes."""


def compare_choices(
    hint: TurnHint[Choice], solution: TurnSolution, game: TurnGame[Play, Choice], asker: int
) -> TurnHint[Choice]:
    """Return the hint with comparisons of its choices.

    The best choice is compared with the best different one, every other choice with the best one.

    Args:
        hint: of the solution.
        solution: with parts, or of a decision with one choice.
        game: names the parts.
        asker: index of the asker in the shares.
    """
    if len(hint.choices) < 2:
        return hint
    ranking = rank_choices(solution, asker)
    different = best_different(hint.choices)
    names = (*game.parts, RESULT)
    compared = []
    for rank, own in enumerate(hint.choices):
        against = 0 if rank else different
        other = hint.choices[against]
        places = ranking[rank], ranking[against]
        parts = _differences(names, solution.parts, *places)
        difference = rounded(own.value - other.value)
        if not difference and (own.assumed or other.assumed):
            parts = dict.fromkeys(parts, 0.0)  # The value does not count more than the best one.
        compared.append(
            replace(
                own,
                comparison=compare(other.choice, difference, parts),
                # One of the two choices is the best one.
                difference_error=rounded(
                    solution.difference_errors[places[0] if rank else places[1]]
                ),
            )
        )
    return replace(hint, choices=compared)


def best_different(choices: Sequence[ChoiceValue[Choice]]) -> int:
    """Return the index of the best choice that is not about as good as the first one.

    If all choices are about equally good, it is one with another value, or the second one.
    """
    for least in (TOLERANCES[WIN], TIE):
        for place, choice in enumerate(choices):
            if choice.loss > least:
                return place
    return 1


def considered(choices: Sequence[ChoiceValue[Choice]], chosen: Choice | None) -> list[int]:
    """Return the indices of the choices, but the first one, that a player would consider.

    They are the best different one, at most :data:`MAX_CONSIDERED` that are worse but no mistakes,
    and the one to grade.
    """
    if len(choices) < 2:
        return []
    worse = [
        place for place, each in enumerate(choices) if TOLERANCES[WIN] < each.loss <= MISTAKES[WIN]
    ]
    graded = [place for place, each in enumerate(choices) if each.choice == chosen]
    places = dict.fromkeys([best_different(choices), *worse[:MAX_CONSIDERED], *graded])
    return [place for place in places if place]


def _differences(
    names: Sequence[str], numbers: Sequence[Sequence[float]], place: int, other: int
) -> Mapping[str, float]:
    return {
        name: own - others
        for name, own, others in zip(names, numbers[place], numbers[other], strict=True)
    }
