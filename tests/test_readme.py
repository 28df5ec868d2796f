"""README.md, CONTRIBUTING.md and docs/performance.md match the code and the service."""

from __future__ import annotations

import json
import re
import shlex
import struct
from itertools import pairwise
from pathlib import Path

import pytest
import requests
import yaml
from benchmarks.measures import all_benchmarks
from research.__main__ import COMMANDS
from research.league.running.cells import parse_cells

from service.core.violations import COMPILE_TIMES
from service.games.snowcrest.engine.evaluation import EVALUATOR_FILE
from tests.loops import for_each
from tests.shown_commands import abridged, examples_of, guide_text, run

ROOT = Path(__file__).resolve().parent.parent
PAGES = {
    name: (ROOT / name).read_text(encoding="utf-8")
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "docs/performance.md",
        "scripts/research/README.md",
    )
}
README = PAGES["README.md"]
EXAMPLES = examples_of(README)
PATH = re.compile(
    r"(?<![\w./-])"
    r"((?:service|scripts|tests|deploy|docs|\.ci)/[\w./-]*[\w/]|LICENSE"
    r"|[A-Z]+\.md|openapi\.yaml|pyproject\.toml)"
)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")
COMMAND = re.compile(
    r"python3 scripts/dev\.py (?:serve|test|check|lock|run)(?: (?:\\\n|[^\n`#\\])*)?"
)
PLAY = "scripts/research/play.py"


# The example ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_the_shown_lines_are_part_of_the_real_answer(
    command: str, shown: str, live_service: str
) -> None:
    expected = json.loads(shown)

    assert abridged(json.loads(run(command, live_service)), expected) == expected


def test_the_readme_shows_one_hint_with_eight_lines_of_its_answer() -> None:
    [(command, shown)] = EXAMPLES

    assert "/v1/games/snow-time/suggest" in command
    assert len(shown.splitlines()) == 8
    assert len(re.findall(r"^curl ", README, re.MULTILINE)) == 1


def test_readme_guide_and_log_state_the_same_times_of_a_first_start() -> None:
    guide = guide_text()
    for text in (README, guide):
        assert COMPILE_TIMES.replace("Time within", "Time are ready within") in " ".join(
            text.split()
        )


def test_the_screenshot_is_small() -> None:
    picture = (ROOT / "docs" / "page.png").read_bytes()

    assert struct.unpack(">II", picture[16:24]) == (1280, 800)
    assert len(picture) <= 150_000


# Tables -----------------------------------------------------------------------------------------


def test_the_table_of_games_agrees_with_the_service(live_service: str) -> None:
    rows = re.findall(
        r"^\| ([\w ]+) \| (\d) to (\d) \|.*\(service/games/(\w+)/", README, re.MULTILINE
    )
    address = f"http://{live_service}/v1/games"
    served = []
    for listed in requests.get(address, timeout=60).json()["games"]:
        name = listed["game"]
        players = requests.get(f"{address}/{name}", timeout=60).json()["players"]
        limits = (str(players["min"]), str(players["max"]))
        served.append((listed["title"]["en"], *limits, name.replace("-", "_")))

    assert rows == served


def test_the_table_of_operations_agrees_with_the_specification() -> None:
    paths = yaml.safe_load((ROOT / "openapi.yaml").read_text(encoding="utf-8"))["paths"]
    listed = set(re.findall(r"`(GET|POST) (/[^`]*)`", README))
    specified = {
        (method.upper(), re.sub(r"/games/(?!snow-time/grow)[\w-]+", "/games/{game}", path))
        for path, methods in paths.items()
        for method in methods
        if method in ("get", "post") and "/catalogues/" not in path
    }

    assert listed == specified


def test_the_documentation_that_the_readme_names_is_served(live_service: str) -> None:
    paths = re.findall(r"`(/docs/[^`]*)`", README)

    assert paths
    for path in paths:
        assert requests.get(f"http://{live_service}{path}", timeout=60).status_code == 200


# Paths and commands -----------------------------------------------------------------------------


@for_each("page", PAGES)
def test_every_path_on_the_page_exists(page: str) -> None:
    text = PAGES[page]
    links = [(ROOT / page).parent / link for link in LINK.findall(text)]
    # Links are relative to the page; every other path is relative to the repository.
    paths = [ROOT / path for path in PATH.findall(LINK.sub("", text))]

    assert paths
    assert [path for path in links + paths if not path.exists()] == []


def test_every_test_that_contributing_names_exists() -> None:
    named = re.findall(r"(tests/\w+\.py)::(\w+)", PAGES["CONTRIBUTING.md"])

    assert named
    for file, test in named:
        assert f"def {test}(" in (ROOT / file).read_text(encoding="utf-8")


@for_each("page", PAGES)
def test_every_option_on_the_page_is_one_of_its_command(page: str) -> None:
    commands = commands_on(page)

    assert commands
    for words in commands:
        # pytest plugins define the options of Hypothesis.
        options = {word.partition("=")[0] for word in words if word.startswith("--")}
        options = {option for option in options if not option.startswith("--hypothesis-")}
        research = (
            "scripts/research/__main__.py",
            "scripts/research/evaluators/games.py",
            "scripts/research/league/running/engine.py",
        )
        files = (script_of(words), "scripts/dev.py", *research)
        sources = [(ROOT / file).read_text(encoding="utf-8") for file in files]
        assert {option for option in options if f'"{option}"' not in "".join(sources)} == set()


@pytest.mark.parametrize("page", ["README.md", "docs/performance.md"])
def test_the_benchmark_has_every_row_that_the_page_names(page: str) -> None:
    names = [benchmark.name for benchmark in all_benchmarks(quick=False)]
    named = [
        row
        for words in commands_on(page)
        if "scripts/bench.py" in words
        for row in values_of("--only", words)
    ]

    assert named
    assert [row for row in named if not any(row in name for name in names)] == []


@pytest.mark.parametrize("page", ["README.md", "docs/performance.md"])
def test_the_tournament_has_every_cell_that_the_page_names(
    page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = [words for words in commands_on(page) if script_of(words) == PLAY]
    # The page says how to get this file from the history.
    (tmp_path / "crest-1.json").write_bytes(EVALUATOR_FILE.read_bytes())
    monkeypatch.chdir(tmp_path)

    assert commands
    for words in commands:
        [only] = values_of("--only", words) or [""]
        cells = parse_cells(values_of("--cells", words))
        assert any(only in cell.name for cell in cells), words


def script_of(words: list[str]) -> str:
    """Return the file with the options of a command of scripts/dev.py."""
    if words[2] != "run":
        return "scripts/run_tests.py"
    if words[3:5] != ["-m", "research"]:
        return words[3]
    [game] = values_of("--game", words)[:1] or [""]
    module = COMMANDS.get(words[5], {}).get(game, f"research.{words[5]}")
    return f"scripts/{module.replace('.', '/')}.py"


def commands_on(page: str) -> list[list[str]]:
    """Return the words of each command of scripts/dev.py on a page."""
    return [shlex.split(text.replace("\\\n", " ")) for text in COMMAND.findall(PAGES[page])]


def values_of(option: str, words: list[str]) -> list[str]:
    """Return the value of each use of an option in a command."""
    return [value for word, value in pairwise(words) if word == option]
