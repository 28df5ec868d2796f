"""Markdown sections of the error catalogue, generated from the codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.core.violation_codes import PROBLEM_CODES, REFUSAL_CODES, ErrorCode
from service.docs.layout import HOME
from service.docs.rules.text import link_rulings
from service.games.registry import GAMES
from service.operations import catalogue

_TITLES: Final = {"": "Violations in every body", "batch": "Violations in batches"}


def error_sections() -> str:
    """Return sections for the codes of problems, of violations, and of each game.

    Every code has its own heading, so it is the end of its address: ``#not-found``.
    """
    sections = catalogue.violation_sections()
    shared = {code: error for code, error in sections[""].items() if code not in REFUSAL_CODES}
    parts = [
        _section("Problems", PROBLEM_CODES),
        _section("Problems that are violations too", REFUSAL_CODES),
        _section(_TITLES[""], shared),
        _section(_TITLES["batch"], sections["batch"]),
    ]
    for name, definition in GAMES.items():
        title = f"Violations in {definition.about['title']['en']}"
        text = _section(title, sections[name])
        parts.append(link_rulings(text, definition, f"{HOME}rules/{name}"))
    return "\n\n".join(parts) + "\n"


def _section(title: str, codes: Mapping[str, ErrorCode]) -> str:
    entries = (
        f"### {code}\n\n{error.cause}\n\n**Remedy:** {error.remedy}"
        for code, error in sorted(codes.items())
    )
    return "\n\n".join((f"## {title}", *entries))
