"""Bring the translations in line with ``service/texts/messages.pot``.

``python3 scripts/dev.py run scripts/update_texts.py`` sorts the texts by id, adds new ones without
a translation to the PO file of each language, drops deleted ones, and marks the translations of
changed English texts as ``fuzzy``. A translator corrects those and removes the mark.
"""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import write_po

from service.core.languages import DEFAULT_LANGUAGE, LANGUAGES
from service.texts.catalogue import (
    TEMPLATE,
    is_translated,
    messages,
    path_of,
    plural_categories,
    read,
)


def main() -> int:
    """Return the exit code."""
    template = read(TEMPLATE)
    write(template, list(messages(template)), TEMPLATE)
    for language in LANGUAGES:
        if language != DEFAULT_LANGUAGE:
            catalogue = read(path_of(language))
            updated = merged(template, catalogue, language)
            write(catalogue, updated, path_of(language))
            missing = sum(message.fuzzy or not is_translated(message) for message in updated)
            print(f"{language}: {len(updated)} texts, {missing} to translate")
    return 0


def merged(template: Catalog, catalogue: Catalog, language: str) -> list[Message]:
    """Return the messages of the template with their translations in a catalogue, by id."""
    old = {message.context: message for message in messages(catalogue)}
    updated = []
    for message in messages(template):
        is_plural = not isinstance(message.id, str)
        known = old.get(message.context)
        string, flags = known.string if known is not None else "", set(message.flags)
        if is_plural != isinstance(string, tuple | list):
            string = ("",) * len(plural_categories(language)) if is_plural else ""
        elif known is not None and (known.fuzzy or known.id != message.id):
            flags.add("fuzzy")
        updated.append(
            Message(
                message.id,
                string,
                flags=flags,
                auto_comments=message.auto_comments,
                user_comments=known.user_comments if known is not None else (),
                context=message.context,
            )
        )
    return updated


def write(header: Catalog, content: list[Message], path: Path) -> None:
    """Write messages in the order of their ids, with the header of a catalogue."""
    catalogue = Catalog(
        locale=header.locale,
        header_comment=header.header_comment,
        project=header.project,
        version=header.version,
        msgid_bugs_address=header.msgid_bugs_address,
        creation_date=header.creation_date,
        revision_date=header.revision_date,
        last_translator=header.last_translator,
        language_team=header.language_team,
        fuzzy=False,
    )
    for message in sorted(content, key=lambda message: str(message.context)):
        # Babel takes the percent sign of a sentence for a placeholder of printf.
        message.flags.discard("python-format")
        catalogue[message.id] = message
    with path.open("wb") as file:
        write_po(file, catalogue, width=0)


if __name__ == "__main__":
    sys.exit(main())
