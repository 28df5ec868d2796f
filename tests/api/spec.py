"""The committed openapi.yaml and validators for its schemas."""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft202012Validator

from service.api.openapi.published import document as specification


def dereferenced(node: Any) -> Any:
    """Follow the references of a node and return the node they lead to."""
    while isinstance(node, dict) and "$ref" in node:
        at = specification()
        for step in node["$ref"].removeprefix("#/").split("/"):
            at = at[step]
        node = at
    return node


def operations() -> list[tuple[str, str, Any]]:
    """Return path, method and operation of every documented operation."""
    return [
        (path, method, operation)
        for path, item in specification()["paths"].items()
        for method, operation in item.items()
    ]


def response_of(path: str, method: str, status: int) -> Any:
    """Return the documented response; 404 and 405 may belong to no operation."""
    problem = {"$ref": "#/components/responses/Problem"}
    ranges = {"4XX": problem, "5XX": problem}
    documented = specification()["paths"].get(path, {}).get(method, {"responses": ranges})
    responses = documented["responses"]
    return dereferenced(responses.get(str(status)) or responses[f"{status // 100}XX"])


@cache
def response_validator(path: str, method: str, status: int) -> Any:
    """Return the validator of a response body, which also refuses undocumented members."""
    # The first media type is the default; others describe streams.
    media = next(iter(response_of(path, method, status)["content"].values()))
    return Draft202012Validator(media["schema"] | {"components": _closed_components()})


@cache
def _closed_components() -> Any:
    """Return the components with all objects closed.

    For clients, objects of a response may gain members. The service itself returns only documented
    ones; so an object of a union is valid if it has exactly the members of its kind.
    """

    def closed(node: Any) -> Any:
        if isinstance(node, list):
            return [closed(item) for item in node]
        if not isinstance(node, dict):
            return node
        copied = {name: closed(value) for name, value in node.items()}
        is_object = node.get("type") == "object" and isinstance(node.get("properties"), dict)
        if is_object and "oneOf" not in node:
            copied.setdefault("additionalProperties", False)
        return copied

    return {"schemas": closed(specification()["components"]["schemas"])}


def unions() -> dict[str, Any]:
    """Return every union of the specification by name."""
    schemas = specification()["components"]["schemas"]
    return {name: schema for name, schema in schemas.items() if "discriminator" in schema}


def kind_of(value: Any, union: Any) -> Any:
    """Return the schema of the kind that the tag of a value names."""
    discriminator = union["discriminator"]
    return dereferenced({"$ref": discriminator["mapping"][value[discriminator["propertyName"]]]})


@cache
def request_validator(path: str) -> Any:
    """Return the validator of a request body."""
    operation = specification()["paths"][path]["post"]
    return validator_of(operation["requestBody"]["content"]["application/json"]["schema"])


def validator_of(schema: Any) -> Any:
    """Return a validator for a schema that can refer to the components."""
    return Draft202012Validator({**schema, "components": specification()["components"]})


def assert_documented(path: str, method: str, response: Any) -> None:
    """Check that a response has a documented status, media type, body and headers."""
    documented = response_of(path, method, response.status_code)
    assert response.headers["Content-Type"] in documented["content"]
    violations = [
        (list(error.absolute_path), error.message)
        for error in response_validator(path, method, response.status_code).iter_errors(
            response.json
        )
    ]
    assert violations == []
    for name, reference in documented.get("headers", {}).items():
        header = dereferenced(reference)
        if name in response.headers:
            value: Any = response.headers[name]
            if header["schema"]["type"] == "integer":
                value = int(value)
            validator_of(header["schema"]).validate(value)
