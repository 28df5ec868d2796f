"""Caches of solutions in the memory of the process."""

from __future__ import annotations

from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import SingleFlight, WaitList
from service.operations.solution_cache import SolutionCache, Solutions

LARGE = 1 << 24


def single_flight(memory: Memory | None = None) -> SingleFlight:
    return SingleFlight(Cache(Memory(LARGE) if memory is None else memory), WaitList(0))


def cached_solutions(memory: Memory | None = None) -> Solutions:
    """Return solutions with a new cache; no other request waits for the same one."""
    return Solutions(SolutionCache(single_flight(memory)))
