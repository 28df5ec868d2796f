"""The front door of the page: the ways in, the rules in all languages, and the lessons."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page

from service.core.languages import LANGUAGES
from service.texts.catalogue import texts
from tests.playground.visit import (
    LAPTOP,
    NARROW,
    ON_ITS_SIDE,
    PHONE,
    TABLET,
    TapCounter,
    Visit,
    accessibility_failures,
    key,
)

pytestmark = pytest.mark.browser

GAMES = ("snow-time", "slopecrashers", "snowcrest")
PARAGRAPHS = 5


def enter(visit: Visit) -> Page:
    """Open the page without a game."""
    visit.page.goto(f"http://{visit.host}/")
    visit.page.wait_for_selector(".front")
    return visit.page


def test_the_one_main_action_leads_to_a_table(visit: Visit) -> None:
    page = enter(visit)
    assert page.locator(".front .main").all_inner_texts() == ["Get a hint for your table"]
    page.click(".front .main")
    page.wait_for_selector(key("table-snow-time"))
    assert page.evaluate("document.activeElement.textContent") == "Which game is on your table?"
    page.click(key("table-snow-time"))
    page.wait_for_selector(".table-setup")
    page.go_back()
    page.wait_for_selector(key("table-snowcrest"))
    page.go_back()
    page.wait_for_selector(".front .main")


@pytest.mark.parametrize("visit", [PHONE, PHONE | {"locale": "de"}], indirect=True)
def test_a_first_visitor_sees_what_this_is_and_where_to_tap(visit: Visit) -> None:
    """One screen of a phone has the title, one main action, a hint and three pictures."""
    page = enter(visit)
    order = page.locator("h1, .lead, .front .main, .example .pick, .picture-door .picture")
    boxes = order.evaluate_all("all => all.map(each => each.getBoundingClientRect().bottom)")
    assert len(boxes) == 4 + len(GAMES)
    assert max(boxes) <= page.evaluate("innerHeight")
    assert page.locator(".front .main").evaluate("each => each.offsetHeight") >= 44
    # What developers need is not among the first things.
    assert page.locator("main a[href^='/docs'], main textarea").count() == 0
    # The choices of the header are readable, too.
    cut = page.locator("header select").evaluate_all(
        "all => all.filter(each => each.scrollWidth > each.clientWidth).length"
    )
    assert cut == 0


def test_the_example_is_what_the_service_advises(visit: Visit) -> None:
    page = enter(visit)
    why = page.inner_text(".example .pick + p")
    likely = page.locator(".likely").evaluate_all(
        "all => all.map(each => [...each.querySelectorAll('text')].map(text => text.textContent))"
    )
    page.click(key("example"))
    page.wait_for_selector(".hand")
    page.click(key("ask-red"))
    page.wait_for_selector(".answer")
    hint = visit.last("suggest")
    assert hint["pick"] == {"red": {"card": "5"}}
    reasons = hint["moves"][hint["pick_index"]]["reasons"]
    assert reasons[0]["text"] == "You take the 2 fruit on level 5."
    assert why.startswith(reasons[0]["text"])
    chances = {
        (player[0].upper(), f"{100 * each['probability']:.0f}%")
        for player in ("blue", "green")
        for each in hint["strategies"][player]
    }
    assert {tuple(each) for each in likely} <= chances


AT = """(time) => {
  for (const each of document.getAnimations()) {
    each.pause();
    each.currentTime = time;
  }
  const seen = (each) => Number(getComputedStyle(each).opacity) > 0;
  const box = (each) => each.getBoundingClientRect();
  const boxes = (all) => [...document.querySelectorAll(all)].map(box);
  const [climber] = seen(document.querySelector(".climbing")) ? boxes(".climbing .halo") : [];
  const covered = climber ? boxes(".likely").filter(({ left, top, right, bottom }) =>
    Math.min(right, climber.right) > Math.max(left, climber.left) &&
    Math.min(bottom, climber.bottom) > Math.max(top, climber.top)) : [];
  return [covered.length, [...document.querySelectorAll("figcaption > *")].every(seen)];
}"""
"""What the figure of the example covers at a time in ms, and whether all texts are to be seen."""


@pytest.mark.parametrize("visit", [PHONE | {"reduced_motion": "no-preference"}], indirect=True)
def test_the_example_is_complete_while_it_moves(visit: Visit) -> None:
    """Its text came after two seconds, and its figure climbed over a percentage."""
    page = enter(visit)
    for time in range(0, 2600, 100):
        assert page.evaluate(AT, time) == [0, True], time


@pytest.mark.parametrize("game", GAMES)
def test_the_front_door_leads_to_a_game_against_the_service(visit: Visit, game: str) -> None:
    page = enter(visit)
    page.click(key(f"play-{game}"))
    page.wait_for_selector(".now[aria-busy=false]")
    visit.settled()
    if game == "snow-time":
        assert page.locator(".seats .tag").all_inner_texts() == ["you"] + ["computer"] * 3
    else:
        assert page.locator(".choices button").count() > 0
    assert page.locator(".lesson").count() == 0
    page.click(key("brand"))
    page.click(key("continue"))
    page.wait_for_selector(f".game.{game} .now")


MAX_STEPS_OF_A_LESSON = 60
MINUTES_OF_A_LESSON = 3
GO_ON = ("play-turn", "roll", "reveal", "next-round")
QUESTIONS = (1, 2, 3)
QUOTED = re.compile(
    "\N{LEFT DOUBLE QUOTATION MARK}(.+?) ?[\N{HORIZONTAL ELLIPSIS}\N{RIGHT DOUBLE QUOTATION MARK}]"
)
"""The names of buttons in a text, up to an ellipsis."""


def press_what_is_right(page: Page) -> None:
    """Press the button that goes on, or the only choice that the lesson offers."""
    for name in GO_ON:
        button = page.locator(f"{key(name)}:enabled")
        if button.count():
            button.click()
            return
    choices = page.locator(".hand button, .choices button")
    assert choices.count() == 1
    choices.click()


@pytest.mark.parametrize("game", GAMES)
def test_a_lesson_offers_only_what_is_right_and_ends_with_questions(
    visit: Visit, game: str
) -> None:
    page = enter(visit)
    page.click(key(f"teach-{game}"))
    page.wait_for_selector(".lesson")
    counter = TapCounter(page)
    shown = []
    for _ in range(MAX_STEPS_OF_A_LESSON):
        visit.settled()
        text = page.locator(".lesson .sentence").first.inner_text()
        if text not in shown:
            shown.append(text)
        if page.locator(key("answer-1-right")).count():
            break
        # Each text says what to tap; the button that it names is there.
        assert "tap" in text.lower()
        if quoted := QUOTED.findall(text):
            buttons = page.locator("main button:visible:enabled").all_inner_texts()
            assert page.locator(".hand [aria-pressed=false]").count() or any(
                label.startswith(tuple(quoted)) or label.lower() in text for label in buttons
            )
        press_what_is_right(page)
    english = texts("en")
    steps = {"snow-time": 10, "slopecrashers": 12, "snowcrest": 8}[game]
    assert shown == [english[f"page.lesson.{game}.{step + 1}"]["other"] for step in range(steps)]
    assert accessibility_failures(page) == []
    # The questions and the game are not there at the same time.
    board = page.locator(".arena, .board")
    assert board.is_hidden()
    for number in QUESTIONS:
        page.click(key(f"answer-{number}-{'wrong' if number == 1 else 'right'}"))
    assert "2 of 3 answers were right" in page.inner_text(".lesson")
    words = sum(len(text.split()) for text in shown) + len(QUESTIONS) * 20
    reading = words / 180 * 60  # Words a minute of a slow reader.
    assert counter.read()[1] + reading <= 60 * MINUTES_OF_A_LESSON
    assert board.is_hidden()
    page.click(key("lesson-close"))
    assert page.locator(".lesson").count() == 0
    # The game goes on, with all choices.
    page.wait_for_selector(f"{key('roll')}, {key('ask')}, {key('finish')}")


def steps_of_a_lesson(visit: Visit, game: str) -> Iterator[None]:
    """Begin a lesson and do what it asks for after each yield, until its questions come."""
    page = visit.page
    page.click(key(f"teach-{game}"))
    page.wait_for_selector(".lesson")
    for _ in range(MAX_STEPS_OF_A_LESSON):
        visit.settled()
        if page.locator(key("answer-1-right")).count():
            break
        yield
        press_what_is_right(page)


COVERED = """() => {
  const box = (each) => each.getBoundingClientRect();
  const low = box(document.querySelector(".lesson")).bottom;
  return [...document.querySelectorAll(".pieces [data-glide=Anna], .lit")].filter((each) => {
    const { top, bottom } = box(each);
    const window = each.closest(".pieces");
    const seen = [low, innerHeight, ...(window ? [box(window).top, box(window).bottom] : [])];
    return top + 2 < Math.max(low, seen[2] ?? 0) || bottom - 2 > Math.min(seen[1], seen[3] ?? 1e9);
  }).map((each) => each.dataset.glide ?? each.dataset.key ?? "space");
}"""
"""The skier of the user and what is to be tapped, as far as the lesson or an edge covers them."""


@pytest.mark.parametrize("visit", [PHONE, ON_ITS_SIDE, TABLET, LAPTOP], indirect=True)
@pytest.mark.parametrize("game", GAMES[1:])
def test_what_a_step_of_a_lesson_is_about_is_in_view(visit: Visit, game: str) -> None:
    """The card of the lesson lay over the skier, and the course jumped back to its start."""
    page = enter(visit)
    for _ in steps_of_a_lesson(visit, game):
        page.evaluate("() => new Promise((done) => setTimeout(done, 100))")
        assert page.evaluate(COVERED) == [], page.inner_text(".lesson .sentence")


MOTIONS = """
    window.motions = [];
    addEventListener("animationstart", ({ animationName }) => motions.push(animationName), true);
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...how) {
        motions.push("glide");
        return animate.apply(this, how);
    };
"""
"""A script that records what moves on a page."""


@pytest.mark.parametrize("visit", [{"reduced_motion": "no-preference"}], indirect=True)
@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("snow-time", {"turns", "falls", "flies", "glide"}),
        ("slopecrashers", {"glide"}),
        ("snowcrest", {"glide"}),
    ],
)
def test_a_lesson_shows_what_happens_in_motion(visit: Visit, game: str, kinds: set[str]) -> None:
    visit.page.add_init_script(MOTIONS)
    page = enter(visit)
    page.evaluate("localStorage.setItem('speed', 'fast')")
    for _ in steps_of_a_lesson(visit, game):
        if page.locator(key("run")).count():
            # In a lesson a round plays itself.
            page.wait_for_selector(f"{key('run')}:disabled")
    assert kinds <= set(page.evaluate("motions"))


@pytest.mark.parametrize("visit", [PHONE | {"reduced_motion": "no-preference"}], indirect=True)
def test_nothing_moves_on_the_board_when_a_hint_makes_room(visit: Visit) -> None:
    """The villagers flew over the hint."""
    visit.page.add_init_script(MOTIONS)
    page = visit.open("#snowcrest/play")
    visit.settled()
    page.evaluate("motions.length = 0")
    visit.ask()
    assert "glide" not in page.evaluate("motions")


def test_the_symbol_of_an_omen_points_where_the_marker_moves(visit: Visit) -> None:
    """It was "-2", with the words "2 less omen", for a marker that moves from 0 to 2."""
    page = enter(visit)
    page.click(key("teach-snowcrest"))
    page.wait_for_selector(".lesson")
    symbol = page.locator(".person:has-text('Herbalist') .amount-icons:has(.item-omen)")
    assert symbol.get_attribute("title") == "omen marker 2 up"
    assert symbol.locator("[aria-hidden]").first.inner_text() == "\N{UPWARDS ARROW}2"
    marker = page.locator(".village .tokens").first
    assert "Omen marker 0" in marker.inner_text()
    while "Omen marker 0" in marker.inner_text():
        press_what_is_right(page)
        visit.settled()
    assert "Omen marker 2" in marker.inner_text()


@pytest.mark.parametrize("visit", [PHONE], indirect=True)
def test_the_lesson_covers_no_level_of_the_tree_on_a_phone(visit: Visit) -> None:
    page = enter(visit)
    page.click(key("teach-snow-time"))
    page.wait_for_selector(".lesson")
    visit.settled()
    while not page.locator(key("run")).count():
        press_what_is_right(page)
        visit.settled()
    lesson, tree = (page.locator(each).bounding_box() for each in (".lesson", ".tree"))
    assert lesson
    assert tree
    assert lesson["y"] + lesson["height"] <= tree["y"]
    assert tree["y"] + tree["height"] <= PHONE["viewport"]["height"]


@pytest.mark.parametrize("game", GAMES)
def test_the_rules_are_one_click_away_in_all_languages(visit: Visit, game: str) -> None:
    page = visit.open(f"#{game}")
    page.click(key("rules"))
    page.wait_for_selector(".rules")
    for language in LANGUAGES:
        page.select_option(key("language"), language)
        page.wait_for_selector(f'html[lang="{language}"]')
        first = texts(language)[f"page.rules.{game}.1"]["other"]
        page.get_by_text(first, exact=True).wait_for()
        assert page.locator(".rules > p").count() == PARAGRAPHS + 1
    page.click(key("to-game"))
    page.wait_for_selector(f".game.{game} .now")


@pytest.mark.parametrize("visit", [PHONE, PHONE | {"locale": "de"}], indirect=True)
def test_the_icons_and_words_of_snowcrest_are_explained(visit: Visit) -> None:
    """They had tooltips, which a finger cannot reach, and no text said what worship is."""
    page = visit.open("#snowcrest")
    page.click(f"{key('card-texts')} summary")
    language = page.get_attribute("html", "lang") or ""
    worship = texts(language)["page.card.term.worship"]["other"]
    shown = page.inner_text(key("card-texts"))
    assert worship in shown
    kinds = visit.page.evaluate("fetch('/v1/games/snowcrest').then(each => each.json())")["kinds"]
    for kind in ("barley", "bell", "bowl", "omen", "temple"):
        assert kinds[kind][language] in shown
    assert accessibility_failures(page) == []
    page.click(key("rules"))
    page.wait_for_selector(".rules")
    assert worship in page.inner_text(".rules .card-texts")


def test_cards_explain_themselves_on_tap(visit: Visit) -> None:
    page = visit.open()
    page.click(key("roll"))
    page.click(key("choose-red-5"))
    assert "Champion 6 climbs to level 6." in page.inner_text(".hand")
    page.click(f"{key('card-texts')} summary")
    assert page.locator(".card-texts li").count() == 4


@pytest.mark.parametrize(
    "visit", [PHONE | {"locale": "de"}, {"viewport": NARROW, "color_scheme": "dark"}], indirect=True
)
def test_the_front_door_is_accessible_and_fits_a_phone(visit: Visit) -> None:
    page = enter(visit)
    width = page.evaluate("innerWidth")
    for link in (None, "#snow-time/rules", "#slopecrashers/rules"):
        if link:
            page.goto(f"http://{visit.host}/{link}")
            page.wait_for_selector(".rules")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert accessibility_failures(page) == []
    page.goto(f"http://{visit.host}/#snow-time/teach")
    page.wait_for_selector(".lesson")
    visit.settled()
    assert accessibility_failures(page) == []


@pytest.mark.parametrize("game", GAMES[1:])
def test_a_new_game_ends_a_lesson(visit: Visit, game: str) -> None:
    page = enter(visit)
    page.click(key(f"teach-{game}"))
    page.wait_for_selector(".lesson")
    visit.settled()
    assert page.locator(".choices button").count() == 1
    page.click(f"{key('setup')} > summary")
    page.click(key("setup-start"))
    page.wait_for_selector(".lesson", state="detached")
    visit.settled()
    assert page.locator(".choices button").count() > 1
