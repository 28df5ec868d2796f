"""Faults as values: what is wrong, where, and which ruling says so.

A body, a position or a play is judged whole; every fault found is reported together
(:class:`Rejected`).  Codes are stable, kebab-case and part of the HTTP contract.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

# A question that has no answer here, whatever else may be wrong with it in the first case;
# in the others, if nothing is wrong with it as a question.
GAME_OVER: Final = "game-over"
NOTHING_TO_DECIDE: Final = "nothing-to-decide"
INVALID_BODY: Final = "invalid-body"
REFUSALS: Final = (GAME_OVER, NOTHING_TO_DECIDE)
"""The foremost first."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One thing wrong with a request.

    Attributes:
        path: JSON pointer (RFC 6901) to the faulty value; empty for the whole body.
        code: stable kebab-case code.
        detail: a sentence for a developer.
        rule: the numbered ruling that decides, such as ``R4``, where one does.
    """

    path: str
    code: str
    detail: str
    rule: str | None = None

    def under(self, prefix: str) -> Violation:
        """The same fault seen from further out: ``prefix`` goes before the path."""
        return replace(self, path=prefix + self.path)


class Rejected(Exception):
    """A request was refused; ``faults`` holds every reason found, never none."""

    def __init__(self, faults: Iterable[Violation]) -> None:
        self.violations: tuple[Violation, ...] = tuple(faults)
        assert self.violations, "a rejection names its faults"
        super().__init__(
            "; ".join(f"{fault.path or '/'}: {fault.code}" for fault in self.violations)
        )

    @property
    def code(self) -> str:
        """The code of the whole refusal: of the foremost one, or ``invalid-body``."""
        codes = {fault.code for fault in self.violations}
        if GAME_OVER in codes:
            return GAME_OVER
        if not codes <= set(REFUSALS):
            return INVALID_BODY
        return next(code for code in REFUSALS if code in codes)


class OutOfTime(Exception):
    """The deadline passed before anything worth answering was found."""


class Overloaded(Exception):
    """Too much is asked for at once; the argument says, in a word, what was full or slow."""


def pointer(*tokens: object) -> str:
    """A JSON pointer from its reference tokens, escaped as RFC 6901 demands."""
    return "".join("/" + str(token).replace("~", "~0").replace("/", "~1") for token in tokens)
