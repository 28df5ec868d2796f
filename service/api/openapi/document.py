"""The OpenAPI document, derived from the schemas and routes."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

import orjson
from apispec import APISpec
from apispec.ext.marshmallow import MarshmallowPlugin
from marshmallow import Schema

from service.api.openapi.bounds import drop_response_bounds
from service.api.openapi.components import SECURITY, add_components
from service.api.openapi.descriptions import add_descriptions
from service.api.openapi.paths import SERVICE_TAG, paths
from service.api.openapi.shared import share_schemas
from service.api.openapi.text import dump
from service.api.openapi.unions import name_unions, split_union
from service.games.common.fields import MapOf
from service.games.registry import GAMES
from service.operations.versions import API_VERSION

_INFO: Final = {
    "description": """\
Plays winter board games by their rules and gives hints. The service is stateless: a request
contains the whole position, and every POST is safe to repeat.

A complete 200 response depends only on the body, the language and the versions in
`GET /v1/version`. Objects of a response may gain members; unknown members of a request are refused.

A request may have a header `X-Request-Id` (1 to 64 of `A-Z a-z 0-9 . _ -`), which the response
repeats; otherwise the service makes one. Every response has `X-Request-Id` and `Server-Timing` and,
if a rate limit applies, `RateLimit-Policy` and `RateLimit` (see the component `Problem`). Localized
responses have `Vary: Accept-Language`.

Every error is a problem document (RFC 9457), except malformed HTTP (request line, headers), which
the web server refuses itself.
""",
    "contact": {"name": "Winter Games"},
    "license": {"name": "MIT", "identifier": "MIT"},
}


def as_yaml() -> str:
    """Return the specification as YAML; equal code gives equal text."""
    return dump(build())


@lru_cache(maxsize=1)
def build() -> dict[str, Any]:
    """Return the specification as a document (OpenAPI 3.1)."""
    classes: dict[str, type[Schema]] = {}

    def component_name(schema: Any) -> str:
        """Return the public name of a schema, which its class states itself."""
        cls = schema if isinstance(schema, type) else type(schema)
        # Not inherited: two classes with one name would overwrite each other in the document.
        name: str = vars(cls)["component"]
        classes[name] = cls
        return name

    marshmallow = MarshmallowPlugin(schema_name_resolver=component_name)
    spec = APISpec(
        title="Winter Games",
        version=API_VERSION,
        openapi_version="3.1.0",
        plugins=[marshmallow],
        info=_INFO,
        servers=[{"url": "/"}],
        security=SECURITY,
        tags=[
            *(
                {"name": name, "description": f"Rules, hints and reviews of {_title(definition)}."}
                for name, definition in GAMES.items()
            ),
            {"name": SERVICE_TAG, "description": "Batches, versions, limits, health."},
        ],
    )
    assert marshmallow.converter is not None, "the plugin is initialised by its specification"
    marshmallow.converter.add_attribute_function(_member_names)
    marshmallow.converter.add_attribute_function(_number_format)
    add_components(spec)
    for path, operations in paths():
        spec.path(path, operations=operations)
    document: dict[str, Any] = orjson.loads(orjson.dumps(spec.to_dict()))
    components = document["components"]["schemas"]
    for name, cls in classes.items():
        components[name] = {"description": _description(cls)} | components[name]
    name_unions(document)
    share_schemas(components)
    for name, cls in classes.items():
        if "union" in vars(cls):
            split_union(components, name, vars(cls)["union"])
    drop_response_bounds(document)
    add_descriptions(components)
    for component in components.values():
        for schema in component.get("properties", {}).values():
            if "description" in schema:  # It is the longest part, so it comes last.
                schema["description"] = schema.pop("description")
    document["components"]["schemas"] = dict(sorted(components.items()))
    return document


def _description(cls: type[Schema]) -> str:
    """Return the first paragraph of the docstring of a schema class, as Markdown."""
    # Not inherited, like the name.
    docstring: str | None = vars(cls)["__doc__"]
    assert docstring is not None, f"the component {vars(cls)['component']} needs a docstring"
    return " ".join(docstring.partition("\n\n")[0].split()).replace("``", "`")


def _title(definition: Any) -> str:
    title: str = definition.about["title"]["en"]
    return title


def _member_names(_: Any, field: Any, **__: Any) -> dict[str, Any]:
    """Return the constraint on the free member names of an object."""
    if not isinstance(field, MapOf) or field.key_field is None:
        return {}
    for validator in field.key_field.validators:
        if hasattr(validator, "regex"):
            return {"propertyNames": {"pattern": validator.regex.pattern}}
        if hasattr(validator, "choices"):
            return {"propertyNames": {"enum": list(validator.choices)}}
    return {}


_INT32_MAX: Final = 2**31 - 1


def _number_format(_: Any, __: Any, ret: dict[str, Any], **___: Any) -> dict[str, Any]:
    """Return the format of a number, without which some generators choose a wrong type.

    For Kotlin and Java, a plain ``number`` is a decimal of any precision, and a plain ``integer``
    has 32 bits.
    """
    if ret.get("type") == "number":
        return {"format": "double"}
    if ret.get("type") == "integer" and ret.get("maximum", 0) > _INT32_MAX:
        return {"format": "int64"}
    return {}
