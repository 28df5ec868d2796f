"""Fast modified copies of frozen, slotted dataclasses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

Instance = TypeVar("Instance")

Slot = tuple[str, Callable[[Any], Any], Callable[[Any, Any], None]]


def replace(instance: Instance, /, **changes: Any) -> Instance:
    """Return a modified copy, like :func:`dataclasses.replace`.

    The class must be slotted, all its fields must be arguments of ``__init__``, and it must have
    no ``__post_init__``.  A search copies states by the thousand; ``dataclasses.replace`` took a
    fifth of its time.
    """
    cls = instance.__class__
    slots = _SLOTS.get(cls) or _slots(cls)
    copy: Instance = object.__new__(cls)
    for name, get, put in slots:
        put(copy, changes.pop(name) if name in changes else get(instance))
    if changes:
        raise TypeError(f"{cls.__name__} has no field {', '.join(changes)}")
    return copy


_SLOTS: Final[dict[type, tuple[Slot, ...]]] = {}


def _slots(cls: type) -> tuple[Slot, ...]:
    """Return the getter and setter of each field; the setter works although the class is frozen."""
    members = vars(cls)
    descriptors = [(name, members[name]) for name in members["__slots__"]]
    _SLOTS[cls] = tuple((name, each.__get__, each.__set__) for name, each in descriptors)
    return _SLOTS[cls]
