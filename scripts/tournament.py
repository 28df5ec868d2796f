"""How strong the service plays: games against other agents, with intervals and targets.

    python3 scripts/dev.py run scripts/tournament.py run --out DIR
    python3 scripts/dev.py run scripts/tournament.py report DIR
    python3 scripts/dev.py run scripts/tournament.py calibrate --game GAME

``run`` plays what DIR does not hold yet and writes the report; an interrupted run goes on with the
same command.  Two agents are compared by naming a cell of one's own, for instance
``--cells 'service:tier=deep vs service @ 4'``; ``league/roster.py`` lists who can play.
``report`` writes ``table.md``, ``table.json`` and ``table.png`` into DIR from the games there.
``calibrate`` measures how many iterations of the tree searcher take ten times as long as a hint.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from league.running.cells import (
    SLOPECRASHERS,
    SNOW_TIME,
    SNOWCREST,
    Cell,
    cells_named,
    fixtures,
    games_of,
)
from league.running.play import play_all
from league.running.records import Run, WrongRun, open_run, read_records, read_run
from league.slopecrashers.agents import TURNS
from league.snow_time.agents import STAGES
from league.snowcrest import agents as crest_agents
from league.statistics.calibration import TIMES, calibrate
from league.statistics.standings import as_json, markdown, standings
from league.statistics.standings_chart import draw_standings

from service.core.vocabulary import EFFORTS
from service.operations.versions import ENGINE_VERSION

EVALUATORS: Final = {
    SNOW_TIME: STAGES.evaluator,
    SLOPECRASHERS: TURNS.evaluator,
    SNOWCREST: crest_agents.TURNS.evaluator,
}
"""Versions, by game."""
WHERE: Final = {
    SNOW_TIME: "league/snow_time/mcts.py",
    SLOPECRASHERS: "league/slopecrashers/agents.py",
}
"""Where the iterations of the tree searchers stand."""


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    options = _parser().parse_args(arguments)
    if options.command == "calibrate":
        return _calibrate(options.game)
    if options.command == "report":
        return report(options.folder)
    try:
        cells = _cells(options)
        games = {cell.name: games_of(cell, options.games, options.slow_games) for cell in cells}
        evaluators = dict.fromkeys(EVALUATORS[cell.game] for cell in cells)
        told = Run(options.seed, ", ".join(evaluators), ENGINE_VERSION, cells, games)
        open_run(options.out, told)
    except (ValueError, WrongRun) as error:
        print(f"tournament.py: {error}", file=sys.stderr)
        return 2
    try:
        return run(cells, games, options)
    except KeyboardInterrupt:
        print("Interrupted; the same command goes on from here.", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    running = commands.add_parser("run", help="play, then report")
    running.add_argument("--out", type=Path, required=True, help="folder of the run")
    running.add_argument(
        "--cells",
        nargs="+",
        default=["default"],
        help="default, four, smaller, slopecrashers, snowcrest, or 'ODD vs REST @ PLAYERS'",
    )
    running.add_argument("--only", metavar="TEXT", help="of these, cells with TEXT in their name")
    running.add_argument("--games", type=_positive, default=1500, help="a cell, at four players")
    running.add_argument(
        "--slow-games", type=_positive, default=300, help="a cell with tree searchers"
    )
    running.add_argument("--jobs", type=_positive, default=os.cpu_count() or 1)
    running.add_argument("--tier", choices=list(EFFORTS), default="standard", help="the service's")
    running.add_argument("--seed", type=int, default=1, help="of the dice of the first group")
    reporting = commands.add_parser("report", help="tables and picture from the games so far")
    reporting.add_argument("folder", type=Path)
    calibrating = commands.add_parser("calibrate", help="measure the tree searcher's iterations")
    calibrating.add_argument("--game", choices=tuple(WHERE), default=SNOW_TIME)
    return parser


def _cells(options: argparse.Namespace) -> list[Cell]:
    cells = [
        cell
        for cell in cells_named(options.cells, options.tier)
        if options.only is None or options.only in cell.name
    ]
    if not cells:
        raise ValueError("no cell has such a name")
    return cells


def run(cells: Sequence[Cell], games: Mapping[str, int], options: argparse.Namespace) -> int:
    """Plays, and reports."""
    print(_seeds(cells, games, options.seed))
    due = [fixture for cell in cells for fixture in fixtures(cell, games[cell.name], options.seed)]
    # All cells grow together, so that an early report tells a little about each.
    due.sort(key=lambda fixture: fixture.group)
    played = play_all(due, options.out, options.jobs)
    print(f"{played} games played, {len(due) - played} were finished before.")
    return report(options.out)


def _seeds(cells: Sequence[Cell], games: Mapping[str, int], seed: int) -> str:
    groups = max(games[cell.name] // cell.players for cell in cells)
    return (
        f"{sum(games.values())} games in {len(cells)} cells, seeds {seed} to {seed + groups - 1}."
    )


def report(folder: Path) -> int:
    """Writes the tables and the picture, and prints the tables."""
    planned = read_run(folder)
    rows = standings(planned, read_records(folder).values())
    table = markdown(planned, rows)
    (folder / "table.md").write_text(table, encoding="utf-8")
    (folder / "table.json").write_text(as_json(planned, rows), encoding="utf-8")
    draw_standings(rows, folder / "table.png")
    print(table)
    return 0


def _calibrate(game: str) -> int:
    found = calibrate(game)
    print(
        f"{found.decisions} decisions: a hint takes {1e3 * found.hint:.2f} ms, an iteration"
        f" {1e6 * found.iteration:.2f} µs; {TIMES} times a hint are {found.iterations} iterations"
        f" ({WHERE[game]}: ITERATIONS)."
    )
    return 0


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be positive")
    return number


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
