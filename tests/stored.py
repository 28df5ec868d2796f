"""What a test says if the code gives something else than a stored file."""

from __future__ import annotations

from typing import Final

_RAISE: Final = (
    " If the same request gets another response, raise `ENGINE_VERSION` in"
    " service/operations/versions.py; if the rules changed, `rules_version` of the game, too."
)
GOLDEN: Final = (
    "A response of a stored game changed. If it should:"
    " python3 scripts/dev.py run scripts/regenerate_golden.py." + _RAISE
)
PERFT: Final = (
    "The number of ways to play changed. If it should:"
    " python3 scripts/dev.py run scripts/regenerate_golden.py, and raise `rules_version` of the"
    " game."
)
OPENAPI: Final = (
    "openapi.yaml has another text, schema or example than the code. If it should:"
    " python3 scripts/dev.py run scripts/export_openapi.py." + _RAISE
)
COMPONENTS: Final = (
    "Clients are generated with the names in tests/api/data/components.txt."
    " python3 scripts/dev.py run scripts/export_openapi.py adds new ones; do not remove any."
)
