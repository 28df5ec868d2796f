"""Kinds of a discriminated union and their fields."""

from service.games.common.unions import Kind, Union, kind, union_of_fields


def test_the_fields_are_those_of_the_kind_of_each_value():
    union = Union("card", {"number": Kind(values=("1", "2")), "helper": kind("a b", "c")})
    nothing = (frozenset(), frozenset())
    assert union.fields == {"1": nothing, "2": nothing, "helper": ({"a", "b"}, {"c"})}
    assert tuple(union.fields) == union.values


def test_a_union_of_fields_has_these_fields():
    table = {"go": (frozenset("ab"), frozenset("c")), "end": (frozenset(), frozenset())}
    assert union_of_fields("type", table).fields == table
