"""How many cases randomised tests try, and which.

One Hypothesis profile sets the size of Hypothesis tests and of our own loops over random cases:

| profile   | used by                        | cases                   |
|-----------|--------------------------------|-------------------------|
| `dev`     | the default suite              | few, always the same    |
| `ci`      | `test --all`                   | an eighth of all        |
| `nightly` | `--hypothesis-profile=nightly` | all, new ones each time |

`--hypothesis-seed=N` selects other cases; `nightly` draws N itself. A failed test prints the
command that repeats it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, settings

Check = Callable[..., None]

_COMMON: dict[str, Any] = {
    "deadline": None,
    "database": None,
    "suppress_health_check": list(HealthCheck),
}

_seed: int | None = None


def register_profiles() -> None:
    """Define the profiles; the pytest plugin of Hypothesis loads the one that is asked for."""
    # Shrinking can take many times as long as finding; `ci` and `nightly` have that time.
    quick = [Phase.explicit, Phase.generate]
    settings.register_profile("dev", **_COMMON, derandomize=True, phases=quick)
    settings.register_profile("ci", **_COMMON, derandomize=True)
    settings.register_profile("nightly", **_COMMON, derandomize=False, print_blob=True)


def use_seed(seed: int | None) -> None:
    """Set the seed of this run; None keeps the seed that each module states."""
    global _seed
    _seed = seed


def profile() -> str:
    """Return the name of the profile in use."""
    return settings.get_current_profile_name()


def seed(default: int) -> int:
    """Return the seed of this run, by default the one the module states."""
    return default if _seed is None else _seed


def case_count(dev: int, full: int, ci: int | None = None) -> int:
    """Return the number of cases to try under the profile in use.

    Args:
        dev, full: of the profiles ``dev`` and ``nightly``.
        ci: of the profile ``ci`` if an eighth of all costs too much.
    """
    eighth = max(dev, full // 8)
    return {"ci": eighth if ci is None else ci, "nightly": full}.get(profile(), dev)


def case_numbers(dev: int, full: int) -> range:
    """Return the numbers of the cases to try; other numbers for another seed."""
    first = 0 if _seed is None else _seed * 1_000_000
    return range(first, first + case_count(dev, full))


def examples(dev: int, full: int) -> settings:
    """Return Hypothesis settings with as many examples as the profile in use asks for."""
    return settings(settings.get_profile(profile()), max_examples=case_count(dev, full))


class Properties:
    """Properties that one test checks for each of its cases.

    A property is a function with the arguments of the test. All are checked, and all failures are
    raised together, each with the name of its property.
    """

    def __init__(self) -> None:
        self._checks: list[tuple[Check, Callable[..., bool]]] = []

    def __call__(self, check: Check) -> Check:
        """Add a property (a decorator)."""
        return self.when(lambda *_: True)(check)

    def when(self, condition: Callable[..., bool]) -> Callable[[Check], Check]:
        """Add a property of those cases that meet a condition (a decorator)."""

        def add(check: Check) -> Check:
            self._checks.append((check, condition))
            return check

        return add

    def check(self, *arguments: Any) -> None:
        """Check every property for these arguments."""
        failures = []
        for check, condition in self._checks:
            if condition(*arguments):
                try:
                    check(*arguments)
                except Exception as error:
                    error.add_note(f"property: {check.__name__}")
                    failures.append(error)
        if failures:
            raise ExceptionGroup(f"{len(failures)} properties do not hold", failures)
