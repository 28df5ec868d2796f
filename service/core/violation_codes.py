"""What the stable codes of faults and problems mean, for the documentation.

A game adds its own (see its entry).  Tests hold every code that is ever answered against these.
"""

from __future__ import annotations

from typing import Final

PROBLEM_CODES: Final = {
    "bad-request": "The HTTP request itself is malformed.",
    "key-missing": "The service asks for a key: `Authorization: Bearer KEY`.",
    "key-unknown": "The key is none that is known.",
    "not-found": "There is no such path.",
    "method-not-allowed": "The path has other methods; see `Allow`.",
    "body-too-large": "The body is larger than 64 KiB, or a batch than 512 KiB.",
    "unsupported-media-type": "The body is not plain `application/json` in UTF-8.",
    "not-json": "The text is not JSON (RFC 8259); `detail` says where it ceases to be.",
    "invalid-body": "The body is JSON but not a legal question; `errors` names every fault.",
    "quota-exceeded": "The client has spent its quota; see `RateLimit` and `Retry-After`.",
    "deadline-passed": "`deadline_ms` passed before anything was found.",
    "overloaded": "Too much is being solved already; `Retry-After` says when to try again.",
    "draining": "The worker that answers is about to end.",
    "internal-error": "A fault of the service.",
}

REFUSAL_CODES: Final = {
    "game-over": "The game is finished.",
    "nothing-to-decide": "The player has nothing to decide at this point.",
}
"""These stand in `errors` like any fault.  Among themselves the first of them gives the problem
its code; `game-over` does so next to any other fault too."""

VIOLATION_CODES: Final = {
    "too-deep": "Arrays and objects are nested more than 32 deep.",
    "duplicate-name": "An object has this name more than once.",
    "unpaired-surrogate": "A string holds half of a surrogate pair.",
    "name-too-long": "An object has a name of more than 256 characters.",
    "more-faults": "There are more faults than are listed.",
    "missing": "A required member is missing.",
    "unknown-parameter": "The query has a parameter; no route has any.",
    "unknown-field": "There is no such member.",
    "null": "Null is no value here; leave the member out.",
    "not-an-object": "An object is due.",
    "not-an-array": "An array is due.",
    "not-an-integer": "An integer is due; nothing is coerced, but 5.0 is 5.",
    "not-a-number": "A number is due; nothing is coerced.",
    "not-a-boolean": "true or false is due; nothing is coerced.",
    "not-a-string": "A string is due; nothing is coerced.",
    "out-of-range": "The number is too small or too large.",
    "wrong-length": "The array has too few or too many items.",
    "bad-display-name": "Display names are 1 to 40 letters, marks, digits, spaces and punctuation "
    "of any script, without a space at either end.",
    "conflicting-display-names": "Two seats of one player have different display names.",
    "bad-name": "Names are 1 to 32 of `A-Z a-z 0-9 _ -`.",
    "unknown-word": "The string is none of those that are possible.",
    "not-of-this-type": "The member does not belong to what is of this type.",
    "duplicate-player": "Two seats have the same player.",
    "unknown-player": "No seat belongs to the player.",
    "too-many-cards": "There are more of these cards on the table than there are such cards.",
    "too-many-unknown": "There are more unknown cards than cards for them.",
    "not-deciding": "This seat or player has nothing to decide here.",
    "not-a-choice": "The choice is none of the decision that is due.",
    "open-decision": "A decision that is due is not told.",
    "open-draw": "A chance event that is due is not told.",
    "surplus": "The play is complete before this.",
    "impossible-draw": "The chance event has no such outcome.",
}
