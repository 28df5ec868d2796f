"""Rulings C1 and C2: catalogues as data, every fault of one, and the published JSON Schema."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from service.core.violations import Rejected
from service.games.common.validation import Violations, validate_shape
from service.games.snowcrest.catalogue.cards import VillagerKind
from service.games.snowcrest.catalogue.parsing import (
    DEFAULT_CATALOGUE,
    DEFAULT_CATALOGUE_DOCUMENT,
    parse_catalogue,
)
from service.games.snowcrest.catalogue.rendering import render_catalogue
from service.games.snowcrest.catalogue.schema import CatalogueSchema, json_schema
from tests.games.snowcrest.positions import ask, faults, table, with_cards
from tests.randomized import examples

SCHEMA = Draft202012Validator(json_schema())
PAIR = [{"player": "a"}, {"player": "b"}]
BEYOND_THE_SCHEMA = {"duplicate-id", "recruit-alone", "duplicate-set", "too-few-villagers"}
"""What no JSON Schema can say."""


def judged(document):
    """The faults of a catalogue, as paths and codes."""
    shaped, found = validate_shape(CatalogueSchema(), document)
    violations = Violations(found)
    catalogue = parse_catalogue(shaped, violations, "")
    assert (catalogue is None) == bool(violations)
    return {(fault.path, fault.code) for fault in violations}


def at(path, value):
    """The house catalogue with a value put in at a path; ``...`` takes a member away."""
    document = copy.deepcopy(DEFAULT_CATALOGUE_DOCUMENT)
    *way, last = path.split("/")
    here = document
    for step in way:
        here = here[int(step)] if isinstance(here, list) else here[step]
    last = int(last) if isinstance(here, list) else last
    if value is ...:
        del here[last]
    else:
        here[last] = value
    return document


# The house's --------------------------------------------------------------------------------


def test_c1_the_house_catalogue_has_as_many_cards_as_the_box():
    """C1."""
    assert DEFAULT_CATALOGUE.commons(solo=False).total() == 35
    assert (
        len(DEFAULT_CATALOGUE.guardians),
        len(DEFAULT_CATALOGUE.challenges),
        len(DEFAULT_CATALOGUE.forest),
    ) == (12, 10, 6)
    assert (DEFAULT_CATALOGUE.deck.total(), len(DEFAULT_CATALOGUE.starters)) == (13, 4)


def test_c1_the_house_catalogue_has_names_in_three_languages():
    """C1: all of them told, and none twice in a language."""
    sorts = (
        DEFAULT_CATALOGUE.villagers,
        DEFAULT_CATALOGUE.guardians,
        DEFAULT_CATALOGUE.forest,
        DEFAULT_CATALOGUE.challenges,
    )
    names = [card.names for sort in sorts for card in sort]
    assert all(told and all(told) for told in names)
    for language in zip(*names, strict=True):
        assert len(set(language)) == len(language)


def test_c1_starters_cover_the_basic_actions_and_cost_something():
    """C1: they enter the own deck once they are replaced."""
    starters = [each for each in DEFAULT_CATALOGUE.villagers if each.kind is VillagerKind.STARTER]
    assert all(each.cost and each.back_icons == (1, 0, 0, 0, 0) for each in starters)


def test_c1_the_house_catalogue_is_served_and_is_of_its_schema():
    """C1."""
    assert list(SCHEMA.iter_errors(DEFAULT_CATALOGUE_DOCUMENT)) == []
    assert judged(DEFAULT_CATALOGUE_DOCUMENT) == set()
    Draft202012Validator.check_schema(json_schema())


def test_c1_a_catalogue_is_written_as_it_is_read():
    """C1."""
    written = render_catalogue(DEFAULT_CATALOGUE)
    assert judged(written) == set()
    shaped, _ = validate_shape(CatalogueSchema(), written)
    assert parse_catalogue(shaped, Violations(), "") == DEFAULT_CATALOGUE
    assert hash(parse_catalogue(shaped, Violations(), "")) == hash(DEFAULT_CATALOGUE)


# Own catalogues in requests -----------------------------------------------------------------


def test_c1_an_absent_catalogue_stays_absent_and_an_own_one_is_kept():
    """C1."""
    assert "catalogue" not in ask("new", {"seats": PAIR, "seed": 1})["state"]
    own = with_cards(potter={"cost": 5})
    start = ask("new", {"seats": PAIR, "seed": 1, "catalogue": own})["state"]
    assert judged(start["catalogue"]) == set()
    [mover] = ask("legal-moves", {"state": start})["moves"].values()
    after = ask("resolve", {"state": start, "moves": [mover[0]]})["state"]
    assert after["catalogue"] == start["catalogue"]


def test_c1_a_body_with_an_own_catalogue_fits():
    """C1: 64 KiB are the limit of a body."""
    start = ask("new", {"seats": PAIR, "seed": 1, "catalogue": DEFAULT_CATALOGUE_DOCUMENT})["state"]
    assert len(json.dumps(start, ensure_ascii=False).encode()) < 32 * 1024


def test_c1_faults_of_an_own_catalogue_are_told_with_those_of_the_rest():
    """C1."""
    body = {"state": table(catalogue=at("commons/3/cost", "two")) | {"supply": -1}, "moves": []}
    assert faults("resolve", body) == {
        ("/state/catalogue/commons/3/cost", "not-an-integer"),
        ("/state/supply", "out-of-range"),
    }
    told = faults("new", {"seats": [*PAIR, {"player": "a"}], "seed": 1,
                          "catalogue": at("commons/3/id", "farmer")})  # fmt: skip
    assert told == {
        ("/seats/2/player", "duplicate-player"),
        ("/catalogue/commons/3/id", "duplicate-id"),
    }


# Faults -------------------------------------------------------------------------------------

EFFECT = "villagers/0/actions/0/effects/0"
FAULTS = {
    "duplicate-id": ("guardians/1/id", "farmer", "/guardians/1/id"),
    "reserved-id": ("forest/0/id", "unknown", "/forest/0/id"),
    "recruit-alone": (EFFECT, {"type": "recruit"}, f"/{EFFECT}"),
    "duplicate-set": (
        EFFECT,
        {"type": "trade", "sets": [{"what": "gold"}, {"what": "gold", "count": 2}]},
        f"/{EFFECT}/sets/1/what",
    ),
    "too-few-villagers": ("villagers", DEFAULT_CATALOGUE_DOCUMENT["villagers"][:2], "/villagers"),
    "not-of-this-type": (EFFECT, {"type": "worship", "count": 2}, f"/{EFFECT}/count"),
    "missing": (EFFECT, {"type": "build"}, f"/{EFFECT}/building"),
    "unknown-word": (EFFECT, {"type": "steal"}, f"/{EFFECT}/type"),
    "unknown-field": ("starters/0/icons", {"gold": 1}, "/starters/0/icons"),
    "wrong-length": ("starters", DEFAULT_CATALOGUE_DOCUMENT["starters"][:3], "/starters"),
    "out-of-range": ("guardians/0/own/any", 0, "/guardians/0/own/any"),
    "not-an-integer": ("challenges/0/scrolls", True, "/challenges/0/scrolls"),
    "bad-name": ("commons/0/id", "a b", "/commons/0/id"),
    "not-an-object": ("commons/0", 7, "/commons/0"),
    "not-an-array": ("forest", {}, "/forest"),
}


@pytest.mark.parametrize("code", FAULTS)
def test_c2_what_is_wrong_with_a_catalogue_is_told_where_it_is(code):
    """C1, C2."""
    path, value, place = FAULTS[code]
    document = at(path, value)
    assert (place, code) in judged(document)
    assert SCHEMA.is_valid(document) == (code in BEYOND_THE_SCHEMA)


def test_c2_the_effects_are_no_code():
    """C2: a string that is none of the words is refused, whatever it says."""
    for told in ("__import__('os')", "gain barley 2", {"type": "gain", "what": "2 + 2"}):
        assert judged(at(EFFECT, told))


def test_c2_all_faults_of_a_catalogue_are_told_together():
    """C1."""
    document = at("commons/0/cost", -1)
    document["guardians"][0]["own"]["plague"] = 1
    document["challenges"][2]["conditions"][0] = {"type": "omen", "kind": "common"}
    document["villagers"][1]["actions"][0]["effects"] = []
    del document["starters"][3]["cost"]
    assert judged(document) == {
        ("/commons/0/cost", "out-of-range"),
        ("/guardians/0/own/plague", "unknown-word"),
        ("/challenges/2/conditions/0/at_least", "missing"),
        ("/challenges/2/conditions/0/kind", "not-of-this-type"),
        ("/villagers/1/actions/0/effects", "wrong-length"),
        ("/starters/3/cost", "missing"),
    }


def test_c18_a_recruiter_is_a_common_who_does_nothing_else():
    """C18."""
    place = next(
        index
        for index, card in enumerate(DEFAULT_CATALOGUE_DOCUMENT["commons"])
        if card["id"] == "recruiter"
    )
    actions = f"commons/{place}/actions"
    recruit, card = {"type": "recruit"}, {"type": "gain", "what": "card"}
    for told, fault in (
        ([{"effects": [recruit, card]}], "0/effects/0"),
        ([{"effects": [card]}, {"effects": [recruit]}], "1/effects/0"),
        ([{"effects": [recruit], "pay": {"gold": 1}}], "0/effects/0"),
    ):
        assert judged(at(actions, told)) == {(f"/{actions}/{fault}", "recruit-alone")}


# Fuzzing ------------------------------------------------------------------------------------


def places(value, path=()):
    yield path
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from places(inner, (*path, name))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            yield from places(inner, (*path, index))


PLACES = [path for path in places(DEFAULT_CATALOGUE_DOCUMENT) if path]
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 15),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "farmer", "recruit", "gold", "any", "unknown", "worship", "é"]),
    st.lists(st.integers(0, 2), max_size=2),
    st.dictionaries(st.sampled_from(["type", "what", "gold", "effects"]), st.integers(0, 2)),
    st.sampled_from([{"type": "recruit"}, {"type": "gain", "what": "gold"}, {"effects": []}]),
)


@examples(30, 150)
@given(st.lists(st.tuples(st.sampled_from(PLACES), JUNK), min_size=1, max_size=3))
def test_a_spoilt_catalogue_is_read_if_and_only_if_it_is_legal(spoils):
    """C2: the loader and the published schema agree, but for what no schema can say."""
    document = copy.deepcopy(DEFAULT_CATALOGUE_DOCUMENT)
    for path, junk in spoils:
        here = document
        for step in path[:-1]:
            try:
                here = here[step]
            except (TypeError, KeyError, IndexError):
                break
        else:
            if isinstance(here, (dict, list)):
                try:
                    here[path[-1]] = copy.deepcopy(junk)
                except (TypeError, IndexError):
                    continue
    found = judged(document)
    if SCHEMA.is_valid(document):
        assert {code for _, code in found} <= BEYOND_THE_SCHEMA
    else:
        assert found
    if not found:
        start = ask("new", {"seats": PAIR, "seed": 1, "catalogue": document})["state"]
        assert judged(start["catalogue"]) == set()


@examples(15, 60)
@given(st.recursive(JUNK, lambda inner: st.lists(inner, max_size=3)))
def test_anything_else_is_no_catalogue(junk):
    with pytest.raises(Rejected):
        ask("new", {"seats": PAIR, "seed": 1, "catalogue": junk})
