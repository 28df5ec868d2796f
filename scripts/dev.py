#!/usr/bin/env python3
"""The one command of a developer: it sets the project up in .venv/, then does the work.

    python3 scripts/dev.py serve | test | run | lock        (--help says more)

Any Python since 2.7 can read this file, so that an unsupported one is refused in a sentence
instead of a SyntaxError: no f-strings and no annotations here; the rest is in ``workbench``.
"""

import io
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))


def supported_versions(pyproject):
    # type: (str) -> tuple[tuple[int, int], tuple[int, int]]
    """The oldest Python that is supported, and the first that no longer is.

    ``requires-python`` is the only place that states them.  A pattern reads it, because
    tomllib is younger than the Pythons to be refused.
    """
    bounds = re.search(
        r'^requires-python = ">=(\d+)\.(\d+),<(\d+)\.(\d+)"$', pyproject, re.MULTILINE
    )
    if bounds is None:
        raise ValueError("pyproject.toml: requires-python must read '>=X.Y,<X.Y'")
    oldest_major, oldest_minor, beyond_major, beyond_minor = map(int, bounds.groups())
    return (oldest_major, oldest_minor), (beyond_major, beyond_minor)


def refusal(version, system, oldest, beyond):
    # type: (tuple[int, ...], str, tuple[int, int], tuple[int, int]) -> str | None
    """Why this Python on this ``os.name`` cannot be used, in one sentence; None where it can."""
    if oldest <= tuple(version[:2]) < beyond and system == "posix":
        return None
    return (
        "Winter Games needs Python {0}.{1} or newer, below {2}.{3}, on Linux or macOS; "
        "this is Python {4}.{5} ({6}).".format(
            *(oldest + beyond + tuple(version[:2]) + (sys.platform,))
        )
    )


def main():
    # type: () -> int
    with io.open(os.path.join(ROOT, "pyproject.toml"), encoding="utf-8") as pyproject:
        oldest, beyond = supported_versions(pyproject.read())
    sentence = refusal(sys.version_info[:2], os.name, oldest, beyond)
    if sentence:
        sys.stderr.write(sentence + "\n")
        return 2
    from workbench import commands  # only now: its syntax is that of a supported Python

    return commands.main(sys.argv[1:], oldest)


if __name__ == "__main__":
    sys.exit(main())
