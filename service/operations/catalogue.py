"""The games of the service, the codes of its errors, and its versions."""

from __future__ import annotations

from collections.abc import Mapping

from service.core.violation_codes import (
    PROBLEM_CODES,
    REFUSAL_CODES,
    VIOLATION_CODES,
    ErrorCode,
)
from service.core.vocabulary import BLUNDER, WIN
from service.games.common.fields import Document
from service.games.definition import Endpoint, GameDefinition, Suggest, SuggestTurn
from service.games.registry import GAMES
from service.operations import batch
from service.operations.versions import API_VERSION, ENGINE_VERSION
from service.solver.equilibrium.quantal_response import PRECISION
from service.solver.hints.grading import GRADE_LIMITS, LEAST_STAKE, REFERENCE_STAKE


def documents() -> dict[str, Document]:
    """Return the documents that change only with a release, by path."""
    found = {"/v1/version": versions(), "/v1/games": games()}
    for name, definition in GAMES.items():
        about = f"/v1/games/{name}"
        found[about] = game(definition)
        found |= {f"{about}/{static.path}": static.document for static in definition.documents}
    return found


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
    page = f"rules/{definition.game.name}"
    document = definition.about | {
        "rules_pages": {"en": f"/docs/{page}", "de": f"/docs/de/{page}"},
        "operations": [endpoint.name for endpoint in definition.endpoints],
    }
    for endpoint in definition.endpoints:
        if isinstance(endpoint, Suggest):
            document["quantal_precision"] = PRECISION
            document["grades"] = _grades(GRADE_LIMITS)
        elif isinstance(endpoint, SuggestTurn):
            # A game with its own grades has those of hints under another name.
            name = "hint_grades" if "grades" in definition.about else "grades"
            document[name] = _grades({WIN: GRADE_LIMITS[WIN]})
    return document


def _grades(limits: Mapping[str, Mapping[str, float]]) -> Document:
    stake = {"reference": REFERENCE_STAKE, "least": LEAST_STAKE}
    return {"limits": limits, "stakes": {WIN: stake}, "worst": BLUNDER}


def violation_codes() -> dict[str, ErrorCode]:
    """Return every code that a violation may have."""
    return {
        code: error for section in violation_sections().values() for code, error in section.items()
    }


def violation_sections() -> dict[str, Mapping[str, ErrorCode]]:
    """Return the codes of violations by where they occur; a code is in one section only.

    The keys are ``""`` for the codes that are not specific to a route, ``batch``, and the names of
    the games.
    """
    return {
        "": REFUSAL_CODES | VIOLATION_CODES,
        "batch": batch.VIOLATION_CODES,
    } | {name: definition.violation_codes for name, definition in GAMES.items()}


def problem_codes() -> dict[str, ErrorCode]:
    """Return every code that a problem may have."""
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
