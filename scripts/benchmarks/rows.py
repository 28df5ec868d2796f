"""Results of benchmarks: rows of the table and of the JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchmarks.timing import Timing

MS: Final = 1e3
US: Final = 1e6
NS: Final = 1e9


@dataclass(frozen=True)
class Sample:
    """The measurement of one position.

    Attributes:
        name: of the position.
        full: whether every hand has all ten cards.
        timing: of the calls, in seconds.
        factor: from seconds to the unit of the row.
        extra: other values for the JSON.
    """

    name: str
    full: bool
    timing: Timing
    factor: float
    extra: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the sample for the JSON file; times are in the unit of the row."""
        return {
            "position": self.name,
            "full_hands": self.full,
            "first": self.timing.first * self.factor,
            "min": self.timing.least * self.factor,
            "median": self.timing.median * self.factor,
            "repetitions": self.timing.repetitions,
            "calls": self.timing.calls,
            **self.extra,
        }


@dataclass(frozen=True)
class Row:
    """A measurement over several positions.

    Attributes:
        name: of the row, which ``--only`` matches.
        unit: of all numbers.
        samples: by position.
        about: parameters of the benchmark.
        target: upper bound with full hands, if any.
    """

    name: str
    unit: str
    samples: Sequence[Sample]
    about: Mapping[str, Any]
    target: float | None = None

    @property
    def medians(self) -> list[float]:
        """The median of the repetitions of each position."""
        return [sample.timing.median * sample.factor for sample in self.samples]

    @property
    def least(self) -> float:
        """The median, over positions, of the shortest repetition."""
        return float(np.median([s.timing.least * s.factor for s in self.samples]))

    @property
    def median(self) -> float:
        """The median, over positions, of their medians."""
        return float(np.median(self.medians))

    @property
    def p90(self) -> float:
        """The 90th percentile by nearest rank, so that it is a measured value."""
        return float(np.quantile(self.medians, 0.9, method="inverted_cdf"))

    @property
    def worst(self) -> float:
        """The largest median of a position."""
        return max(self.medians)

    @property
    def full(self) -> float:
        """The worst position with full hands, by the median of its repetitions."""
        return max(s.timing.median * s.factor for s in self.samples if s.full)

    @property
    def full_least(self) -> float:
        """The worst position with full hands, by its shortest repetition."""
        return max(s.timing.least * s.factor for s in self.samples if s.full)

    @property
    def verdict(self) -> str:
        """Whether the worst position with full hands meets the target.

        ``met at best``: its shortest repetition does, but the median does not.
        """
        if self.target is None:
            return ""
        if self.full <= self.target:
            return "met"
        return "met at best" if self.full_least <= self.target else "missed"

    @property
    def repetitions(self) -> tuple[int, int]:
        """The smallest and the largest number of repetitions."""
        counts = [sample.timing.repetitions for sample in self.samples]
        return min(counts), max(counts)

    def values_of(self, key: str) -> list[Any]:
        """Return the distinct values of an extra field, sorted."""
        return sorted({sample.extra[key] for sample in self.samples if key in sample.extra})

    def as_json(self) -> dict[str, Any]:
        """Return the row with its samples for the JSON file; times are in its unit."""
        return {
            "name": self.name,
            **self.about,
            "unit": self.unit,
            "positions": len(self.samples),
            "repetitions": list(self.repetitions),
            "min": self.least,
            "median": self.median,
            "p90": self.p90,
            "max": self.worst,
            "full_hands": self.full,
            "full_hands_min": self.full_least,
            "target": self.target,
            "verdict": self.verdict or None,
            "samples": [sample.as_json() for sample in self.samples],
        }


@dataclass(frozen=True)
class Measurement:
    """A measurement that does not depend on a position, with its repetitions.

    Attributes:
        name: of the row, which ``--only`` matches.
        unit: of all numbers.
        values: as measured.
    """

    name: str
    unit: str
    values: Sequence[float]

    @property
    def median(self) -> float:
        """The median of the repetitions."""
        return float(np.median(self.values))

    def as_json(self) -> dict[str, Any]:
        """Return the measurement for the JSON file; times are in its unit."""
        return {
            "name": self.name,
            "unit": self.unit,
            "repetitions": len(self.values),
            "min": min(self.values),
            "median": self.median,
            "max": max(self.values),
        }
