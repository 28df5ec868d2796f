"""Rulings C1 and C2: parsing, violations and the JSON Schema of catalogues."""

import copy
import json
from contextlib import suppress
from functools import reduce
from operator import getitem

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from service.core.languages import LANGUAGES
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
from tests.games.changes import changed
from tests.games.snowcrest.catalogues import parsed
from tests.games.snowcrest.positions import ask, response_violations, table, with_cards
from tests.randomized import examples

SCHEMA = Draft202012Validator(json_schema())
PAIR = [{"player": "a"}, {"player": "b"}]
BEYOND_THE_SCHEMA = {
    "duplicate-id", "recruit-alone", "duplicate-set", "never-met", "too-few-villagers",
    "wrong-starters", "unknown-card", "twice-in-deck",
}  # fmt: skip
"""Violations that JSON Schema cannot express."""


def catalogue_violations(document):
    """Return the violations of a catalogue as pairs of path and code."""
    shaped, shape_violations = validate_shape(CatalogueSchema(), document)
    violations = Violations(shape_violations)
    assert (parse_catalogue(shaped, violations, "") is None) == bool(violations)
    return {(fault.path, fault.code) for fault in violations}


def at(path, value):
    """Return the default catalogue with a value set at a path."""
    return changed(DEFAULT_CATALOGUE_DOCUMENT, (path.replace("/", " "), value))


# The default catalogue ----------------------------------------------------------------------


def test_c1_the_default_catalogue_has_as_many_cards_as_the_box():
    own = DEFAULT_CATALOGUE
    assert own.commons(solo=False).total() == 35
    assert (len(own.guardians), len(own.challenges), len(own.forest)) == (12, 10, 6)
    assert (own.deck.total(), len(own.starters_of(None))) == (13, 4)


def test_c1_the_default_catalogue_has_unique_names_in_all_languages():
    own = DEFAULT_CATALOGUE
    cards = (*own.villagers, *own.guardians, *own.forest, *own.challenges)
    names = [card.names for card in cards]
    for language in LANGUAGES:
        translations = [dict(each or ()).get(language) for each in names]
        assert all(translations)
        assert len(set(translations)) == len(translations)


def test_c1_starters_cover_the_basic_actions_and_cost_something():
    """Starters have a cost because they enter the own deck when replaced."""
    starters = [each for each in DEFAULT_CATALOGUE.villagers if each.kind is VillagerKind.STARTER]
    assert all(each.cost and each.back_icons == (1, 0, 0, 0, 0) for each in starters)


def test_c1_the_default_catalogue_matches_its_schema():
    assert list(SCHEMA.iter_errors(DEFAULT_CATALOGUE_DOCUMENT)) == []
    assert catalogue_violations(DEFAULT_CATALOGUE_DOCUMENT) == set()
    Draft202012Validator.check_schema(json_schema())


def test_c1_a_rendered_catalogue_parses_to_the_same_catalogue():
    again = parsed(render_catalogue(DEFAULT_CATALOGUE))
    assert again == DEFAULT_CATALOGUE
    assert hash(again) == hash(DEFAULT_CATALOGUE)


# Custom catalogues in requests --------------------------------------------------------------


def test_c1_an_absent_catalogue_stays_absent_and_a_custom_one_is_returned():
    assert "catalogue" not in ask("new", {"seats": PAIR, "seed": 1})["state"]
    own = with_cards(potter={"cost": 5})
    start = ask("new", {"seats": PAIR, "seed": 1, "catalogue": own})["state"]
    assert catalogue_violations(start["catalogue"]) == set()
    [mover] = ask("legal-moves", {"state": start})["moves"].values()
    after = ask("resolve", {"state": start, "moves": [mover[0]]})["state"]
    assert after["catalogue"] == start["catalogue"]


def test_c1_a_body_with_a_custom_catalogue_fits_the_size_limit():
    """The size limit of a body is 128 KiB."""
    start = ask("new", {"seats": PAIR, "seed": 1, "catalogue": DEFAULT_CATALOGUE_DOCUMENT})["state"]
    assert len(json.dumps(start, ensure_ascii=False).encode()) < 32 * 1024


def test_c1_violations_of_a_custom_catalogue_are_reported_with_all_others():
    body = {"state": table(catalogue=at("commons/3/cost", "two")) | {"supply": -1}, "moves": []}
    assert response_violations("resolve", body) == {
        ("/state/catalogue/commons/3/cost", "not-an-integer"),
        ("/state/supply", "out-of-range"),
    }
    cards = at("commons/3/id", "farmer")
    body = {"seats": [*PAIR, {"player": "a"}], "seed": 1, "catalogue": cards}
    assert response_violations("new", body) == {
        ("/seats/2/player", "duplicate-player"),
        ("/catalogue/commons/3/id", "duplicate-id"),
    }


def test_c2_names_are_needed_in_one_language_only_and_returned_as_given():
    names = {"en": "Weaver", "de": "Weberin", "zh-Hans": "织工", "zh-Hant": "織工"}
    for languages in (("en",), ("de",), ("en", "zh-Hans"), tuple(names)):
        some = {language: names[language] for language in languages}
        own = at("commons/0/names", some)
        assert SCHEMA.is_valid(own)
        start = ask("new", {"seats": PAIR, "seed": 1, "catalogue": own})["state"]
        assert start["catalogue"]["commons"][0]["names"] == some


def test_c1_a_name_in_an_unknown_language_is_a_violation():
    names = {"de": "Weberin", "zh": "织工", "zh-Hant": 7}
    own = at("commons/0/names", names)
    assert catalogue_violations(own) == {
        ("/commons/0/names/zh", "unknown-field"),
        ("/commons/0/names/zh-Hant", "not-a-string"),
    }
    assert not SCHEMA.is_valid(own)


# Violations ---------------------------------------------------------------------------------

EFFECT = "villagers/0/actions/0/effects/0"
STARTER_EFFECT = "starters/0/actions/0/effects/0"
VIOLATIONS = {
    "duplicate-id": ("guardians/1/id", "farmer", "/guardians/1/id"),
    "reserved-id": ("forest/0/id", "unknown", "/forest/0/id"),
    "recruit-alone": (STARTER_EFFECT, {"type": "recruit"}, f"/{STARTER_EFFECT}"),
    "duplicate-set": (
        EFFECT,
        {"type": "trade", "sets": [{"what": "gold"}, {"what": "gold", "count": 2}]},
        f"/{EFFECT}/sets/1/what",
    ),
    "never-met": (
        "challenges/0/conditions/0",
        {"type": "hand", "at_least": 3, "at_most": 2},
        "/challenges/0/conditions/0/at_most",
    ),
    "too-few-villagers": ("villagers", DEFAULT_CATALOGUE_DOCUMENT["villagers"][:2], "/villagers"),
    "not-of-this-type": (EFFECT, {"type": "worship", "count": 2}, f"/{EFFECT}/count"),
    "missing": (EFFECT, {"type": "build"}, f"/{EFFECT}/building"),
    "unknown-word": (EFFECT, {"type": "steal"}, f"/{EFFECT}/type"),
    "unknown-field": ("starters/0/copies", 2, "/starters/0/copies"),
    "wrong-length": ("starters", DEFAULT_CATALOGUE_DOCUMENT["starters"][:3], "/starters"),
    "out-of-range": ("guardians/0/own/any", 0, "/guardians/0/own/any"),
    "not-an-integer": ("challenges/0/scrolls", True, "/challenges/0/scrolls"),
    "bad-name": ("commons/0/id", "a b", "/commons/0/id"),
    "not-an-object": ("commons/0", 7, "/commons/0"),
    "not-an-array": ("forest", {}, "/forest"),
}


@pytest.mark.parametrize("code", VIOLATIONS)
def test_c2_each_violation_of_a_catalogue_names_its_path(code):
    path, value, place = VIOLATIONS[code]
    document = at(path, value)
    assert (place, code) in catalogue_violations(document)
    assert SCHEMA.is_valid(document) == (code in BEYOND_THE_SCHEMA)


def test_c2_effects_are_not_code():
    for effect in ("__import__('os')", "gain barley 2", {"type": "gain", "what": "2 + 2"}):
        assert catalogue_violations(at(EFFECT, effect))


def test_c2_all_violations_of_a_catalogue_are_reported_together():
    document = at("commons/0/cost", -1)
    document["guardians"][0]["own"]["plague"] = 1
    document["challenges"][2]["conditions"][0] = {"type": "omen", "kind": "common"}
    document["villagers"][1]["actions"][0]["effects"] = []
    del document["starters"][3]["cost"]
    assert catalogue_violations(document) == {
        ("/commons/0/cost", "out-of-range"),
        ("/guardians/0/own/plague", "unknown-word"),
        ("/challenges/2/conditions/0/at_least", "missing"),
        ("/challenges/2/conditions/0/kind", "not-of-this-type"),
        ("/villagers/1/actions/0/effects", "wrong-length"),
        ("/starters/3/cost", "missing"),
    }


def test_c18_a_recruiter_has_no_other_effects():
    ids = [card["id"] for card in DEFAULT_CATALOGUE_DOCUMENT["commons"]]
    actions = f"commons/{ids.index('recruiter')}/actions"
    recruit, card = {"type": "recruit"}, {"type": "gain", "what": "card"}
    for value, fault in (
        ([{"effects": [recruit, card]}], "0/effects/0"),
        ([{"effects": [card]}, {"effects": [recruit]}], "1/effects/0"),
        ([{"effects": [recruit], "pay": {"gold": 1}}], "0/effects/0"),
    ):
        found = catalogue_violations(at(actions, value))
        assert found == {(f"/{actions}/{fault}", "recruit-alone")}


@pytest.mark.parametrize("players", [1, 2, 4])
@pytest.mark.parametrize("kinds", [("juniper",), ("any",), ("juniper", "any")])
def test_c2_a_forest_card_may_not_give_all_the_juniper_that_reveals_the_next_one(players, kinds):
    refill = 3 * players
    start = {"seats": [{"player": name} for name in "abcd"[:players]], "seed": 1}
    state = ask("new", start)["state"]

    def rewarding(given):
        first, *others = kinds
        reward = {"scroll": 1, first: given - len(others), **dict.fromkeys(others, 1)}
        own = at("forest/2/reward", reward)
        assert SCHEMA.is_valid(own)
        return {"catalogue": own}

    assert ask("new", start | rewarding(refill - 1))
    assert ask("legal-moves", {"state": state | rewarding(refill - 1)})
    for endpoint, body, at_ in (
        ("new", start | rewarding(refill), ""),
        ("legal-moves", {"state": state | rewarding(refill)}, "/state"),
    ):
        fault = (f"{at_}/catalogue/forest/2/reward", "endless-reward")
        assert response_violations(endpoint, body) == {fault}


def test_c2_a_fault_of_a_reward_does_not_hide_other_faults():
    own = at("forest/0/reward", {"juniper": 12})
    body = {"seats": [{"player": "a"}, {"player": "a"}], "seed": 1, "catalogue": own}
    assert response_violations("new", body) == {
        ("/seats/1/player", "duplicate-player"),
        ("/catalogue/forest/0/reward", "endless-reward"),
    }
    assert ("/seats", "not-an-array") in response_violations("new", body | {"seats": 7})


# Fuzzing ------------------------------------------------------------------------------------


def places(value, path=()):
    yield path
    if isinstance(value, (dict, list)):
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[step], (*path, step))


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
def test_a_mutated_catalogue_is_accepted_if_and_only_if_it_is_legal(spoils):
    """C2: parser and published schema agree, except for rules that no schema can express."""
    document = copy.deepcopy(DEFAULT_CATALOGUE_DOCUMENT)
    for path, junk in spoils:
        with suppress(TypeError, LookupError):  # An earlier one may have replaced the place.
            reduce(getitem, path[:-1], document)[path[-1]] = copy.deepcopy(junk)
    faults = catalogue_violations(document)
    if SCHEMA.is_valid(document):
        assert {code for _, code in faults} <= BEYOND_THE_SCHEMA
    else:
        assert faults
    if not faults:
        body = {"seats": PAIR, "seed": 1, "catalogue": document}
        rewards = [card["reward"] for card in document["forest"]]
        if any(each.get("juniper", 0) + each.get("any", 0) >= 6 for each in rewards):
            assert {code for _, code in response_violations("new", body)} == {"endless-reward"}
        else:
            start = ask("new", body)["state"]
            assert catalogue_violations(start["catalogue"]) == set()


@examples(15, 60)
@given(st.recursive(JUNK, lambda inner: st.lists(inner, max_size=3)))
def test_arbitrary_json_is_not_a_catalogue(junk):
    with pytest.raises(Rejected):
        ask("new", {"seats": PAIR, "seed": 1, "catalogue": junk})
