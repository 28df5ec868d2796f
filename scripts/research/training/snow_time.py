"""Train the evaluator of Snow Time by self-play, and report how well it predicts the winner.

    python3 scripts/dev.py run -m research train --game snow-time --out DIR
    python3 scripts/dev.py run -m research train --game snow-time --out DIR --install VERSION

Every finished game is saved at once, so the same command continues an interrupted run. Training
stops at the first generation that does not improve; the result is the last accepted generation.
The report (``report.md``, ``calibration.png``) compares it with generation 0, which was set by
hand, and with an evaluator that uses only scores, on held-out games, some of them on other tracks.
``--tuned`` adds the output of ``tune`` to the report. ``--install`` ships the result,
or the tuned evaluator, under a new version, together with the report.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import service.games.snow_time.engine.evaluation as evaluation
from research.league.running.engine import Engine, add_options, run_script
from research.league.snow_time.evaluator_report import (
    assess,
    draw_calibration,
    fit_score_only,
    markdown,
    read,
)
from research.league.snow_time.training import (
    OTHER_TRACKS,
    SIZES,
    Plan,
    PlanMismatch,
    games_on_track,
    games_until,
    train,
)


def main(arguments: Sequence[str]) -> int:
    """Train, report and return the exit code."""
    return run_script(_train, _parser().parse_args(arguments))


def _train(options: argparse.Namespace, engine: Engine) -> int:
    plan = Plan(
        options.out.resolve(), options.generations, options.games, options.gate_games, options.seed,
        engine,
    )  # fmt: skip
    try:
        accepted = train(plan)
    except PlanMismatch as error:
        print(f"train_evaluator.py: {error}", file=sys.stderr)
        return 2
    report(plan, accepted, options.tuned)
    if options.install:
        install(plan, accepted[-1], options.tuned, options.install)
    return 0


def report(plan: Plan, accepted: Sequence[Path], tuned: Path | None) -> None:
    """Write and print the table of log-losses, and draw the calibration.

    Args:
        plan: of the run.
        accepted: files of the accepted generations; the report covers the first and the last.
        tuned: file of the tuned evaluator, if any.
    """
    newest = int(accepted[-1].stem.rpartition("-")[2])
    samples = {players: games_until(plan, max(1, newest), players) for players in sorted(SIZES)}
    evaluators = {"tuned": read(tuned)} if tuned else {}
    evaluators |= {path.stem: read(path) for path in dict.fromkeys((accepted[-1], accepted[0]))}
    evaluators["score alone"] = fit_score_only(samples)
    rows = [
        assess(name, evaluator, sample, fitted=fitted)
        for sample, fitted in [
            *((sample, True) for sample in samples.values()),
            *((games_on_track(plan, accepted[-1], length), False) for length in OTHER_TRACKS),
        ]
        for name, evaluator in evaluators.items()
    ]
    table = markdown(rows)
    (plan.folder / "report.md").write_text(table, encoding="utf-8")
    draw_calibration(rows, plan.folder / "calibration.png")
    print(table)


def install(plan: Plan, trained: Path, tuned: Path | None, version: str) -> None:
    """Copy the trained or tuned evaluator and its report into the service."""
    document = json.loads((tuned or trained).read_text(encoding="utf-8")) | {"version": version}
    gains = document.pop("tuning", {})
    path = Path(evaluation.__file__).with_name("evaluator.json")
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    shutil.copy(plan.folder / "calibration.png", path.with_suffix(".png"))
    path.with_suffix(".md").write_text(
        f"# {version}\n\n"
        f"{trained.stem.replace('-', ' ').capitalize()} of\n"
        f"`-m research train --game snow-time --generations {plan.generations} --games {plan.games}"
        f" --gate-games {plan.gate_games} --seed {plan.seed}`.\n{_tuned(gains)}"
        "Log-loss in nats per position, on held-out games (they also decided which generation was\n"
        "accepted). The chart shows predicted and actual win shares.\n\n"
        f"{(plan.folder / 'report.md').read_text(encoding='utf-8')}\n"
        f"![calibration]({path.with_suffix('.png').name})\n",
        encoding="utf-8",
    )
    print(f"{path.name}: {version}")


def _tuned(gains: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the paragraph about the tuning, if any."""
    if not gains:
        return ""
    rows = [
        f"| {players} | {row['shares'][1]:.1%} | {row['shares'][0]:.1%} |"
        f" {row['gain']:+.3f} ± {1.96 * row['error']:.3f} | {row['pairs']} |\n"
        for players, row in sorted(gains.items())
    ]
    return (
        "\nThen `-m research tune --game snow-time` multiplied its pace and worths to win more\n"
        "of one player against others who are all alike: round solvers of many kinds, quantal or\n"
        "level-1 agents. Win shares before and after, with the same dice:\n\n"
        "| players | before | after | gain | games with each |\n"
        "|---:|---:|---:|---:|---:|\n"
        f"{''.join(rows)}\n"
        "The games below were played by evaluators before tuning.\n"
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")
    parser.add_argument(
        "--generations",
        type=int,
        choices=range(1, 100),
        default=4,
        metavar="N",
        help="maximum number of generations",
    )
    parser.add_argument(
        "--games", type=int, default=4000, help="games per generation with four players"
    )
    parser.add_argument("--gate-games", type=int, default=400, help="games per cell of the gate")
    parser.add_argument("--seed", type=int, default=1)
    add_options(parser)
    parser.add_argument("--tuned", type=Path, metavar="FILE", help="the tuned evaluator")
    parser.add_argument("--install", metavar="VERSION", help="ship the result")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
