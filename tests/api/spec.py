"""The specification at the root of the project, and its schemas ready to judge with."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import yaml
from jsonschema import Draft202012Validator

FILE = Path(__file__).resolve().parents[2] / "openapi.yaml"


@lru_cache(maxsize=1)
def specification() -> Any:
    return yaml.load(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def resolved(node: Any) -> Any:
    """What a reference within the specification stands for, else the node itself."""
    while isinstance(node, dict) and "$ref" in node:
        at = specification()
        for step in node["$ref"].removeprefix("#/").split("/"):
            at = at[step]
        node = at
    return node


def operations() -> list[tuple[str, str, Any]]:
    """Path, method and operation of everything that is documented."""
    return [
        (path, method, operation)
        for path, item in specification()["paths"].items()
        for method, operation in item.items()
    ]


def response_of(path: str, method: str, status: int) -> Any:
    """What is documented for a status; 404 and 405 are no operation's own."""
    item = specification()["paths"].get(path, {}).get(method, {"responses": {}})
    own = item["responses"].get(str(status))
    return resolved(own or specification()["components"]["responses"][f"Problem{status}"])


@cache
def answer_judge(path: str, method: str, status: int) -> Any:
    ((_, media),) = response_of(path, method, status)["content"].items()
    return judge_of(media["schema"])


@cache
def request_judge(path: str) -> Any:
    operation = specification()["paths"][path]["post"]
    return judge_of(operation["requestBody"]["content"]["application/json"]["schema"])


def judge_of(schema: Any) -> Any:
    return Draft202012Validator({**schema, "components": specification()["components"]})


def assert_documented(path: str, method: str, response: Any) -> None:
    """The response has a documented status, media type and shape."""
    documented = response_of(path, method, response.status_code)
    assert response.headers["Content-Type"] in documented["content"]
    faults = [
        (list(error.absolute_path), error.message)
        for error in answer_judge(path, method, response.status_code).iter_errors(response.json)
    ]
    assert faults == []
    for name, header in documented.get("headers", {}).items():
        if name in response.headers:
            value: Any = response.headers[name]
            if header["schema"]["type"] == "integer":
                value = int(value)
            judge_of(header["schema"]).validate(value)
