"""JSON parsing: a body gets a 400 exactly if it is not JSON by RFC 8259."""

from __future__ import annotations

import json
from typing import Any

from flask.testing import FlaskClient

from tests.api.calls import ENDPOINTS, EXAMPLES, post, problem_of, put, result_of, violations_of
from tests.loops import for_each

JSON_TEXTS: list[bytes] = [
    *(b"{}", b"[]", b"null", b'""', b"0", b"true", b"false", b" \t\r\n{ }\n", b"-0", b"-0.0"),
    *(b"[0, -0, 0.0, 0e0, 0E+0, 0e-0]", b"[1E0, 1e+0, 1e-0, 123.456E-78, 1E22]"),
    *(b"[1e400, -1e400, 1e-400]", b"[1e99999999999999999999]", b"[1e" + b"9" * 5000 + b"]"),
    *(b"[" + before + b"9" * 5000 + b"]" for before in (b"", b"-", b"0.")),
    b"[5.0, 18446744073709551616, -9223372036854775809]",
    *(b'["\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041"]', b'["\\u0000", "\\u001f", "\\uFFFF"]'),
    *(b'["\\uD83D\\uDE00", "\\ud83d\\ude00"]', b'["\\\\", "]", "\\"]"]', b'["' + b"[" * 40 + b'"]'),
    '["\u2028\u2029\x7f\ufeff\uffff\U0010ffff"]'.encode(),
    *(b'{"": {"": {"": ""}}}', b'{"a": 1, "b": [true, null, {"c": "d"}]}', b"[[],[[]],{}]"),
    *(b"[" * 32 + b"]" * 32, b'{"a":' * 31 + b"{}" + b"}" * 31, b"[" + b"[]," * 9999 + b"[]]"),
]
"""Valid JSON texts; none of them is a legal body."""

NOT_JSON_TEXTS: list[bytes] = [
    # Nothing, and bytes that are no characters.
    *(b"", b" ", b"\n\t\r ", b"\xef\xbb\xbf{}", b"\xef\xbb\xbf", b"\xff\xfe{\x00}\x00", b"\x00"),
    *(b"\x00{\x00}", b"\xff", b'["\xff"]', b'["\xc0\xaf"]', b'["\xe9"]', b'["\xed\xa0\x80"]'),
    *(b'["\xf4\x90\x80\x80"]', b'["\xe2\x82"]'),
    # More than one value, and brackets.
    *(b'{"a": 1} x', b"{} {}", b"{},", b"{}\x00", b"{}}", b"[]]", b"{}\xc3\xa9"),
    *(b"[", b"]", b"{", b"}", b"[}", b"{]", b"[" * 32, b"]" * 33 + b"[" * 33),
    # Quotes and names.
    *(b'"', b'"abc', b'"abc\\"', b'"\\', b"'a'", b"{'a': 1}", b"{a: 1}", b"{1: 2}", b"{null: 2}"),
    # Colons and commas.
    *(b'{"a"}', b'{"a":}', b'{:"a"}', b'{"a" "b"}', b'{"a": 1 "b": 2}', b'{"a": 1,}', b"{,}"),
    *(b'{"a": 1,,"b": 2}', b'{"a"::1}', b"[1,]", b"[,1]", b"[1,,2]", b"[1 2]", b"[1:2]", b"[,]"),
    # Comments and other languages.
    *(b"{} // comment", b"/* comment */ {}", b"# comment\n{}", b"<html></html>", b"a=1&b=2"),
    # Words.
    *(b"NaN", b"[NaN]", b"[nan]", b"[-NaN]", b"[Infinity]", b"[-Infinity]", b"[+Infinity]"),
    *(b"[inf]", b"[undefined]", b"True", b"TRUE", b"tru", b"truee", b"nul", b"None"),
    # Numbers.
    *(b"-", b"[-]", b"[--1]", b"[+1]", b"[01]", b"[-01]", b"[00]", b"[1.]", b"[.5]", b"[-.5]"),
    *(b"[1.e1]", b"[1e]", b"[1e+]", b"[1ee1]", b"[1.2.3]", b"[0x10]", b"[1_000]", b"[1,000.0.0]"),
    *(b"[1n]", "[\uff11]".encode(), "[1\u0660]".encode()),
    # Control characters and escapes.
    *(b'["\x00"]', b'["\x1f"]', b'["a\tb"]', b'["a\nb"]', b'["\\x41"]', b'["\\a"]', b'["\\\'"]'),
    *(b'["\\u"]', b'["\\u12"]', b'["\\u12G4"]', b'["\\U00000041"]', b'["\\u 123"]'),
    *(b"[\\u0020]", b'[\\"]'),
    # Other white space.
    *(b"\x0c{}", b"\x0b[]", "\u00a0{}".encode(), "\u2028{}".encode(), "\u2060{}".encode()),
]

DEEP_NOT_JSON_TEXTS: list[bytes] = [
    *(b"[" * 33, b"[" * 60_000, b'{"a":' * 9_000, b"[{" * 20 + b"}]" * 20),
    *(b"[" * 33 + inside + b"]" * 33 for inside in (b"x", b"NaN", b'"\t"', b"01")),
    *(before + b"[" * 33 + b"]" * 33 for before in (b"x", b"\xef\xbb\xbf")),
    *(b"[" * 40 + b"1 2" + b"]" * 40, b"[" * 33 + b"]" * 32 + b"}", b"[" * 33 + b"]" * 33 + b"x"),
]
"""Texts that are too deep and also not JSON: they are refused for depth, before parsing."""


@for_each("endpoint", ENDPOINTS)
@for_each("text", JSON_TEXTS)
def test_json_is_never_a_400(client: FlaskClient, endpoint: str, text: bytes) -> None:
    problem_of(post(client, endpoint, text), 422, "invalid-body")


@for_each("endpoint", ENDPOINTS)
@for_each("text", NOT_JSON_TEXTS)
def test_text_that_is_not_json_is_a_400_in_our_own_words(
    client: FlaskClient, endpoint: str, text: bytes
) -> None:
    assert ";" in problem_of(post(client, endpoint, text), 400, "not-json")["detail"]


@for_each(
    "text, detail",
    [
        (b"", "The body is empty; send a JSON object."),
        (b"\xef\xbb\xbf{}", "The body begins with a byte order mark; send UTF-8 without one."),
        (b"\xff{}", "Byte 0 of the body is not UTF-8; encode the body as UTF-8."),
        (b'{"a": NaN}', "NaN is not a JSON number; send a finite number, or leave the field out."),
        (b"a=1", "The body does not begin as JSON; send a JSON object, which begins with a brace."),
        (b"{} {}", "Something follows the JSON value at line 1, column 4; remove it."),
        (
            b'{"a": }',
            "There is no JSON value at line 1, column 7; write one, or remove the comma before it. "
            "All words except true, false and null need double quotes.",
        ),
        (
            b'{"a" 1}',
            "A colon is missing between a name and its value at line 1, column 6; write it.",
        ),
        (b'{"a": 1', "A comma or a closing bracket is missing at line 1, column 8; write it."),
        (b'"a', "The string that begins at line 1, column 1 does not end; add a double quote."),
    ],
)
def test_a_fault_says_how_to_mend_it(client: FlaskClient, text: bytes, detail: str) -> None:
    assert problem_of(post(client, "new", text), 400, "not-json")["detail"] == detail


@for_each("text", DEEP_NOT_JSON_TEXTS)
def test_text_that_is_too_deep_is_refused_before_parsing(client: FlaskClient, text: bytes) -> None:
    document = problem_of(post(client, "new", text), 422, "invalid-body")

    assert violations_of(document) == {("", "too-deep")}


@for_each("endpoint", ENDPOINTS)
def test_a_truncated_body_is_a_400(client: FlaskClient, endpoint: str) -> None:
    text = json.dumps(EXAMPLES[endpoint]).encode()
    for end in range(0, len(text), max(1, len(text) // 97)):
        problem_of(post(client, endpoint, text[:end]), 400, "not-json")


@for_each("text", [b"[]", b"null", b'""', b"0", b"true", b"1.5"])
@for_each("endpoint", ENDPOINTS)
def test_a_body_that_is_not_an_object_has_only_this_violation(
    client: FlaskClient, endpoint: str, text: bytes
) -> None:
    document = problem_of(post(client, endpoint, text), 422, body=json.loads(text))

    assert violations_of(document) == {("", "not-an-object")}


@for_each("endpoint", ENDPOINTS)
def test_white_space_and_escapes_change_nothing(client: FlaskClient, endpoint: str) -> None:
    plain = json.dumps(EXAMPLES[endpoint])
    spaced = json.dumps(EXAMPLES[endpoint], indent="\t", separators=(" ,\r\n", " : "))
    inside, escaped = False, ""
    for char in plain:
        inside ^= char == '"'
        escaped += f"\\u{ord(char):04x}" if inside and char != '"' else char
    expected = post(client, endpoint, EXAMPLES[endpoint])

    for text in (spaced, f" \n\t\r{plain}\r\n", escaped):
        response = post(client, endpoint, text.encode())
        assert result_of(response) == result_of(expected)
        assert response.data == expected.data


# Depth ----------------------------------------------------------------------------------------


def nested(depth: int, opening: str = "[", closing: str = "]") -> str:
    return opening * depth + closing * depth


def test_a_body_can_be_32_levels_deep_but_not_33(client: FlaskClient) -> None:
    for depth, is_refused in ((31, False), (32, True)):
        text = b'{"seats": %s}' % nested(depth).encode()
        document = problem_of(post(client, "new", text), 422, body=json.loads(text))
        assert ("too-deep" in {code for _, code in violations_of(document)}) == is_refused


@for_each(
    "text",
    [nested(33), nested(32_000), nested(33, '{"a":[', "]}"), "[" + "[]," * 50 + nested(32) + "]"],
)
@for_each("endpoint", ENDPOINTS)
def test_deeper_json_is_a_422(client: FlaskClient, endpoint: str, text: str) -> None:
    valid = text.replace(":[]", ":[0]")
    document = problem_of(post(client, endpoint, valid.encode()), 422, "invalid-body")

    assert "too-deep" in {code for _, code in violations_of(document)}


def test_brackets_inside_strings_do_not_count_as_depth(client: FlaskClient) -> None:
    body = {"seats": ["[{" * 50, '\\"[' * 40, "\\", "[" * 40], "[[[[" * 20: 0}

    document = problem_of(post(client, "new", body), 422, body=body)

    assert "too-deep" not in {code for _, code in violations_of(document)}


# Duplicate names ------------------------------------------------------------------------------


@for_each(
    "text, expected",
    [
        ('{"seats": 1, "seats": SEATS}', {("/seats", "duplicate-name")}),
        ('{"seats": SEATS, "seats": SEATS, "seats": SEATS}', {("/seats", "duplicate-name")}),
        ('{"seats": SEATS, "\\u0073eats": SEATS}', {("/seats", "duplicate-name")}),
        (
            '{"seats": [{"seat": "a", "seat": "a"}, {"seat": "b"}, {"seat": "c"}]}',
            {("/seats/0/seat", "duplicate-name")},
        ),
        (
            '{"seats": SEATS, "track": {"length": 9, "bonuses": ['
            '{"space": 2, "kind": "mana", "advance": 1, "advance": 2}, '
            '{"space": 2, "space": 3, "kind": "mana", "advance": 1}]}}',
            {
                ("/track/bonuses/0/advance", "duplicate-name"),
                ("/track/bonuses/1/space", "duplicate-name"),
            },
        ),
        (
            '{"seats": SEATS, "a/b~c": 1, "a/b~c": 1}',
            {("/a~1b~0c", "duplicate-name"), ("/a~1b~0c", "unknown-field")},
        ),
        ('{"seats": SEATS, "": 1, "": 2}', {("/", "duplicate-name"), ("/", "unknown-field")}),
        (
            '{"seats": 5, "seats": "x", "track": null}',
            {("/seats", "duplicate-name"), ("/seats", "not-an-array"), ("/track", "null")},
        ),
    ],
)
def test_duplicate_names_are_reported_with_all_other_violations(
    client: FlaskClient, text: str, expected: set[tuple[str, str]]
) -> None:
    body = text.replace("SEATS", '[{"seat": "a"}, {"seat": "b"}, {"seat": "c"}]')

    document = problem_of(post(client, "new", body.encode()), 422, body=json.loads(body))

    assert violations_of(document) == expected


@for_each("endpoint", ENDPOINTS)
def test_every_endpoint_refuses_a_duplicate_name(client: FlaskClient, endpoint: str) -> None:
    text = json.dumps(EXAMPLES[endpoint])
    name = next(iter(EXAMPLES[endpoint]))
    doubled = f'{{"{name}": 0, {text[1:]}'

    document = problem_of(post(client, endpoint, doubled.encode()), 422, body=EXAMPLES[endpoint])

    assert violations_of(document) == {(f"/{name}", "duplicate-name")}


def test_a_seat_that_occurs_twice_in_the_moves_is_a_duplicate_name(client: FlaskClient) -> None:
    text = json.dumps(EXAMPLES["resolve"])
    doubled = text.replace('"anna": {"card": "4"}', '"anna": {"card": "1"}, "anna": {"card": "4"}')
    assert doubled != text

    document = problem_of(post(client, "resolve", doubled.encode()), 422, body=EXAMPLES["resolve"])

    assert violations_of(document) == {("/moves/anna", "duplicate-name")}


# Surrogates -----------------------------------------------------------------------------------


@for_each("half", ["\\ud800", "\\udfff", "\\ude00\\ud83d", "a\\uD83D", "\\ud83dx"])
@for_each(
    "text, path",
    [
        ('{"seats": [{"seat": "HALF"}, {"seat": "b"}, {"seat": "c"}]}', "/seats/0/seat"),
        ('{"seats": [{"seat": "a", "HALF": 1}, {"seat": "b"}, {"seat": "c"}]}', "/seats/0"),
        ('{"HALF": {"HALF": "HALF"}}', ""),
        ('"HALF"', ""),
    ],
)
def test_a_lone_surrogate_is_a_422_at_its_path(
    client: FlaskClient, text: str, path: str, half: str
) -> None:
    body = text.replace("HALF", half).encode()

    document = problem_of(post(client, "new", body), 422, "invalid-body", json.loads(body))

    assert path in {at for at, _ in violations_of(document)}


@for_each("endpoint", ENDPOINTS)
def test_a_surrogate_pair_is_one_character(client: FlaskClient, endpoint: str) -> None:
    body = put(EXAMPLES[endpoint], ("\U0001f600",), 1)
    text = json.dumps(body).encode()
    assert b"\\ud83d\\ude00" in text

    document = problem_of(post(client, endpoint, text), 422, body=body)

    assert violations_of(document) == {("/\U0001f600", "unknown-field")}


# Numbers --------------------------------------------------------------------------------------


def grow_with_score(client: FlaskClient, number: str) -> Any:
    text = json.dumps(put(EXAMPLES["grow"], ("state", "seats", 0, "score"), "@")).encode()
    return post(client, "grow", text.replace(b'"@"', number.encode()))


NOTATIONS = {
    5: ("5.0", "5e0", "5E0", "5.000", "50e-1", "0.5E+1", "0.5e1"),
    0: ("-0", "-0.0", "0e400", "0.0e-5"),
    12: ("1.2E1",),
}


@for_each("value, notations", NOTATIONS.items())
def test_an_integer_can_be_written_in_every_json_notation(
    client: FlaskClient, value: int, notations: tuple[str, ...]
) -> None:
    plain = grow_with_score(client, str(value))
    assert result_of(plain)["state"]["seats"][0]["score"] == value
    for number in notations:
        assert grow_with_score(client, number).data == plain.data, number


NOT_SCORES = {
    "not-an-integer": ("5.5", "5.0001", "1e-1", '"5"', "true", "false", "[5]"),
    "out-of-range": (
        *("-1", "-1.0", "201", "1e400", "-1e400", "1e19", "18446744073709551616"),
        *("9" * 5000, "-" + "9" * 5000),
    ),
    "score-off-track": ("31",),
}


@for_each("code, numbers", NOT_SCORES.items())
def test_numbers_are_neither_coerced_nor_clipped(
    client: FlaskClient, code: str, numbers: tuple[str, ...]
) -> None:
    for number in numbers:
        document = problem_of(grow_with_score(client, number), 422)
        assert violations_of(document) == {("/state/seats/0/score", code)}, number[:30]
