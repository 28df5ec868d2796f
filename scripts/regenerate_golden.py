"""Writes the golden games and the perft counts anew, or says whether they drifted.

    python3 scripts/dev.py run scripts/regenerate_golden.py [--check]

A golden game is a whole game played by seeded, random moves through the operations of the service:
every round's or turn's question and its full answer.  They change when an answer changes, on
purpose or not; the difference in the files shows what a client would see.  Perft counts change
only when the rules do (each game's perft test derives them by hand).

``--check`` writes nothing and ends with 1 if anything differs.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from golden import slopecrashers, snow_time, snowcrest

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "games"
PLAYED = (snow_time, slopecrashers, snowcrest)
WIDTH = 120


def readable(value: Any, indent: str = "") -> str:
    """JSON in which whatever fits a line stands on one."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= WIDTH or not isinstance(value, (dict, list)):
        return flat
    deeper = indent + "  "
    if isinstance(value, list):
        members = [readable(inner, deeper) for inner in value]
        start, end = "[", "]"
    else:
        members = [f"{json.dumps(name)}: {readable(value[name], deeper)}" for name in value]
        start, end = "{", "}"
    return f"{start}\n{deeper}" + f",\n{deeper}".join(members) + f"\n{indent}{end}"


def files() -> Iterator[tuple[Path, str]]:
    """Every file as it has to read now."""
    for game in PLAYED:
        folder = TESTS / game.FOLDER / "data"
        for name, (seed, setup) in game.SETUPS.items():
            played = game.golden_game(seed, setup)
            yield folder / "golden" / f"{name}.json", readable(played) + "\n"
        positions = json.loads((folder / "perft.json").read_text(encoding="utf-8"))
        counts = [game.counted(position) for position in positions]
        yield folder / "perft.json", readable(counts) + "\n"


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="write nothing, tell what drifted")
    check = parser.parse_args(arguments).check
    drifted = []
    expected = dict(files())
    for path in sorted({*expected, *TESTS.glob("*/data/golden/*.json")}):
        present = path.read_text(encoding="utf-8") if path.exists() else None
        if present == expected.get(path):
            continue
        drifted.append(path.relative_to(ROOT))
        if check:
            continue
        if path in expected:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(expected[path], encoding="utf-8")
        else:
            path.unlink()
    for path in drifted:
        print(f"{path}: {'differs' if check else 'written anew'}")
    return 1 if check and drifted else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
