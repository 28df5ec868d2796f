"""Look up texts by their ids in the catalogue, a folder of PO files.

``messages.pot`` has the English texts, and a ``.po`` file has the texts of each other language.
The id of a text is its message context. The files are read at the first use of a text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Final

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from service.core.languages import DEFAULT_LANGUAGE, LANGUAGES
from service.texts.formatting import decimal, with_chinese_spaces

FOLDER: Final = Path(__file__).resolve().parent
TEMPLATE: Final = FOLDER / "messages.pot"
PLURAL_CATEGORIES: Final = ("zero", "one", "two", "few", "many", "other")
"""Names of plural forms (CLDR), in the order in which PO files list them."""

Forms = Mapping[str, str]
"""A text by plural category; a text without plural forms has only ``other``."""


def text(text_id: str, language: str, **params: object) -> str:
    """Return a text with its parameters filled in.

    Args:
        text_id: the id of the text.
        language: one of ``LANGUAGES``.
        params: the parameters, formatted. Only ``count`` is a number: it selects the plural form
            and is printed with at most two decimals.

    Raises:
        KeyError: if the text or one of its parameters is missing.
    """
    forms = texts(language)[text_id]
    count = params.get("count")
    if not isinstance(count, int | float):
        return with_chinese_spaces(forms["other"].format_map(params), language)
    category = "other" if len(forms) == 1 else plural_category(count, language)
    filled = forms[category].format_map({**params, "count": decimal(count, language)})
    return with_chinese_spaces(filled, language)


def translations(text_id: str, **params: object) -> dict[str, str]:
    """Return a text in all languages, with the same parameters."""
    return {language: text(text_id, language, **params) for language in LANGUAGES}


def plural_category(count: float, language: str) -> str:
    """Return the plural category (CLDR) of a number as ``decimal`` prints it."""
    return _plural_rule(language)(Decimal(decimal(count, DEFAULT_LANGUAGE)))


def plural_categories(language: str) -> tuple[str, ...]:
    """Return the plural categories of a language, in the order in which its PO file lists them."""
    used = {"other", *Locale.parse(language, sep="-").plural_form.tags}
    return tuple(category for category in PLURAL_CATEGORIES if category in used)


@cache
def texts(language: str) -> Mapping[str, Forms]:
    """Return all texts of a language by id; a text that is not translated yet is in English."""
    if language == DEFAULT_LANGUAGE:
        template = messages(read(TEMPLATE))
        return {str(each.context): forms_of(each.id, language) for each in template}
    english = texts(DEFAULT_LANGUAGE)
    translated = {
        str(each.context): forms_of(each.string, language)
        for each in messages(read(path_of(language)))
        if is_translated(each)
    }
    return {text_id: translated.get(text_id, forms) for text_id, forms in english.items()}


def is_translated(message: Message) -> bool:
    """Return whether a message has all its plural forms."""
    strings = message.string
    return bool(strings) if isinstance(strings, str | None) else all(strings)


def forms_of(strings: str | Sequence[str] | None, language: str) -> Forms:
    """Return the plural forms of a message by their categories."""
    if isinstance(strings, str | None):
        return {"other": strings or ""}
    return dict(zip(plural_categories(language), strings, strict=True))


def read(path: Path) -> Catalog:
    """Return the catalogue in a PO file."""
    with path.open("rb") as file:
        return read_po(file, abort_invalid=True)


def messages(catalogue: Catalog) -> Iterator[Message]:
    """Yield the messages of a catalogue without its header."""
    return (message for message in catalogue if message.id)


def path_of(language: str) -> Path:
    """Return the path of the PO file of a language other than English."""
    return FOLDER / f"{language}.po"


@cache
def _plural_rule(language: str) -> Callable[[Decimal], str]:
    return Locale.parse(language, sep="-").plural_form
