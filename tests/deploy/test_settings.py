"""Settings: read from the environment, and all of them told to operators."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from service.config import Config

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([A-Z_]+)` \|([^|]*)\|", PAGE, re.MULTILINE))


@pytest.mark.parametrize("field", fields(Config), ids=lambda field: field.name)
def test_every_setting_is_told_with_its_default(field):
    assert ROWS[field.name.upper()].strip() == str(field.default)


def test_an_absent_or_empty_variable_leaves_the_default():
    assert Config.from_environment({}) == Config()
    assert Config.from_environment({f.name.upper(): "" for f in fields(Config)}) == Config()


def test_every_setting_is_read_from_the_variable_of_its_name():
    told = {f.name.upper(): "7" if isinstance(f.default, int) else "abc" for f in fields(Config)}
    found = Config.from_environment(told | {"LOG_LEVEL": "warning"})
    assert found.log_level == "WARNING"
    assert all(
        getattr(found, f.name) == (7 if isinstance(f.default, int) else "abc")
        for f in fields(Config)
        if f.name != "log_level"
    )


@pytest.mark.parametrize("text", ["-1", "1.5", "many", "1e3", "0x10"])
def test_a_number_that_is_none_is_refused_by_name(text: str):
    with pytest.raises(ValueError, match="CACHE_MIB"):
        Config.from_environment({"CACHE_MIB": text})


def test_a_level_that_is_none_is_refused_by_name():
    with pytest.raises(ValueError, match="LOG_LEVEL"):
        Config.from_environment({"LOG_LEVEL": "loud"})
