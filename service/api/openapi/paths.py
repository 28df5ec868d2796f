"""Operations of all routes, by path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from marshmallow import Schema

from service.api.limits import limits
from service.api.openapi.components import (
    CONSTANT_HEADERS,
    GAME_HEADERS,
    LANGUAGE,
    LANGUAGE_HEADERS,
    PROBLEMS,
    PUBLIC,
    header_references,
)
from service.api.openapi.unions import response_union
from service.api.schemas import (
    BatchAnswer,
    GamesAnswer,
    Health,
    LimitsAnswer,
    VersionAnswer,
    review_lines,
)
from service.api.streaming import LINES
from service.cache.rate_limit import Quota
from service.games.definition import Endpoint, GameDefinition
from service.games.registry import GAMES
from service.operations import batch, catalogue
from service.operations.context import RequestContext
from service.operations.dispatch import execute

SERVICE_TAG: Final = "service"
_BATCH: Final = """\
Requests are served one after the other, as if each came alone; identical ones are computed once.
With the `method` `GET` and no `body`, a request is for a document, such as `/v1/version`. The
status and the body of a result are those of the route. A batch has at most 64 requests and 512 KiB,
and must not contain a batch. Each request with a body counts against the rate limit; those beyond
it are 429. A request that is not started within 20 s is 503; send the batch again, and the earlier
ones are served from the cache. The `deadline_ms` of a request runs from when it is started.
"""

_BATCHED: Final = {"snow-time": "legal-moves", "slopecrashers": "new"}
"""The operations of the example of a batch: short ones, by game."""
_LINES: Final = f" With `Accept: {LINES}` it streams the progress, then the result or a problem."


def paths() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every path with its operations by HTTP method."""
    for name, definition in GAMES.items():
        for endpoint in definition.endpoints:
            yield f"/v1/games/{name}/{endpoint.name}", {"post": _endpoint(definition, endpoint)}
    yield batch.PATH, {"post": _batch()}
    yield "/v1/games", {"get": _games()}
    for name, definition in GAMES.items():
        yield f"/v1/games/{name}", {"get": _game(name, definition)}
        for static in definition.documents:
            operation_id = f"get-{name}-{static.path.replace('/', '-')}"
            operation = _get(operation_id, static.summary, name, static.schema, game=True)
            yield f"/v1/games/{name}/{static.path}", {"get": operation}
    yield from _service_paths()


def _endpoint(definition: GameDefinition, endpoint: Endpoint) -> dict[str, Any]:
    body = orjson.loads(orjson.dumps(endpoint.example))
    # The first solve compiles kernels, which takes longer than the default deadline of a review.
    document = execute(definition, endpoint, body, RequestContext(streamed=True)).document
    schema: Any = endpoint.response_schema
    if endpoint.response_union is not None:
        schema = response_union(endpoint.response_union)
    headers = GAME_HEADERS + (LANGUAGE_HEADERS if endpoint.localized else ())
    response = _json_response(schema, document, headers)
    description = endpoint.description
    if endpoint.streams:
        lines = response_union(review_lines(endpoint.response_schema))
        response["content"][LINES] = {"schema": lines}
        description += _LINES
    return {
        "operationId": f"{definition.game.name}-{endpoint.name}",
        "summary": endpoint.summary,
        "description": description,
        "tags": [definition.game.name],
        **({"parameters": [LANGUAGE]} if endpoint.localized else {}),
        "requestBody": _request_body(endpoint.request_schema, body),
        "responses": {
            "200": response,
            **PROBLEMS,
        },
    }


def _batch() -> dict[str, Any]:
    requests, results = [], []
    for name, operation in _BATCHED.items():
        definition = GAMES[name]
        [endpoint] = [each for each in definition.endpoints if each.name == operation]
        body = orjson.loads(orjson.dumps(endpoint.example))
        response = execute(definition, endpoint, body).document
        path = f"/v1/games/{name}/{endpoint.name}"
        requests.append({"id": name, "path": path, "body": body})
        results.append({"id": name, "status": 200, "body": response})
    headers = LANGUAGE_HEADERS
    response = _json_response(BatchAnswer, {"results": results}, headers)
    return {
        "operationId": "batch",
        "summary": "Send several requests at once",
        "description": _BATCH,
        "tags": [SERVICE_TAG],
        "parameters": [LANGUAGE],
        "requestBody": _request_body(batch.BatchRequest, {"requests": requests}),
        "responses": {
            "200": response,
            **PROBLEMS,
        },
    }


def _games() -> dict[str, Any]:
    example = catalogue.games()
    return _get(
        "get-games",
        "List the games",
        SERVICE_TAG,
        GamesAnswer,
        example,
        game=True,
        description="Names and operations of all games.",
    )


def _game(name: str, definition: GameDefinition) -> dict[str, Any]:
    return _get(
        f"get-{name}",
        f"Describe {definition.about['title']['en']}",
        name,
        definition.about_schema,
        game=True,
        description="Names, data and rulings.",
    )


def _service_paths() -> Iterator[tuple[str, dict[str, Any]]]:
    limits_example = limits(Quota(6000, 60))
    constant = [
        ("/v1/version", "get-version", "Get the versions", VersionAnswer, catalogue.versions()),
        ("/v1/limits", "get-limits", "Get the limits", LimitsAnswer, limits_example),
    ]
    for path, operation_id, summary, response_schema, example in constant:
        yield path, {"get": _get(operation_id, summary, SERVICE_TAG, response_schema, example)}
    status = [
        ("/healthz", "get-health", "Check liveness", "Whether the process is alive.", "ok"),
        ("/readyz", "get-readiness", "Check readiness", "Whether to send requests.", "ready"),
    ]
    for path, operation_id, summary, description, value in status:
        example = {"status": value}
        operation = _get(
            operation_id, summary, SERVICE_TAG, Health, example, (), description=description
        )
        yield path, {"get": operation}
    for path, operation_id, media_type in [
        ("/openapi.yaml", "get-openapi-yaml", "application/yaml"),
        ("/openapi.json", "get-openapi-json", "application/json"),
    ]:
        schema: Any = {"type": "string"} if path.endswith("yaml") else {"type": "object"}
        operation = _get(operation_id, "Get this specification", SERVICE_TAG, schema)
        content = operation["responses"]["200"].pop("content")["application/json"]
        operation["responses"]["200"]["content"] = {media_type: content}
        yield path, {"get": operation}


def _get(
    operation_id: str,
    summary: str,
    tag: str,
    schema: Any,
    example: Any = None,
    headers: tuple[str, ...] = CONSTANT_HEADERS,
    *,
    game: bool = False,
    description: str = "",
) -> dict[str, Any]:
    return {
        "operationId": operation_id,
        "summary": summary,
        "description": description or f"{summary.replace('Get', 'Returns', 1)}.",
        "tags": [tag],
        **({} if game else {"security": PUBLIC}),
        "responses": {
            "200": _json_response(schema, example, headers),
            **PROBLEMS,
        },
    }


def _request_body(schema: type[Schema], example: Any) -> dict[str, Any]:
    return {
        "required": True,
        "content": {"application/json": {"schema": schema, "example": example}},
    }


def _json_response(schema: Any, example: Any, headers: tuple[str, ...]) -> dict[str, Any]:
    content = {"schema": schema} | ({} if example is None else {"example": example})
    return {
        "description": "Success.",
        **({"headers": header_references(headers)} if headers else {}),
        "content": {"application/json": content},
    }
