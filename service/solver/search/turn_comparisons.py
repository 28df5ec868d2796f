"""Compare the choices of a hint for a turn with each other, part by part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from service.core.advice import TOLERANCES
from service.core.comparison import compare
from service.core.game import Choice, Play
from service.core.rounding import TIE, rounded
from service.core.sequential import RESULT, SEARCH_MEASURES, ChoiceValue, TurnGame, TurnHint
from service.core.vocabulary import WIN
from service.solver.search.turn_expectimax import TurnSolution, rank_choices


def compare_choices(
    hint: TurnHint[Choice], solution: TurnSolution, game: TurnGame[Play, Choice], asker: int
) -> TurnHint[Choice]:
    """Return the hint with comparisons of its choices.

    The best choice is compared with the best different one, every other choice with the best one.

    Args:
        hint: of the solution.
        solution: with parts, or of a decision with one choice.
        game: names the parts and the measures.
        asker: index of the asker in the shares.
    """
    if len(hint.choices) < 2:
        return hint
    ranking = rank_choices(solution, asker)
    different = best_different(hint.choices)
    parts_named, measured = (*game.parts, RESULT), (*game.measures, *SEARCH_MEASURES)
    compared = []
    for rank, own in enumerate(hint.choices):
        against = 0 if rank else different
        other = hint.choices[against]
        places = ranking[rank], ranking[against]
        parts = _differences(parts_named, solution.parts, *places)
        compared.append(
            replace(
                own,
                comparison=compare(other.choice, rounded(own.value - other.value), parts),
                measures=_differences(measured, solution.measures, *places),
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


def _differences(
    names: Sequence[str], numbers: Sequence[Sequence[float]], place: int, other: int
) -> Mapping[str, float]:
    return {
        name: own - others
        for name, own, others in zip(names, numbers[place], numbers[other], strict=True)
    }
