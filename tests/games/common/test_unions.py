"""Kinds of a discriminated union and their fields."""

from service.games.common.unions import Kind, Union, kind, kinds_of_fields, merge_kinds


def test_the_fields_are_those_of_the_kind_of_each_value():
    union = Union("card", {"number": Kind(values=("1", "2")), "helper": kind("a b", "c")})
    nothing = (frozenset(), frozenset())
    assert union.fields == {"1": nothing, "2": nothing, "helper": ({"a", "b"}, {"c"})}
    assert tuple(union.fields) == union.values


TABLE = {
    "go": (frozenset("ab"), frozenset("c")),
    "end": (frozenset(), frozenset()),
    "stop": (frozenset(), frozenset()),
    "run": (frozenset("ab"), frozenset()),
}
KINDS = kinds_of_fields(TABLE, {name: f"{name}!" for name in TABLE})


def test_kinds_of_fields_have_these_fields():
    assert list(KINDS) == list(TABLE)
    assert Union("type", KINDS).fields == TABLE
    assert KINDS["run"].description == "run!"


def test_merged_kinds_keep_the_fields_of_each_value_and_list_their_descriptions():
    merged = merge_kinds(KINDS, plain="stop")
    assert list(merged) == ["go", "plain", "run"]
    assert merged["plain"] == kind_of("- `end`: end!\n- `stop`: stop!", ("end", "stop"))
    assert Union("type", merged).fields == TABLE


def kind_of(description, values):
    return Kind(description=description, values=values)
