"""Realistic parameters of texts, for the page that lists all sentences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Final

from service.core.languages import DEFAULT_LANGUAGE
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.texts.catalogue import plural_categories, plural_category, text, texts
from service.texts.formatting import decimal, join_list, percent

Example = Callable[[str, int], str]
"""Returns a parameter in a language; the number is the one that selects the plural form."""

_AND: Final = {"en": " and ", "de": " und ", "zh-Hans": "和", "zh-Hant": "和"}

SAMPLE_COUNTS: Final = (1, 2, 0, 3, 5, 20)
"""The first number of each plural category is an example."""


def examples(text_id: str, language: str) -> list[str]:
    """Return a text with example parameters: one sentence for each of its plural forms."""
    forms = texts(language)[text_id]
    names = {name for form in forms.values() for name in _placeholders(form)}
    if len(texts(DEFAULT_LANGUAGE)[text_id]) == 1:
        counts = [SAMPLE_COUNTS[1]]
    else:
        counts = [_first_count(category, language) for category in plural_categories(language)]
    return [
        text(
            text_id,
            language,
            **{name: parameter(text_id, name)(language, count) for name in names - {"count"}},
            count=count,
        )
        for count in counts
    ]


def parameter(text_id: str, name: str) -> Example:
    """Return the example of a parameter; without an example, it is the placeholder.

    The longest key that the id begins with decides.
    """
    fitting = [prefix for prefix in EXAMPLES if text_id.startswith(prefix)]
    for prefix in sorted(fitting, key=len, reverse=True):
        if name in EXAMPLES[prefix]:
            return EXAMPLES[prefix][name]
    return plain(f"{{{name}}}")


def plain(value: str) -> Example:
    """Return the example of a parameter that is the same in all languages."""
    return lambda language, count: value


def _placeholders(form: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(form) if name is not None]


def _first_count(category: str, language: str) -> int:
    return next(each for each in SAMPLE_COUNTS if plural_category(each, language) == category)


def _text(text_id: str, number: int | None = None, **parts: Example) -> Example:
    """Return a text of the catalogue; ``number`` is its count."""

    def example(language: str, count: int) -> str:
        words: dict[str, object] = {name: part(language, count) for name, part in parts.items()}
        return text(text_id, language, **words, **({} if number is None else {"count": number}))

    return example


def _list(*items: Example) -> Example:
    return lambda language, count: join_list((item(language, count) for item in items), language)


def _both(one: Example, other: Example) -> Example:
    """Return two items as the page joins them (CLDR, list patterns)."""
    return lambda language, count: _AND[language].join(
        (one(language, count), other(language, count))
    )


def _joined(separator: Example, *items: Example) -> Example:
    return lambda language, count: separator(language, count).join(
        item(language, count) for item in items
    )


def _some(one: Example, other: Example) -> Example:
    """Return one item, or both if the number is not 1."""
    several = _both(one, other)
    return lambda language, count: (one if count == 1 else several)(language, count)


def _card(card_id: str) -> Example:
    decks = (DEFAULT_CATALOGUE.villagers, DEFAULT_CATALOGUE.challenges)
    names = {card.id: dict(card.names or ()) for deck in decks for card in deck}
    return lambda language, count: names[card_id][language]


_SPACE, _BETWEEN_ENTRIES = plain(" "), _text("page.list.between-entries")
_RED, _BLUE = _text("page.seat.red"), _text("page.seat.blue")
_FRUIT = _text("snow-time.kind.fruit")
_CHAMPION = _text("snow-time.card.champion", level=plain("3"))
_HEALER, _WATCHER = _text("snow-time.card.healer"), _text("snow-time.card.watcher")
_CHANCE: Example = lambda language, count: percent(0.61, language)  # noqa: E731
_SHARE: Example = lambda language, count: percent(0.021, language)  # noqa: E731
_POINTS: Example = lambda language, count: decimal(1.3, language)  # noqa: E731
_ROCKET, _SPRING = _text("slopecrashers.gift.rocket"), _text("slopecrashers.gift.spring")
_BELLS, _BARLEY = _text("snowcrest.amount.bell", 2), _text("snowcrest.amount.barley", 1)
_FARMER, _POTTER = _card("farmer"), _card("potter")
_STEP = _text(
    "page.slopecrashers.action.step", direction=_text("page.slopecrashers.direction.forward")
)
_RESIDENT = _joined(_SPACE, _FARMER, plain("(B2)"))
_OF_RED = _text("page.list.entry", name=_RED, text=_HEALER)
_OF_BLUE = _text("page.list.entry", name=_BLUE, text=_CHAMPION)

EXAMPLES: Final[Mapping[str, Mapping[str, Example]]] = {
    "": {
        "chance": _CHANCE,
        "count": plain("2"),
        "error": _SHARE,
        "instead": plain("20%"),
        "kind": _FRUIT,
        "level": plain("3"),
        "number": plain("2"),
        "player": plain("Anna"),
        "points": _POINTS,
        "seat": _RED,
        "share": _SHARE,
    },
    "spoken.": {"amount": _CHANCE},
    "turns.": {
        "choice": _text("page.slopecrashers.action.end"),
        "mistakes": _text("page.slopecrashers.action.end"),
    },
    "turns.times": {"number": plain("5")},
    "turns.other.quoted": {"choice": _STEP},
    "review.": {"example": _text("slopecrashers.consequence.leaves-gift", space=plain("C5"))},
    "turns.plan": {
        "rest": lambda language, count: _STEP(language, count).partition(" ")[2],
        "times": _text("turns.times.2"),
        "verb": lambda language, count: _STEP(language, count).partition(" ")[0],
        "before": _text("page.slopecrashers.action.discard", card=_ROCKET),
        "last": _text("page.slopecrashers.action.end"),
    },
    "snow-time.": {
        "advance": plain("2"),
        "card": _WATCHER,
        "cards": _text("snow-time.trait-cards.watcher"),
        "space": plain("14"),
        "text": _text("snow-time.consequence.spends", card=_WATCHER),
    },
    "rounds.advice": {
        "choices": _list(
            _text("snow-time.played.champion", card=plain("3")),
            _text("snow-time.played.champion", card=plain("4")),
        ),
        "do": _text(
            "snow-time.advice-part.do-card",
            move=_text("snow-time.played.champion", card=plain("5")),
        ),
        "move": plain("5"),
        "number": plain("4"),
    },
    "snow-time.advice-part": {"move": plain("5")},
    "rounds.advice-part.needed": {"seat": plain("Bob"), "move": plain("7")},
    "rounds.advice.unlikely": {
        "needed": _text("rounds.advice-part.needed", seat=plain("Bob"), move=plain("7"))
    },
    "snow-time.advice-part.recovers": {"card": _HEALER, "cards": plain("2, 5")},
    "reason.": {
        "text": _text("snowcrest.consequence.draws"),
    },
    "snow-time.consequence": {
        "actor": _text("snow-time.played-by.champion", card=plain("4"), player=plain("Ben")),
        "card": _text("snow-time.played.champion", card=plain("6")),
        "theirs": _text("snow-time.played-by.champion", card=plain("6"), player=plain("Anna")),
        "cards": _list(plain("2"), plain("5")),
        "discarded": plain("3"),
        "own": plain("5"),
    },
    "snow-time.played": {"card": plain("6")},
    "snow-time.likely": {
        "text": lambda language, count: _text("snow-time.consequence.mana")(language, count)[:-1]
    },
    "snow-time.played-by": {
        "card": plain("6"),
        "theirs": _text("snow-time.played-by.champion", card=plain("6"), player=plain("Anna")),
    },
    "slopecrashers.": {
        "first": _SPRING,
        "gift": _ROCKET,
        "rows": plain("3"),
        "second": _ROCKET,
        "targets": _list(plain("Hugo"), plain("Mila")),
    },
    "slopecrashers.onto-gift": {"action": _STEP},
    "slopecrashers.consequence": {
        "other": _text("turns.other.next-best"),
        "card": _SPRING,
        "players": _list(plain("Hugo"), plain("Mila")),
        "space": plain("C5"),
    },
    "snowcrest.consequence": {
        "other": _text("turns.other.next-best"),
        "amount": _text("snowcrest.amount.farm", 1),
        "buildings": plain("6"),
        "card": _FARMER,
        "cards": _some(_FARMER, _POTTER),
        "challenge": _card(DEFAULT_CATALOGUE.challenges[0].id),
        "most": plain("3"),
        "resource": _text("snowcrest.kind.gold"),
    },
    "snowcrest.": {"amount": _BARLEY, "gained": _list(_BELLS, _BARLEY)},
    "page.": {
        "awards": _text(
            "page.award",
            seat=_RED,
            points=plain("2"),
            kind=_FRUIT,
            start=plain("12"),
            end=plain("14"),
        ),
        "best": _HEALER,
        "cards": _joined(_BETWEEN_ENTRIES, _OF_RED, _OF_BLUE),
        "dice": _some(plain("3"), plain("5")),
        "done": plain("12"),
        "effort": _text("page.effort.standard"),
        "end": plain("14"),
        "epsilon": _SHARE,
        "fallen": _text("page.seat.green"),
        "fault": plain("Unexpected token"),
        "file": plain("box.json"),
        "parts": plain("pieces, deck"),
        "game": _text("snow-time.title"),
        "happened": _text("page.event.fruit", seats=_RED, level=plain("3")),
        "id": plain("7c9e6679"),
        "move": _CHAMPION,
        "next": _OF_BLUE,
        "players": _some(plain("Anna"), plain("Hugo")),
        "points": plain("2"),
        "revealed": _text("page.list.entry", name=_RED, text=_WATCHER),
        "round": plain("4"),
        "seats": _some(_RED, _BLUE),
        "space": plain("14"),
        "start": plain("12"),
        "step": plain("3"),
        "steps": plain("7"),
        "times": _POINTS,
        "total": plain("40"),
        "what": _joined(_BETWEEN_ENTRIES, _text("page.tree.fruit", 2), _RED),
    },
    "page.end.": {
        "good": plain("5"),
        "place": plain("2"),
        "total": plain("4"),
        "when": _text("page.round", round=plain("4")),
    },
    "page.event.fruit": {"seats": _RED},
    "page.event.mana": {"seats": _RED},
    "page.list.": {"name": _RED, "text": _HEALER},
    "page.event.brawl": {"seats": _both(_RED, _BLUE)},
    "page.move.": {"cards": _joined(plain(" + "), _CHAMPION, _HEALER)},
    "page.lesson.": {"answer": _text("page.lesson.slopecrashers.q1.right")},
    "page.retry.": {"when": _text("page.round", round=plain("4"))},
    "page.review.": {"when": _text("page.round", round=plain("4"))},
    "page.timeline.": {
        "before": _SHARE,
        "end": _SHARE,
        "loss": _SHARE,
        "luck": _SHARE,
        "mistakes": _text("page.timeline.count", 2),
        "start": _SHARE,
    },
    "page.turn.": {"what": _text("page.snowcrest.decision.turn")},
    "page.slopecrashers.": {
        "card": _ROCKET,
        "direction": _text("page.slopecrashers.direction.left"),
        "end": plain("C5"),
        "first": plain("1"),
        "gift": _ROCKET,
        "lane": plain("C"),
        "lap": plain("1"),
        "last": plain("5"),
        "name": plain("A"),
        "space": plain("C4"),
        "spaces": plain("C4, D6"),
        "start": plain("C4"),
        "targets": _list(plain("Hugo"), plain("Mila")),
    },
    "page.snowcrest.": {
        "amount": _BELLS,
        "building": _text("snowcrest.kind.farm"),
        "card": _FARMER,
        "cards": _both(_FARMER, _POTTER),
        "cell": plain("B2"),
        "challenge": _card(DEFAULT_CATALOGUE.challenges[0].id),
        "cost": _both(_BELLS, _BARLEY),
        "get": _text("snowcrest.kind.gold"),
        "give": _text("snowcrest.kind.barley"),
        "given": _text("snowcrest.kind.barley"),
        "icons": _list(_BELLS, _BARLEY),
        "item": _text("page.snowcrest.item.any"),
        "items": _both(_text("page.snowcrest.item.any"), _text("page.snowcrest.item.card")),
        "omen": plain("3"),
        "owner": plain("Hugo"),
        "payment": _BELLS,
        "resident": _RESIDENT,
        "resource": _text("snowcrest.kind.gold"),
        "returned": _text("snowcrest.kind.forge"),
        "sets": _joined(plain(" ↔ "), _BELLS, _BARLEY),
        "settles": _text("page.snowcrest.item.card"),
    },
    "page.snowcrest.costs": {"cost": plain("2")},
    "page.snowcrest.entered": {"what": _text("page.snowcrest.row"), "all": plain("5")},
    "page.hint.without": {"what": _text("page.snowcrest.challenges")},
}
"""Examples of parameters: what an id begins with, then the name of the parameter."""
