"""The routes of the games: one for each verb of each registered game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import orjson
from flask import Blueprint, Response, abort, g, request

from service.api.responses import Answers
from service.core.languages import DEFAULT_LANGUAGE, LANGUAGES
from service.games.definition import Endpoint, GameDefinition, StaticDocument
from service.games.registry import GAMES
from service.operations import catalogue

MEDIA_TYPE: Final = "application/json"
MAX_BODY_BYTES: Final = 64 * 1024


def blueprint(answers: Answers) -> Blueprint:
    """All routes below ``/v1/games``."""
    games = Blueprint("games", __name__, url_prefix="/v1/games")
    games.add_url_rule("", "games", lambda: as_json(catalogue.games()))
    for name, entry in GAMES.items():
        games.add_url_rule(f"/{name}", f"{name}-about", _about(entry))
        for reading in entry.readings:
            endpoint = f"{name}-{reading.path.replace('/', '-')}"
            games.add_url_rule(f"/{name}/{reading.path}", endpoint, _read(reading))
        for verb in entry.verbs:
            path, endpoint = f"/{name}/{verb.name}", f"{name}-{verb.name}"
            games.add_url_rule(path, endpoint, _post(entry, verb, answers), methods=["POST"])
    return games


def as_json(document: Any) -> Response:
    """The document as an answer; its bytes depend on nothing else."""
    return Response(orjson.dumps(document), content_type=MEDIA_TYPE)


def _about(entry: GameDefinition) -> Callable[[], Response]:
    return lambda: as_json(catalogue.game(entry))


def _read(reading: StaticDocument) -> Callable[[], Response]:
    return lambda: as_json(reading.document)


def _post(entry: GameDefinition, verb: Endpoint, answers: Answers) -> Callable[[], Response]:
    def view() -> Response:
        text = read_body()
        language = negotiated() if verb.localized else DEFAULT_LANGUAGE
        body = answers.reply(entry, verb, text, g.client, g.received, g.ledger, language)
        answered = Response(body, content_type=MEDIA_TYPE)
        return in_language(answered, language) if verb.localized else answered

    return view


def negotiated() -> str:
    """The language that the client likes best of those there are (RFC 9110, 12.5.4), whatever its
    region or script.
    """
    liked = list(request.accept_languages)
    refused = {tag.lower() for tag, quality in liked if not quality}
    spoken = [language for language in LANGUAGES if language not in refused]
    for tag, quality in liked:
        language = tag.partition("-")[0].lower()
        if quality and language in spoken:
            return language
        if quality and tag == "*" and spoken:
            return spoken[0]
    return DEFAULT_LANGUAGE


def in_language(answered: Response, language: str) -> Response:
    """Says so of an answer that would read otherwise in another one."""
    answered.content_language.add(language)
    answered.vary.add("Accept-Language")
    return answered


def read_body(limit: int = MAX_BODY_BYTES) -> bytes:
    """The bytes of the body; 413 before 415, whatever the body says it is.

    Args:
        limit: bytes at most.
    """
    text = _received(limit)
    if request.mimetype != MEDIA_TYPE:
        abort(415, f"The media type of a body is {MEDIA_TYPE}.")
    charset = request.mimetype_params.get("charset", "utf-8")
    if charset.lower() not in ("utf-8", "utf8"):
        abort(415, "The body is JSON in UTF-8.")
    if request.content_encoding not in (None, "", "identity"):
        abort(415, "The body is not to be compressed.")
    return text


def too_large(limit: int) -> str:
    """What is said of a body that is."""
    return f"The body is larger than {limit // 1024} KiB."


def _received(limit: int) -> bytes:
    """The whole body, chunked or not; Werkzeug's own limit cuts a chunked one in silence."""
    announced = request.content_length
    if announced is not None and announced > limit:
        abort(413, too_large(limit))
    text = b""
    try:
        while len(text) <= limit and (part := request.stream.read(limit + 1 - len(text))):
            text += part
    except Exception:
        # Whatever the server's stream raises here, the client's framing was broken.
        abort(400, "The body does not keep to its framing.")
    if len(text) > limit:
        abort(413, too_large(limit))
    if announced is not None and len(text) < announced:
        abort(400, "The body is shorter than its Content-Length.")
    return text
