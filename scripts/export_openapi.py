"""Write openapi.yaml from the code: ``python3 scripts/dev.py run scripts/export_openapi.py``.

New components are added to the list that a test keeps, because clients are generated with their
names.

With ``--check``, write nothing and fail if the committed file differs from the code.
"""

from __future__ import annotations

import sys
from pathlib import Path

from service.api.openapi.document import as_yaml, build
from service.serving.kernels import prepare

TARGET = Path(__file__).resolve().parent.parent / "openapi.yaml"
COMPONENTS = TARGET.parent / "tests/api/data/components.txt"


def main(arguments: list[str]) -> int:
    """Return the exit code."""
    if compiling := prepare():
        compiling.wait()  # The examples are solved within a limit of time.
    if arguments == ["--check"]:
        if TARGET.read_text(encoding="utf-8") == as_yaml():
            return 0
        print("openapi.yaml is out of date: python3 scripts/dev.py run scripts/export_openapi.py")
        return 1
    TARGET.write_text(as_yaml(), encoding="utf-8")
    known = COMPONENTS.read_text(encoding="utf-8").split()
    names = sorted({*known, *build()["components"]["schemas"]})
    COMPONENTS.write_text("\n".join([*names, ""]), encoding="utf-8")
    print(f"Wrote {TARGET.name}.")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
