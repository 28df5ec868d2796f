"""The audit before a release is strict: what cannot be audited is a fault."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
import release_check

LOCKED = (
    "flask==3.1.3 \\\n    --hash=sha256:aa \\\n    --hash=sha256:bb\n    # via x\nredis==8.1.0\n"
)


def test_every_pin_is_found_and_whether_it_has_a_hash():
    assert release_check.pins(LOCKED) == {"flask": True, "redis": False}
    real = release_check.pins(release_check.LOCK.read_text(encoding="utf-8"))
    assert len(real) > 20
    assert all(real.values())


def package(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "version": "1.0", "vulns": [], **more}


def test_what_is_known_is_a_fault_and_names_the_version_that_mends_it():
    known = {"id": "PYSEC-1", "fix_versions": ["1.1", "2.0"]}
    told = {"dependencies": [package("Flask", vulns=[known]), package("redis")]}
    assert release_check.judged(told, {"flask", "redis"}) == [
        "flask 1.0: PYSEC-1, fixed in 1.1, 2.0"
    ]


def test_what_was_skipped_or_left_out_is_a_fault():
    told = {"dependencies": [{"name": "flask", "skip_reason": "not found"}, package("orjson")]}
    assert release_check.judged(told, {"flask", "orjson", "redis"}) == [
        "flask could not be audited: not found",
        "redis was not audited",
    ]


def test_nothing_known_of_anything_is_no_fault():
    assert release_check.judged({"dependencies": [package("flask")]}, {"flask"}) == []


@pytest.mark.parametrize("output", ["", "no JSON", "Traceback"])
def test_a_tool_that_fails_fails_the_check(
    output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    def run(command: Any, **_: Any) -> Any:
        return subprocess.CompletedProcess(command, 1, stdout=output, stderr="no network")

    monkeypatch.setattr(release_check.subprocess, "run", run)
    assert release_check.main([]) == 1
    assert capsys.readouterr().err == "release_check.py: nothing was audited: no network\n"


def test_a_package_without_a_hash_fails_the_check(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    lock = tmp_path / "requirements.txt"
    lock.write_text(LOCKED)
    monkeypatch.setattr(release_check, "audit", lambda *_: [])
    assert release_check.main([str(lock)]) == 1
    assert "redis has no hash" in capsys.readouterr().err
