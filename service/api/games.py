"""The routes of the games: one for each endpoint of each registered game."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from flask import Blueprint, Response, abort, g, request
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header

from service.api.assets import JSON
from service.api.connection import client_gone
from service.api.limits import MAX_BODY_BYTES
from service.api.responses import ApiRequest, Responses
from service.api.streaming import stream, wants_lines
from service.core.languages import DEFAULT_LANGUAGE, preferred_language
from service.games.definition import Endpoint, GameDefinition
from service.games.registry import GAMES
from service.operations.observer import Observer

MAX_SHOWN_HEADER: Final = 100
"""Characters of a header that an error repeats."""


def blueprint(responses: Responses, observer: Observer) -> Blueprint:
    """Return the routes of all operations below ``/v1/games``."""
    games = Blueprint("games", __name__, url_prefix="/v1/games")
    for name, definition in GAMES.items():
        for endpoint in definition.endpoints:
            view = _post(definition, endpoint, responses, observer)
            path, route = f"/{name}/{endpoint.name}", f"{name}-{endpoint.name}"
            games.add_url_rule(path, route, view, methods=["POST"])
    return games


def _post(
    definition: GameDefinition, endpoint: Endpoint, responses: Responses, observer: Observer
) -> Callable[[], Response]:
    def view() -> Response:
        body = read_body()
        language = negotiated_language() if endpoint.localized else DEFAULT_LANGUAGE
        api_request = ApiRequest(
            definition,
            endpoint,
            body,
            g.client,
            g.received,
            language,
            client_gone=client_gone(),
        )
        lookup = responses.look_up(api_request)
        g.lookup = lookup  # The headers of an error show its balance, too.
        if endpoint.streams and wants_lines():
            response = stream(responses.steps(api_request, lookup, streamed=True), observer)
        else:
            reply = responses.reply(api_request, lookup)
            g.cache_status = reply.cache_status
            response = Response(reply.body, content_type=JSON)
        if endpoint.streams:
            response.vary.add("Accept")
        return with_language(response, language) if endpoint.localized else response

    return view


def negotiated_language() -> str:
    """Return the language for the ``Accept-Language`` of the request."""
    return accepted_language(request.headers.get("Accept-Language", ""))


@lru_cache(maxsize=256)
def accepted_language(header: str) -> str:
    """Return the language for a value of ``Accept-Language``."""
    return preferred_language(parse_accept_header(header, LanguageAccept))


def with_language(response: Response, language: str) -> Response:
    """Set the headers of a response whose sentences depend on ``Accept-Language``."""
    response.content_language.add(language)
    response.vary.add("Accept-Language")
    return response


def read_body(limit: int = MAX_BODY_BYTES) -> bytes:
    """Return the bytes of the body; a body over the limit is 413 whatever its media type.

    Args:
        limit: maximum number of bytes.
    """
    body = _received_body(limit)
    if request.mimetype != JSON:
        given = request.mimetype[:MAX_SHOWN_HEADER] or "none"
        abort(415, f"Expected Content-Type: {JSON}; got {given}.")
    charset = request.mimetype_params.get("charset", "utf-8")
    if charset.lower() not in ("utf-8", "utf8"):
        abort(415, f"Expected JSON in UTF-8; got the charset {charset[:MAX_SHOWN_HEADER]}.")
    coding = request.content_encoding or "identity"
    if coding != "identity":
        given = coding[:MAX_SHOWN_HEADER]
        abort(415, f"Expected a body without compression; got Content-Encoding: {given}.")
    return body


def too_large(limit: int) -> str:
    """Return the error detail of a body over the limit."""
    return f"The body is larger than {limit // 1024} KiB."


def _received_body(limit: int) -> bytes:
    """Read the whole body, chunked or not; Werkzeug's own limit silently cuts a chunked body."""
    announced = request.content_length
    if announced is not None and announced > limit:
        abort(413, too_large(limit))
    body = b""
    try:
        while len(body) <= limit and (part := request.stream.read(limit + 1 - len(body))):
            body += part
    except Exception:
        # The stream of the server raises only if the framing is broken.
        abort(400, "The framing of the body is broken.")
    if len(body) > limit:
        abort(413, too_large(limit))
    if announced is not None and len(body) < announced:
        abort(400, "The body is shorter than its Content-Length.")
    return body
