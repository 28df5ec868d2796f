"""How long a test waits for what must happen: far longer than a busy machine needs for it."""

from __future__ import annotations

from typing import Final

PATIENCE_S: Final = 60
PATIENCE_MS: Final = 1000 * PATIENCE_S
