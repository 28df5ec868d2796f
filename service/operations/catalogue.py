"""What the service can play, and in which versions."""

from __future__ import annotations

from service.core.violation_codes import FAULT_CODES, PROBLEM_CODES, REFUSAL_CODES
from service.core.vocabulary import BLUNDER, WIN
from service.games.common.validation import Document
from service.games.definition import Endpoint, GameDefinition, Suggest, SuggestTurn
from service.games.registry import GAMES
from service.operations import batch
from service.operations.versions import API_VERSION, ENGINE_VERSION
from service.solver.equilibrium.quantal_response import PRECISION
from service.solver.hints.grading import GRADE_LIMITS


def games() -> Document:
    """All games, in short."""
    return {
        "games": [
            {
                "game": name,
                "title": entry.about["title"],
                "rules_version": entry.about["rules_version"],
                "verbs": [verb.name for verb in entry.verbs],
            }
            for name, entry in GAMES.items()
        ]
    }


def game(entry: GameDefinition) -> Document:
    """One game: its names, data and rulings, and how hints are graded."""
    told = entry.about | {"verbs": [verb.name for verb in entry.verbs]}
    for verb in entry.verbs:
        if isinstance(verb, Suggest):
            told["quantal_precision"] = PRECISION
            told["grades"] = {"limits": GRADE_LIMITS, "worst": BLUNDER}
        elif isinstance(verb, SuggestTurn):
            # A game that has grades of its own calls those of hints by another name.
            name = "hint_grades" if "grades" in entry.about else "grades"
            told[name] = {"limits": {WIN: GRADE_LIMITS[WIN]}, "worst": BLUNDER}
    return told


def fault_codes() -> dict[str, str]:
    """Every code that an entry of a problem's ``errors`` may have, with its meaning."""
    codes = FAULT_CODES | REFUSAL_CODES | batch.FAULT_CODES
    for entry in GAMES.values():
        codes |= entry.fault_codes
    return codes


def problem_codes() -> dict[str, str]:
    """Every code that a problem may have, with its meaning."""
    return PROBLEM_CODES | REFUSAL_CODES


def versions() -> Document:
    """Everything that an answer depends on besides the request."""
    return {
        "api": API_VERSION,
        "engine": ENGINE_VERSION,
        "rules": {name: entry.about["rules_version"] for name, entry in GAMES.items()},
        "evaluator": {
            name: version
            for name, entry in GAMES.items()
            for verb in entry.verbs
            if (version := _evaluator(verb)) is not None
        },
    }


def _evaluator(verb: Endpoint) -> str | None:
    match verb:
        case Suggest():
            return verb.stages.evaluator
        case SuggestTurn():
            return verb.turns.evaluator
    return None
