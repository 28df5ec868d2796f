"""Alerts fire in time and have paragraphs; they and the dashboard name existing metrics."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from service.api.metrics import Metrics
from tests.loops import for_each

DEPLOY = Path(__file__).resolve().parents[2] / "deploy"
PROMETHEUS = DEPLOY / "prometheus"
RULE_TESTS = Path(__file__).with_name("data") / "alerts.yaml"
PAGE = (DEPLOY / "README.md").read_text(encoding="utf-8")
_RULES: Any = yaml.safe_load((PROMETHEUS / "alerts.yaml").read_text(encoding="utf-8"))
ALERTS = {rule["alert"]: rule for group in _RULES["groups"] for rule in group["rules"]}
PANELS = json.loads((DEPLOY / "grafana" / "dashboard.json").read_text(encoding="utf-8"))["panels"]
EXPRESSIONS = {name: rule["expr"] for name, rule in ALERTS.items()} | {
    panel["title"]: target["expr"] for panel in PANELS for target in panel["targets"]
}
OVER_TIME = frozenset(["count_over_time", "rate", "sum_over_time"])
WORDS = OVER_TIME | {"absent", "by", "histogram_quantile", "le", "max", "min", "or", "sum"}
"""Words of the query language."""
OTHERS = frozenset(["up", "ready"])
"""Metrics of Prometheus and of the monitoring, which no worker has."""


def exposed() -> dict[str, set[str]]:
    """Return the samples of every metric, by name, with the names of their labels."""
    samples: dict[str, set[str]] = {}
    for metric in Metrics()._registry.collect():
        suffixes = {"counter": ["_total"], "histogram": ["_bucket", "_count", "_sum"]}
        for suffix in suffixes.get(metric.type, [""]):
            samples[metric.name + suffix] = set()
    return samples


def names_in(expression: str) -> set[str]:
    """Return the metrics of an expression."""
    bare = re.sub(r'"[^"]*"|\{[^}]*\}|by \([^)]*\)|\[[^]]*\]', " ", expression)
    return {word for word in re.findall(r"[a-z_]{2,}", bare) if word not in WORDS}


@for_each("name", EXPRESSIONS)
def test_every_expression_names_existing_metrics(name: str) -> None:
    names = names_in(EXPRESSIONS[name])
    assert names
    assert names <= set(exposed()) | OTHERS


@for_each("name", ALERTS)
def test_every_alert_has_a_paragraph_and_a_summary(name: str) -> None:
    paragraph = re.search(rf"^#### {name}\n\n(.+?)\n\n", PAGE, re.MULTILINE | re.DOTALL)
    assert paragraph
    assert len(paragraph[1]) > 100
    assert ALERTS[name]["annotations"]["summary"].endswith(".")
    assert ALERTS[name]["labels"]["severity"] in ("page", "ticket")


def test_every_paragraph_has_an_alert() -> None:
    assert set(re.findall(r"^#### (\w+)$", PAGE, re.MULTILINE)) == set(ALERTS)


def test_every_metric_of_the_service_is_on_the_dashboard() -> None:
    shown = {name for panel in PANELS for name in names_in(panel["targets"][0]["expr"])}
    bases = {re.sub("_(bucket|count|sum|total)$", "", name) for name in shown}
    assert {re.sub("_(bucket|count|sum|total)$", "", name) for name in exposed()} <= bases | {
        "solves"
    }


def test_every_metric_of_the_page_exists() -> None:
    listed = PAGE.partition("## Monitoring")[2].partition("Logs are JSON")[0]
    named = set(re.findall(r"`([a-z]+(?:_[a-z]+)+)`", listed))
    known = {re.sub("_(bucket|count|sum)$", "", name) for name in exposed()}
    assert named <= known
    assert known <= named


@for_each("name", ALERTS)
def test_every_alert_has_a_case_that_fires_and_one_that_does_not(name: str) -> None:
    groups = yaml.safe_load(RULE_TESTS.read_text(encoding="utf-8"))["tests"]
    cases = [case for group in groups for case in group["alert_rule_test"]]
    fires = {bool(case["exp_alerts"]) for case in cases if case["alertname"] == name}
    assert fires == {True, False}


def test_the_rules_watch_the_jobs_of_the_example_configuration() -> None:
    example = yaml.safe_load((PROMETHEUS / "prometheus.yml").read_text(encoding="utf-8"))
    named = set(re.findall(r'job="([^"]*)"', " ".join(EXPRESSIONS.values())))
    assert {job["job_name"] for job in example["scrape_configs"]} == named
    assert all(f"`{job}`" in PAGE for job in named)


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "rules", PROMETHEUS / "alerts.yaml"),
        ("check", "config", PROMETHEUS / "prometheus.yml"),
        ("test", "rules", RULE_TESTS),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_promtool_accepts_the_rules_the_example_and_the_rule_tests(
    arguments: tuple[str, str, Path],
) -> None:
    promtool = shutil.which("promtool")
    if promtool is None:
        pytest.skip("promtool is not installed")
    result = subprocess.run([promtool, *arguments], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
