"""The batch route: each request is served as if it came alone; identical ones are served once."""

from __future__ import annotations

import time
from collections.abc import Mapping

import orjson
from flask import Blueprint, Response, g

from service.api.assets import JSON, Asset
from service.api.connection import client_gone
from service.api.games import negotiated_language, read_body, too_large, with_language
from service.api.json_body import decode
from service.api.limits import BATCH_START_S, MAX_BATCH_BYTES, MAX_BODY_BYTES
from service.api.problems import (
    METHOD_NOT_ALLOWED,
    NOT_FOUND,
    TOO_LARGE,
    no_route,
    problem_document,
    problem_of,
)
from service.api.responses import ApiRequest, QuotaExceeded, Responses
from service.core.violations import ClientGone, OutOfTime, Overloaded
from service.operations.batch import GET, PATH, POST, BatchedRequest, parse_batch
from service.operations.observer import Observer


def blueprint(
    responses: Responses,
    documents: Mapping[str, Asset],
    observer: Observer,
    patience_s: float = BATCH_START_S,
) -> Blueprint:
    """Return the route.

    Args:
        responses: serves each of the POST requests.
        documents: the answers to GET requests, by path.
        observer: receives metrics.
        patience_s: seconds after which no further request is started.
    """
    batch = Blueprint("batch", __name__)
    view = _BatchView(responses, documents, observer, patience_s).view
    batch.add_url_rule(PATH, "batch", view, methods=["POST"])
    return batch


class _BatchView:
    def __init__(
        self,
        responses: Responses,
        documents: Mapping[str, Asset],
        observer: Observer,
        patience_s: float,
    ) -> None:
        self._responses, self._documents = responses, documents
        self._observer, self._patience_s = observer, patience_s

    def view(self) -> Response:
        """Return the response to the current batch."""
        body = read_body(MAX_BATCH_BYTES)
        with self._responses.charged(g.client):
            batched = parse_batch(*decode(body))
        language = negotiated_language()
        until = g.received + self._patience_s
        earlier: dict[tuple[str, str, bytes], tuple[int, bytes]] = {}
        results = []
        for item in batched:
            identity = (item.method, item.path, item.body)
            status, body = self._serve(item, earlier.get(identity), until, language)
            self._observer.batched(status)
            earlier.setdefault(identity, (status, body))
            results.append({"id": item.id, "status": status, "body": orjson.Fragment(body)})
        response = Response(orjson.dumps({"results": results}), content_type=JSON)
        return with_language(response, language)

    def _serve(
        self,
        item: BatchedRequest,
        earlier: tuple[int, bytes] | None,
        until: float,
        language: str,
    ) -> tuple[int, bytes]:
        """Return the status and the body of one request.

        The deadline of a request runs from when its turn comes.

        Args:
            earlier: the result of an identical request of this batch.
        """
        if item.target is None and item.path not in self._documents:
            return _problem(404, NOT_FOUND, no_route(item.path))
        supported = GET if item.target is None else POST
        if item.method != supported:
            detail = f"This route supports {supported}, not {item.method}: set `method`."
            return _problem(405, METHOD_NOT_ALLOWED, detail)
        if item.target is None:
            return 200, self._documents[item.path].content
        if len(item.body) > MAX_BODY_BYTES:
            return _problem(413, TOO_LARGE, too_large(MAX_BODY_BYTES))
        try:
            if earlier is not None:
                g.balance, g.lookup = self._responses.charge(g.client) or g.get("balance"), None
                if g.balance is not None and not g.balance.allowed:
                    raise QuotaExceeded
                return earlier
            now = time.monotonic()
            if now >= until:
                raise Overloaded("batch-slow")
            decoded = item.value, item.violations
            gone = client_gone()
            request = ApiRequest(*item.target, item.body, g.client, now, language, decoded, gone)
            lookup = self._responses.look_up(request)
            g.balance, g.lookup = lookup.balance or g.get("balance"), lookup
            return 200, self._responses.reply(request, lookup).body
        except ClientGone:
            raise
        except Exception as error:
            # An error in one request must not fail the others.
            if isinstance(error, Overloaded):
                self._observer.shed(str(error))
            elif isinstance(error, OutOfTime):
                self._observer.timed_out(str(error) or "search")
            document, _ = problem_of(error, g.request_id)
            return document["status"], orjson.dumps(document)


def _problem(status: int, code: str, detail: str) -> tuple[int, bytes]:
    return status, orjson.dumps(problem_document(status, code, detail, g.request_id))
