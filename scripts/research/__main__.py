"""Run a research command: ``python3 scripts/dev.py run -m research COMMAND [--game GAME] ...``.

``COMMAND --help`` lists its options; README.md in this folder says what the commands are for.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Final

COMMANDS: Final[Mapping[str, Mapping[str, str]]] = {
    "endgames": {
        "snow-time": "research.endgames.snow_time",
        "slopecrashers": "research.endgames.slopecrashers",
    }
}
"""The modules of commands that differ between games."""
SHARED: Final = (
    "play", "train", "tune", "calibrate", "measure", "predictions", "styles", "gaps", "errors",
    "graded", "sure", "cluster",
)  # fmt: skip
"""Commands that are modules; most have an option ``--game`` of their own."""


def main(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="research",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=arguments[:1] in ([], ["--help"], ["-h"]),
    )
    parser.add_argument("command", choices=(*COMMANDS, *SHARED))
    command = parser.parse_args(arguments[:1]).command
    rest, module = list(arguments[1:]), f"research.{command}"
    if command in COMMANDS:
        own = argparse.ArgumentParser(prog=f"research {command}", add_help=False)
        own.add_argument("--game", choices=COMMANDS[command], required=True)
        options, rest = own.parse_known_args(rest)
        module = COMMANDS[command][options.game]
    result: int = import_module(module).main(rest)
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
