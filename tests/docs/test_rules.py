"""Rules pages: complete in both languages, and every number is one of the code."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from service.docs.rules.numbers import NUMBERS
from service.docs.rules.tables import TABLES
from service.docs.rules.text import SOURCES
from service.games.registry import GAMES
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from tests.loops import for_each

ROOT = Path(__file__).resolve().parents[2]
PREFIXES = {"en": "/docs/rules/", "de": "/docs/de/rules/"}
PAGES = [(game, language) for game in GAMES for language in PREFIXES]
FENCE = re.compile(r"^```(board .*?)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NUMBER_WORDS = {
    "en": "two three four five six seven eight nine ten eleven twelve twice thrice",
    "de": "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zweimal dreimal",
}


def source(game: str, language: str) -> str:
    folder = ROOT / "service/games" / game.replace("-", "_") / "rules"
    return (folder / SOURCES[language]).read_text(encoding="utf-8")


def page(client: FlaskClient, game: str, language: str) -> str:
    response = client.get(PREFIXES[language] + game)
    assert response.status_code == 200
    return response.get_data(as_text=True)


def boards(text: str) -> list[tuple[str, dict[str, Any]]]:
    """Return the kind and the position of every picture of a page."""
    return [(kind.removeprefix("board "), json.loads(body)) for kind, body in FENCE.findall(text)]


def rulings(text: str) -> dict[str, list[str]]:
    """Return the paragraphs of each ruling in a source."""
    _, *parts = re.split(r"^### ([A-Z]\d+)$", text, flags=re.MULTILINE)
    return {
        number: [" ".join(each.split()) for each in body.strip().split("\n\n")]
        for number, body in zip(parts[::2], parts[1::2], strict=True)
    }


@for_each("game, language", PAGES)
def test_every_ruling_has_a_text_and_a_reason(
    client: FlaskClient, game: str, language: str
) -> None:
    found = rulings(source(game, language))
    html = page(client, game, language)
    about = client.get(f"/v1/games/{game}").get_json()

    assert about["rules_pages"][language] == PREFIXES[language] + game
    assert list(found) == list(about["rulings"])
    for number, paragraphs in found.items():
        *one_line, reason = paragraphs
        # The English line is that of the API.
        assert len(one_line) == (language != "en"), number
        assert all(re.fullmatch(r"[A-ZÄÖÜ].*\.", line) for line in one_line), number
        assert len(reason) > 60, number
        heading = f'<h3 id="{number.lower()}"><a href="#{number.lower()}">{number}</a></h3>\n'
        section = html.partition(heading)[2].partition("<h")[0]
        assert section.count("<p>") == 2, number


@for_each("game", GAMES)
def test_both_languages_have_the_same_sections_pictures_and_numbers(game: str) -> None:
    english, german = source(game, "en"), source(game, "de")

    def shape(text: str) -> list[str]:
        text = FENCE.sub("", text)
        return re.findall(r"^(#+ (?:[A-Z]\d+$)?|\d+\.|- |\|)", text, re.MULTILINE)

    def drawn(text: str) -> list[Any]:
        """Return the pictures without their words."""
        found = boards(text)
        for kind, position in found:
            del position["title"]
            position.pop("labels", None)
            if kind == "snowcrest-amounts":
                position["rows"] = [amounts for _, amounts in position["rows"]]
        return found

    def placeholders(text: str) -> list[str]:
        return sorted(set(re.findall(r"\{(\w+)\}", text)))

    assert shape(english) == shape(german)
    assert drawn(english) == drawn(german)
    assert placeholders(english) == placeholders(german)


@for_each("game, language", PAGES)
def test_a_page_contains_no_number_that_does_not_come_from_the_code(
    game: str, language: str
) -> None:
    text = FENCE.sub("", source(game, language))
    text = re.sub(r"\{\w+\}|\b[A-Z]\d+\b|#\w\d+|^\d+\. |`[^`]*`", "", text, flags=re.MULTILINE)

    # The ends 0 and 1 of ranges, such as the first row, are no settings.
    assert re.findall(r"[2-9]|\d{2,}", text) == []
    words = NUMBER_WORDS[language].replace(" ", "|")
    assert re.findall(rf"\b(?:{words})\b", text, re.IGNORECASE) == []


@for_each("game", GAMES)
def test_every_number_of_a_game_is_on_its_page(game: str) -> None:
    used = set(re.findall(r"\{(\w+)\}", source(game, "en")))

    assert used == {*NUMBERS[game], *TABLES.get(game, ())}


SHEETS = {
    "snow-time": ["with 7 levels", "15 fruit tokens", "2 dice", "10 cards", "up to 2 of its own"],
    "slopecrashers": ["up to 2 movements", "+1</td>", "+2</td>", "+3</td>"],
    "snowcrest": [
        *("2|20|14|3|6", "3|25|17|4|9", "4|30|20|5|12"),
        *("1|3", "2|4", "3|5", "4|6"),
        *("6|1", "7|3", "8|5"),
        *("1|10|3|4", "2|11|3|4", "3|12|3|4", "4|13|3|4", "5|13|2|4"),
        *("6|13|1|4", "7|13|0|4", "8|14|0|4", "9|15|0|4", "10|15|0|3"),
        *("21 farms", "16 forges", "16 temples", "35 common", "12 guardians", "10 challenges"),
        *("every 6 bells", "higher bid gains 2 scrolls", "at least 10 points", "5 barley, 3 jun"),
    ],
}
"""What the printed rule sheets say; ``|`` separates the cells of a row."""


@for_each("game", GAMES)
def test_the_page_states_the_numbers_of_the_rule_sheet(client: FlaskClient, game: str) -> None:
    html = " ".join(page(client, game, "en").split())
    rows = {
        "|".join(re.findall(r"<td>(.*?)</td>", row)) for row in re.findall(r"<tr>.*?</tr>", html)
    }

    assert [each for each in SHEETS[game] if each not in rows and each not in html] == []


@for_each("language", PREFIXES)
def test_the_page_of_snowcrest_lists_every_default_card(client: FlaskClient, language: str) -> None:
    html = page(client, "snowcrest", language)
    catalogue = DEFAULT_CATALOGUE
    rows = re.findall(r"<tr>\n<td>([^<]*)</td>\n<td>([^<]*)</td>", html)
    costs = {(name.partition(" (")[0], cost) for name, cost in rows}

    for villager in catalogue.villagers:
        assert (dict(villager.names or ())[language], str(villager.cost)) in costs
    for card in (*catalogue.guardians, *catalogue.forest, *catalogue.challenges):
        assert dict(card.names or ())[language] in {name for name, _ in costs}


def test_the_grades_of_the_solo_game_cover_all_points(client: FlaskClient) -> None:
    html = page(client, "snowcrest", "de")
    ranges = re.findall(r"<tr>\n<td>((?:&lt; |≥ )?\d+(?:–\d+)?)</td>\n<td>[A-Z]", html)

    assert ranges == ["&lt; 10", "10", "11–13", "14–16", "17–19", "≥ 20"]


# Languages ------------------------------------------------------------------------------------


@for_each("game, language", PAGES)
def test_a_page_has_one_language_names_it_and_links_to_the_other_one(
    client: FlaskClient, game: str, language: str
) -> None:
    [other] = {*PREFIXES} - {language}
    html = page(client, game, language)
    accepted = {"Accept-Language": other}

    assert client.get(PREFIXES[language] + game, headers=accepted).get_data(as_text=True) == html
    assert html.startswith(f'<!doctype html>\n<html lang="{language}">')
    link = f'<a href="{PREFIXES[other]}{game}" hreflang="{other}" lang="{other}">'
    assert link in html.partition('<main id="content">')[2]


def test_each_language_has_its_own_search_index_and_links_to_rulings(client: FlaskClient) -> None:
    for language, prefix in PREFIXES.items():
        html = page(client, "snow-time", language)
        assert '(<a href="#r4">R4</a>)' in html
        address = re.findall(r'data-index="(.*?)"', html)[0]
        found = {entry[0] for entry in client.get(address).get_json()}
        assert f"{prefix}snow-time#r4" in found
        assert not {each for each in found if each.startswith("/docs/de/")} or language == "de"
