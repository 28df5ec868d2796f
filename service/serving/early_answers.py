"""Early answers: cached responses and refusals, before Flask and before the body is parsed.

They take a fifth of the time of the application, so that threads stay free under overload. A
request that is in any way unusual gets its answer from the application.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING, Final

import orjson

from service.api.assets import JSON
from service.api.auth import KeyRefused, Keys, client_of_key
from service.api.games import accepted_language
from service.api.limits import MAX_BODY_BYTES
from service.api.metrics import Metrics
from service.api.problems import MEDIA_TYPE, TITLES, problem_of
from service.api.request_hooks import client_of_address, common_headers, log_request, request_id_of
from service.api.responses import ApiRequest, Early, Reply, Responses
from service.cache.rate_limit import Quota
from service.operations.batch import TARGETS

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

UNUSUAL: Final = frozenset(("HTTP_CONTENT_ENCODING", "HTTP_TRANSFER_ENCODING", "HTTP_UPGRADE"))
"""Header fields of requests that the application answers."""
MEDIA_TYPES: Final = (JSON, f"{JSON}; charset=utf-8", f"{JSON};charset=utf-8")


class EarlyAnswers:
    """A WSGI middleware (PEP 3333) that answers what needs neither Flask nor a parser.

    Args:
        app: answers all other requests.
        responses: serves the endpoints of all games.
        metrics: counts responses.
        quota: the rate limit, if there is one.
        keys: API keys.
        has_cors: whether responses to other origins have more headers.
    """

    def __init__(
        self,
        app: WSGIApplication,
        responses: Responses,
        metrics: Metrics,
        quota: Quota | None,
        keys: Keys,
        *,
        has_cors: bool,
    ) -> None:
        self._app, self._responses = app, responses
        self._metrics, self._quota, self._keys = metrics, quota, keys
        self._unusual = UNUSUAL | {"HTTP_ORIGIN"} if has_cors else UNUSUAL
        self._routes = {path: each for path, each in TARGETS.items() if not each[1].streams}

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request, early or by the application."""
        asked = self._read(environ)
        early = None if asked is None else self._responses.early(asked)
        if asked is None or early is None:
            return self._app(environ, start_response)
        return self._answer(environ, start_response, asked, early)

    def _read(self, environ: WSGIEnvironment) -> ApiRequest | None:
        """Read the body of a usual request, and leave it to be read again; None for others."""
        received = time.monotonic()
        route = self._routes.get(environ["PATH_INFO"])
        length = environ.get("CONTENT_LENGTH", "")
        if (
            route is None
            or environ["REQUEST_METHOD"] != "POST"
            or environ.get("QUERY_STRING")
            or environ.get("CONTENT_TYPE", "").lower() not in MEDIA_TYPES
            or not (length.isdecimal() and len(length) < 10)
            or int(length) > MAX_BODY_BYTES
            or self._unusual & environ.keys()
        ):
            return None
        client = client_of_address(environ.get("REMOTE_ADDR", ""))
        if self._keys:
            try:
                client = client_of_key(environ.get("HTTP_AUTHORIZATION", ""), self._keys)
            except KeyRefused:
                return None
        body = environ["wsgi.input"].read(int(length))
        environ["wsgi.input"] = BytesIO(body)
        if len(body) < int(length):
            return None
        definition, endpoint = route
        header = environ.get("HTTP_ACCEPT_LANGUAGE", "") if endpoint.localized else ""
        language = accepted_language(header)
        return ApiRequest(definition, endpoint, body, client, received, language)

    def _answer(
        self,
        environ: WSGIEnvironment,
        start_response: StartResponse,
        asked: ApiRequest,
        early: Early,
    ) -> Iterable[bytes]:
        """Send a response; log and count it."""
        request_id = request_id_of(environ.get("HTTP_X_REQUEST_ID", ""))
        code = cache_status = None
        headers: dict[str, str] = {}
        if isinstance(early.outcome, Reply):
            status, content = 200, early.outcome.body
            headers["Content-Type"] = JSON
            cache_status = early.outcome.cache_status
            if asked.endpoint.localized:
                headers |= {"Content-Language": asked.language, "Vary": "Accept-Language"}
        else:
            document, headers = problem_of(early.outcome, request_id)
            headers |= {"Content-Type": MEDIA_TYPE}
            status, code, content = document["status"], document["code"], orjson.dumps(document)
        headers["Content-Length"] = str(len(content))
        seconds = time.monotonic() - asked.received
        headers |= common_headers(request_id, seconds, cache_status, self._quota, early.balance)
        path = environ["PATH_INFO"]
        self._metrics.answered_early(
            path, status, seconds, request_id, environ.get("HTTP_TRACEPARENT", "")
        )
        log_request(
            request_id=request_id,
            client=asked.client,
            method="POST",
            path=path,
            status=status,
            code=code,
            bytes=len(content),
            cache=cache_status,
            ms=round(1000.0 * seconds, 1),
        )
        start_response(f"{status} {TITLES[status]}", list(headers.items()))
        return [content]
