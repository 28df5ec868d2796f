"""Measure playing strength: games against other agents, with confidence intervals.

    python3 scripts/dev.py run -m research play run --out DIR
    python3 scripts/dev.py run -m research play report DIR

``run`` plays the games that DIR does not have yet, and writes the report; the same command
continues an interrupted run. To compare two agents, name a cell, for instance
``--cells 'service:effort=deep vs service @ 4'``; ``research/league/roster.py`` lists the agents.
``report`` writes ``table.md`` into DIR from the games there, and ``learning.png`` from cells of the
set ``learning``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from research.league.running.cells import (
    SLOPECRASHERS,
    SNOW_TIME,
    SNOWCREST,
    Cell,
    game_count,
    parse_cells,
    schedule,
)
from research.league.running.engine import Engine, add_options, positive, run_script
from research.league.running.play import play_all
from research.league.running.records import Run, RunMismatch, open_run, read_records, read_run
from research.league.slopecrashers import agents as slopecrashers
from research.league.snow_time import agents as snow_time
from research.league.snowcrest import agents as snowcrest
from research.league.statistics.learning_chart import draw_wins, wins_by_rounds
from research.league.statistics.standings import markdown, standings
from service.core.vocabulary import EFFORTS
from service.operations.versions import ENGINE_VERSION

EVALUATOR_VERSIONS: Final = {
    SNOW_TIME: snow_time.SOLVER_GAME.evaluator,
    SLOPECRASHERS: slopecrashers.SOLVER_GAME.evaluator,
    SNOWCREST: snowcrest.SOLVER_GAME.evaluator,
}


def main(arguments: Sequence[str]) -> int:
    """Run a command and return the exit code."""
    options = _parser().parse_args(arguments)
    if options.command == "report":
        return report(options.folder)
    try:
        cells = _cells(options)
        games = {cell.name: game_count(cell, options.games, options.slow_games) for cell in cells}
        evaluators = dict.fromkeys(EVALUATOR_VERSIONS[cell.game] for cell in cells)
        plan = Run(options.seed, ", ".join(evaluators), ENGINE_VERSION, cells, games)
        open_run(options.out, plan)
    except (ValueError, RunMismatch) as error:
        print(f"play: {error}", file=sys.stderr)
        return 2
    return run_script(lambda options, engine: run(cells, games, options, engine), options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    run_parser = commands.add_parser("run", help="play, then report")
    run_parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    run_parser.add_argument(
        "--cells",
        nargs="+",
        default=["default"],
        help="default, four, smaller, learned, ablation, learning, slopecrashers, snowcrest, "
        "or 'ODD vs REST @ PLAYERS'",
    )
    run_parser.add_argument("--only", metavar="TEXT", help="only cells with TEXT in their name")
    run_parser.add_argument(
        "--games", type=positive, default=1500, help="games per cell of four players"
    )
    run_parser.add_argument(
        "--slow-games", type=positive, default=300, help="games per cell with tree search"
    )
    add_options(run_parser)
    run_parser.add_argument(
        "--effort", choices=list(EFFORTS), default="standard", help="search effort of the service"
    )
    run_parser.add_argument("--seed", type=int, default=1, help="seed of the first group's dice")
    report_parser = commands.add_parser("report", help="write the table of the games so far")
    report_parser.add_argument("folder", type=Path)
    return parser


def _cells(options: argparse.Namespace) -> list[Cell]:
    cells = [
        cell
        for cell in parse_cells(options.cells, options.effort)
        if options.only is None or options.only in cell.name
    ]
    if not cells:
        raise ValueError(f"no cell has {options.only!r} in its name")
    return cells


def run(
    cells: Sequence[Cell], games: Mapping[str, int], options: argparse.Namespace, engine: Engine
) -> int:
    """Play the games, report, and return the exit code."""
    print(_summary(cells, games, options.seed))
    planned = [game for cell in cells for game in schedule(cell, games[cell.name], options.seed)]
    # All cells advance together, so that an early report covers each of them.
    planned.sort(key=lambda game: game.group)
    played = play_all(planned, options.out, engine)
    print(f"{played} games played, {len(planned) - played} were finished before.")
    return report(options.out)


def _summary(cells: Sequence[Cell], games: Mapping[str, int], seed: int) -> str:
    groups = max(games[cell.name] // cell.players for cell in cells)
    return (
        f"{sum(games.values())} games in {len(cells)} cells, seeds {seed} to {seed + groups - 1}."
    )


def report(folder: Path) -> int:
    """Write the table and the chart, print the table, and return the exit code."""
    plan = read_run(folder)
    rows = standings(plan, read_records(folder).values())
    table = markdown(plan, rows)
    (folder / "table.md").write_text(table, encoding="utf-8")
    if wins := wins_by_rounds(rows):
        draw_wins(wins, folder / "learning.png")
    print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
