"""The games of the service, the codes of its errors, and its versions."""

from __future__ import annotations

from service.core.violation_codes import PROBLEM_CODES, REFUSAL_CODES, VIOLATION_CODES
from service.core.vocabulary import BLUNDER, WIN
from service.games.common.validation import Document
from service.games.definition import Endpoint, GameDefinition, Suggest, SuggestTurn
from service.games.registry import GAMES
from service.operations import batch
from service.operations.versions import API_VERSION, ENGINE_VERSION
from service.solver.equilibrium.quantal_response import PRECISION
from service.solver.hints.grading import GRADE_LIMITS


def games() -> Document:
    """Return a summary of all games."""
    return {
        "games": [
            {
                "game": name,
                "title": definition.about["title"],
                "rules_version": definition.about["rules_version"],
                "operations": [endpoint.name for endpoint in definition.endpoints],
            }
            for name, definition in GAMES.items()
        ]
    }


def game(definition: GameDefinition) -> Document:
    """Return one game: its names, data and rulings, and how its hints grade a choice."""
    document = definition.about | {
        "operations": [endpoint.name for endpoint in definition.endpoints]
    }
    for endpoint in definition.endpoints:
        if isinstance(endpoint, Suggest):
            document["quantal_precision"] = PRECISION
            document["grades"] = {"limits": GRADE_LIMITS, "worst": BLUNDER}
        elif isinstance(endpoint, SuggestTurn):
            # A game with grades of its own has those of hints under another name.
            name = "hint_grades" if "grades" in definition.about else "grades"
            document[name] = {"limits": {WIN: GRADE_LIMITS[WIN]}, "worst": BLUNDER}
    return document


def violation_codes() -> dict[str, str]:
    """Return every code that an entry of a problem's ``errors`` may have, with its meaning."""
    codes = VIOLATION_CODES | REFUSAL_CODES | batch.VIOLATION_CODES
    for definition in GAMES.values():
        codes |= definition.violation_codes
    return codes


def problem_codes() -> dict[str, str]:
    """Return every code that a problem may have, with its meaning."""
    return PROBLEM_CODES | REFUSAL_CODES


def versions() -> Document:
    """Return everything that a response depends on besides the request."""
    return {
        "api": API_VERSION,
        "engine": ENGINE_VERSION,
        "rules": {name: definition.about["rules_version"] for name, definition in GAMES.items()},
        "evaluator": {
            name: version
            for name, definition in GAMES.items()
            for endpoint in definition.endpoints
            if (version := _evaluator(endpoint)) is not None
        },
    }


def _evaluator(endpoint: Endpoint) -> str | None:
    match endpoint:
        case Suggest() | SuggestTurn():
            return endpoint.search_game.evaluator
    return None
