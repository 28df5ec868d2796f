"""The catalogue of texts: complete in all languages, and without texts that nothing uses."""

from __future__ import annotations

import re
import shutil
import string
import subprocess
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import pytest
from babel.messages.catalog import Message
from babel.messages.plurals import get_plural
from update_texts import merged

from service.core.advice import DECIDED, LEVEL, LOST, WON
from service.core.languages import LANGUAGES
from service.games.common.rounds.headlines import MANY
from service.games.common.turns.reasons import TURN_ADVICE_CODES
from service.games.registry import GAMES
from service.games.slopecrashers.api import reasons as slopecrashers
from service.games.slopecrashers.rules.course import FIELD_BY_LABEL
from service.games.slopecrashers.rules.gifts import GIFT_BY_LABEL
from service.games.snow_time.api.profile_messages import TRAITS
from service.games.snow_time.api.reasons.nudges import NUDGES
from service.games.snow_time.api.reasons.sentences import FORMS
from service.games.snow_time.rules.resolution import POINT_KINDS
from service.games.snowcrest.api import reasons as snowcrest
from service.games.snowcrest.api.metadata import metadata as snowcrest_metadata
from service.games.snowcrest.catalogue.cards import GainKind, PenaltyItem, VillagerKind
from service.texts import catalogue
from service.texts.catalogue import plural_categories, plural_category, text, texts
from tests.loops import for_each

TRANSLATIONS: Final = LANGUAGES[1:]
SERVICE: Final = catalogue.FOLDER.parent
PAGE: Final = "page."
"""tests/playground/test_files.py checks which texts the page uses."""


def forms_of(forms: Mapping[str, Sequence[str]]) -> list[str]:
    """Return the last parts of the ids of reasons."""
    return [f"{code}{form}" for code, own in forms.items() for form in own]


CARDS: Final = ["champion", "healer", "watcher", "blizzard"]
FAMILIES: Final = {
    "rounds.advice": [
        *MANY,
        *("forced", "avoid", "equal", "same", "drawn", "mixture", "mixture-close", "equal-won"),
        *("clear", "clear-slightly", "clear-much", "clear-won"),
        *("decided-won", "decided-lost", "decided-equal", "unlikely", "unlikely-open"),
    ],
    "snow-time.advice-part": ["do-card", "do-watcher", "do-healer", "do-nothing", "add-nothing"],
    "snow-time.consequence": forms_of(FORMS),
    "snow-time.played": CARDS,
    "snow-time.played-by": CARDS,
    "snow-time.nudge": NUDGES,
    "snow-time.trait": TRAITS,
    "snow-time.trait-cards": ["champion", "watcher", "blizzard"],
    "snow-time.card": CARDS,
    "snow-time.kind": POINT_KINDS,
    "turns.advice": [
        *(TURN_ADVICE_CODES.keys() - {DECIDED}),
        *("clear-slightly", "clear-much", "clear.won", "equal.won", "same", "almost-won"),
        *(f"{DECIDED}.{result}" for result in (WON, LOST, LEVEL)),
    ],
    "turns.plan": ["times", "comma", "then"],
    "turns.times": ["2", "3", "4", "many"],
    "slopecrashers.consequence": forms_of(slopecrashers.FORMS),
    "slopecrashers.reason": slopecrashers.FACT_CODES,
    "slopecrashers.gift": GIFT_BY_LABEL,
    "slopecrashers.your-gift": GIFT_BY_LABEL,
    "slopecrashers.space": FIELD_BY_LABEL,
    "snowcrest.consequence": forms_of(snowcrest.FORMS),
    "snowcrest.reason": snowcrest.FACT_CODES,
    "snowcrest.amount": {
        each.label for kind in (GainKind, PenaltyItem, VillagerKind) for each in kind
    },
    "snowcrest.kind": snowcrest_metadata()["kinds"],
    "snowcrest.grade": [grade["code"] for grade in snowcrest_metadata()["grades"]],
}
"""Texts whose ids the code puts together, from what and a code."""


def ids_in_code() -> set[str]:
    """Return all complete ids in the modules of the service."""
    sections = "|".join((*GAMES, "rounds", "turns", "reason", "review", "spoken"))
    pattern = re.compile(rf'"((?:{sections})\.[a-z.-]*[a-z])"')
    modules = (path.read_text("utf-8") for path in SERVICE.rglob("*.py"))
    found = {text_id for module in modules for text_id in pattern.findall(module)}
    return found - FAMILIES.keys()


def entries(language: str) -> dict[str, Message]:
    """Return the messages of a PO file by id."""
    path = catalogue.TEMPLATE if language == "en" else catalogue.path_of(language)
    listed = list(catalogue.messages(catalogue.read(path)))
    found = {str(message.context): message for message in listed}
    assert len(found) == len(listed)
    return found


def strings(message_text: str | Iterable[str] | None) -> list[str]:
    return [message_text or ""] if isinstance(message_text, str | None) else list(message_text)


def placeholders(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name is not None}


# Texts ----------------------------------------------------------------------------------------


@pytest.fixture
def plural(monkeypatch: pytest.MonkeyPatch) -> Callable[[float, str], str]:
    """Return a function that returns the text of a number of points."""
    forms = {
        "en": {"one": "{count} point", "other": "{count} points"},
        "de": {"one": "{count} Punkt", "other": "{count} Punkte"},
        "zh-Hans": {"other": "{count} 分"},
        "zh-Hant": {"other": "{count} 分"},
    }
    monkeypatch.setattr(catalogue, "texts", lambda language: {"points": forms[language]})
    return lambda count, language: text("points", language, count=count)


@for_each(
    "count, english, german, chinese",
    [
        (0, "0 points", "0 Punkte", "0 分"),
        (1, "1 point", "1 Punkt", "1 分"),
        (2, "2 points", "2 Punkte", "2 分"),
        (0.4, "0.4 points", "0,4 Punkte", "0.4 分"),
        # The form follows the printed number.
        (0.999, "1 point", "1 Punkt", "1 分"),
        (1.25, "1.25 points", "1,25 Punkte", "1.25 分"),
    ],
)
def test_a_number_selects_the_plural_form_and_is_printed(
    plural: Callable[[float, str], str], count: float, english: str, german: str, chinese: str
) -> None:
    printed = [plural(count, language) for language in LANGUAGES]
    assert printed == [english, german, chinese, chinese]


def test_parameters_are_filled_in() -> None:
    assert text("snow-time.card.champion", "zh-Hans", level=3) == "人物 3"
    with pytest.raises(KeyError):
        text("snow-time.card.champion", "en")
    with pytest.raises(KeyError):
        text("snow-time.card.ghost", "en")


def test_a_text_without_a_translation_is_english(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    header = (
        'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    )
    (tmp_path / "de.po").write_text(
        f'{header}\nmsgctxt "snow-time.nudge.even"\nmsgid "Even"\nmsgstr ""\n', "utf-8"
    )
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)

    assert texts.__wrapped__("de") == texts("en")


# Files ----------------------------------------------------------------------------------------


def test_every_text_that_the_code_uses_exists_and_every_text_is_used() -> None:
    families = {f"{family}.{code}" for family, codes in FAMILIES.items() for code in codes}
    of_service = {text_id for text_id in texts("en") if not text_id.startswith(PAGE)}
    assert of_service == families | ids_in_code()


@for_each("language", TRANSLATIONS)
def test_every_text_is_translated_and_the_files_agree(language: str) -> None:
    template = entries("en")
    translated = entries(language)

    assert list(translated) == list(template) == sorted(template), "run scripts/update_texts.py"
    for text_id, message in translated.items():
        assert message.id == template[text_id].id, text_id
        assert message.auto_comments == template[text_id].auto_comments, text_id
        assert not message.fuzzy, text_id
        assert catalogue.is_translated(message), text_id


@for_each("language", LANGUAGES)
def test_every_form_has_the_placeholders_of_its_text_and_no_plural_in_brackets(
    language: str,
) -> None:
    for text_id, message in entries(language).items():
        expected = placeholders(strings(message.id)[-1])
        for form in strings(message.string if language != "en" else message.id):
            # The number can select a form without being shown, and "one" can say "a point".
            assert placeholders(form) | {"count"} == expected | {"count"}, text_id
            assert not re.search(r"\w\((s|en|n|e)\)|  ", form), text_id


def test_german_says_du_in_lower_case() -> None:
    """The first word of a text or of a sentence can be capitalized."""
    capital = re.compile(r"(?<![.!?] )(?<!^)\b(Du|Dich|Dir|Dein(e[mnrs]?)?)\b")
    for text_id, forms in texts("de").items():
        assert not any(map(capital.search, forms.values())), text_id
    assert capital.search("Das ist Deine Karte.")
    assert not capital.search("Du gewinnst. Dein Champion bleibt.")


@for_each("language", TRANSLATIONS)
def test_the_plural_forms_of_the_files_are_those_of_the_language(language: str) -> None:
    categories = plural_categories(language)
    header = catalogue.read(catalogue.path_of(language))

    assert header.num_plurals == len(categories)
    assert header.plural_expr == get_plural(language.replace("-", "_")).plural_expr
    for message in entries(language).values():
        if isinstance(message.id, tuple):
            assert len(strings(message.string)) == len(categories), message.context
    assert {plural_category(number, language) for number in range(200)} == set(categories)


@for_each("language", TRANSLATIONS)
def test_the_translations_are_in_line_with_the_template(language: str) -> None:
    template, translated = map(catalogue.read, (catalogue.TEMPLATE, catalogue.path_of(language)))
    before = entries(language)

    after = {str(message.context): message for message in merged(template, translated, language)}
    assert after.keys() == before.keys()
    for key, message in after.items():
        assert (message.id, message.string) == (before[key].id, before[key].string)


def test_a_changed_english_text_makes_its_translation_fuzzy() -> None:
    template = catalogue.read(catalogue.TEMPLATE)
    german = catalogue.read(catalogue.path_of("de"))
    changed = next(catalogue.messages(german))
    changed.id = "An older text."

    [fuzzy] = [message for message in merged(template, german, "de") if message.fuzzy]
    assert fuzzy.context == changed.context
    assert fuzzy.string == changed.string


def test_the_package_data_contains_the_files() -> None:
    project = tomllib.loads((SERVICE.parent / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["*"]
    assert {"*.pot", "*.po"} <= set(patterns)


@pytest.mark.skipif(shutil.which("msgfmt") is None, reason="gettext is not installed")
@for_each("language", TRANSLATIONS)
def test_gettext_accepts_the_files(language: str) -> None:
    command = ["msgfmt", "--check", "--output-file=/dev/null", str(catalogue.path_of(language))]
    run = subprocess.run(command, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")
