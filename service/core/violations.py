"""Violations as data: what is wrong, where, and under which ruling.

A body, a position or a play is checked completely; all violations are reported together in one
:class:`Rejected`.  Codes are stable, in kebab case, and part of the HTTP contract.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

GAME_OVER: Final = "game-over"
NOTHING_TO_DECIDE: Final = "nothing-to-decide"
DEADLINE_TOO_SHORT: Final = "deadline-too-short"
INVALID_BODY: Final = "invalid-body"
REFUSALS: Final = (GAME_OVER, NOTHING_TO_DECIDE, DEADLINE_TOO_SHORT)
"""Codes of questions without an answer, in order of precedence; see :attr:`Rejected.code`."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One violation in a request.

    Attributes:
        path: JSON pointer (RFC 6901) to the invalid value; empty for the whole body.
        code: stable code in kebab case.
        detail: a sentence for developers.
        rule: the ruling that decides, such as ``R4``, or None.
    """

    path: str
    code: str
    detail: str
    rule: str | None = None

    def under(self, prefix: str) -> Violation:
        """Return the same violation with ``prefix`` before its path."""
        return replace(self, path=prefix + self.path)


class Rejected(Exception):
    """The request is invalid.

    Attributes:
        violations: all violations; at least one.
    """

    def __init__(self, violations: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(violations)
        assert self.violations, "a rejection needs at least one violation"
        super().__init__("; ".join(f"{each.path or '/'}: {each.code}" for each in self.violations))

    @property
    def code(self) -> str:
        """The code of the whole rejection.

        ``game-over`` takes precedence over all other violations, ``nothing-to-decide`` does not:
        next to any other code the result is ``invalid-body``.
        """
        codes = {violation.code for violation in self.violations}
        if GAME_OVER in codes:
            return GAME_OVER
        if not codes <= set(REFUSALS):
            return INVALID_BODY
        return next(code for code in REFUSALS if code in codes)


class OutOfTime(Exception):
    """The time was over before the search had any result.

    The argument is ``queue`` if the request waited all the time and ``cpu`` if it had used up its
    CPU time.
    """


class ClientGone(Exception):
    """The client has closed the connection, so nobody receives a response."""


class Overloaded(Exception):
    """The service has too much work; the argument is a keyword for what was full or slow."""


COMPILING: Final = "compiling"
"""The keyword if a kernel is needed that other processes still compile."""
COMPILE_TIMES: Final = "hints of Snow Time within a minute, everything within five minutes"
"""After a first start on two cores; ``scripts/loadtest.py --only start`` measures them."""


def pointer(*tokens: object) -> str:
    """Return the JSON pointer of some reference tokens, escaped as in RFC 6901."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)


def counted(count: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun, such as ``1 die`` or ``3 dice``."""
    return f"{count} {singular if count == 1 else plural or singular + 's'}"
