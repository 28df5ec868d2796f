"""The parser takes moves of Snow Time with the fields of their kind."""

from service.core.languages import LANGUAGES
from service.core.violations import Rejected
from service.games.common.display_names import NO_NAMES
from service.games.snow_time.api.reasons import headlines
from service.games.snow_time.api.schema import AddedMoveSchema, MoveSchema
from service.games.snow_time.rules.state import DECK, Card
from service.texts.catalogue import text
from tests.games.snow_time.positions import ask, move
from tests.loops import for_each

VALUES = {"then": {"card": "1"}, "recover": []}
CODES = {"then": "then-without-watcher", "recover": "recover-without-healer"}


def refusals(document):
    """Return the violations of a move in a position where every seat has all cards."""
    state = ask("new", {"seats": [{"seat": name} for name in "abc"]})["state"]
    moves = {"a": document, "b": {"card": "1"}, "c": {"card": "1"}}
    try:
        ask("legal-moves", {"state": state, "revealed": moves})
    except Rejected as rejected:
        return {(each.path.removeprefix("/revealed/a/"), each.code) for each in rejected.violations}
    return set()


@for_each("card", [card.label for card in DECK])
def test_the_parser_allows_a_move_the_fields_of_the_union(card):
    required, optional = MoveSchema.union.fields[card]
    assert not required
    for field, value in VALUES.items():
        refused = (field, CODES[field]) in refusals({"card": card, field: value})
        assert refused == (field not in optional)


@for_each("card", [card.label for card in Card if card is not Card.WATCHER])
def test_the_parser_allows_an_added_card_the_fields_of_the_union(card):
    required, optional = AddedMoveSchema.union.fields[card]
    assert not required
    added = {"card": card, "recover": []}
    refused = ("then/recover", CODES["recover"]) in refusals({"card": "watcher", "then": added})
    assert refused == ("recover" not in optional)


def test_a_watcher_adds_no_watcher():
    assert set(AddedMoveSchema.union.fields) == set(MoveSchema.union.fields) - {"watcher"} | {
        "none"
    }


def test_a_watcher_that_adds_no_card_has_words_in_every_language():
    none = {"a": move("w0")}
    for language in LANGUAGES:
        words = headlines.instruction("watcher", none, language, NO_NAMES)
        assert words == text("snow-time.advice-part.add-nothing", language)
        label = headlines.choice_label("watcher", none, language, NO_NAMES)
        assert label == text("snow-time.advice-part.nothing", language)
