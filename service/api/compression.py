"""Compression of answers to POST requests, for clients without a proxy in between.

The shipped proxy compresses itself, so it asks for none. Documents are compressed once, in
``assets.py``.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from werkzeug.datastructures import Headers
from werkzeug.http import parse_accept_header

from service.api.assets import MIN_COMPRESSED

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

_LEVEL: Final = 5
"""A hint of 60 kB takes about a millisecond; higher levels save little."""


class CompressedAnswers:
    """A WSGI middleware (PEP 3333) that sends answers in gzip if the client accepts it.

    Streams have no length, and are sent as they come.

    Attributes:
        app: answers the requests.
    """

    def __init__(self, app: WSGIApplication) -> None:
        self.app = app

    def __call__(self, environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        """Answer a request."""
        accepted = environ.get("HTTP_ACCEPT_ENCODING", "")
        is_post = environ["REQUEST_METHOD"] == "POST"
        if not (is_post and "gzip" in accepted and parse_accept_header(accepted)["gzip"] > 0):
            return self.app(environ, start_response)
        begun: list[Any] = []

        def begin(status: str, headers: list[tuple[str, str]], error: Any = None) -> Any:
            begun[:] = status, Headers(headers), error

        body = self.app(environ, begin)
        status, headers, error = begun
        if int(headers.get("Content-Length", 0)) >= MIN_COMPRESSED and not headers.get(
            "Content-Encoding"
        ):
            content = gzip.compress(b"".join(body), _LEVEL, mtime=0)
            if hasattr(body, "close"):
                body.close()
            body = [content]
            headers["Content-Encoding"], headers["Content-Length"] = "gzip", str(len(content))
            headers["Vary"] = ", ".join([*headers.getlist("Vary"), "Accept-Encoding"])
        start_response(status, headers.to_wsgi_list(), error)
        return body
