"""Writes openapi.yaml from the code: ``python3 scripts/dev.py run scripts/export_openapi.py``."""

from __future__ import annotations

from pathlib import Path

from service.api.spec import as_yaml

TARGET = Path(__file__).resolve().parent.parent / "openapi.yaml"

if __name__ == "__main__":
    TARGET.write_text(as_yaml(), encoding="utf-8")
    print(f"Wrote {TARGET.name}.")
