"""Names of actions: all of random games, and those of villagers in German sentences."""

from itertools import islice
from random import Random

import pytest

from service.core.game import Chance
from service.core.languages import LANGUAGES
from service.games.snowcrest.api.action_names import action_name
from service.games.snowcrest.api.german_names import with_article
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.rules.actions import Action, ActionType
from service.games.snowcrest.rules.setup import set_up
from tests.conformance.walks import random_turns
from tests.games.snowcrest.positions import GAME, seat, state, table, with_cards

TURNS = 90


def test_every_choice_has_a_name_of_its_own():
    seen = set()
    for seed in (1, 2, 3):
        start = set_up(seed=seed, players="abc")
        for _, _, nodes, _ in islice(random_turns(GAME, start, Random(seed)), TURNS):
            for visited in nodes:
                if isinstance(visited.node, Chance):
                    continue
                [(player, legal)] = visited.node.choices.items()
                for language in LANGUAGES:
                    now = visited.play.state
                    names = [action_name(now, player, each, language) for each in legal]
                    assert len(set(names)) == len(legal), names
                seen |= {action.type for action in legal}
    assert seen >= {ActionType.PAY, ActionType.GAIN, ActionType.TRADE, ActionType.BUILD}


@pytest.mark.parametrize(
    ("name", "subject", "object_"),
    [
        ("Bäuerin", "die Bäuerin", "die Bäuerin"),
        ("Gelehrte", "die Gelehrte", "die Gelehrte"),
        ("Wirt", "der Wirt", "den Wirt"),
        ("Novize", "der Novize", "den Novizen"),
        ("Oberster Abt", "der Oberste Abt", "den Obersten Abt"),
        ("Erleuchteter Mystiker", "der Erleuchtete Mystiker", "den Erleuchteten Mystiker"),
        ("Fee", "Fee", "Fee"),
    ],
)
def test_german_villagers_have_articles_and_cases(name, subject, object_):
    """The gender of a villager of an own catalogue is not known."""
    assert with_article(name, "de", accusative=False) == subject
    assert with_article(name, "de", accusative=True) == object_
    assert with_article(name, "en", accusative=True) == name


@pytest.mark.parametrize(
    ("language", "name"),
    [("en", "Activate the Weberin"), ("de", "Aktiviere Weberin"), ("zh-Hans", "Weberin")],
)
def test_c2_a_name_in_one_language_stands_for_the_others(language, name):
    """Only English names lose their capital letter within a sentence."""
    cards = with_cards(potter={"names": {"de": "Weberin"}})
    start = table(seat("a", {0: "potter"}), catalogue=cards)
    assert name in action_name(state(start), "a", Action(ActionType.ACTIVATE, cell=0), language)


def test_the_gender_of_every_villager_is_known():
    names = [dict(each.names)["de"] for each in DEFAULT_CATALOGUE.villagers]
    women = [each for each in names if with_article(each, "de", accusative=False)[:3] == "die"]
    assert all(each.endswith(("in", "Nonne", "Gelehrte", "Kräuterkundige")) for each in women)
    assert (len(women), len(names)) == (22, 44)
