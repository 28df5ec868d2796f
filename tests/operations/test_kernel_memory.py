"""Kernels give all their memory back, although most of them do not count references to arrays."""

from __future__ import annotations

import gc
from typing import Any

import pytest
from numba.core.runtime import _nrt_python, rtsys

from service.games.registry import GAMES
from service.operations.dispatch import execute
from tests.rich_requests import RICH


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(RICH))
def test_requests_leave_no_arrays_of_kernels_behind(game: str) -> None:
    definition = GAMES[game]
    bodies: list[tuple[Any, Any]] = [
        (endpoint, RICH[game][endpoint.name])
        for endpoint in definition.endpoints
        if endpoint.name in RICH[game]
    ]
    assert "suggest" in {endpoint.name for endpoint, _ in bodies}

    def run_all() -> None:
        for endpoint, body in bodies:
            execute(definition, endpoint, body)
        gc.collect()

    run_all()  # Fills the caches of tables.
    _nrt_python.memsys_enable_stats()
    try:
        before = rtsys.get_allocation_stats()
        run_all()
        after = rtsys.get_allocation_stats()
    finally:
        _nrt_python.memsys_disable_stats()
    assert after.alloc > before.alloc
    assert after.alloc - before.alloc == after.free - before.free
