"""Trains the evaluator of Snow Time by self-play, and reports how well it tells who wins.

    python3 scripts/dev.py run scripts/train_evaluator.py --out DIR
    python3 scripts/dev.py run scripts/train_evaluator.py --out DIR --install VERSION

With ``--game snowcrest`` or ``--game slopecrashers`` before anything else it is the training of
that game instead, whose own ``--help`` tells its options.

Every finished game is written down at once: an interrupted run goes on with the same command.
Generations follow each other until one no longer gains; the result is the last that did.  The
report (``report.md``, ``calibration.png``) compares it with the first one, set by hand, and with
scores alone, on games that no fit has seen, some of them on other tracks.  With ``--tuned`` it
looks at what ``tune_evaluator.py`` made of the result, too.  ``--install`` makes the one or the
other the service's, under a new version, and puts the report beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import train_slopecrashers_evaluator
import train_snowcrest_evaluator
from league.snow_time.evaluator_report import (
    by_score_alone,
    draw_calibration,
    known,
    markdown,
    read,
)
from league.snow_time.training import (
    OTHER_TRACKS,
    SIZES,
    Plan,
    WrongPlan,
    elsewhere,
    games_until,
    train,
)

import service.games.snow_time.engine.evaluation as evaluation

OTHERS: Final = {
    "snowcrest": train_snowcrest_evaluator.main,
    "slopecrashers": train_slopecrashers_evaluator.main,
}


def main(arguments: Sequence[str]) -> int:
    """Returns the exit code."""
    if list(arguments[:1]) == ["--game"] and arguments[1:2] and arguments[1] in OTHERS:
        return OTHERS[arguments[1]](arguments[2:])
    options = _parser().parse_args(arguments)
    plan = Plan(
        options.out.resolve(), options.generations, options.games, options.gate_games, options.seed,
        options.jobs,
    )  # fmt: skip
    try:
        kept = train(plan)
    except KeyboardInterrupt:
        print("Interrupted; the same command goes on from here.", file=sys.stderr)
        return 130
    except WrongPlan as error:
        print(f"train_evaluator.py: {error}", file=sys.stderr)
        return 2
    report(plan, kept, options.tuned)
    if options.install:
        install(plan, kept[-1], options.tuned, options.install)
    return 0


def report(plan: Plan, kept: Sequence[Path], tuned: Path | None) -> None:
    """Writes the log-losses of the last generation kept, and of what it was tuned to, and the
    picture of their calibration, and prints the former.
    """
    newest = int(kept[-1].stem.rpartition("-")[2])
    samples = {players: games_until(plan, max(1, newest), players) for players in sorted(SIZES)}
    evaluators = {"tuned": read(tuned)} if tuned else {}
    evaluators |= {path.stem: read(path) for path in dict.fromkeys((kept[-1], kept[0]))}
    evaluators["score alone"] = by_score_alone(samples)
    rows = [
        known(name, evaluator, sample, fitted=fitted)
        for sample, fitted in [
            *((sample, True) for sample in samples.values()),
            *((elsewhere(plan, kept[-1], length), False) for length in OTHER_TRACKS),
        ]
        for name, evaluator in evaluators.items()
    ]
    table = markdown(rows)
    (plan.folder / "report.md").write_text(table, encoding="utf-8")
    draw_calibration(rows, plan.folder / "calibration.png")
    print(table)


def install(plan: Plan, learned: Path, tuned: Path | None, version: str) -> None:
    """Makes an evaluator the service's, and puts what is known of it beside it."""
    told = json.loads((tuned or learned).read_text(encoding="utf-8")) | {"version": version}
    gains = told.pop("tuning", {})
    path = Path(evaluation.__file__).with_name("evaluator.json")
    path.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    shutil.copy(plan.folder / "calibration.png", path.with_suffix(".png"))
    path.with_suffix(".md").write_text(
        f"# {version}\n\n"
        f"{learned.stem.replace('-', ' ').capitalize()} of\n"
        f"`scripts/train_evaluator.py --generations {plan.generations} --games {plan.games}"
        f" --gate-games {plan.gate_games} --seed {plan.seed}`.\n{_tuned(gains)}"
        "Log-loss in nats a position, on games that no fit has seen (which of the generations is\n"
        "kept has been judged by them); the picture shows the shares of the win predicted and"
        " won.\n\n"
        f"{(plan.folder / 'report.md').read_text(encoding='utf-8')}\n"
        f"![calibration]({path.with_suffix('.png').name})\n",
        encoding="utf-8",
    )
    print(f"{path.name}: {version}")


def _tuned(gains: Mapping[str, Mapping[str, Any]]) -> str:
    """What was done to it after it was learned."""
    if not gains:
        return ""
    rows = [
        f"| {players} | {told['shares'][1]:.1%} | {told['shares'][0]:.1%} |"
        f" {told['gain']:+.3f} ± {1.96 * told['error']:.3f} | {told['pairs']} |\n"
        for players, told in sorted(gains.items())
    ]
    return (
        "\nThen `scripts/tune_evaluator.py` multiplied its pace and its worths so that it wins\n"
        "more of one player's games at tables where all others are alike: round solvers of many\n"
        "kinds, quantal or level-1 players.  What it won before and after, on the same dice:\n\n"
        "| players | before | after | gain | games with each |\n"
        "|---:|---:|---:|---:|---:|\n"
        f"{''.join(rows)}\n"
        "The games below are of players who were not tuned.\n"
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
        help="at most so many",
    )
    parser.add_argument("--games", type=int, default=4000, help="of a generation, of four players")
    parser.add_argument("--gate-games", type=int, default=400, help="in each deciding cell")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--tuned", type=Path, metavar="FILE", help="what the result was tuned to")
    parser.add_argument("--install", metavar="VERSION", help="make the result the service's")
    return parser


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
