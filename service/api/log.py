"""Logs as JSON lines; control characters are escaped, bodies and keys are left out."""

from __future__ import annotations

import logging
import sys
from typing import Any, Final

import orjson
import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

LONGEST_TEXT: Final = 300
"""Characters of a client's text that are logged."""


def configure(level: str) -> None:
    """Send the log of the service to standard output."""
    structlog.configure(
        processors=[*_common(), structlog.processors.format_exc_info, _line],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level]),
        logger_factory=structlog.BytesLoggerFactory(file=sys.stdout.buffer),
        cache_logger_on_first_use=True,
    )


def formatter() -> logging.Formatter:
    """Return the same format for loggers of the standard library, such as gunicorn's."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[*_common(), structlog.stdlib.add_logger_name],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.format_exc_info,
            _text,
        ],
    )


def logger() -> Any:
    """Return the logger of the service."""
    return structlog.get_logger()


def truncated(text: str) -> str:
    """Return a client's text as it is logged."""
    return text[:LONGEST_TEXT]


def _common() -> list[Processor]:
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
    ]


def _line(_: WrappedLogger, __: str, event: EventDict) -> bytes:
    return orjson.dumps(event, default=repr)


def _text(logger: WrappedLogger, name: str, event: EventDict) -> str:
    return _line(logger, name, event).decode()
