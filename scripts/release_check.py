"""Whether what is deployed may be: every pinned package is audited for known vulnerabilities, and
one that cannot be audited counts as one that has some.

    python3 scripts/dev.py run scripts/release_check.py

Asks PyPI's advisory database, so it needs the network.  Exit code 0: all were audited, and nothing
is known; 1: something is, or could not be found out.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "deploy" / "requirements.txt"
_PIN: Final = re.compile(r"^([A-Za-z0-9._-]+)(?:\[[^\]]*\])?==([^\s;\\]+)([^\n]*)", re.MULTILINE)


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    lock = Path(arguments[0]) if arguments else LOCK
    pinned = pins(lock.read_text(encoding="utf-8"))
    faults = [f"{name} has no hash" for name, hashed in pinned.items() if not hashed]
    try:
        faults += audit(lock, set(pinned))
    except Unaudited as error:
        faults.append(f"nothing was audited: {error}")
    for fault in faults:
        print(f"release_check.py: {fault}", file=sys.stderr)
    if not faults:
        print(f"{len(pinned)} packages audited; nothing is known of any")
    return 1 if faults else 0


class Unaudited(Exception):
    """The tool could not do its work."""


def pins(text: str) -> dict[str, bool]:
    """Every package of a lock file, and whether it has a hash."""
    joined = text.replace("\\\n", " ")
    return {found[1].lower(): "--hash=sha256:" in found[3] for found in _PIN.finditer(joined)}


def audit(lock: Path, wanted: set[str]) -> list[str]:
    """What is known of the packages, and which of them could not be looked up.

    Raises:
        Unaudited: if the tool failed as a whole.
    """
    command = [sys.executable, "-m", "pip_audit", "--requirement", str(lock), "--disable-pip"]
    command += ["--require-hashes", "--format", "json", "--progress-spinner", "off"]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        document: dict[str, Any] = json.loads(told.stdout)
    except ValueError:
        *_, last = told.stderr.strip().splitlines() or ["no answer"]
        raise Unaudited(last) from None
    return judged(document, wanted)


def judged(document: dict[str, Any], wanted: set[str]) -> list[str]:
    """The faults in what pip-audit tells: vulnerabilities, and packages skipped or missing."""
    faults, seen = [], set()
    for package in document["dependencies"]:
        name = package["name"].lower()
        if "skip_reason" in package:
            faults.append(f"{name} could not be audited: {package['skip_reason']}")
            continue
        seen.add(name)
        for found in package["vulns"]:
            fixed = ", ".join(found["fix_versions"]) or "no version yet"
            faults.append(f"{name} {package['version']}: {found['id']}, fixed in {fixed}")
    skipped = {package["name"].lower() for package in document["dependencies"]}
    faults += [f"{name} was not audited" for name in sorted(wanted - seen - skipped)]
    return faults


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
