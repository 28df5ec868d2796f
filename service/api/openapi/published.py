"""The published specification: the committed ``openapi.yaml``, so that serving it needs no kernel.

:mod:`service.api.openapi.document` derives the same document from the code; that takes a second and
kernels for the examples.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import orjson
import yaml

FILE: Final = Path(__file__).resolve().parents[3] / "openapi.yaml"


def as_yaml() -> bytes:
    """Return the specification as YAML."""
    return FILE.read_bytes()


def as_json() -> bytes:
    """Return the specification as JSON."""
    return orjson.dumps(document())


@lru_cache(maxsize=1)
def document() -> Any:
    """Return the specification as a document (OpenAPI 3.1)."""
    return yaml.load(as_yaml(), Loader=yaml.CSafeLoader)
