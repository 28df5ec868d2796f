"""Two public linters find neither an error nor a warning in openapi.yaml."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.clients.packages import SPECIFICATION, node_program, run

pytestmark = pytest.mark.contract


def test_redocly_reports_nothing_with_its_recommended_rules(tmp_path: Path) -> None:
    output = run(
        *(node_program("redocly"), "lint", "--extends", "recommended", SPECIFICATION), cwd=tmp_path
    )

    assert "Your API description is valid" in output
    assert "You have" not in output, output  # "You have 3 warnings."


def test_spectral_reports_nothing_with_its_openapi_rules(tmp_path: Path) -> None:
    (tmp_path / "rules.yaml").write_text('extends: ["spectral:oas"]\n')
    output = run(
        *(node_program("spectral"), "lint", "--ruleset", tmp_path / "rules.yaml"),
        *("--fail-severity", "hint", "--format", "json", "--quiet"),
        SPECIFICATION,
        cwd=tmp_path,
    )

    assert json.loads(output[output.index("[") :]) == []
