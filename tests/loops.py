"""Loops inside one test, for values that need no separate report."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any


def for_each(names: str, values: Iterable[Any]) -> Callable[[Any], Any]:
    """Run the test for each value of an argument, like ``parametrize`` but as a single test.

    The iterations share their fixtures; a failure is noted with the value. Several arguments are
    separated by commas, and then each value is a tuple.
    """
    arguments = names.split(", ")
    cases = [value if len(arguments) > 1 else (value,) for value in values]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run_all(*positional: Any, **fixtures: Any) -> None:
            for case in cases:
                try:
                    test(*positional, **fixtures, **dict(zip(arguments, case, strict=True)))
                except Exception as error:
                    error.add_note(f"{names}: {repr(case)[:200]}")
                    raise

        signature = inspect.signature(test)
        parameters = [each for name, each in signature.parameters.items() if name not in arguments]
        run_all.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run_all

    return decorate
