"""Responses that need neither a thread nor a parser: cached ones, and refusals.

The main loop of the worker asks for them with the bytes of a whole request. It must not wait, so
Redis is not asked. A request that is in any way unusual gets None and takes the normal way.
"""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import orjson
from werkzeug.datastructures import LanguageAccept
from werkzeug.http import parse_accept_header, parse_list_header

from service.api.assets import JSON
from service.api.auth import SCHEME, Keys, client_of_key
from service.api.limits import MAX_BODY_BYTES
from service.api.metrics import Metrics
from service.api.problems import MEDIA_TYPE, problem_of
from service.api.request_hooks import client_of, common_headers, log_request, request_id_of
from service.api.responses import ApiRequest, Immediate, Reply, Responses
from service.cache.rate_limit import Quota
from service.core.languages import DEFAULT_LANGUAGE, preferred_language
from service.core.violations import Overloaded
from service.games.registry import GAMES

MAX_HEAD_BYTES: Final = 4096
MAX_FIELDS: Final = 64
"""As in the settings of the server."""
UNUSUAL: Final = frozenset(("content-encoding", "expect", "transfer-encoding", "upgrade"))
"""Header fields with which a request takes the normal way."""
MEDIA_TYPES: Final = (JSON, f"{JSON}; charset=utf-8", f"{JSON};charset=utf-8")

_TOKEN: Final = r"[!#$%&'*+.^_`|~0-9A-Za-z-]+"
# Linear: no character fits two repetitions. A second one for the spaces before a value made each
# field match in two ways, and a head of n fields in 2**n.
_FIELD: Final = rf"({_TOKEN}):([ \t!-~\x80-\xff]*)\r\n"
_FIELDS: Final = re.compile(_FIELD)
_HEAD: Final = re.compile(rf"POST (/v1/games/[a-z0-9/-]+) HTTP/1\.1\r\n((?:{_FIELD})+)")


@dataclass(frozen=True, slots=True)
class ImmediateResponse:
    """A response whose connection stays open.

    Attributes:
        status: of HTTP.
        headers: of the response.
        body: of the response.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class ImmediateResponses:
    """Answers whole requests at once, if that is possible.

    Args:
        responses: serves the endpoints of all games.
        metrics: counts responses.
        quota: the rate limit, if there is one.
        keys: API keys.
        proxy_hops: number of trusted proxies in front.
        has_cors: whether responses to other origins have more headers.
    """

    def __init__(
        self,
        responses: Responses,
        metrics: Metrics,
        quota: Quota | None,
        keys: Keys,
        proxy_hops: int,
        *,
        has_cors: bool,
    ) -> None:
        self._responses, self._metrics, self._quota = responses, metrics, quota
        self._keys, self._proxy_hops = keys, proxy_hops
        self._unusual = UNUSUAL | {"origin"} if has_cors else UNUSUAL
        self._routes = {
            f"/v1/games/{name}/{endpoint.name}": (definition, endpoint)
            for name, definition in GAMES.items()
            for endpoint in definition.endpoints
            if not endpoint.streams
        }

    def answer(
        self, request: bytes, address: str, received: float, *, crowded: bool
    ) -> ImmediateResponse | None:
        """Return the response to a request, or None if it takes the normal way.

        Args:
            request: all its bytes, and perhaps more.
            address: of the other end of the connection.
            received: ``time.monotonic()`` at which the request was received.
            crowded: whether no thread is free.
        """
        end = request.find(b"\r\n\r\n", 0, MAX_HEAD_BYTES)
        head = _HEAD.fullmatch(request[: end + 2].decode("latin-1")) if end > 0 else None
        route = None if head is None else self._routes.get(head[1])
        if head is None or route is None:
            return None
        pairs = _FIELDS.findall(head[2])
        fields = {name.lower(): value.strip(" \t") for name, value in pairs}
        body = request[end + 4 :]
        if len(fields) < len(pairs) or len(pairs) > MAX_FIELDS or self._unusual & fields.keys():
            return None
        if not _is_usual(fields, body):
            return None
        client = self._client(fields, address)
        if client is None:
            return None
        definition, endpoint = route
        language = DEFAULT_LANGUAGE
        if endpoint.localized:
            language = _language(fields.get("accept-language", ""))
        asked = ApiRequest(definition, endpoint, body, client, received, language)
        immediate = self._responses.immediate(asked, crowded=crowded)
        if immediate is None:
            return None
        headers = {}
        if endpoint.localized and isinstance(immediate.outcome, Reply):
            headers = {"Content-Language": language, "Vary": "Accept-Language"}
        return self._response(immediate, head[1], client, received, headers, fields)

    def refuse(self, received: float) -> ImmediateResponse:
        """Return the refusal of any request, because too many wait for a thread."""
        refused = Immediate(Overloaded("threads-full"), None)
        return self._response(refused, "none", "", received, {}, {})

    def _response(
        self,
        immediate: Immediate,
        path: str,
        client: str,
        received: float,
        headers: dict[str, str],
        fields: Mapping[str, str],
    ) -> ImmediateResponse:
        """Return a response to a request with these header fields; log and count it."""
        request_id = request_id_of(fields.get("x-request-id", ""))
        code = cache_status = None
        if isinstance(immediate.outcome, Reply):
            status, media_type, content = 200, JSON, immediate.outcome.body
            cache_status = immediate.outcome.cache_status
        else:
            document, headers = problem_of(immediate.outcome, request_id)
            status, media_type, content = document["status"], MEDIA_TYPE, orjson.dumps(document)
            code = document["code"]
            self._metrics.shed(str(immediate.outcome))
        seconds = time.monotonic() - received
        headers = {"Content-Type": media_type} | headers
        headers |= common_headers(request_id, seconds, cache_status, self._quota, immediate.balance)
        self._metrics.answered_at_once(
            path, status, seconds, request_id, fields.get("traceparent", "")
        )
        log_request(
            request_id=request_id,
            client=client,
            method="POST",
            path=path,
            status=status,
            code=code,
            bytes=len(content),
            cache=cache_status,
            ms=round(1000.0 * seconds, 1),
        )
        return ImmediateResponse(status, headers, content)

    def _client(self, fields: Mapping[str, str], address: str) -> str | None:
        """Return the client, or None if it has no valid key."""
        if self._keys:
            scheme, _, key = fields.get("authorization", "").partition(" ")
            owner = self._keys.owner(key.strip()) if scheme.lower() == SCHEME and key else None
            return None if owner is None else client_of_key(owner)
        if self._proxy_hops:
            # As werkzeug.middleware.proxy_fix.
            forwarded = parse_list_header(fields.get("x-forwarded-for", ""))
            if len(forwarded) >= self._proxy_hops:
                address = forwarded[-self._proxy_hops]
        return client_of(address)


def _is_usual(fields: Mapping[str, str], body: bytes) -> bool:
    return (
        "host" in fields
        and fields.get("connection", "keep-alive").lower() == "keep-alive"
        and fields.get("content-type", "").lower() in MEDIA_TYPES
        and fields.get("content-length") == str(len(body))
        and len(body) <= MAX_BODY_BYTES
    )


@lru_cache(maxsize=256)
def _language(accepted: str) -> str:
    """Return the language for the value of ``Accept-Language``."""
    return preferred_language(parse_accept_header(accepted, LanguageAccept))
