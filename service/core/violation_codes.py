"""Stable codes of problems and violations, each with its cause and its remedy.

A game adds its own codes (see :class:`~service.games.definition.GameDefinition`). The page
``/docs/errors`` is generated from all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ErrorCode:
    """Explanation of a code, as Markdown.

    Attributes:
        cause: what is wrong.
        remedy: what the client can do.
    """

    cause: str
    remedy: str


PROBLEM_CODES: Final = {
    "bad-request": ErrorCode(
        "The HTTP request is malformed.",
        "Correct the request line, the headers or the framing of the body; `detail` names the "
        "fault if it is known.",
    ),
    "key-missing": ErrorCode(
        "The service requires an API key and the request has none.",
        "Send the header `Authorization: Bearer KEY`.",
    ),
    "key-unknown": ErrorCode(
        "The API key of the request is not valid.",
        "Check that the key is complete, or ask the operator for a new key.",
    ),
    "not-found": ErrorCode(
        "The API has no route with this path.",
        "Check the path: it is case-sensitive and has no slash at the end. `GET /v1/games` lists "
        "the games, and the [guide](/docs/guide) lists the routes.",
    ),
    "method-not-allowed": ErrorCode(
        "The route does not support the method of the request.",
        "Use a method of the `Allow` header. The operations of a game are `POST` routes.",
    ),
    "body-too-large": ErrorCode(
        "The body is larger than 128 KiB, or a batch is larger than 512 KiB.",
        "Remove optional data, or divide a batch. `GET /v1/limits` states the limits.",
    ),
    "unsupported-media-type": ErrorCode(
        "The body is not `application/json` in UTF-8, or it is compressed.",
        "Send `Content-Type: application/json` and no `Content-Encoding`.",
    ),
    "not-json": ErrorCode(
        "The body is not JSON (RFC 8259). `detail` gives the position of the first fault.",
        "Create the body with a JSON library. JSON has no comments, no trailing commas and no NaN.",
    ),
    "invalid-body": ErrorCode(
        "The body is JSON but not a valid request. `errors` lists every violation.",
        "Correct the value at the `path` of each violation as its `detail` says.",
    ),
    "quota-exceeded": ErrorCode(
        "The client has used up its quota.",
        "Wait for the number of seconds in `Retry-After`. The `RateLimit` header of each response "
        "states the remaining units.",
    ),
    "deadline-passed": ErrorCode(
        "`deadline_ms` passed before the search had a first result.",
        "Send the request again with a longer `deadline_ms`, or without one.",
    ),
    "overloaded": ErrorCode(
        "The service has no capacity for a further search at present.",
        "Send the same request again after the number of seconds in `Retry-After`.",
    ),
    "starting": ErrorCode(
        "`GET /readyz` reports that the service still compiles its search.",
        "Send the request after the number of seconds in `Retry-After`. Only the first start from "
        "source takes minutes.",
    ),
    "draining": ErrorCode(
        "`GET /readyz` reports that the worker is shutting down.",
        "Route requests to another replica. Clients of the API need no change.",
    ),
    "internal-error": ErrorCode(
        "The request failed because of an error in the service.",
        "Send the same request again. If it fails again, report its `request_id`.",
    ),
}

REFUSAL_CODES: Final = {
    "game-over": ErrorCode(
        "The game is finished, so it has no next move.",
        "Show the result or start a new game. `legal-moves` also accepts finished games.",
    ),
    "nothing-to-decide": ErrorCode(
        "The player has no decision in this position.",
        "Request a hint for a player that `legal-moves` lists, or continue the round or turn.",
    ),
    "deadline-too-short": ErrorCode(
        "`deadline_ms` passed before the review finished a further step.",
        "Send the review again with the `deadline_ms` that `detail` states, or as a "
        "[stream](/docs/guide/reviews#stream-a-review).",
    ),
}
"""Codes of a violation that can also be the code of the problem.

`game-over` is the code of the problem whatever the other violations are; `nothing-to-decide` only
if there is no violation with another code.
"""

VIOLATION_CODES: Final = {
    "too-deep": ErrorCode(
        "Arrays and objects are nested more than 32 deep.",
        "Remove levels; no request needs so many.",
    ),
    "duplicate-name": ErrorCode(
        "An object contains the same field more than once.",
        "Keep one of the fields.",
    ),
    "unpaired-surrogate": ErrorCode(
        r"A string contains half of a surrogate pair, such as `\ud800` alone.",
        "Write both halves of the pair, or the character itself in UTF-8.",
    ),
    "name-too-long": ErrorCode(
        "An object has a field name of more than 256 characters.",
        "Use the field names of the [API reference](/docs/api/).",
    ),
    "more-faults": ErrorCode(
        "The body has more violations than the response lists.",
        "Correct the listed violations and send the request again.",
    ),
    "missing": ErrorCode(
        "A required field is missing.",
        "Add the field at `path`.",
    ),
    "unknown-parameter": ErrorCode(
        "The URL has a query parameter, but the routes of the API have none.",
        "Remove the query from the URL. Options of a request belong in its body.",
    ),
    "unknown-field": ErrorCode(
        "The object has no such field. The service rejects unknown fields, so that misspelled "
        "names are noticed.",
        "Correct the spelling or remove the field. `detail` names the most similar field, or all "
        "fields.",
    ),
    "wrapped": ErrorCode(
        "The object contains the value that was expected, for example a whole response of `new` as "
        "`state`.",
        "Send only the field of the object that `detail` names.",
    ),
    "unnamed": ErrorCode(
        "The object has the fields of one value, but its fields should be the names of values.",
        'Put the object below a name, for example a move below its seat: `{"red": {"card": "4"}}`.',
    ),
    "null": ErrorCode(
        "The value is `null`, which no field of a request accepts.",
        "Remove the field, or give it a value.",
    ),
    "not-an-object": ErrorCode(
        "The value is not a JSON object.",
        "Send an object: `{…}`.",
    ),
    "not-an-array": ErrorCode(
        "The value is not a JSON array.",
        "Send an array: `[…]`, also for a single item.",
    ),
    "not-an-integer": ErrorCode(
        "The value is not an integer. Strings and booleans are not converted; 5.0 counts as 5.",
        "Send an integer without quotation marks.",
    ),
    "not-a-number": ErrorCode(
        "The value is not a finite number. Strings and booleans are not converted.",
        "Send a number without quotation marks.",
    ),
    "not-a-boolean": ErrorCode(
        "The value is neither `true` nor `false`. Numbers and strings are not converted.",
        "Send `true` or `false` without quotation marks.",
    ),
    "not-a-string": ErrorCode(
        "The value is not a string. Numbers are not converted.",
        'Put the value into quotation marks: a card is `"1"`, not `1`.',
    ),
    "out-of-range": ErrorCode(
        "The number is too small or too large.",
        "Use a number in the range that `detail` states.",
    ),
    "wrong-length": ErrorCode(
        "The array has too few or too many items, or the string is too long.",
        "Use a length in the range that `detail` states.",
    ),
    "bad-name": ErrorCode(
        "The name is empty, too long, or contains a character other than `A-Z a-z 0-9 _ -`.",
        "Use a name of 1 to 32 of these characters.",
    ),
    "bad-display-name": ErrorCode(
        "The display name is empty, has more than 40 characters, begins or ends with a space, or "
        "contains control characters.",
        "Use 1 to 40 letters, marks, digits, spaces and punctuation of any script.",
    ),
    "conflicting-display-names": ErrorCode(
        "Two seats of one player have different display names.",
        "Give both seats the same `name`, or give it to one of them.",
    ),
    "unknown-word": ErrorCode(
        "The string is not one of the possible values.",
        "Use one of the values in `detail`. They are case-sensitive.",
    ),
    "not-of-this-type": ErrorCode(
        "The field does not belong to an object of this `type`.",
        "Remove the field, or correct the `type`. `detail` lists the fields of the type.",
    ),
    "duplicate-id": ErrorCode(
        "Two requests of a batch, or two cards of a catalogue, have the same `id`.",
        "Give each request or card a different `id`.",
    ),
    "duplicate-player": ErrorCode(
        "Two seats have the same player.",
        "Give each seat a different `player`.",
    ),
    "unknown-player": ErrorCode(
        "The player has no seat in the position.",
        "Use a player of `state.seats`; `detail` lists them. Names are case-sensitive.",
    ),
    "too-many-cards": ErrorCode(
        "The position contains more copies of a card than the game has.",
        "Correct the places that contain the card; each copy is in only one place.",
    ),
    "too-many-unknown": ErrorCode(
        "The position has more `unknown` cards than the remaining cards allow.",
        "Use fewer `unknown` cards, or remove known cards that are in two places.",
    ),
    "include-with-brief": ErrorCode(
        "A brief hint contains no results of `include`.",
        "Remove `include`, or set `detail` to `full`.",
    ),
    "not-deciding": ErrorCode(
        "This seat or player does not decide in this position.",
        "Remove the choice, or send one of a seat or player that `legal-moves` lists.",
    ),
    "not-a-choice": ErrorCode(
        "The choice is not legal at the current decision.",
        "Send one of the moves that `legal-moves` lists for the same position.",
    ),
    "open-decision": ErrorCode(
        "A decision of the round or turn is missing.",
        "Add the choice at `path`; `detail` shows an example. `legal-moves` lists all choices.",
    ),
    "open-draw": ErrorCode(
        "A draw or roll of the round or turn is missing.",
        "Add its result at `path`, as in the example of `detail`, or let the service draw with "
        "`seed`.",
    ),
    "surplus": ErrorCode(
        "The turn ends before this action.",
        "Remove the action and those after it, or move them to the next turn.",
    ),
    "turn-too-long": ErrorCode(
        "The turn has more events than the service allows, because cards of the request have very "
        "large gains.",
        "Reduce the counts of gains in the `catalogue`.",
    ),
    "impossible-draw": ErrorCode(
        "The draw or roll cannot have this result.",
        "Send a possible result: a card that is still in the pile, or dice from 1 to 6.",
    ),
}
