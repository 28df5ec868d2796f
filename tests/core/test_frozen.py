"""Modified copies and hashes of frozen dataclasses."""

import dataclasses
import pickle
from dataclasses import dataclass

import pytest

from service.core.frozen import HashedOnce, hash_once, replace


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
    assert hash(replace(point, y=5)) == hash(Point(1, 5))
    assert replace(point) == point
    assert replace(point) is not point
    assert point == Point(1, 2)
    assert replace(Named("a"), name="b") == Named("b")
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(point).x = 4


def test_an_unknown_field_is_an_error():
    with pytest.raises(TypeError, match="Point has no field z"):
        replace(Point(1, 2), z=3)


class Counted:
    """A field that counts how often it is hashed."""

    def __init__(self) -> None:
        self.hashes = 0

    def __hash__(self) -> int:
        self.hashes += 1
        return 7


@dataclass(frozen=True, slots=True)
class Place(HashedOnce):
    name: str
    field: object = None
    __hash__ = hash_once


def test_a_hash_is_computed_once():
    counted = Counted()
    place = Place("a", counted)
    assert hash(place) == hash(place) == hash(Place("a", counted))
    assert counted.hashes == 2


def test_a_copy_has_its_own_hash():
    place = Place("a")
    assert hash(place) == hash(Place("a"))
    copied = replace(place, name="b")
    assert hash(copied) == hash(Place("b")) != hash(place)
    assert {place: 1, copied: 2}[Place("b")] == 2


def test_a_hash_is_not_pickled():
    """Other processes hash strings in another way."""
    place = Place("a")
    hash(place)
    restored = pickle.loads(pickle.dumps(place))
    assert restored == place
    assert not hasattr(restored, "_hash")
