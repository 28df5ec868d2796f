"""Modified copies of frozen dataclasses."""

import dataclasses
from dataclasses import dataclass

import pytest

from service.core.frozen import replace


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    y: int = 0


@dataclass(frozen=True, slots=True)
class Named:
    name: str


def test_a_copy_has_the_changes_and_all_other_fields():
    point = Point(1, 2)
    assert replace(point, y=5) == Point(1, 5) == dataclasses.replace(point, y=5)
    assert replace(point) == point
    assert replace(point) is not point
    assert point == Point(1, 2)
    assert replace(Named("a"), name="b") == Named("b")


def test_a_copy_is_frozen_and_hashable():
    copied = replace(Point(1, 2), x=3)
    assert hash(copied) == hash(Point(3, 2))
    with pytest.raises(dataclasses.FrozenInstanceError):
        copied.x = 4


def test_an_unknown_field_is_an_error():
    with pytest.raises(TypeError, match="Point has no field z"):
        replace(Point(1, 2), z=3)
