"""The meaning of the stable codes of problems and violations, for the documentation.

A game definition adds the game's own codes.  Tests check every code in a response against these.
"""

from __future__ import annotations

from typing import Final

PROBLEM_CODES: Final = {
    "bad-request": "The HTTP request itself is malformed.",
    "key-missing": "The service requires a key: `Authorization: Bearer KEY`.",
    "key-unknown": "The service does not know this key.",
    "not-found": "The path does not exist.",
    "method-not-allowed": "The path does not support this method; see `Allow`.",
    "body-too-large": "The body is larger than 64 KiB (a batch: 512 KiB).",
    "unsupported-media-type": "The body is not plain `application/json` in UTF-8.",
    "not-json": "The text is not JSON (RFC 8259); `detail` gives the position of the error.",
    "invalid-body": "The body is JSON but not a valid request; `errors` lists all violations.",
    "quota-exceeded": "The client has used up its quota; see `RateLimit` and `Retry-After`.",
    "deadline-passed": "`deadline_ms` passed before the search had any result.",
    "overloaded": "The service is busy; `Retry-After` says when to try again.",
    "draining": "The worker is shutting down.",
    "internal-error": "An error in the service.",
}

REFUSAL_CODES: Final = {
    "game-over": "The game is over.",
    "nothing-to-decide": "The player has nothing to decide at this point.",
}
"""Codes in `errors` that can also be the code of the whole problem.

Without other codes the first of these is the code of the problem.  `game-over` is so next to any
other code as well.
"""

VIOLATION_CODES: Final = {
    "too-deep": "Arrays and objects are nested more than 32 levels deep.",
    "duplicate-name": "An object contains this name more than once.",
    "unpaired-surrogate": "A string contains an unpaired surrogate.",
    "name-too-long": "An object contains a name of more than 256 characters.",
    "more-faults": "There are more violations than `errors` lists.",
    "missing": "A required member is missing.",
    "unknown-parameter": "The query has a parameter; no route has any.",
    "unknown-field": "The object does not have this member.",
    "null": "The value must not be null; omit the member instead.",
    "not-an-object": "Expected an object.",
    "not-an-array": "Expected an array.",
    "not-an-integer": "Expected an integer; there is no conversion, but 5.0 equals 5.",
    "not-a-number": "Expected a number; there is no conversion.",
    "not-a-boolean": "Expected true or false; there is no conversion.",
    "not-a-string": "Expected a string; there is no conversion.",
    "out-of-range": "The number is too small or too large.",
    "wrong-length": "The array has too few or too many items.",
    "bad-display-name": "A display name must have 1 to 40 letters, marks, digits, spaces and "
    "punctuation of any script, without a space at either end.",
    "conflicting-display-names": "Two seats of one player have different display names.",
    "bad-name": "A name must have 1 to 32 characters of `A-Z a-z 0-9 _ -`.",
    "unknown-word": "The string is not one of the allowed values.",
    "not-of-this-type": "Objects of this type do not have this member.",
    "duplicate-player": "Two seats have the same player.",
    "unknown-player": "The player has no seat.",
    "too-many-cards": "More of these cards are on the table than exist.",
    "too-many-unknown": "There are more unknown cards than cards that they can be.",
    "not-deciding": "This seat or player has nothing to decide here.",
    "not-a-choice": "The choice does not belong to the pending decision.",
    "open-decision": "The choice of a pending decision is missing.",
    "open-draw": "The outcome of a pending chance event is missing.",
    "surplus": "The play is complete before this input.",
    "impossible-draw": "The chance event does not have this outcome.",
}
