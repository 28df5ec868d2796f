"""The route of batches: each request answered as if it had come alone, identical ones once."""

from __future__ import annotations

import time
from typing import Final

import orjson
from flask import Blueprint, Response, g

from service.api.games import (
    MAX_BODY_BYTES,
    MEDIA_TYPE,
    in_language,
    negotiated,
    read_body,
    too_large,
)
from service.api.json_body import decode
from service.api.problems import NOT_FOUND, TOO_LARGE, problem_document, told
from service.api.responses import Answers, ResponseMeta
from service.core.violations import Overloaded
from service.operations.batch import PATH, Item, read_batch
from service.operations.observer import Observer

MAX_BATCH_BYTES: Final = 512 * 1024
PATIENCE_S: Final = 20.0
"""Requests that have not begun by then are refused: the proxy in front waits 35 s for an answer,
and one of them may have to wait and be solved.
"""


def blueprint(answers: Answers, watch: Observer, patience_s: float = PATIENCE_S) -> Blueprint:
    """The route.

    Args:
        answers: answers each of the requests.
        watch: told of those that were refused because there was too much to do.
        patience_s: after so many seconds no further request is begun.
    """
    batch = Blueprint("batch", __name__)
    view = _Batches(answers, watch, patience_s).view
    batch.add_url_rule(PATH, "batch", view, methods=["POST"])
    return batch


class _Batches:
    def __init__(self, answers: Answers, watch: Observer, patience_s: float) -> None:
        self._answers, self._watch, self._patience_s = answers, watch, patience_s

    def view(self) -> Response:
        """The answer to the batch that has come."""
        items = read_batch(*decode(read_body(MAX_BATCH_BYTES)))
        language = negotiated()
        until = g.received + self._patience_s
        known: dict[tuple[str, bytes], tuple[int, bytes]] = {}
        results = []
        for item in items:
            status, body = self._one(item, known.get((item.path, item.text)), until, language)
            known.setdefault((item.path, item.text), (status, body))
            results.append({"id": item.id, "status": status, "body": orjson.Fragment(body)})
        answered = Response(orjson.dumps({"results": results}), content_type=MEDIA_TYPE)
        return in_language(answered, language)

    def _one(
        self, item: Item, known: tuple[int, bytes] | None, until: float, language: str
    ) -> tuple[int, bytes]:
        """The status and the bytes of what one request is answered.

        A deadline is its own: it runs from when the request's turn comes.

        Args:
            known: what an identical one was answered.
        """
        if item.asked is None:
            return _refused(404, NOT_FOUND, "No game has such a route.")
        if len(item.text) > MAX_BODY_BYTES:
            return _refused(413, TOO_LARGE, too_large(MAX_BODY_BYTES))
        ledger, decoded, now = ResponseMeta(), (item.value, item.faults), time.monotonic()
        try:
            if known is not None:
                self._answers.repeat(g.client, ledger)
                return known
            if now >= until:
                raise Overloaded("batch-slow")
            asked = *item.asked, item.text, g.client, now, ledger, language, decoded
            body = self._answers.reply(*asked)
        except Exception as error:
            # One request's fault is no fault of the others.
            if isinstance(error, Overloaded):
                self._watch.shed(str(error))
            document, _ = told(error, g.request_id)
            return document["status"], orjson.dumps(document)
        finally:
            g.ledger.balance = ledger.balance or g.ledger.balance
        return 200, body


def _refused(status: int, code: str, detail: str) -> tuple[int, bytes]:
    return status, orjson.dumps(problem_document(status, code, detail, g.request_id))
