"""The logger of gunicorn without its access log: the service logs its requests."""

from __future__ import annotations

from typing import Any

from gunicorn.glogging import Logger as GunicornLogger


class Logger(GunicornLogger):  # type: ignore[misc]
    """Logs what concerns the server."""

    def access(self, resp: Any, req: Any, environ: Any, request_time: Any) -> None:
        """Do nothing: gunicorn would build each entry although it has no log for them."""
