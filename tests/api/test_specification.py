"""openapi.yaml is true: it is what the code exports, and every answer is as it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urljoin

import pytest
import yaml
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from schemathesis.specs.openapi.definitions import OPENAPI_31

from service.operations import batch
from tests.api.calls import (
    EXAMPLE_BY_PATH,
    SEED,
    VERBS,
    answer_of,
    cut,
    nodes,
    pointer,
    post,
    problem_of,
    put,
    route,
)
from tests.api.snow_time_bodies import LEGAL, OVER, STATE, UNIFORM
from tests.api.snow_time_judge import legal
from tests.api.snow_time_table import play
from tests.api.spec import (
    FILE,
    answer_judge,
    assert_documented,
    operations,
    request_judge,
    resolved,
    specification,
)

POSTS = [(path, operation) for path, method, operation in operations() if method == "post"]
GETS = [(path, operation) for path, method, operation in operations() if method == "get"]
EVERY_BODY = pytest.mark.parametrize(
    ("verb", "body"), [pytest.param(*told, id=name) for name, told in LEGAL.items()]
)


def schemas() -> Iterator[tuple[str, Any]]:
    """Every schema of the specification that is an object, nested ones too, with its place."""
    for path, node in nodes(specification()["components"]["schemas"]):
        if isinstance(node, dict) and ({"type", "$ref"} & set(node)) and path[-1] != "properties":
            yield pointer(path), node


# The document itself --------------------------------------------------------------------------


def test_the_file_is_what_is_served(client: FlaskClient) -> None:
    response = client.get("/openapi.yaml")

    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/yaml")
    assert response.data == FILE.read_bytes()


def test_components_keep_the_names_that_generated_clients_use() -> None:
    frozen = (Path(__file__).parent / "data" / "components.txt").read_text(encoding="utf-8")

    assert sorted(specification()["components"]["schemas"]) == frozen.split()


def test_the_document_is_openapi_3_1() -> None:
    faults = [
        (pointer(tuple(error.absolute_path)), error.message)
        for error in Draft202012Validator(OPENAPI_31).iter_errors(specification())
    ]

    assert faults == []
    assert specification()["openapi"].startswith("3.1.")


def test_every_schema_is_a_json_schema() -> None:
    found = dict(schemas())
    assert len(found) > 100

    for schema in found.values():
        Draft202012Validator.check_schema(schema)


def test_every_reference_resolves_and_every_component_is_used() -> None:
    text = FILE.read_text(encoding="utf-8")
    named = set(re.findall(r"\$ref: '?(#/[^\s']+)", text))
    assert named

    for reference in named:
        assert resolved({"$ref": reference})
    components = specification()["components"]
    assert components.pop("securitySchemes").keys() == {"key"}
    for kind, members in components.items():
        unused = {name for name in members if f"#/components/{kind}/{name}" not in named}
        assert unused <= {"Problem404", "Problem405"}


def test_the_document_has_no_aliases_and_no_tags_of_yaml() -> None:
    events = list(yaml.parse(FILE.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader))

    assert not [event for event in events if isinstance(event, yaml.AliasEvent)]


def test_operations_have_ids_summaries_and_tags() -> None:
    ids = [operation["operationId"] for _, _, operation in operations()]

    assert len(ids) == len(set(ids))
    assert all(operation["summary"] and operation["tags"] for _, _, operation in operations())


def test_every_route_is_documented_and_nothing_else(app: Flask) -> None:
    """But for pages for people, and metrics, which stand on a port of their own."""
    served = {
        (str(rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
        if not str(rule).startswith(("/docs", "/playground/"))
        and str(rule) not in ("/", "/metrics")
    }

    assert {(path, method) for path, method, _ in operations()} == served


def test_every_post_tells_its_problems() -> None:
    assert {path for path, _ in POSTS} == {*EXAMPLE_BY_PATH, batch.PATH}
    for path, operation in POSTS:
        told = set(operation["responses"])
        assert told >= {"200", "400", "401", "413", "415", "422", "500"}
        # In a batch it is each request that is told to come back later.
        assert ({"429", "503"} <= told) == (path != batch.PATH)


def test_objects_of_requests_are_closed_and_those_of_answers_are_open() -> None:
    asked = {node["$ref"] for _, operation in POSTS for _, node in nodes(operation["requestBody"])
             if isinstance(node, dict) and "$ref" in node}  # fmt: skip
    reached = set(asked)
    while asked:
        inner = {
            node["$ref"]
            for reference in asked
            for _, node in nodes(resolved({"$ref": reference}))
            if isinstance(node, dict) and "$ref" in node
        }
        asked = inner - reached
        reached |= inner
    assert len(reached) > 8
    for reference in reached:
        assert resolved({"$ref": reference})["additionalProperties"] is False
    for path, operation in POSTS:
        answer = operation["responses"]["200"]["content"]["application/json"]["schema"]
        assert resolved(answer).get("additionalProperties", True) is not False, path


def test_every_integer_of_a_request_has_its_limits() -> None:
    of_requests = re.compile(r"/SnowTime\w*(Request|Bonus|Track|Seat|State)/")
    integers = [
        (place, node)
        for place, node in schemas()
        if node.get("type") == "integer" and of_requests.match(place)
    ]
    assert len(integers) >= 10

    for place, node in integers:
        assert {"minimum", "maximum"} <= set(node), place


# Examples -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("path", "operation"), POSTS)
def test_a_documented_request_gets_the_documented_answer(
    client: FlaskClient, path: str, operation: Any
) -> None:
    asked = operation["requestBody"]["content"]["application/json"]["example"]
    shown = operation["responses"]["200"]["content"]["application/json"]["example"]

    response = client.post(path, json=asked)

    assert_documented(path, "post", response)
    answer = answer_of(response)
    assert answer == shown
    # As text too, since 1 == 1.0 == True; members in the same order.
    assert json.dumps(answer) == json.dumps(shown)


@pytest.mark.parametrize(("path", "operation"), [get for get in GETS if get[0] != "/openapi.yaml"])
def test_a_documented_reading_is_what_is_read(
    client: FlaskClient, path: str, operation: Any
) -> None:
    shown = operation["responses"]["200"]["content"]["application/json"]["example"]

    response = client.get(path)

    assert_documented(path, "get", response)
    assert json.dumps(answer_of(response)) == json.dumps(shown)


def test_the_example_of_a_problem_is_one() -> None:
    response = specification()["components"]["responses"]["Problem422"]
    ((media, content),) = response["content"].items()

    assert media == "application/problem+json"
    assert content["example"]["errors"]
    answer_judge(route("new"), "post", 422).validate(content["example"])


@pytest.mark.parametrize(("path", "example"), EXAMPLE_BY_PATH.items())
def test_the_examples_are_those_of_the_game(path: str, example: Any) -> None:
    operation = specification()["paths"][path]["post"]

    assert operation["requestBody"]["content"]["application/json"]["example"] == example


# Answers --------------------------------------------------------------------------------------


@EVERY_BODY
def test_legal_bodies_and_their_answers_are_as_documented(
    client: FlaskClient, verb: str, body: Any
) -> None:
    response = post(client, verb, body)

    assert response.status_code == 200
    assert list(request_judge(route(verb)).iter_errors(body)) == []
    assert_documented(route(verb), "post", response)


def test_every_answer_of_random_games_is_as_documented(client: FlaskClient) -> None:
    setups = (
        {"seats": [{"seat": seat} for seat in "abc"]},
        {"seats": [{"seat": f"{player}{n}", "player": player} for player in "ab" for n in "12"],
         "track": {"length": 25, "bonuses": [{"space": 4, "kind": "fight", "advance": 2}]}},
    )  # fmt: skip
    judges = {verb: answer_judge(route(verb), "post", 200) for verb in VERBS}
    rounds = 0
    for setup in setups:
        for played in play(client, setup, Random(f"{SEED} specification")):
            rounds += 1
            for decision in played.decisions:
                judges["legal-moves"].validate(decision)
            judges["resolve"].validate(played.answer)
            if rounds % 10 == 1:
                asker = played.grown["seats"][0]["player"]
                body = {"state": played.grown, "player": asker, "opponents": UNIFORM}
                judges["suggest"].validate(answer_of(post(client, "suggest", body)))
    assert rounds > 10


PROBLEMS: list[tuple[str, int, dict[str, Any]]] = [
    ("/v1/nowhere", 404, {"method": "GET"}),
    (route("new"), 405, {"method": "GET"}),
    (route("new"), 413, {"method": "POST", "data": b" " * 65_537}),
    (route("new"), 415, {"method": "POST", "data": b"{}"}),
    (route("new"), 400, {"method": "POST", "data": b"{", "content_type": "application/json"}),
    (route("new"), 422, {"method": "POST", "json": {}}),
    (route("grow"), 422, {"method": "POST", "json": {"state": OVER, "seed": 1}}),
    (route("suggest"), 422, {"method": "POST", "json": {"state": STATE, "player": "zoe"}}),
    (route("resolve"), 422, {"method": "POST", "json": {"state": {"seats": 1}, "moves": [1]}}),
]


@pytest.mark.parametrize(("path", "status", "request_"), PROBLEMS)
def test_a_problem_is_as_documented(
    client: FlaskClient, path: str, status: int, request_: dict[str, Any]
) -> None:
    response = client.open(path, **request_)

    problem_of(response, status)
    assert_documented(path, request_["method"].lower(), response)


@pytest.mark.contract
@EVERY_BODY
def test_what_the_schema_refuses_is_refused_and_what_is_answered_it_accepts(
    client: FlaskClient, verb: str, body: Any
) -> None:
    judge = request_judge(route(verb))
    refused = accepted = 0
    for index, (path, _) in enumerate(nodes(body)):
        wrong = (None, True, "x", 5.5, -1, 10**6, [], {}, [{}], {"card": "8"}, "5", 2)
        for value in wrong[index % 3 :: 3]:
            mutant = put(body, path, value)
            matches = judge.is_valid(mutant)
            assert matches or not legal(verb, mutant)
            if not matches or not legal(verb, mutant):
                refused += 1
                response = post(client, verb, mutant)
                problem_of(response, 422, body=mutant)
                assert_documented(route(verb), "post", response)
            accepted += matches
    assert refused > accepted > 0


@pytest.mark.parametrize(("path", "operation"), POSTS)
def test_what_is_required_is_documented_as_such(
    client: FlaskClient, path: str, operation: Any
) -> None:
    content = operation["requestBody"]["content"]["application/json"]
    schema, example = resolved(content["schema"]), content["example"]

    document = problem_of(post(client, path, {}), 422)

    missed = {error["path"][1:] for error in document["errors"] if error["code"] == "missing"}
    assert missed == set(schema["required"])
    for name in set(example) - missed:
        assert not request_judge(path).is_valid(cut(example, (next(iter(missed)),)))
        assert request_judge(path).is_valid(cut(example, (name,)))


# The reference --------------------------------------------------------------------------------


def test_docs_without_a_slash_leads_to_the_documentation(client: FlaskClient) -> None:
    response = client.get("/docs", follow_redirects=True)

    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/html")


def test_the_page_names_no_other_host(client: FlaskClient) -> None:
    page = client.get("/docs/api/", base_url="http://example.test").get_data(as_text=True)

    hosts = set(re.findall(r"(?:https?:)?//([\w.:-]+\.[\w:-]+)", page))
    assert hosts <= {"example.test"}
    assert '"/openapi.yaml"' in page


def test_the_page_and_all_it_loads_come_from_the_service(client: FlaskClient) -> None:
    page = client.get("/docs/api/").get_data(as_text=True)
    assets = re.findall(r"""(?:src|href)=["']([^"']+)["']""", page)
    kinds = {"js": "javascript", "css": "text/css", "png": "image/png"}

    assert {asset.rpartition(".")[2] for asset in assets} == {"js", "css", "png"}
    for asset in assets:
        with client.get(urljoin("/docs/api/", asset)) as response:
            assert response.status_code == 200, asset
            assert kinds[asset.rpartition(".")[2]] in response.headers["Content-Type"]
            assert len(response.data) > 100


def test_the_page_asks_no_validator(client: FlaskClient) -> None:
    page = client.get("/docs/api/").get_data(as_text=True)
    (config,) = re.findall(r"user_config = (\{.*?\});", page)

    assert json.loads(config)["validatorUrl"] is None
    assert json.loads(config)["url"] == "/openapi.yaml"


def test_styles_load_nothing_from_elsewhere(client: FlaskClient) -> None:
    page = client.get("/docs/api/").get_data(as_text=True)
    for asset in re.findall(r'href="([^"]+\.css)"', page):
        with client.get(asset) as response:
            styles = response.get_data(as_text=True)
        assert not re.findall(r"@import|url\(\s*[\"']?(?:https?:)?//", styles)
