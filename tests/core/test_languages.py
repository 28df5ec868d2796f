"""Language negotiation: RFC 4647 lookup and the qualities of RFC 9110."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from service.core.languages import (
    DEFAULT_LANGUAGE,
    FALLBACKS,
    LANGUAGE_NAMES,
    LANGUAGES,
    look_up,
    preferred_language,
)
from tests.loops import for_each

LOOKUPS = {
    **dict.fromkeys(("en", "EN-us"), "en"),
    **dict.fromkeys(("de-AT", "de-Latn-CH-1996"), "de"),
    **dict.fromkeys(
        ("zh", "zh-CN", "zh-SG", "zh-MY", "zh-Hans", "ZH-hans", "zh-Hans-TW"), "zh-Hans"
    ),
    **dict.fromkeys(("zh-TW", "zh-HK", "zh-MO", "zh-HANT", "zh-Hant-HK", "ZH-tw-x-a"), "zh-Hant"),
    **dict.fromkeys(("zh-hant-cn-x-private",), "zh-Hant"),
    **dict.fromkeys(("ja", "den", "zho", "x-zh", "*", "", "-")),
}

NEGOTIATIONS = [
    ([], "en"),
    ([("ja", 1)], "en"),
    ([("ja", 1), ("de", 0.1)], "de"),
    ([("en", 0.2), ("zh-TW", 0.8)], "zh-Hant"),
    ([("zh-TW", 1), ("zh", 0.9), ("en", 0.8)], "zh-Hant"),
    ([("zh-CN", 1), ("zh", 0.9), ("zh-TW", 0.8)], "zh-Hans"),
    # The first of several ranges with the same quality wins.
    ([("de", 1), ("zh-Hant", 1)], "de"),
    ([("zh-Hant", 1), ("de", 1)], "zh-Hant"),
    # Any language counts only after all others, wherever it stands.
    ([("*", 1)], "en"),
    ([("*", 1), ("zh-TW", 0.1)], "zh-Hant"),
    ([("*", 1), ("en", 0)], "de"),
    ([("*", 0.5), ("en", 0), ("de", 0)], "zh-Hans"),
    ([("*", 0.5), ("en", 0), ("de", 0), ("zh-CN", 0)], "zh-Hans"),
    ([("*", 0.5), ("en", 0), ("de", 0), ("zh-Hans", 0)], "zh-Hant"),
    ([("ja", 1), ("*", 0)], "en"),
    ([("de", 1), ("*", 0)], "de"),
    # Quality 0 refuses a language, but no more than that.
    ([("de", 0), ("zh", 0.3)], "zh-Hans"),
    ([("de", 0.5), ("de-AT", 0)], "de"),
    ([("zh", 0), ("de", 0.1)], "de"),
    ([("zh-Hant-HK", 1), ("zh-Hant", 0), ("de", 0.1)], "zh-Hant"),
    ([("zh", 0), ("zh-Hant", 0.5)], "zh-Hant"),
    ([("zh", 0), ("zh-TW", 0.5), ("de", 0.4)], "zh-Hant"),
    ([("zh-Hant", 0), ("zh-TW", 1), ("de", 0.5)], "de"),
    ([("zh", 1), ("zh-Hans", 0)], "zh-Hant"),
    ([("ZH", 1), ("ZH-HANS", 0), ("ZH-hant", 0), ("de", 0.1)], "de"),
    ([("en", 0)], "en"),
]

TAGS = st.sampled_from([*LOOKUPS, "fr", "zh-Hans-SG", "de-1996"])
QUALITIES = st.sampled_from([0.0, 0.1, 0.5, 1.0])


def test_every_language_has_a_name_and_every_fallback_is_a_language():
    assert tuple(LANGUAGE_NAMES) == LANGUAGES
    assert set(FALLBACKS.values()) <= set(LANGUAGES)
    assert DEFAULT_LANGUAGE in LANGUAGES


@for_each("language_range, language", LOOKUPS.items())
def test_a_lookup_shortens_the_range_and_ignores_case(language_range: str, language: str | None):
    assert look_up(language_range) == language


@for_each("accepted, language", NEGOTIATIONS)
def test_the_preferred_language_follows_qualities_refusals_and_wildcards(
    accepted: list[tuple[str, float]], language: str
):
    assert preferred_language(accepted) == language


@given(st.lists(st.tuples(TAGS, QUALITIES), max_size=5))
def test_a_refused_language_is_never_chosen_if_another_one_is_acceptable(
    accepted: list[tuple[str, float]],
):
    language = preferred_language(accepted)
    assert language in LANGUAGES
    exact = [quality for tag, quality in accepted if tag.lower() == language.lower()]
    longer = [tag for tag, quality in accepted if quality and tag.count("-") > language.count("-")]
    if exact and not any(exact) and not longer:
        # Only the default is used in spite of a refusal.
        assert language == DEFAULT_LANGUAGE


@given(st.lists(st.tuples(TAGS, QUALITIES), max_size=5))
def test_case_never_matters(accepted: list[tuple[str, float]]):
    upper = [(tag.upper(), quality) for tag, quality in accepted]
    assert preferred_language(upper) == preferred_language(accepted)
