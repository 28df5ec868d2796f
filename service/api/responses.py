"""From raw request bodies to response bytes, cached: equal bodies have equal responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import orjson

from service.api.json_body import Decoded, decode
from service.cache.keys import key_of
from service.cache.layered import Cache
from service.cache.rate_limit import Balance
from service.cache.single_flight import COMPUTED, FLIGHT
from service.cache.types import Hit
from service.core.languages import DEFAULT_LANGUAGE
from service.games.definition import Endpoint, GameDefinition
from service.operations import catalogue
from service.operations.context import OperationResponse, RequestContext
from service.operations.dispatch import parse
from service.operations.observer import Observer
from service.operations.solution_cache import SolutionCache

RESPONSES: Final = "answers"
"""Name of this cache in metrics and in ``Cache-Status``."""
REQUEST_UNITS: Final = 1.0
"""Rate limit units of a request; computing costs one more per CPU millisecond."""


class QuotaExceeded(Exception):
    """A client has used up its rate limit."""


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """One request to an endpoint of a game.

    Attributes:
        definition: the game.
        endpoint: one of the game's endpoints.
        body: the bytes of the body.
        client: the client that the rate limit charges.
        received: ``time.monotonic()`` at which the request was received.
        language: of sentences, if the response has any.
        decoded: the JSON value of the body where it is known already.
    """

    definition: GameDefinition
    endpoint: Endpoint
    body: bytes
    client: str
    received: float
    language: str = DEFAULT_LANGUAGE
    decoded: Decoded | None = None


@dataclass(frozen=True, slots=True)
class Lookup:
    """A response looked up in the cache, and the client charged for the request.

    Attributes:
        key: cache key of the response.
        hit: the cached response, if any.
        balance: of the client; None if there is no rate limit.
    """

    key: bytes
    hit: Hit | None
    balance: Balance | None


@dataclass(frozen=True, slots=True)
class Reply:
    """The bytes of a response, and its ``Cache-Status`` (RFC 9211)."""

    body: bytes
    cache_status: str


class Responses:
    """Serves the endpoints of all games.

    Args:
        cache: stores responses and the clients' balances.
        solutions: cached solutions, which responses are rendered from.
        observer: receives metrics.
    """

    def __init__(self, cache: Cache, solutions: SolutionCache, observer: Observer) -> None:
        self._cache, self._solutions, self._observer = cache, solutions, observer
        self._versions = orjson.dumps(catalogue.versions(), option=orjson.OPT_SORT_KEYS)

    def look_up(self, request: ApiRequest) -> Lookup:
        """Charge the client and look the response up, in one round trip."""
        language = request.language if request.endpoint.localized else ""
        route = f"{request.definition.game.name}/{request.endpoint.name}"
        key = key_of(RESPONSES, self._versions, language, route, request.body)
        hit, balance = self._cache.get_and_spend(key, request.client, REQUEST_UNITS)
        return Lookup(key, hit, balance)

    def reply(self, request: ApiRequest, lookup: Lookup) -> Reply:
        """Return the cached response, or compute it.

        Raises:
            NotJson: if the body is not JSON.
            Rejected: with all violations of the body.
            QuotaExceeded: if the client has used up its rate limit and the body is valid.
            OutOfTime: if the deadline passed before there was any result.
            Overloaded: if the solve queue is full.
        """
        allowed = lookup.balance is None or lookup.balance.allowed
        if allowed and lookup.hit is not None:
            self._observer.looked_up(RESPONSES, lookup.hit.layer)
            return Reply(lookup.hit.value, f"{RESPONSES}; hit; detail={lookup.hit.layer}")
        if allowed:
            self._observer.looked_up(RESPONSES, COMPUTED)
        value, violations = request.decoded or decode(request.body)
        parsed = parse(request.definition, request.endpoint, value, violations)
        if not allowed:
            raise QuotaExceeded
        response = parsed(RequestContext(request.received, self._solutions, request.language))
        if response.cost is not None:
            self._cache.owe(request.client, response.cost.cost_ms)
        body = orjson.dumps(response.document)
        if response.complete:
            self._cache.put(lookup.key, body)
        return Reply(body, _cache_status(response))

    def charge(self, client: str) -> Balance | None:
        """Charge a client for one request that needs no lookup; return its balance, if limited."""
        _, balance = self._cache.get_and_spend(None, client, REQUEST_UNITS)
        return balance


def _cache_status(response: OperationResponse) -> str:
    stored = "; stored" if response.complete else ""
    missed = f"{RESPONSES}; fwd=miss{stored}"
    if response.cost is None:
        return missed
    if response.cost.layer == COMPUTED:
        return f"solves; fwd=miss{stored}, {missed}"
    if response.cost.layer == FLIGHT:
        return f"solves; fwd=miss; collapsed, {missed}"
    return f"solves; hit; detail={response.cost.layer}, {missed}"
