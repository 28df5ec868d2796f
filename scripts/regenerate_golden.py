"""Regenerate the golden games and the perft counts, or check whether they changed.

    python3 scripts/dev.py run scripts/regenerate_golden.py [--check] [GAME ...]

A golden game is a whole game of seeded random moves through the operations of the service, with the
moves and the full response of every round or turn. The files change if a response changes, on
purpose or not; their diff shows what a client would see, a line for each event and each seat. Perft
counts change only with the rules (each game's perft test derives them by hand).

``--check`` writes nothing and exits with 1 if a file differs.
"""

import argparse
import json
import sys
from collections.abc import Container, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from golden import slopecrashers, snow_time, snowcrest

ROOT = Path(__file__).resolve().parents[1]
TESTS = ROOT / "tests" / "games"
GAMES = (snow_time, slopecrashers, snowcrest)


def readable(game: Any) -> str:
    """Return a golden game as JSON with a line for each event and each seat."""
    head = {name: value for name, value in game.items() if name != "rounds"}
    rounds = ",\n".join(map(_round, game["rounds"]))
    return f'{_open(head)}, "rounds": [\n{rounds}]}}\n'


def _round(played: Any) -> str:
    asked = {name: value for name, value in played.items() if name != "answer"}
    answer = dict(played["answer"])
    state = dict(answer.pop("state"))
    events, seats = _lines(answer.pop("events")), _lines(state.pop("seats"))
    return (
        f'{_open(asked)}, "answer": {{"events": [\n{events}],\n'
        f' "state": {{"seats": [\n{seats}],\n  {_flat(state)[1:]},\n {_flat(answer)[1:]}}}'
    )


def _lines(items: Iterable[Any]) -> str:
    return ",\n".join(f"  {_flat(item)}" for item in items)


def _open(members: Any) -> str:
    """Return an object without its closing brace."""
    return _flat(members)[:-1]


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def files(folders: Container[str]) -> Iterator[tuple[Path, str]]:
    """Yield the path and the expected text of every file of the games in some folders."""
    for game in GAMES:
        if game.FOLDER not in folders:
            continue
        folder = TESTS / game.FOLDER / "data"
        for name, (seed, setup) in game.SETUPS.items():
            played = game.golden_game(seed, setup)
            yield folder / "golden" / f"{name}.json", readable(played)
        positions = json.loads((folder / "perft.json").read_text(encoding="utf-8"))
        counts = [game.count_paths(position) for position in positions]
        yield folder / "perft.json", f"[\n{_lines(counts)}]\n"


def main(arguments: Sequence[str]) -> int:
    """Regenerate or check, and return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--check", action="store_true", help="write nothing, only list files that differ"
    )
    folders = [game.FOLDER for game in GAMES]
    parser.add_argument("games", nargs="*", metavar="GAME", help=f"{', '.join(folders)} (all)")
    options = parser.parse_args(arguments)
    check, chosen = options.check, options.games or folders
    changed = []
    expected = dict(files(chosen))
    present_files = (path for name in chosen for path in TESTS.glob(f"{name}/data/golden/*.json"))
    for path in sorted({*expected, *present_files}):
        present = path.read_text(encoding="utf-8") if path.exists() else None
        if present == expected.get(path):
            continue
        changed.append(path.relative_to(ROOT))
        if check:
            continue
        if path in expected:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(expected[path], encoding="utf-8")
        else:
            path.unlink()
    for path in changed:
        print(f"{path}: {'differs' if check else 'rewritten'}")
    return 1 if check and changed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
