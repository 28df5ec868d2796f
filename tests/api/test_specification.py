"""openapi.yaml is what the service serves, and every response matches it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from service.api.openapi import published
from service.api.openapi.document import as_yaml, build
from service.api.openapi.published import FILE
from service.core.languages import LANGUAGES
from service.games.registry import GAMES
from service.operations import batch, review_run
from tests import stored
from tests.api.calls import (
    EXAMPLE_BY_PATH,
    SEED,
    pointer,
    post,
    problem_of,
    put,
    result_of,
    route,
    walk,
    without,
)
from tests.api.snow_time_bodies import LEGAL, OVER, STATE, UNIFORM
from tests.api.snow_time_oracle import legal
from tests.api.spec import (
    assert_documented,
    dereferenced,
    kind_of,
    operations,
    request_validator,
    response_validator,
    specification,
    unions,
)
from tests.loops import for_each

POSTS = [(path, operation) for path, method, operation in operations() if method == "post"]
GETS = [(path, operation) for path, method, operation in operations() if method == "get"]
MAX_BYTES, MAX_LINES = 260_000, 6_180
EVERY_BODY = pytest.mark.parametrize(
    ("endpoint", "body"), [pytest.param(*case, id=name) for name, case in LEGAL.items()]
)


def schemas() -> Iterator[tuple[str, Any]]:
    """Yield every typed schema of the specification, including nested ones, with its pointer."""
    for path, node in walk(specification()["components"]["schemas"]):
        if isinstance(node, dict) and ({"type", "$ref"} & set(node)) and path[-1] != "properties":
            yield pointer(path), node


# The document itself --------------------------------------------------------------------------


def test_the_committed_file_is_served(client: FlaskClient) -> None:
    response = client.get("/openapi.yaml")

    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/yaml")
    assert response.data == FILE.read_bytes()


def test_the_examples_are_computed_without_a_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first solve of a new clone compiles kernels for longer than the default deadline."""
    monkeypatch.setattr(review_run, "DEFAULT_REVIEW_MS", 1)
    assert as_yaml().encode() == FILE.read_bytes(), stored.OPENAPI
    assert build() == published.document()


def test_the_document_is_short() -> None:
    document = FILE.read_bytes()

    assert len(document) <= MAX_BYTES
    assert document.count(b"\n") <= MAX_LINES


def test_schema_names_are_stable_for_generated_clients() -> None:
    frozen = (Path(__file__).parent / "data" / "components.txt").read_text(encoding="utf-8")

    assert sorted(specification()["components"]["schemas"]) == frozen.split(), stored.COMPONENTS


def test_names_are_required_in_all_languages_and_in_none_in_requests() -> None:
    schemas_by_name = specification()["components"]["schemas"]

    for name, required in (("Titles", LANGUAGES), ("SnowcrestNames", ())):
        schema = schemas_by_name[name]
        assert set(schema["properties"]) == set(LANGUAGES)
        assert set(schema.get("required", ())) == set(required)


def test_every_schema_is_a_json_schema() -> None:
    by_pointer = dict(schemas())
    assert len(by_pointer) > 100

    Draft202012Validator.check_schema({"$defs": by_pointer})


def test_every_schema_has_a_description_and_so_has_every_property_or_its_type() -> None:
    for name, schema in specification()["components"]["schemas"].items():
        assert schema.get("description", "").strip(), name
        for field, described in schema.get("properties", {}).items():
            assert {"description", "$ref"} & set(described), f"{name}.{field}"


def test_no_property_repeats_the_description_of_its_schema() -> None:
    described = [(at, node) for at, node in schemas() if {"$ref", "description"} <= set(node)]
    assert len(described) > 50

    for at, node in described:
        general = dereferenced({"$ref": node["$ref"]})["description"]
        assert node["description"].strip(".") not in general, at
        assert general.strip(".") not in node["description"], at


def test_every_pattern_works_in_regular_expression_engines_without_look_around() -> None:
    patterns = {
        node["pattern"]
        for _, node in walk(specification()["components"])
        if isinstance(node, dict) and isinstance(node.get("pattern"), str)
    }
    assert "^[A-Za-z0-9_-]{1,32}$" in patterns
    # RE2 and Go have no look-around and no back-references; Python has no character properties.
    unportable = re.compile(r"\(\?[^:]|\\[1-9kpP]")
    assert [pattern for pattern in patterns if unportable.search(pattern)] == []


def test_numbers_have_the_formats_that_generators_need() -> None:
    """Without them, a Kotlin client has no type for nested numbers and cuts seeds to 32 bits."""
    nodes = [node for _, node in walk(specification()) if isinstance(node, dict)]
    doubles = [node for node in nodes if node.get("type") == "number"]
    longs = [node for node in nodes if node.get("type") == "integer"]
    longs = [node for node in longs if node.get("maximum", 0) >= 2**31]

    assert len(doubles) > 50
    assert {node.get("format") for node in doubles} == {"double"}
    assert len(longs) > 3
    assert {node.get("format") for node in longs} == {"int64"}


def test_enumerations_in_nested_lists_are_components() -> None:
    """For an enumeration inside two containers, openapi-generator gives Kotlin the inner type."""
    containers = {"items", "additionalProperties"}
    nested = [
        at
        for at, node in schemas()
        if "enum" in node and len([step for step in at.split("/") if step in containers]) > 1
    ]

    assert nested == []


@for_each("name", ["SnowTime", "Slopecrashers", "Snowcrest"])
def test_a_seat_may_have_a_display_name_of_1_to_40_characters(name: str) -> None:
    for seat in ("Seat", "NewSeat"):
        schema = specification()["components"]["schemas"][name + seat]
        field = dereferenced(schema["properties"]["name"])
        assert (field["type"], field["minLength"], field["maxLength"]) == ("string", 1, 40)
        assert "name" not in schema["required"]


def test_every_reference_resolves_and_every_component_is_used() -> None:
    text = FILE.read_text(encoding="utf-8")
    references = set(re.findall(r"\$ref: '?(#/[^\s']+)", text))
    assert references

    for reference in references:
        assert dereferenced({"$ref": reference})
    components = dict(specification()["components"])
    assert components.pop("securitySchemes").keys() == {"key"}
    for kind, members in components.items():
        unused = {name for name in members if f"#/components/{kind}/{name}" not in references}
        assert unused == set()


def test_the_document_has_no_yaml_aliases() -> None:
    events = list(yaml.parse(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))

    assert not [event for event in events if isinstance(event, yaml.AliasEvent)]


def test_operations_have_ids_summaries_and_tags() -> None:
    ids = [operation["operationId"] for _, _, operation in operations()]

    assert len(ids) == len(set(ids))
    assert all(operation["summary"] and operation["tags"] for _, _, operation in operations())


def test_exactly_the_served_routes_are_documented(app: Flask) -> None:
    """Pages for people are excluded."""
    served = {
        (str(rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not str(rule).startswith(("/docs", "/playground/")) and str(rule) != "/"
    }

    assert {(path, method) for path, method, _ in operations()} == served


def test_every_operation_documents_its_problems() -> None:
    assert {path for path, _ in POSTS} == {*EXAMPLE_BY_PATH, batch.PATH}
    problem = {"$ref": "#/components/responses/Problem"}
    for _, _, operation in operations():
        responses = operation["responses"]
        assert responses == {"200": responses["200"], "4XX": problem, "5XX": problem}


def test_the_description_of_problems_lists_every_status() -> None:
    description = specification()["components"]["responses"]["Problem"]["description"]
    listed = set(re.findall(r"\b[45]\d\d(?=[,:])", description))
    assert listed == {str(status) for status in (400, 401, 404, 405, 413, 415, 422, 429, 500, 503)}


def references_in(document: Any) -> set[str]:
    """Return the references of a document, direct and indirect ones."""
    reached: set[str] = set()
    documents = [document]
    for each in documents:
        nodes = [node for _, node in walk(each) if isinstance(node, dict)]
        new = {str(node["$ref"]) for node in nodes if "$ref" in node} - reached
        reached |= new
        documents += [dereferenced({"$ref": reference}) for reference in new]
    return reached


SCALARS = {"string", "integer"}


def test_request_objects_are_closed_and_response_objects_are_open() -> None:
    reached = references_in([operation["requestBody"] for _, operation in POSTS])
    assert len(reached) > 8
    for reference in reached:
        schema = dereferenced({"$ref": reference})
        if "oneOf" in schema:
            continue
        if "properties" in schema:
            assert schema["additionalProperties"] is False, reference
        elif schema.get("type") == "object":
            assert {"additionalProperties", "propertyNames"} <= set(schema), reference
        else:
            assert schema["type"] in SCALARS | {"array"}, reference
    for path, operation in POSTS:
        result = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert dereferenced(result).get("additionalProperties", True) is not False, path


def test_schemas_of_responses_have_no_bounds() -> None:
    sent = references_in([operation["requestBody"] for _, operation in POSTS])
    bounds = {"pattern", "maxLength", "maximum", "maxItems", "propertyNames"}
    checked = 0
    for name, schema in specification()["components"]["schemas"].items():
        if f"#/components/schemas/{name}" not in sent:
            checked += 1
            for at, node in walk(schema):
                assert not isinstance(node, dict) or not bounds & set(node), f"{name} {at}"
    assert checked > 100


def test_every_request_integer_has_limits() -> None:
    request_schemas = re.compile(r"/SnowTime\w*(Request|Bonus|Track|Seat|State)/|/\w+Deadline$")
    integers = [
        (at, node)
        for at, node in schemas()
        if node.get("type") == "integer" and request_schemas.match(at)
    ]
    assert len(integers) >= 10

    for at, node in integers:
        assert {"minimum", "maximum"} <= set(node), at


# Unions ---------------------------------------------------------------------------------------


def test_every_union_decides_its_kind_by_one_required_field() -> None:
    assert {"SnowTimeEvent", "SnowTimeMove", "SnowTimeSuggestResponse"} <= set(unions())
    assert {"SlopecrashersAction", "SlopecrashersEvent"} <= set(unions())
    assert {"SnowcrestAction", "SnowcrestEvent"} <= set(unions())

    for name, union in unions().items():
        tag, mapping = union["discriminator"]["propertyName"], union["discriminator"]["mapping"]
        kinds = [reference["$ref"] for reference in union["oneOf"]]
        assert set(mapping.values()) == set(kinds), name
        tags = {}
        for kind in kinds:
            schema = dereferenced({"$ref": kind})
            assert tag in schema["required"], kind
            values = dereferenced(schema["properties"][tag])["enum"]
            assert not set(values) & set(tags), kind
            tags |= dict.fromkeys(values, kind)
        assert tags == mapping, name


@for_each("game", GAMES)
def test_an_event_has_exactly_the_fields_of_its_kind(game: str) -> None:
    """This is a test of the validator by which the other tests check every response."""
    path = f"/v1/games/{game}/resolve"
    content = specification()["paths"][path]["post"]["responses"]["200"]["content"]
    example = content["application/json"]["example"]
    validator = response_validator(path, "post", 200)
    union = unions()["".join(map(str.capitalize, game.split("-"))) + "Event"]
    fields = {name for kind in union["oneOf"] for name in dereferenced(kind)["properties"]}

    assert validator.is_valid(example)
    for index, event in enumerate(example["events"]):
        kind = kind_of(event, union)
        foreign = fields - set(kind["properties"])
        assert foreign
        for name in foreign:
            assert not validator.is_valid(put(example, ("events", index, name), 1))
        for name in kind["required"]:
            assert not validator.is_valid(without(example, ("events", index, name)))


# Examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "operation"), POSTS)
def test_an_example_request_gets_the_example_response(
    client: FlaskClient, path: str, operation: Any
) -> None:
    example = operation["requestBody"]["content"]["application/json"]["example"]
    expected = operation["responses"]["200"]["content"]["application/json"]["example"]

    response = client.post(path, json=example)

    assert_documented(path, "post", response)
    # As text, since 1 == 1.0 == True and the order of members matters.
    assert json.dumps(result_of(response)) == json.dumps(expected)


@pytest.mark.parametrize(("path", "operation"), [get for get in GETS if "/openapi." not in get[0]])
def test_a_get_returns_the_example_response(client: FlaskClient, path: str, operation: Any) -> None:
    content = operation["responses"]["200"]["content"]["application/json"]

    response = client.get(path)

    assert_documented(path, "get", response)
    # The documents of a game are long and have no example.
    assert ("example" in content) == (not path.startswith("/v1/games/"))
    if "example" in content and path != "/v1/limits":
        assert json.dumps(result_of(response)) == json.dumps(content["example"])


def test_the_example_problem_matches_its_schema() -> None:
    response = specification()["components"]["responses"]["Problem"]
    ((media, content),) = response["content"].items()

    assert media == "application/problem+json"
    assert content["example"]["errors"]
    response_validator(route("new"), "post", 422).validate(content["example"])


# Responses ------------------------------------------------------------------------------------


@EVERY_BODY
def test_legal_bodies_and_their_responses_match_the_specification(
    client: FlaskClient, endpoint: str, body: Any
) -> None:
    response = post(client, endpoint, body)

    assert legal(endpoint, body)
    assert response.status_code == 200
    assert list(request_validator(route(endpoint)).iter_errors(body)) == []
    assert_documented(route(endpoint), "post", response)


def played(client: FlaskClient, setup: Any, random: Random) -> Iterator[tuple[str, Any]]:
    """Play a game of Snow Time with random legal moves; yield endpoints and their responses."""

    def ask(endpoint: str, **body: Any) -> tuple[str, Any]:
        return endpoint, result_of(post(client, endpoint, body))

    yield (resolved := ask("new", **setup))
    for number in count():
        if resolved[1].get("game_over"):
            return
        yield (grown := ask("grow", state=resolved[1]["state"], seed=random.randrange(2**53)))
        state, moves, choices = grown[1]["state"], {}, None
        while choices != {}:
            yield (legal := ask("legal-moves", state=state, revealed=moves))
            choices = legal[1]["moves"]
            moves |= {seat: random.choice(own) for seat, own in choices.items()}
        player = state["seats"][0]["player"]
        if number % 10 == 0:
            yield ask("suggest", state=state, player=player, opponents=UNIFORM)
        yield (resolved := ask("resolve", state=state, moves=moves))


def test_every_response_of_random_games_matches_the_specification(client: FlaskClient) -> None:
    track = {"length": 25, "bonuses": [{"space": 4, "kind": "fight", "advance": 2}]}
    pairs = [{"seat": f"{player}{n}", "player": player} for player in "ab" for n in "12"]
    endpoints = Counter[str]()
    for setup in ({"seats": [{"seat": seat} for seat in "abc"]}, {"seats": pairs, "track": track}):
        for endpoint, response in played(client, setup, Random(f"{SEED} specification")):
            response_validator(route(endpoint), "post", 200).validate(response)
            endpoints[endpoint] += 1
    assert endpoints["suggest"] > 0
    assert endpoints["resolve"] > 10


PROBLEMS: list[tuple[str, int, dict[str, Any]]] = [
    ("/v1/nowhere", 404, {"method": "GET"}),
    (route("new"), 405, {"method": "GET"}),
    (route("new"), 413, {"method": "POST", "data": b" " * 131_073}),
    (route("new"), 415, {"method": "POST", "data": b"{}"}),
    (route("new"), 400, {"method": "POST", "data": b"{", "content_type": "application/json"}),
    (route("new"), 422, {"method": "POST", "json": {}}),
    (route("grow"), 422, {"method": "POST", "json": {"state": OVER, "seed": 1}}),
    (route("suggest"), 422, {"method": "POST", "json": {"state": STATE, "player": "zoe"}}),
    (route("resolve"), 422, {"method": "POST", "json": {"state": {"seats": 1}, "moves": [1]}}),
]


@for_each("path, status, request_", PROBLEMS)
def test_a_problem_matches_the_specification(
    client: FlaskClient, path: str, status: int, request_: dict[str, Any]
) -> None:
    response = client.open(path, **request_)

    problem_of(response, status)
    assert_documented(path, request_["method"].lower(), response)


# The API reference ----------------------------------------------------------------------------


def test_the_reference_shows_every_route_with_its_example(client: FlaskClient) -> None:
    page = unescape(client.get("/docs/api/").get_data(as_text=True))

    for path, method, _ in operations():
        operation = specification()["paths"][path][method]
        assert f"{method.upper()} {path}</a></h3>" in page
        assert f"<strong>{operation['summary']}.</strong>" in page
        if method == "post":
            body = operation["requestBody"]["content"]["application/json"]
            assert body["schema"]["$ref"].rpartition("/")[2] in page
            assert f"-d '{json.dumps(body['example'], ensure_ascii=False)}'" in page


def test_the_reference_shows_every_field_of_every_schema(client: FlaskClient) -> None:
    page = unescape(client.get("/docs/api/schemas").get_data(as_text=True))
    parts = re.split(r'<h3 id="[^"]+">', page)[1:]
    shown = {re.match(r'<a href="[^"]+">(\w+)</a>', part)[1]: part for part in parts}

    schemas = specification()["components"]["schemas"]
    assert set(shown) == set(schemas)
    for name, schema in schemas.items():
        for field in schema.get("properties", {}):
            assert f"<code>{field}</code>" in shown[name], (name, field)
