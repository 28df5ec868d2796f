"""Loops inside one test, for values that need no separate report."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any


def for_each(name: str, values: Sequence[Any]) -> Callable[[Any], Any]:
    """Run the test for each value of an argument, like ``parametrize`` but as a single test.

    The iterations share their fixtures; a failure is noted with the value.
    """

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run_all(*arguments: Any, **fixtures: Any) -> None:
            for value in values:
                try:
                    test(*arguments, **fixtures, **{name: value})
                except Exception as error:
                    error.add_note(f"{name} = {value!r:.200}")
                    raise

        signature = inspect.signature(test)
        parameters = [each for each in signature.parameters.values() if each.name != name]
        run_all.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
        return run_all

    return decorate
