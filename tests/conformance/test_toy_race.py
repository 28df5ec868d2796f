"""The toy game has turns, a hidden draw and an answer outside the player's own turn."""

import pytest

from service.core.game import Chance, Decision, follow
from service.core.perft import perft
from service.core.violations import Rejected
from tests.conformance.toy_race import LAST, UNSEEN, Race, ToyRace
from tests.conformance.walks import ListScript, random_playout

GAME = ToyRace()


def turn(*entries, race=None):
    script = ListScript(entries)
    followed = follow(GAME, GAME.begin(race or Race()), script)
    followed.require_complete()
    return GAME.rest(followed.play), followed.events


def test_one_player_decides_at_a_time_with_chance_in_between():
    entries = [{"ada": "sledge"}, 2, {"ada": "high"}, {"ben": "doubt"}]
    shapes = []
    for length in range(5):
        node = follow(GAME, GAME.begin(Race()), ListScript(entries[:length])).open
        shapes.append(list(node.choices) if isinstance(node, Decision) else type(node))
    assert shapes == [["ada"], Chance, ["ada"], ["ben"], type(None)]


def test_the_next_player_answers_outside_their_own_turn():
    after, _ = turn({"ada": "sledge"}, 1, {"ada": "high"}, {"ben": "doubt"})
    assert after == Race(spaces=(0, 1, 0), turn=1, heap=(2, 2, 1))


@pytest.mark.parametrize(
    ("tile", "called", "answered", "spaces"),
    [
        (3, "high", "believe", (3, 0, 0)),
        (3, "high", "doubt", (4, 0, 0)),
        (1, "high", "believe", (1, 0, 0)),
        (1, "high", "doubt", (0, 1, 0)),
        (2, "low", "doubt", (0, 1, 0)),
    ],
)
def test_the_answer_decides_the_spaces_of_a_sledge(tile, called, answered, spaces):
    after, _ = turn({"ada": "sledge"}, tile, {"ada": called}, {"ben": answered})
    assert after.spaces == spaces


def test_the_event_log_shows_the_tile_only_after_a_doubt():
    _, believed = turn({"ada": "sledge"}, 3, {"ada": "high"}, {"ben": "believe"})
    assert not any("3" in event for event in believed)
    _, doubted = turn({"ada": "sledge"}, 3, {"ada": "high"}, {"ben": "doubt"})
    assert doubted[-1] == "it is a 3"


def test_only_the_mover_acts_and_an_early_answer_is_an_error():
    for choices in ({"ben": "walk"}, {"ada": "walk", "ben": "doubt"}):
        with pytest.raises(Rejected, match="not-deciding"):
            follow(GAME, GAME.begin(Race()), ListScript([choices]))
    with pytest.raises(Rejected, match="not-now"):
        follow(GAME, GAME.begin(Race()), ListScript([{"ada": "doubt"}]))


def test_a_turn_has_thirteen_paths():
    # Walking, or one of three tiles, two calls and two answers.
    assert perft(GAME, GAME.begin(Race()).play, 1) == 1 + 3 * 2 * 2
    # After a walk there are 13 paths again; after a sledge with the only 3 there are 9.
    assert perft(GAME, GAME.begin(Race()).play, 2) == 13 + 2 * 4 * 13 + 4 * (1 + 2 * 4)


def test_a_game_may_end_in_another_players_turn():
    over, _ = turn(
        {"ada": "sledge"}, 1, {"ada": "high"}, {"ben": "doubt"}, race=Race(spaces=(0, LAST - 1, 0))
    )
    assert GAME.winners(over) == ("ben",)


def test_different_seeds_give_different_games():
    assert len({random_playout(GAME, Race(), seed).states for seed in range(6)}) > 3


def test_a_turn_without_decisions_has_events():
    before = Race(spaces=(1, 1, 0), turn=2)
    after, events = turn(race=before)
    assert after == Race(spaces=(1, 1, 0), turn=0, ice=frozenset())
    assert events == ("cleo slips off the ice",)


def test_entries_after_the_end_of_a_turn_are_errors():
    with pytest.raises(Rejected, match="/script/1: surplus; /script/2: surplus"):
        turn({"ada": "walk"}, {"ben": "doubt"}, 3)


def test_a_seed_can_replace_the_given_draws():
    choices = [{"ada": "sledge"}, {"ada": "high"}, {"ben": "believe"}]
    ends = {
        follow(GAME, GAME.begin(Race()), ListScript(choices, seed=seed)).play for seed in range(20)
    }
    assert {play.tile for play in ends} == {1, 2, 3}


def test_a_game_can_accept_an_outcome_of_probability_zero():
    after, _ = turn({"ada": "sledge"}, UNSEEN, {"ada": "high"}, {"ben": "doubt"})
    assert after.spaces == (2, 0, 0)
    with pytest.raises(Rejected, match="impossible-draw"):
        turn({"ada": "sledge"}, 4)
