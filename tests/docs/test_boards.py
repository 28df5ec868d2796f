"""Pictures of positions: well-formed, accessible, and true by the rules of the code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from flask.testing import FlaskClient

from service.docs.boards.drawing import draw
from service.docs.boards.icons import PATHS, icon
from service.docs.markdown import render
from service.games.registry import GAMES
from service.games.slopecrashers.rules.choices import SNOWMAN_ROWS
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, SIGNS, Field
from service.games.slopecrashers.rules.movement import chili_movements
from service.games.slopecrashers.rules.state import Place
from service.games.snow_time.rules.resolution import resolve
from service.games.snow_time.rules.state import DECK, Card, Move, Seat, State, default_track
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.catalogue.rendering import render_amounts
from service.games.snowcrest.catalogue.schema import ICONS
from service.games.snowcrest.rules.effects.meditation import meditation_scrolls
from service.games.snowcrest.rules.payments.resources import NOTHING, plus
from service.games.snowcrest.rules.state import LINES
from tests.docs.test_rules import PREFIXES, ROOT, boards, source
from tests.loops import for_each
from tests.shown_commands import guide_text

PAGES = [prefix + game for game in GAMES for prefix in PREFIXES.values()]
ALL = [board for game in GAMES for board in boards(source(game, "en"))] + boards(guide_text())


def positions(kind: str, *names: str) -> list[Any]:
    """Return the positions of a kind that have certain members."""
    found = [each for name, each in ALL if name == kind and {*names} <= set(each)]
    assert found
    return found


# Form -----------------------------------------------------------------------------------------


def svgs(client: FlaskClient, address: str) -> Iterator[ET.Element]:
    html = client.get(address).get_data(as_text=True)
    for drawing in re.findall(r"<svg.*?</svg>", html, re.DOTALL):
        yield ET.fromstring(drawing)


@for_each("address", [*PAGES, "/docs/guide", "/docs/guide/turn"])
def test_a_picture_is_well_formed_and_has_a_name_and_a_description(
    client: FlaskClient, address: str
) -> None:
    drawings = list(svgs(client, address))

    assert drawings
    for drawing in drawings:
        title, description = drawing[0], drawing[1]
        assert (title.tag, description.tag, drawing.get("role")) == ("title", "desc", "img")
        assert len(title.text or "") > 5
        assert len(description.text or "") > 5
        width, height = map(float, (drawing.get("viewBox") or "").split()[2:])
        assert 0 < width <= 450
        assert 0 < height <= 450


@for_each("address", PAGES)
def test_the_style_sheet_knows_every_class_of_a_picture(client: FlaskClient, address: str) -> None:
    styles = client.get("/docs/boards.css").get_data(as_text=True)
    used = {
        name
        for drawing in svgs(client, address)
        for part in drawing.iter()
        for name in (part.get("class") or "").split()
    }
    plain = {"start", "amounts", "legend", "item-any", "item-building", "item-card"}

    known = set(re.findall(r"\.([a-z][\w-]*)", styles))
    assert used - known - plain - {"item-villager"} == set()


def test_a_text_in_a_picture_is_escaped() -> None:
    position = {"title": 'a < b & "c"', "cards": {"<Anna>": 1}}

    html = draw("board snow-time", json.dumps(position), "en")

    assert ET.fromstring(html)[0][0].text == position["title"]
    assert "<Anna>" not in html


def test_an_unknown_picture_or_card_raises_an_error() -> None:
    for fence, body in (
        ("board chess", '{"title": "?"}'),
        ("board snowcrest-card", '{"title": "?", "card": "wizard", "labels": []}'),
        ("board slopecrashers", '{"title": "?", "rows": ["x"]}'),
    ):
        with pytest.raises(KeyError):
            render(f"```{fence}\n{body}\n```\n", "page.md", {})


@for_each("kind", ICONS)
def test_every_icon_that_a_card_may_show_has_a_drawing(kind: str) -> None:
    assert 'class="icon item-' in icon(kind, 0, 0)


def test_the_icons_are_those_of_the_page_that_plays() -> None:
    script = Path(ROOT / "service/playground/snowcrest/icons.js").read_text(encoding="utf-8")
    [card] = re.findall(r'^const CARD = "(.*)";$', script, re.MULTILINE)
    body = script.partition("const ICONS = {")[2].partition("};")[0]
    lines = re.findall(r"^  (\w+): (.*),$", body, re.MULTILINE)

    assert {
        name: path.strip('"`').replace("${CARD}", card) if path != "CARD" else card
        for name, path in lines
    } == PATHS


def test_the_same_letter_has_the_same_colour_in_every_game() -> None:
    tree = draw("board snow-time", '{"title": "Anna", "cards": {"Anna": 1}}', "en")
    course = '{"title": "Anna", "rows": [".."], "players": {"Anna": "A0"}}'

    colours = [
        re.findall(r'class="seat (\w+)"', each)
        for each in (tree, draw("board slopecrashers", course, "en"))
    ]
    assert colours == [["berry"], ["berry"]]


def test_the_description_is_in_the_language_of_the_page() -> None:
    position = '{"title": "Titel", "fruit": {"3": 2}, "cards": {"Anna": 3}, "fallen": ["Anna"]}'

    html = draw("board snow-time", position, "de")

    assert "<desc>Ebene 3: 2 Früchte, Anna (heruntergefallen).</desc>" in html


# Snow Time ------------------------------------------------------------------------------------


@for_each("position", positions("snow-time", "cards"))
def test_fallen_champions_and_points_are_those_of_the_rules(position: dict[str, Any]) -> None:
    fruit = tuple(position.get("fruit", {}).get(str(level), 0) for level in range(1, 7))
    names = tuple(position["cards"])
    seats = tuple(Seat(name, name, 0, DECK) for name in names)
    moves = [Move(Card(position["cards"][name])) for name in names]

    resolution = resolve(State(seats, fruit), moves)

    fallen = {name for event in resolution.events for name in event.fallen}
    points = {
        name: each.fight + each.fruit + each.mana
        for name, each in zip(names, resolution.points, strict=True)
    }
    assert set(position.get("fallen", ())) == fallen
    assert position["points"] == {name: count for name, count in points.items() if count}


@for_each("position", positions("snow-time-track", "moves"))
def test_a_bonus_advance_is_that_of_the_default_track(position: dict[str, Any]) -> None:
    bonuses = default_track().bonus_by_space

    for _, landing, *advanced in position["moves"].values():
        assert landing in bonuses
        assert all(end - landing == bonuses[landing].advance for end in advanced)


def test_the_pictures_show_the_whole_default_track() -> None:
    shown = [
        space
        for kind, each in ALL
        if kind == "snow-time-track" and "moves" not in each
        for space in range(each["first"], each["last"] + 1)
    ]

    assert shown == list(range(default_track().length + 1))


# Slopecrashers --------------------------------------------------------------------------------


def rows_of(position: dict[str, Any]) -> dict[str, Field]:
    """Return the fields by the names of their spaces."""
    pieces = {piece.name: piece.rows for piece in DEFAULT_PIECES}
    rows = pieces.get(position.get("piece", "")) or [
        [SIGNS[sign] for sign in row] for row in position["rows"]
    ]
    return {
        f"{chr(65 + lane)}{row}": field
        for row, fields in enumerate(rows, position.get("first", 0))
        for lane, field in enumerate(fields)
    }


@for_each("position", positions("slopecrashers", "players"))
def test_nobody_stands_or_lands_on_a_closed_space(position: dict[str, Any]) -> None:
    fields = rows_of(position)

    spaces = [
        *position["players"].values(),
        *(each for path in position.get("paths", ()) for each in path),
    ]
    assert {each for each in spaces if not fields[each].is_enterable} == set()


@for_each("position", positions("slopecrashers", "paths"))
def test_paths_are_straight_and_begin_at_a_character(position: dict[str, Any]) -> None:
    for path in position["paths"]:
        assert path[0] in position["players"].values()
        for (lane, *row), (other_lane, *other_row) in pairwise(path):
            assert (lane == other_lane) != (row == other_row)


@for_each("position", positions("slopecrashers", "chili"))
def test_the_movements_of_a_chili_are_those_of_the_rules(position: dict[str, Any]) -> None:
    places = {
        name: Place(1, int(space[1:]), ord(space[0]) - 65)
        for name, space in position["players"].items()
    }
    for name, count in position["chili"].items():
        others = [place.progress for other, place in places.items() if other != name]
        assert chili_movements(places[name], others) == count


@for_each("position", positions("slopecrashers", "marked"))
def test_the_marked_spaces_are_those_for_a_snowman(position: dict[str, Any]) -> None:
    row = int(position["players"]["Anna"][1:])
    rows = {row + ahead for ahead in SNOWMAN_ROWS}
    free = {
        name
        for name, field in rows_of(position).items()
        if field.is_enterable and name not in position["players"].values()
    }

    assert set(position["marked"]) == {name for name in free if int(name[1:]) in rows}


def test_the_pictures_show_every_default_piece() -> None:
    text = source("slopecrashers", "en")
    shown = [each["piece"] for _, each in boards(text) if "piece" in each]

    assert len(boards(text)) == text.count("```board"), "a picture is not found"
    assert shown == [piece.name for piece in DEFAULT_PIECES]


# Snowcrest ------------------------------------------------------------------------------------


@for_each("position", positions("snowcrest", "line"))
def test_a_rest_gains_what_is_visible(position: dict[str, Any]) -> None:
    by_id = {villager.id: villager for villager in DEFAULT_CATALOGUE.villagers}
    visible = NOTHING
    for name in filter(None, position["village"]):
        villager = by_id[name.rstrip("*")]
        visible = plus(visible, villager.back_icons if name.endswith("*") else villager.icons)

    assert tuple(position["line"]) in LINES
    assert all(position["village"][cell].endswith("*") for cell in position["line"])
    assert position["gains"] == render_amounts(visible)


@for_each("position", positions("snowcrest-amounts", "pays"))
def test_a_payment_is_the_cost_of_the_villager(position: dict[str, Any]) -> None:
    [cost] = (each.cost for each in DEFAULT_CATALOGUE.villagers if each.id == position["pays"])

    assert sum(row["barley"] for _, row in position["rows"]) == cost


@for_each("position", positions("snowcrest-amounts", "scrolls"))
def test_a_meditation_gives_the_scrolls_of_the_rules(position: dict[str, Any]) -> None:
    bids = [row["bell"] for _, row in position["rows"]]

    assert meditation_scrolls(bids) == position["scrolls"]
