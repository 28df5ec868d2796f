"""Resources and buildings, and how many of them there are."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, TypeAlias


class Resource(IntEnum):
    """What pays for everything; gold can be spent as any other."""

    BARLEY = 0
    BELL = 1
    BOWL = 2
    JUNIPER = 3
    GOLD = 4

    @property
    def label(self) -> str:
        return self.name.lower()


class Building(IntEnum):
    """What stands below a village."""

    FARM = 0
    FORGE = 1
    TEMPLE = 2

    @property
    def label(self) -> str:
        return self.name.lower()

    @property
    def yields(self) -> Resource:
        """What it pays when it is spent."""
        return (Resource.BARLEY, Resource.BELL, Resource.BOWL)[self]


RESOURCE_BY_LABEL: Final = {resource.label: resource for resource in Resource}
BUILDING_BY_LABEL: Final = {building.label: building for building in Building}
PLAIN: Final = tuple(resource for resource in Resource if resource is not Resource.GOLD)
"""What gold stands in for."""

ANY: Final = "any"

Amounts: TypeAlias = tuple[int, int, int, int, int]
"""How much of each resource, in their order."""

NOTHING: Final[Amounts] = (0, 0, 0, 0, 0)
ONE: Final[tuple[Amounts, ...]] = tuple(
    (
        int(resource is Resource.BARLEY),
        int(resource is Resource.BELL),
        int(resource is Resource.BOWL),
        int(resource is Resource.JUNIPER),
        int(resource is Resource.GOLD),
    )
    for resource in Resource
)
"""One of each resource, and nothing else."""


def amounts(counts: Iterable[int]) -> Amounts:
    barley, bell, bowl, juniper, gold = counts
    return (barley, bell, bowl, juniper, gold)


def plus(some: Amounts, more: Amounts, times: int = 1) -> Amounts:
    """One amount and another, that one so many times (which may be negative)."""
    return (
        some[0] + times * more[0],
        some[1] + times * more[1],
        some[2] + times * more[2],
        some[3] + times * more[3],
        some[4] + times * more[4],
    )
