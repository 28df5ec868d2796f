"""API keys: if any are configured, every route is either public or requires a key."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from service.api.auth import PUBLIC, Keys, read_keys
from tests.api.calls import EXAMPLES, client_of, post, problem_of, result_of, route, units_left
from tests.loops import for_each

KEY, OTHER = "kVb3-a-long-random-key", "another-long-random-key"
LINE = f"app:{sha256(KEY.encode()).hexdigest()}"
OTHER_LINE = f"other:{sha256(OTHER.encode()).hexdigest()}"


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def client() -> FlaskClient:
    return client_of(api_keys=f"{LINE} {OTHER_LINE}")


# Every route ------------------------------------------------------------------------------------


def test_every_route_is_public_or_requires_a_key(client: FlaskClient) -> None:
    rules = list(client.application.url_map.iter_rules())
    assert {rule.endpoint for rule in rules} >= PUBLIC
    for rule in rules:
        path = rule.rule.replace("<path:path>", "index.css")
        for method in sorted(rule.methods or ()):
            with client.open(path, method=method) as response:
                status = response.status_code
            is_right = status not in (401, 403) if rule.endpoint in PUBLIC else status == 401
            assert is_right, (method, path, status)


@for_each(
    "method, path",
    [
        ("GET", "/nowhere"),
        ("GET", "/v1/games?a=1"),
        ("PUT", route("new")),
        ("TRACE", "/v1/games"),
        ("POST", "/v1/nowhere"),
    ],
)
def test_other_errors_are_not_reported_to_a_client_without_a_key(
    client: FlaskClient, method: str, path: str
) -> None:
    problem_of(client.open(path, method=method), 401, "key-missing")


def test_a_client_with_a_valid_key_is_served(client: FlaskClient) -> None:
    for key in (KEY, OTHER):
        result_of(post(client, "new", EXAMPLES["new"], headers=bearer(key)))
        assert client.get("/v1/games", headers=bearer(key)).status_code == 200
        problem_of(client.get("/nowhere", headers=bearer(key)), 404)


def test_the_authorization_scheme_is_case_insensitive(client: FlaskClient) -> None:
    headers = {"Authorization": f"bEARER {KEY}"}
    result_of(post(client, "new", EXAMPLES["new"], headers=headers))


@for_each(
    "header, code",
    [
        (None, "key-missing"),
        ("", "key-missing"),
        ("Bearer", "key-missing"),
        ("Bearer ", "key-missing"),
        (f"Basic {KEY}", "key-missing"),
        (KEY, "key-missing"),
        ("Bearer wrong", "key-unknown"),
        (f"Bearer {KEY}x", "key-unknown"),
        (f"Bearer {KEY[:-1]}", "key-unknown"),
        (f"Bearer {KEY} {KEY}", "key-unknown"),
        (f"Bearer {sha256(KEY.encode()).hexdigest()}", "key-unknown"),
        ("Bearer app", "key-unknown"),
        ("Bearer é", "key-unknown"),
    ],
)
def test_any_other_authorization_header_is_refused(
    client: FlaskClient, header: str | None, code: str
) -> None:
    headers = {} if header is None else {"Authorization": header}
    response = post(client, "new", EXAMPLES["new"], headers=headers)
    problem_of(response, 401, code)
    assert response.headers["WWW-Authenticate"].startswith("Bearer")
    assert KEY.encode() not in response.data


def test_the_key_is_checked_before_the_body(client: FlaskClient) -> None:
    problem_of(post(client, "new", b"{" * 100_000), 401)


def test_without_configured_keys_no_key_is_required() -> None:
    result_of(post(client_of(), "new", EXAMPLES["new"]))


@pytest.mark.usefixtures("uncharged_time")
def test_each_key_has_its_own_quota_for_all_addresses() -> None:
    client = client_of(api_keys=f"{LINE} {OTHER_LINE}", quota_units=9, quota_window_s=999)

    def remaining(key: str, address: str) -> int:
        environ = {"REMOTE_ADDR": address}
        return units_left(
            post(client, "new", EXAMPLES["new"], headers=bearer(key), environ_base=environ)
        )

    assert remaining(KEY, "192.0.2.1") == 8
    assert remaining(KEY, "192.0.2.2") == 7
    assert remaining(OTHER, "192.0.2.2") == 8


# Sources of keys --------------------------------------------------------------------------------


def test_keys_can_be_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text(f"# clients\n\n{LINE}  # the app\n")
    client = client_of(api_keys_file=str(file), api_keys=OTHER_LINE)
    for key in (KEY, OTHER):
        assert client.get("/v1/games", headers=bearer(key)).status_code == 200
    assert client.get("/v1/games").status_code == 401


def test_a_key_file_without_keys_stops_the_service(tmp_path: Path) -> None:
    file = tmp_path / "keys"
    file.write_text("# empty\n")
    with pytest.raises(ValueError, match="no key"):
        client_of(api_keys_file=str(file))
    with pytest.raises(FileNotFoundError):
        client_of(api_keys_file=str(tmp_path / "nowhere"))


@for_each("line", [KEY, f"app:{KEY}", f":{'0' * 64}", f"app:{'0' * 63}", f"app:{'0' * 66}", "app:"])
def test_an_invalid_key_line_stops_the_service_and_is_not_repeated_in_the_error(line: str) -> None:
    with pytest.raises(ValueError, match="line 2") as error:
        read_keys([LINE, line])
    assert KEY not in str(error.value)
    with pytest.raises(ValueError, match="already"):
        read_keys([LINE, LINE])


def test_all_keys_are_compared_even_after_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[bytes] = []

    def compare(first: bytes, other: bytes) -> bool:
        compared.append(other)
        return first == other

    monkeypatch.setattr("service.api.auth.hmac.compare_digest", compare)
    keys = Keys({name: sha256(name.encode()).digest() for name in "abc"})
    assert [keys.owner(name) for name in "abcd"] == ["a", "b", "c", None]
    assert len(compared) == 4 * 3
