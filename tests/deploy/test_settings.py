"""Settings: read from the environment and documented for operators."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from service.config import Config
from tests.loops import for_each

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")
ROWS = dict(re.findall(r"^\| `([A-Z_]+)` \|([^|]*)\|", PAGE, re.MULTILINE))


@for_each("field", fields(Config))
def test_the_operators_page_lists_every_setting_with_its_default(field):
    assert ROWS[field.name.upper()].strip() == str(field.default)


def test_an_absent_or_empty_variable_leaves_the_default():
    assert Config.from_environment({}) == Config()
    assert Config.from_environment({f.name.upper(): "" for f in fields(Config)}) == Config()


def test_every_setting_is_read_from_the_variable_of_its_name():
    environment = {
        f.name.upper(): "7" if isinstance(f.default, int) else "abc" for f in fields(Config)
    }
    config = Config.from_environment(environment | {"LOG_LEVEL": "warning"})
    assert config.log_level == "WARNING"
    assert all(
        getattr(config, f.name) == (7 if isinstance(f.default, int) else "abc")
        for f in fields(Config)
        if f.name != "log_level"
    )


@pytest.mark.parametrize(
    ("name", "texts"),
    [("CACHE_MIB", ("-1", "1.5", "many", "1e3", "0x10")), ("LOG_LEVEL", ("loud",))],
)
def test_an_error_names_the_setting_with_an_invalid_value(name: str, texts: tuple[str, ...]):
    for text in texts:
        with pytest.raises(ValueError, match=name):
            Config.from_environment({name: text})
