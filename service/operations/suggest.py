"""A hint for one player."""

from __future__ import annotations

from service.core.faults import Fault
from service.core.play import Choice, State
from service.games.entry import Suggest
from service.games.reading import Document
from service.solver.hint import solve


def suggest(
    verb: Suggest[State, Choice], document: Document, faults: list[Fault], received: float
) -> Document:
    """Solves the question.

    Args:
        verb: how the game reads and writes it, and what the solver works on.
        document: the body.
        faults: of its shape.
        received: ``time.monotonic()`` when the request came; its deadline counts from there.
    """
    question = verb.read(document, faults)
    stop_at = None
    if question.deadline_ms is not None:
        stop_at = received + question.deadline_ms / 1000
    hint = solve(verb.stages, question, verb.owners(question.position), stop_at)
    return verb.write(question, hint)
