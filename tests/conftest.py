"""What all tests share: the service under gunicorn, as it is deployed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from serving import Service, serving


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The service with its defaults, and one worker."""
    with serving(tmp_path_factory.mktemp("service") / "output") as started:
        yield started


@pytest.fixture(scope="session")
def live_service(service: Service) -> str:
    """Its address (host:port)."""
    return service.address
