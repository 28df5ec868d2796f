"""The script that creates API keys."""

from __future__ import annotations

import new_key
import pytest

from service.api.auth import read_keys


def create(capsys: pytest.CaptureFixture[str], owner: str) -> tuple[str, str]:
    assert new_key.main([owner]) == 0
    key, line = capsys.readouterr().out.splitlines()
    return key.removeprefix("key:  "), line.removeprefix("line: ")


def test_the_service_accepts_the_key_of_a_line(capsys: pytest.CaptureFixture[str]):
    key, line = create(capsys, "app-1")
    assert read_keys([line]).owner(key) == "app-1"
    assert key not in line


def test_keys_are_unique(capsys: pytest.CaptureFixture[str]):
    assert len({create(capsys, "app")[0] for _ in range(20)}) == 20


@pytest.mark.parametrize("arguments", [[], ["a", "b"], ["a:b"], ["a b"], [""], ["a" * 65]])
def test_an_invalid_owner_is_an_error(arguments: list[str], capsys: pytest.CaptureFixture[str]):
    assert new_key.main(arguments) == 2
    assert capsys.readouterr().out == ""
