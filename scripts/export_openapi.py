"""Write openapi.yaml from the code: ``python3 scripts/dev.py run scripts/export_openapi.py``.

With ``--check``, write nothing and fail if the committed file differs from the code.
"""

from __future__ import annotations

import sys
from pathlib import Path

from service.api.openapi.document import as_yaml

TARGET = Path(__file__).resolve().parent.parent / "openapi.yaml"


def main(arguments: list[str]) -> int:
    """Return the exit code."""
    if arguments == ["--check"]:
        if TARGET.read_text(encoding="utf-8") == as_yaml():
            return 0
        print("openapi.yaml is out of date: python3 scripts/dev.py run scripts/export_openapi.py")
        return 1
    TARGET.write_text(as_yaml(), encoding="utf-8")
    print(f"Wrote {TARGET.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
