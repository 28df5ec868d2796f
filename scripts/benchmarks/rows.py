"""What a measurement came to: a row of the table and of the JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from benchmarks.timing import Timed

MS: Final = 1e3
US: Final = 1e6
NS: Final = 1e9


@dataclass(frozen=True)
class Sample:
    """One position, measured.

    Attributes:
        name: of the position.
        full: whether every seat holds all ten cards.
        timed: seconds of a call.
        share: what seconds are multiplied with to give the row's unit.
        told: what else is to be known.
    """

    name: str
    full: bool
    timed: Timed
    share: float
    told: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {
            "position": self.name,
            "full_hands": self.full,
            "first": self.timed.first * self.share,
            "min": self.timed.least * self.share,
            "median": self.timed.median * self.share,
            "repetitions": self.timed.repetitions,
            "calls": self.timed.calls,
            **self.told,
        }


@dataclass(frozen=True)
class Row:
    """A measurement over several positions.

    Attributes:
        name: of the row; what ``--only`` looks into.
        unit: of all numbers.
        samples: by position.
        about: what was measured, in parts.
        target: the most that is allowed with full hands, if anything is.
    """

    name: str
    unit: str
    samples: Sequence[Sample]
    about: Mapping[str, Any]
    target: float | None = None

    @property
    def medians(self) -> list[float]:
        """By position, of its repetitions."""
        return [sample.timed.median * sample.share for sample in self.samples]

    @property
    def least(self) -> float:
        """The median, over positions, of the shortest repetition."""
        return float(np.median([s.timed.least * s.share for s in self.samples]))

    @property
    def median(self) -> float:
        return float(np.median(self.medians))

    @property
    def p90(self) -> float:
        """Nearest rank, so that it is a measured one."""
        return float(np.quantile(self.medians, 0.9, method="inverted_cdf"))

    @property
    def worst(self) -> float:
        return max(self.medians)

    @property
    def full(self) -> float:
        """The worst position with full hands, by the median of its repetitions."""
        return max(s.timed.median * s.share for s in self.samples if s.full)

    @property
    def full_least(self) -> float:
        """The worst position with full hands, by its shortest repetition."""
        return max(s.timed.least * s.share for s in self.samples if s.full)

    @property
    def verdict(self) -> str:
        """Whether the worst position with full hands keeps to the target.

        ``at best``: its shortest repetition does, but not the median.
        """
        if self.target is None:
            return ""
        if self.full <= self.target:
            return "met"
        return "met at best" if self.full_least <= self.target else "missed"

    @property
    def repetitions(self) -> tuple[int, int]:
        """The fewest and the most of any position."""
        counts = [sample.timed.repetitions for sample in self.samples]
        return min(counts), max(counts)

    def seen(self, key: str) -> list[Any]:
        """Every distinct value of what else is told."""
        return sorted({sample.told[key] for sample in self.samples if key in sample.told})

    def as_json(self) -> dict[str, Any]:
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
class Figure:
    """A number that no position enters into, measured once or a few times.

    Attributes:
        name: of the row; what ``--only`` looks into.
        unit: of all numbers.
        values: as measured.
    """

    name: str
    unit: str
    values: Sequence[float]

    @property
    def median(self) -> float:
        return float(np.median(self.values))

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "unit": self.unit,
            "repetitions": len(self.values),
            "min": min(self.values),
            "median": self.median,
            "max": max(self.values),
        }
