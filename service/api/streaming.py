"""Reviews as a stream of JSON lines: progress, then the result or a problem."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any, Final

import orjson
from flask import Response, g, request

from service.api.assets import JSON
from service.api.problems import CLIENT_GONE, problem_of
from service.api.responses import MISS, Reply
from service.core.reviews import Progress
from service.core.violations import ClientGone, Overloaded
from service.operations.observer import Observer

LINES: Final = "application/x-ndjson"
PROGRESS, RESULT, PROBLEM = "progress", "result", "problem"
"""Values of ``type`` of a line."""
_HEADERS: Final = {
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",  # nginx passes each line on at once.
}


@dataclass(slots=True)
class StreamLog:
    """What the log states about a stream once it has ended.

    Attributes:
        sent_bytes: of the lines.
        code: of the problem that ended the stream, or None.
    """

    sent_bytes: int = 0
    code: str | None = None


def wants_lines() -> bool:
    """Return whether the client prefers JSON lines to a JSON document."""
    return request.accept_mimetypes.best_match([JSON, LINES]) == LINES


def stream(steps: Generator[Progress, None, Reply], observer: Observer) -> Response:
    """Return the response that streams an operation.

    What fails before the first progress raises here, so it has its own status code.
    """
    try:
        first: Progress | Reply = next(steps)
    except StopIteration as end:
        first = end.value
    g.cache_status = first.cache_status if isinstance(first, Reply) else MISS
    g.stream = StreamLog()
    lines = _lines(first, steps, g.stream, g.request_id, observer)
    return Response(lines, content_type=LINES, headers=_HEADERS)


def _lines(
    item: Progress | Reply,
    steps: Generator[Progress, None, Reply],
    log: StreamLog,
    request_id: str,
    observer: Observer,
) -> Iterator[bytes]:
    log.code = CLIENT_GONE  # Unless the stream reaches its end.
    try:
        while isinstance(item, Progress):
            yield _line(log, PROGRESS, item)
            try:
                item = next(steps)
            except StopIteration as end:
                item = end.value
        yield _line(log, RESULT, orjson.Fragment(item.body))
        log.code = None
    except ClientGone:
        return
    except Exception as error:
        # The status code has been sent already.
        if isinstance(error, Overloaded):
            observer.shed(str(error))
        document, _ = problem_of(error, request_id)
        yield _line(log, PROBLEM, document)
        log.code = document["code"]
    finally:
        steps.close()


def _line(log: StreamLog, kind: str, content: Any) -> bytes:
    line = orjson.dumps({"type": kind, kind: content}, option=orjson.OPT_APPEND_NEWLINE)
    log.sent_bytes += len(line)
    return line
