"""The toy is what it is meant to be: turns, a hidden draw, an answer outside one's own turn."""

import pytest

from service.core.game import Chance, Decision, follow
from service.core.perft import perft
from service.core.violations import Rejected
from tests.conformance.toy_race import LAST, UNSEEN, Race, ToyRace
from tests.conformance.walks import Told, walk

GAME = ToyRace()


def turn(*told, race=None):
    script = Told(told)
    followed = follow(GAME, GAME.begin(race or Race()), script)
    followed.require_complete()
    return GAME.rest(followed.play), followed.events


def test_one_player_at_a_time_decides_and_chance_falls_in_mid_turn():
    told = [{"ada": "sledge"}, 2, {"ada": "high"}, {"ben": "doubt"}]
    shapes = []
    for length in range(5):
        node = follow(GAME, GAME.begin(Race()), Told(told[:length])).open
        shapes.append(list(node.choices) if isinstance(node, Decision) else type(node))
    assert shapes == [["ada"], Chance, ["ada"], ["ben"], type(None)]


def test_the_answer_is_given_outside_ones_own_turn():
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
def test_a_call_is_believed_or_doubted(tile, called, answered, spaces):
    after, _ = turn({"ada": "sledge"}, tile, {"ada": called}, {"ben": answered})
    assert after.spaces == spaces


def test_the_record_does_not_tell_the_tile_unless_it_is_doubted():
    _, believed = turn({"ada": "sledge"}, 3, {"ada": "high"}, {"ben": "believe"})
    assert not any("3" in event for event in believed)
    _, doubted = turn({"ada": "sledge"}, 3, {"ada": "high"}, {"ben": "doubt"})
    assert doubted[-1] == "it is a 3"


def test_nobody_but_the_mover_acts_and_the_answer_waits_for_its_time():
    for told in ({"ben": "walk"}, {"ada": "walk", "ben": "doubt"}):
        with pytest.raises(Rejected, match="not-deciding"):
            follow(GAME, GAME.begin(Race()), Told([told]))
    with pytest.raises(Rejected, match="not-now"):
        follow(GAME, GAME.begin(Race()), Told([{"ada": "doubt"}]))


def test_a_turn_has_thirteen_paths():
    # Walking, or one of three tiles, two calls and two answers.
    assert perft(GAME, GAME.begin(Race()).play, 1) == 1 + 3 * 2 * 2
    # After a walk there are thirteen again; after a sledge with the only 3, nine.
    assert perft(GAME, GAME.begin(Race()).play, 2) == 13 + 2 * 4 * 13 + 4 * (1 + 2 * 4)


def test_a_game_may_end_in_another_players_turn():
    over, _ = turn(
        {"ada": "sledge"}, 1, {"ada": "high"}, {"ben": "doubt"}, race=Race(spaces=(0, LAST - 1, 0))
    )
    assert GAME.winners(over) == ("ben",)


def test_different_seeds_walk_different_ways():
    assert len({walk(GAME, Race(), seed).states for seed in range(6)}) > 3


def test_a_turn_may_leave_nothing_to_decide_and_still_has_its_record():
    before = Race(spaces=(1, 1, 0), turn=2)
    after, record = turn(race=before)
    assert after == Race(spaces=(1, 1, 0), turn=0, ice=frozenset())
    assert record == ("cleo slips off the ice",)


def test_what_is_told_beyond_the_end_of_a_turn_is_refused():
    with pytest.raises(Rejected, match="/told/1: surplus; /told/2: surplus"):
        turn({"ada": "walk"}, {"ben": "doubt"}, 3)


def test_draws_may_come_from_a_seed_instead_of_being_told():
    told = [{"ada": "sledge"}, {"ada": "high"}, {"ben": "believe"}]
    ends = {follow(GAME, GAME.begin(Race()), Told(told, seed=seed)).play for seed in range(20)}
    assert {play.tile for play in ends} == {1, 2, 3}


def test_a_draw_that_nobody_can_make_may_be_told_where_the_game_allows_for_it():
    after, _ = turn({"ada": "sledge"}, UNSEEN, {"ada": "high"}, {"ben": "doubt"})
    assert after.spaces == (2, 0, 0)
    with pytest.raises(Rejected, match="impossible-draw"):
        turn({"ada": "sledge"}, 4)
