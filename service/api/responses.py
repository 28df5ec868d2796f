"""From raw request bodies to response bytes, cached: equal bodies have equal responses."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from types import TracebackType
from typing import Final

import orjson

from service.api.json_body import Decoded, decode
from service.cache.keys import key_of
from service.cache.layered import REDIS, Cache
from service.cache.rate_limit import Balance, Buckets, Quota
from service.cache.single_flight import COMPUTED, FLIGHT
from service.cache.types import Hit
from service.core.cpu_time import cpu_s
from service.core.languages import DEFAULT_LANGUAGE
from service.core.reviews import Progress
from service.core.violations import Overloaded
from service.games.definition import Endpoint, GameDefinition
from service.operations import catalogue
from service.operations.context import OperationResponse, RequestContext, Steps, run_to_end
from service.operations.dispatch import parse
from service.operations.observer import Observer
from service.operations.solution_cache import SolutionCache, Solutions

RESPONSES: Final = "answers"
"""Name of this cache in metrics and in ``Cache-Status``."""
MISS: Final = f"{RESPONSES}; fwd=miss"
"""``Cache-Status`` of a response that is computed and not stored."""
REQUEST_UNITS: Final = 1.0
"""Rate limit units of a request; computing costs one more per CPU millisecond."""
INCLUDED_MS: Final = 5.0
"""CPU time that the unit of a request includes: more than a request without a search takes."""
CHARGED_MS: Final = 100.0
"""CPU time of a running request that is charged at once, so that the client cannot start more."""

QUEUE_FULL: Final = "queue-full"
REDIS_LOOKUPS: Final = Quota(units=20, window_s=1)
"""Requests for which Redis is asked while the solve queue would refuse them, of each worker. Such a
request costs 1.2 ms of CPU time, which a flood of them would take from the solves."""


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
        client_gone: returns whether the client is known to have closed the connection.
    """

    definition: GameDefinition
    endpoint: Endpoint
    body: bytes
    client: str
    received: float
    language: str = DEFAULT_LANGUAGE
    decoded: Decoded | None = None
    client_gone: Callable[[], bool] = lambda: False


@dataclass(slots=True)
class Lookup:
    """A response looked up in the cache, and the client charged for the request.

    Attributes:
        key: cache key of the response.
        hit: the cached response, if any.
        balance: of the client, before the request was computed; None if there is no rate limit.
        charged: units for computing the response, so far.
    """

    key: bytes
    hit: Hit | None
    balance: Balance | None
    charged: float = 0.0


@dataclass(frozen=True, slots=True)
class Reply:
    """The bytes of a response, and its ``Cache-Status`` (RFC 9211)."""

    body: bytes
    cache_status: str


@dataclass(frozen=True, slots=True)
class Early:
    """What needs no parsing.

    Attributes:
        outcome: a cached response, or why the request is refused.
        balance: of the client, if it is known.
    """

    outcome: Reply | Overloaded | QuotaExceeded
    balance: Balance | None


class ChargedTime:
    """A context whose CPU time beyond :data:`INCLUDED_MS` is charged to a client.

    Args:
        cache: has the clients' balances.
        client: the client.
        observer: receives metrics.
        lookup: counts what is charged for a response, if there is one.
    """

    def __init__(
        self, cache: Cache, client: str, observer: Observer, lookup: Lookup | None = None
    ) -> None:
        self._cache, self._client, self._observer = cache, client, observer
        self._lookup, self._since = lookup, 0.0

    def __enter__(self) -> ChargedTime:
        self._since = cpu_s() + INCLUDED_MS / 1000.0
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._charge()

    def without_pauses(self, steps: Steps) -> Steps:
        """Run the steps; the time between them is not charged."""
        while True:
            try:
                progress = next(steps)
            except StopIteration as end:
                response: OperationResponse = end.value
                return response
            if self._used_ms() >= CHARGED_MS:
                self._charge()
            used_ms = self._used_ms()
            try:
                yield progress
            finally:
                # The next step may run on another thread.
                self._since = cpu_s() - used_ms / 1000.0

    def _used_ms(self) -> float:
        """Return the CPU milliseconds not yet charged; negative while they are included."""
        return 1000.0 * (cpu_s() - self._since)

    def _charge(self) -> None:
        used_ms = self._used_ms()
        if used_ms > 0.0:
            self._cache.owe(self._client, used_ms)
            self._observer.charged(self._client, used_ms)
            self._since += used_ms / 1000.0
            if self._lookup is not None:
                self._lookup.charged += used_ms


class Responses:
    """Serves the endpoints of all games.

    Args:
        cache: stores responses and the clients' balances.
        solutions: cached solutions, which responses are rendered from.
        observer: receives metrics.
    """

    def __init__(self, cache: Cache, solutions: SolutionCache, observer: Observer) -> None:
        self._cache, self._solutions, self._observer = cache, solutions, observer
        self._redis_lookups = Buckets(REDIS_LOOKUPS)
        self._versions = orjson.dumps(catalogue.versions(), option=orjson.OPT_SORT_KEYS)

    def look_up(self, request: ApiRequest) -> Lookup:
        """Charge the client and look the response up, in one round trip."""
        key = self._key(request)
        with self._observer.obtaining(RESPONSES):
            hit, balance = self._cache.get_and_spend(key, request.client, REQUEST_UNITS)
        if balance is None or balance.allowed:
            self._observer.charged(request.client, REQUEST_UNITS)
        if hit is not None and hit.layer == REDIS:
            if _is_document(hit.value):
                self._cache.keep(key, hit.value)
            else:
                hit = None
        return Lookup(key, hit, balance)

    def reply(self, request: ApiRequest, lookup: Lookup) -> Reply:
        """Return the cached response, or compute it.

        Raises:
            NotJson: if the body is not JSON.
            Rejected: with all violations of the body.
            QuotaExceeded: if the client has used up its rate limit and the body is valid.
            OutOfTime: if the deadline passed before there was any result.
            Overloaded: if the solve queue is full.
            ClientGone: if the client has closed the connection.
        """
        return run_to_end(self.steps(request, lookup))

    def steps(
        self, request: ApiRequest, lookup: Lookup, *, streamed: bool = False
    ) -> Generator[Progress, None, Reply]:
        """Yield the progress of the operation and return its response; see :meth:`reply`.

        The client is charged for the CPU time however this ends.

        Args:
            request: the request.
            lookup: its cached response, if any.
            streamed: whether the client receives the progress.
        """
        allowed = lookup.balance is None or lookup.balance.allowed
        if allowed and lookup.hit is not None:
            return self._cached(lookup.hit)
        if allowed:
            self._observer.looked_up(RESPONSES, COMPUTED)
            if request.endpoint.solves and self._solutions.refuses(request.client):
                # Before the body is parsed: a refusal must cost much less than a solve.
                raise Overloaded(QUEUE_FULL)
        with self.charged(request.client, lookup) as cpu:
            value, violations = request.decoded or decode(request.body)
            parsed = parse(request.definition, request.endpoint, value, violations)
            if not allowed:
                raise QuotaExceeded
            context = RequestContext(
                request.received,
                Solutions(self._solutions, request.client, limited=not streamed),
                request.language,
                streamed=streamed,
                client_gone=request.client_gone,
            )
            response = yield from cpu.without_pauses(parsed.steps(context))
            body = orjson.dumps(response.document)
        if response.complete:
            self._cache.put(lookup.key, body)
        return Reply(body, _cache_status(response))

    def early(self, request: ApiRequest) -> Early | None:
        """Return a cached response or a refusal, or None if the request takes more than that.

        It charges the client if it returns something. Redis is asked for the balance of a client
        with a cached response only: a refusal must take less time than that, so of the requests to
        refuse whose responses Redis may have, only a few are looked up by the application.

        Args:
            request: whose body is not parsed. A body with a cached response is valid.
        """
        cache, client = self._cache, request.client
        hit = cache.recent(self._key(request))
        if hit is not None:
            _, balance = cache.get_and_spend(None, client, REQUEST_UNITS)
            if balance is not None and not balance.allowed:
                return Early(QuotaExceeded(), balance)
            self._observer.charged(client, REQUEST_UNITS)
            return Early(self._cached(hit), balance)
        if not request.endpoint.solves or not self._solutions.refuses(client):
            return None
        if cache.is_shared and self._redis_lookups.spend("", 1.0).allowed:
            return None
        balance = cache.spend(client, REQUEST_UNITS)
        if balance is not None and not balance.allowed:
            return None
        self._observer.charged(client, REQUEST_UNITS)
        self._observer.looked_up(RESPONSES, COMPUTED)
        self._observer.shed(QUEUE_FULL)
        return Early(Overloaded(QUEUE_FULL), balance)

    def _cached(self, hit: Hit) -> Reply:
        self._observer.looked_up(RESPONSES, hit.layer)
        return Reply(hit.value, f"{RESPONSES}; hit; detail={hit.layer}")

    def _key(self, request: ApiRequest) -> bytes:
        """Return the cache key of a response; equal bodies have equal keys."""
        language = request.language if request.endpoint.localized else ""
        route = f"{request.definition.game.name}/{request.endpoint.name}"
        return key_of(RESPONSES, self._versions, language, route, request.body)

    def charged(self, client: str, lookup: Lookup | None = None) -> ChargedTime:
        """Return a context that charges a client for its CPU time, even after an exception."""
        return ChargedTime(self._cache, client, self._observer, lookup)

    def charge(self, client: str) -> Balance | None:
        """Charge a client for one request that needs no lookup; return its balance, if limited."""
        _, balance = self._cache.get_and_spend(None, client, REQUEST_UNITS)
        return balance


def _is_document(value: bytes) -> bool:
    """Return whether bytes from the shared cache are a JSON object."""
    try:
        return isinstance(orjson.loads(value), dict)
    except orjson.JSONDecodeError:
        return False


def _cache_status(response: OperationResponse) -> str:
    stored = "; stored" if response.complete else ""
    missed = MISS + stored
    if response.layer is None:
        return missed
    if response.layer == COMPUTED:
        return f"solves; fwd=miss{stored}, {missed}"
    if response.layer == FLIGHT:
        return f"solves; fwd=miss; collapsed, {missed}"
    return f"solves; hit; detail={response.layer}, {missed}"
