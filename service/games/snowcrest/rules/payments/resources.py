"""Resources, buildings and amounts of resources."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Final, TypeAlias


class Resource(IntEnum):
    """A resource; gold can replace any other one in a payment."""

    BARLEY = 0
    BELL = 1
    BOWL = 2
    JUNIPER = 3
    GOLD = 4

    @property
    def label(self) -> str:
        """The name in JSON."""
        return self.name.lower()


class Building(IntEnum):
    """A kind of building."""

    FARM = 0
    FORGE = 1
    TEMPLE = 2

    @property
    def label(self) -> str:
        """The name in JSON."""
        return self.name.lower()

    @property
    def yields(self) -> Resource:
        """The resource that it pays when it is spent."""
        return (Resource.BARLEY, Resource.BELL, Resource.BOWL)[self]


RESOURCE_BY_LABEL: Final = {resource.label: resource for resource in Resource}
BUILDING_BY_LABEL: Final = {building.label: building for building in Building}
PLAIN: Final = tuple(resource for resource in Resource if resource is not Resource.GOLD)
"""The resources that gold can replace."""

ANY: Final = "any"
"""Name of a resource of any kind in JSON."""

Amounts: TypeAlias = tuple[int, int, int, int, int]
"""Amount of each resource, in the order of :class:`Resource`."""

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
"""One unit of each resource."""


def amounts(counts: Iterable[int]) -> Amounts:
    """Return the amounts as a tuple of fixed length."""
    barley, bell, bowl, juniper, gold = counts
    return (barley, bell, bowl, juniper, gold)


def plus(some: Amounts, more: Amounts, times: int = 1) -> Amounts:
    """Return ``some + times * more``; ``times`` may be negative."""
    return (
        some[0] + times * more[0],
        some[1] + times * more[1],
        some[2] + times * more[2],
        some[3] + times * more[3],
        some[4] + times * more[4],
    )
