"""Sentences about unknown names that suggest the name that was probably meant."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from itertools import islice
from typing import Final

MAX_LENGTH: Final = 40
"""Longer names are neither compared nor repeated in a response."""
MAX_KNOWN: Final = 100
"""Known names that a name is compared with."""
MAX_LISTED: Final = 16
LANGUAGE_FIELDS: Final = ("lang", "language", "locale")
MAX_SENTENCES: Final = 20
"""Names of one body that are compared: comparing a name takes up to a few milliseconds."""
_SIMILARITY: Final = 0.65
_SEPARATORS: Final = re.compile(r"[\s_-]+")


def near_miss(name: str, known: Iterable[str], similarity: float = _SIMILARITY) -> str | None:
    """Return the known name that is most similar, if any is similar enough.

    Upper case, hyphens, underscores and spaces make no difference: ``hintLevel`` is
    ``hint_level``, and ``Black_Ice`` is ``black-ice``.

    Args:
        name: as given.
        known: the names that exist.
        similarity: least ratio of equal characters (``difflib``); 1 is equality.
    """
    if len(name) > MAX_LENGTH:
        return None
    by_folded = {_folded(each): each for each in islice(known, MAX_KNOWN)}
    folded = _folded(name)
    if folded in by_folded:
        return by_folded[folded]
    matches = get_close_matches(folded, by_folded, n=1, cutoff=similarity)
    return by_folded[matches[0]] if matches else None


def unknown_name(kind: str, name: str, known: Iterable[str]) -> str:
    """Return a sentence about an unknown name, with the most similar or with all known names.

    Args:
        kind: what is named, for example ``field``.
        name: as given.
        known: in the order in which the sentence lists them.
    """
    known = tuple(known)
    if kind == "field" and name.casefold() in LANGUAGE_FIELDS:
        return f"No field `{name}`: the header Accept-Language chooses the language of texts."
    shown = f"No {kind} `{name}`." if len(name) <= MAX_LENGTH else f"Unknown {kind}."
    suggestion = near_miss(name, known)
    if suggestion is not None:
        return f"{shown} Did you mean `{suggestion}`?"
    return f"{shown} {expected(known)}"


def expected(known: Iterable[str]) -> str:
    """Return a sentence that lists the known names."""
    listed = [f"`{name}`" for name in known]
    if not listed:
        return "No name is possible here."
    if len(listed) == 1:
        return f"Expected {listed[0]}."
    left = len(listed) - MAX_LISTED
    more = f" and {left} more" if left > 0 else ""
    return f"Expected one of {', '.join(listed[:MAX_LISTED])}{more}."


def _folded(name: str) -> str:
    return _SEPARATORS.sub("", name).casefold()


# Messages of schemas ---------------------------------------------------------------------------


class UnknownName(str):
    """Message about an unknown field or value.

    ``validate_shape`` completes it for the first ones of a body, because comparing names is slow.

    Attributes:
        kind: ``field`` or ``value``.
        name: the unknown name.
        known: the names that exist.
    """

    kind: str
    name: str
    known: tuple[str, ...]

    @classmethod
    def of(cls, message: str, kind: str, name: str, known: Iterable[str]) -> UnknownName:
        """Return a message that can be completed; see the attributes."""
        unknown = cls(message)
        unknown.kind, unknown.name, unknown.known = kind, name, tuple(known)
        return unknown

    def complete(self) -> str:
        """Return the message with the most similar name, or with all names."""
        code, _, _ = self.partition(": ")
        return f"{code}: {unknown_name(self.kind, self.name, self.known)}"
