"""The CPU time of one request, as a worker spends it."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass

import orjson

from expensive.bodies import Body
from service.api.json_body import decode
from service.core.violations import OutOfTime, Rejected
from service.games.registry import GAMES
from service.operations.context import RequestContext
from service.operations.dispatch import parse
from service.operations.solution_cache import Solutions


@dataclass(frozen=True)
class Cost:
    """The cost of a request.

    Attributes:
        cpu_s: CPU seconds from the bytes of the body to those of the response.
        outcome: ``complete``, ``cut`` (the response says so), ``out-of-time`` or the codes of an
            error.
    """

    cpu_s: float
    outcome: str


def cost_of(body: Body) -> Cost:
    """Serve a request with empty caches."""
    definition = GAMES[body.game]
    [endpoint] = [each for each in definition.endpoints if each.name == body.operation]
    text = json.dumps(body.document).encode()
    solutions = Solutions(client="a", limited=True)
    start = time.thread_time()
    try:
        value, violations = decode(text)
        run = parse(definition, endpoint, value, violations)
        response = run(RequestContext(solutions=solutions))
        orjson.dumps(response.document)
        outcome = "complete" if response.complete else "cut"
    except OutOfTime:
        outcome = "out-of-time"
    except Rejected as rejected:
        outcome = " ".join(sorted({violation.code for violation in rejected.violations}))
    return Cost(time.thread_time() - start, outcome)
