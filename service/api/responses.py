"""Raw bodies to the bytes of their answers, which are kept: the same for the same body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NoReturn

import orjson

from service.api.json_body import Decoded, decode
from service.cache.keys import key_of
from service.cache.layered import Cache
from service.cache.rate_limit import Balance
from service.cache.single_flight import FLIGHT, MADE
from service.games.definition import Endpoint, GameDefinition
from service.operations import catalogue
from service.operations.dispatch import answer
from service.operations.observer import Observer
from service.operations.solution_cache import SolutionCache, SolveCost

ANSWERS: Final = "answers"
REQUEST_UNITS: Final = 1.0
"""What every request costs; a solve costs one more for each millisecond."""


class QuotaExceeded(Exception):
    """A client has spent what it may."""


@dataclass(slots=True)
class ResponseMeta:
    """What is told of a request in headers.

    Attributes:
        balance: of the client, where that is limited.
        cache_status: as RFC 9211 has it.
    """

    balance: Balance | None = None
    cache_status: str = ""


class Answers:
    """Answers the verbs of all games.

    Args:
        cache: where answers are kept, and what clients have spent.
        solves: finds those that hints are told from.
        watch: told of what was found where.
    """

    def __init__(self, cache: Cache, solves: SolutionCache, watch: Observer) -> None:
        self._cache, self._solves, self._watch = cache, solves, watch
        self._versions = orjson.dumps(catalogue.versions(), option=orjson.OPT_SORT_KEYS)

    def reply(
        self,
        entry: GameDefinition,
        verb: Endpoint,
        text: bytes,
        client: str,
        received: float,
        ledger: ResponseMeta,
        language: str,
        decoded: Decoded | None = None,
    ) -> bytes:
        """The answer to a body, as bytes.

        Args:
            entry: the game.
            verb: one of its verbs.
            text: the body as it came.
            client: who asks.
            received: ``time.monotonic()`` when the request came.
            ledger: told of it, also where there is no answer.
            language: of sentences, if there are any.
            decoded: what the text says, where that is known already.

        Raises:
            NotJson: if the body is none.
            Rejected: with every fault of the body.
            QuotaExceeded: if the client has spent what it may.
            OutOfTime: if the body's deadline passed before anything was found.
            Overloaded: if too much is being solved already.
        """
        route = f"{entry.game.name}/{verb.name}"
        key = key_of(ANSWERS, self._versions, language if verb.localized else "", route, text)
        hit, ledger.balance = self._cache.get_and_spend(key, client, REQUEST_UNITS)
        if ledger.balance is not None and not ledger.balance.allowed:
            self._refuse(entry, verb, decoded or decode(text), received)
        if hit is not None:
            self._watch.looked_up(ANSWERS, hit.layer)
            ledger.cache_status = f"{ANSWERS}; hit; detail={hit.layer}"
            return hit.value
        self._watch.looked_up(ANSWERS, MADE)
        value, faults = decoded or decode(text)
        told = answer(entry, verb, value, faults, received, self._solves, language)
        if told.took is not None:
            self._cache.owe(client, told.took.cost_ms)
        body = orjson.dumps(told.document)
        if told.complete:
            self._cache.put(key, body)
        ledger.cache_status = _status(told.took, complete=told.complete)
        return body

    def repeat(self, client: str, ledger: ResponseMeta) -> None:
        """Charges a client for being told again what it was told.

        Raises:
            QuotaExceeded: if the client has spent what it may.
        """
        _, ledger.balance = self._cache.get_and_spend(None, client, REQUEST_UNITS)
        if ledger.balance is not None and not ledger.balance.allowed:
            raise QuotaExceeded

    def _refuse(
        self, entry: GameDefinition, verb: Endpoint, decoded: Decoded, received: float
    ) -> NoReturn:
        """A quota is spent; but what is wrong with a body is told first."""
        value, faults = decoded
        answer(entry, verb, value, faults, received, _Refusing())
        raise QuotaExceeded


class _Refusing(SolutionCache):
    def obtain(self, *_: object) -> NoReturn:
        raise QuotaExceeded


def _status(took: SolveCost | None, *, complete: bool) -> str:
    stored = "; stored" if complete else ""
    missed = f"{ANSWERS}; fwd=miss{stored}"
    if took is None:
        return missed
    if took.layer == MADE:
        return f"solves; fwd=miss{stored}, {missed}"
    if took.layer == FLIGHT:
        return f"solves; fwd=miss; collapsed, {missed}"
    return f"solves; hit; detail={took.layer}, {missed}"
