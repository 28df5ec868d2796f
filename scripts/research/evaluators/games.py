"""The evaluators of all games, and options of the programs that change them."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from research.evaluators import slopecrashers, snow_time, snowcrest
from research.evaluators.model import Model
from research.league.running.engine import add_options, positive
from research.league.running.journal import check_start

MODELS: Final[Mapping[str, Model]] = {
    "snow-time": snow_time.MODEL,
    "slopecrashers": slopecrashers.MODEL,
    "snowcrest": snowcrest.MODEL,
}


def parser(description: str | None, games: int) -> argparse.ArgumentParser:
    """Return a parser of the common options.

    Args:
        description: of the program.
        games: default number.
    """
    options = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--game", choices=MODELS, required=True)
    options.add_argument("--out", type=Path, required=True, metavar="DIR", help="of the run")
    options.add_argument("--evaluator", type=Path, metavar="FILE", help="to start from")
    options.add_argument("--players", type=positive, default=4, help="in every game")
    options.add_argument("--games", type=positive, default=games)
    options.add_argument("--seed", type=int, default=1, help="of the first game")
    add_options(options)
    return options


def start(options: argparse.Namespace) -> tuple[Model, Path]:
    """Return the evaluator of a run and the file it starts from; create the folder.

    Raises:
        ValueError: if the folder has a run that started from another evaluator.
    """
    model = MODELS[options.game]
    options.out.mkdir(parents=True, exist_ok=True)
    first = options.evaluator or model.file
    path = options.out / "evaluator-0.json"
    check_start(path, first.read_text(encoding="utf-8"), "from another evaluator")
    return model, path


def write(model: Model, evaluator: Any, version: str, path: Path) -> None:
    """Write the file of an evaluator under a new version."""
    document = model.document(evaluator) | {"version": version}
    path.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
