"""Markdown of the API reference, from the specification: the routes, and the schemas of bodies."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final

from service.docs.layout import REFERENCE, SCHEMAS
from service.games.registry import GAMES

_METHODS: Final = ("get", "post")
_SCHEMA: Final = "#/components/schemas/"
_WIDTH: Final = 96
"""Lines of examples that fit into this many characters are not broken further."""
Node = Mapping[str, Any]


def routes(document: Node) -> str:
    """Return the text of the page with all routes, in the order and sections of the tags."""
    info = document["info"]
    parts = ["# API reference", info["description"].strip()]
    parts.append(
        f"[The schemas]({SCHEMAS}) list the fields of all bodies. [openapi.yaml](/openapi.yaml) is "
        "the specification in OpenAPI 3.1, for generators of clients and tools that send requests."
    )
    for tag in document["tags"]:
        parts += [f"## {tag['name']}", tag["description"]]
        for path, methods in document["paths"].items():
            for method in _METHODS:
                operation = methods.get(method)
                if operation and tag["name"] in operation["tags"]:
                    parts += _operation(f"{method.upper()} {path}", operation, document)
    return "\n\n".join(parts) + "\n"


def schemas(document: Node) -> str:
    """Return the text of the page with all schemas, by name."""
    parts = [
        "# Schemas of the API",
        f"The fields of all bodies. [The routes]({REFERENCE}) say which body has which schema. "
        "Fields in bold are always there in a response, and required in a request.",
    ]
    titles = {"": "All games"} | {
        "".join(word.capitalize() for word in name.split("-")): definition.about["title"]["en"]
        for name, definition in GAMES.items()
    }
    by_part: dict[str, list[str]] = {}
    for name in sorted(document["components"]["schemas"]):
        part = max(filter(name.startswith, titles), key=len)
        by_part.setdefault(part, []).append(name)
    for part, names in sorted(by_part.items()):
        parts.append(f"## {titles[part]}")
        for name in names:
            parts += _schema(name, document["components"]["schemas"][name])
    return "\n\n".join(parts) + "\n"


def _operation(title: str, operation: Node, document: Node) -> Iterable[str]:
    yield f"### {title}"
    yield f"**{operation['summary']}.** {operation.get('description', '')}".strip()
    rows = [_parameter(each, document) for each in operation.get("parameters", ())]
    if rows:
        yield _table(("parameter", "in", "type", "meaning"), rows)
    path = title.partition(" ")[2]
    body = _content(operation.get("requestBody", {}))
    if body:
        yield f"Body: {_type(body['schema'])}."
        example = json.dumps(body.get("example"), ensure_ascii=False).replace("'", "'\\''")
        yield (
            f"```sh\ncurl -s localhost:8000{path} \\\n"
            f"  -H 'Content-Type: application/json' \\\n  -d '{example}'\n```"
        )
    elif "{" not in path:
        yield f"```sh\ncurl -s localhost:8000{path}\n```"
    for status, response in operation["responses"].items():
        if "$ref" in response:
            continue
        answer = _content(response)
        schema = f": {_type(answer['schema'])}" if "schema" in answer else ""
        yield f"Status {status}{schema}. {response['description']}"
        if "example" in answer:
            yield f"```json\n{_pretty(answer['example'])}\n```"


def _content(holder: Node) -> Node:
    """Return the body in JSON of a request or a response, or an empty object."""
    contents: Node = holder.get("content", {})
    content: Node = contents.get("application/json", {})
    return content


def _parameter(parameter: Node, document: Node) -> tuple[str, ...]:
    if "$ref" in parameter:
        parameter = document["components"]["parameters"][parameter["$ref"].rpartition("/")[2]]
    name = f"`{parameter['name']}`"
    kind = _type(parameter["schema"])
    return (name, parameter["in"], kind, parameter.get("description", ""))


def _schema(name: str, schema: Node) -> Iterable[str]:
    yield f"### {name}"
    if "description" in schema:
        yield schema["description"]
    rows = list(_fields(schema, ""))
    if rows:
        yield _table(("field", "type", "meaning"), rows)
    if not rows or "oneOf" in schema:
        yield f"{_type(schema)[0].upper()}{_type(schema)[1:]}."


def _fields(schema: Node, prefix: str) -> Iterable[tuple[str, ...]]:
    """Yield a row for each field, those of objects inside included."""
    required = schema.get("required", ())
    for name, field in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        label = f"**`{path}`**" if name in required else f"`{path}`"
        meaning = field.get("description", "")
        if "default" in field:
            meaning = f"{meaning} Default: `{json.dumps(field['default'])}`.".strip()
        yield (label, _type(field), meaning)
        inner, path = (field["items"], f"{path}[].") if "items" in field else (field, f"{path}.")
        yield from _fields(inner, path)


def _type(schema: Node) -> str:
    """Return the type of a schema in words, with links to named ones."""
    if "$ref" in schema:
        name = schema["$ref"].removeprefix(_SCHEMA)
        return f"[{name}]({SCHEMAS}#{name.lower()})"
    if "oneOf" in schema:
        return " or ".join(map(_type, schema["oneOf"]))
    if "enum" in schema:
        return " or ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    kind = schema.get("type", "any value")
    if isinstance(kind, list):
        return " or ".join(kind)
    if kind == "array":
        size = _range(schema, "minItems", "maxItems")
        return f"list of {size}{_type(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), Mapping):
        return f"object with values: {_type(schema['additionalProperties'])}"
    if kind in ("integer", "number"):
        return f"{kind} {_range(schema, 'minimum', 'maximum')}".strip()
    if "pattern" in schema:
        return f"{kind}, matches `{schema['pattern']}`"
    return str(kind)


def _range(schema: Node, least: str, most: str) -> str:
    if least in schema and most in schema:
        low, high = schema[least], schema[most]
        return f"{low} " if low == high else f"{low} to {high} "
    if least in schema:
        return f"at least {schema[least]} "
    return f"at most {schema[most]} " if most in schema else ""


def _pretty(value: Any, indent: int = 0) -> str:
    """Return JSON text with lines that are neither long nor nearly empty."""
    compact = json.dumps(value, ensure_ascii=False)
    if len(compact) + indent <= _WIDTH or not isinstance(value, list | dict):
        return compact
    pad = " " * (indent + 1)
    if isinstance(value, list):
        items = [_pretty(each, indent + 1) for each in value]
        return "[" + f",\n{pad}".join(items) + "]"
    items = [f"{json.dumps(key)}: {_pretty(each, indent + 1)}" for key, each in value.items()]
    return "{" + f",\n{pad}".join(items) + "}"


def _table(heads: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    cells = ([cell.replace("|", "\\|").replace("\n", " ") for cell in line] for line in lines)
    return "\n".join(f"| {' | '.join(line)} |" for line in cells)
