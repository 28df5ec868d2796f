"""S13: answers that have no alternative may be stated; a list of actions fits every view."""

from dataclasses import replace
from random import Random

import pytest

from service.core.violations import Rejected
from service.games.slopecrashers.api.responses import render_action, render_new
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.slopecrashers.rules.state import observed
from tests.conformance.walks import random_playout
from tests.games.slopecrashers.positions import GAME, PLAIN, ask, state

COURSE = "\n".join([".g.g", "....", "g.g.", "...."] * 3)
NO = {"type": "answer", "magnet": False}
ICE = {"type": "play", "gift": "black-ice"}
END = {"type": "end"}


def no(player):
    return NO | {"player": player}


def iced(**stacks):
    """Return a state in which b, c and d are next to a, who has black ice."""
    at = {"a": (2, 1), "b": (3, 1), "c": (2, 0), "d": (2, 2)}
    start = state(at, PLAIN, gifts={"a": "black-ice"} | stacks)
    return document(start)


def document(start):
    own = render_new(start)["state"]
    return own | {
        "pieces": {
            piece.name: [[field.label for field in row] for row in piece.rows]
            for piece in start.course.pieces
        }
    }


def resolve(start, *moves):
    return ask("resolve", {"state": start, "moves": moves})


def violations(start, *moves):
    with pytest.raises(Rejected) as rejected:
        resolve(start, *moves)
    return rejected.value.violations


@pytest.mark.parametrize("endpoint", ["legal-moves", "suggest"])
@pytest.mark.parametrize("answers", [[], [no("b")], [no("c")], [no("b"), no("c"), no("d")], [NO]])
def test_s13_forced_answers_do_not_change_what_follows(endpoint, answers):
    start = iced(b="chili", c="spring")
    body = {"state": start, "so_far": [ICE, *answers]}
    if endpoint == "suggest":
        body |= {"player": "a", "effort": "quick"}
    bare = {**body, "so_far": [ICE]}
    assert ask(endpoint, body) == ask(endpoint, bare)


@pytest.mark.parametrize(
    "answers", [[], [no("b"), no("c"), no("d")], [no("d")], [no("b"), no("d")], [NO, NO, NO]]
)
def test_s13_resolve_lists_the_answers_of_all_targets_with_gifts(answers):
    resolved = resolve(iced(b="chili", c="spring"), ICE, *answers, END)
    assert [action for action in resolved["moves"] if action["type"] == "answer"] == [
        no("b"),
        no("c"),
    ]
    assert "answer" not in [event["type"] for event in resolved["events"]]


def test_s13_an_answer_makes_an_unknown_card_known():
    start = iced(b="?")
    magnet = {"type": "answer", "player": "b", "magnet": True, "card": "chili-or-magnet"}
    after = resolve(start, ICE, magnet, END)["state"]
    assert after["discards"] == ["black-ice", "chili-or-magnet"]
    assert after["seats"][1]["gifts"] == []
    gone = start | {"discards": ["chili-or-magnet"]}
    assert violations(gone, ICE, magnet, END)[0].code == "no-magnet"
    plain = magnet | {"card": "magnet"}
    assert resolve(gone, ICE, plain, END)["state"]["discards"].count("magnet") == 1


@pytest.mark.parametrize("answers", [[no("c")], [no("b"), no("c")], [NO], [no("c"), no("d")]])
def test_s13_forced_answers_may_stand_around_an_open_one(answers):
    start = iced(b="chili", c="magnet", d="spring")
    resolved = resolve(start, ICE, *answers, END)
    assert resolved == resolve(start, ICE, no("c"), END)
    assert [action["player"] for action in resolved["moves"][1:4]] == ["b", "c", "d"]


def test_s13_forced_answers_keep_the_order_of_the_turn():
    start = iced(b="chili", c="magnet", d="spring")
    assert violations(start, ICE, no("c"), no("b"), END)[0].code == "not-deciding"
    assert violations(start, ICE, no("d"), no("c"), END)[0].code == "not-deciding"


def test_s13_a_magnet_where_none_is_possible_is_refused():
    start = iced(b="chili")
    [violation] = violations(start, ICE, no("b") | {"magnet": True}, END)
    assert violation.path == "/moves/1/magnet"
    assert violation.code == "no-magnet"
    assert "`magnet`: false" in violation.detail
    assert violations(start, ICE, no("b"), no("b"), END)[0].code == "no-magnet"


def test_s13_only_targets_answer():
    start = document(state({"a": (2, 1), "b": (3, 1), "c": (5, 3)}, gifts={"a": "black-ice"}))
    assert violations(start, ICE, no("c"), END)[0].code == "not-deciding"
    assert violations(start, no("b"), END)[0].code == "not-deciding"


def test_s3_the_end_of_a_turn_without_a_space_may_be_stated():
    start = document(state({"a": None, "b": (0, 0), "c": (0, 1)}, ".. .. .. ## .."))
    assert ask("legal-moves", {"state": start})["decision"] == "none"
    assert resolve(start, END) == resolve(start)
    with pytest.raises(Rejected, match="surplus"):
        resolve(start, END, END)


def test_a_review_counts_actions_as_resolve_lists_them():
    start = iced(b="chili", c="spring")
    body = {"state": start, "effort": "quick"}
    bare = ask("review", body | {"turns": [[ICE, END]]})
    stated = ask("review", body | {"turns": [[ICE, no("b"), no("c"), no("d"), END]]})
    assert bare == stated
    assert [each["action"] for each in bare["decisions"]] == [0, 3]


def test_the_moves_of_a_resolved_turn_are_valid_in_every_view():
    """A player who sees fewer gifts asks more players; the listed answers suffice for all."""
    assert sum(map(replayed_in_another_view, range(2)))


def replayed_in_another_view(seed):
    """Replay the turns of a random game in another view each; return how many forced answers."""
    start = state({"a": None, "b": None, "c": None, "d": None}, COURSE)
    playout = random_playout(GAME, start, seed)
    random, forced = Random(seed), 0
    for before, after, play in zip(
        playout.states, playout.states[1:], playout.completed, strict=False
    ):
        moves = [render_action(action) for action in play.actions]
        forced += play.forced
        if any(seat.gifts for seat in before.seats):
            player = random.choice(before.players)
            seen = document(observed(before, player))
            resolved = ask("resolve", {"state": seen, "moves": moves})
            known = [seat | {"gifts": len(seat["gifts"])} for seat in resolved["state"]["seats"]]
            full = document(after)["seats"]
            assert known == [seat | {"gifts": len(seat["gifts"])} for seat in full]
            assert resolved["moves"] == moves
    return forced


def test_s5_the_own_gifts_of_the_player_in_turn_may_make_an_end_certain():
    """a enters the space of b because a spring leads on; others do not see the spring."""
    start = state(
        {"a": (2, 1), "b": (3, 1)},
        ".... .... .... ~.~. .... ....",
        gifts={"a": "bee-sting spring"},
        stung="a",
    )
    moves = [
        {"type": "step", "direction": "forward"},
        {"type": "discard"},
        {"type": "play", "gift": "spring", "card": "spring", "direction": "forward"},
        END,
    ]
    unseen = replace(
        start,
        seats=(replace(start.seats[0], gifts=(start.seats[0].gifts[0], UNKNOWN)), start.seats[1]),
    )
    played = resolve(document(start), *moves)
    assert resolve(document(unseen), *moves)["events"] == played["events"]
    assert ask("legal-moves", {"state": document(unseen), "so_far": moves[:1]})["moves"] == {
        "a": []
    }
    with pytest.raises(Rejected, match="/moves/1: occupied-at-end"):
        resolve(document(unseen), moves[0], END)
    bare = replace(start, seats=(replace(start.seats[0], gifts=()), start.seats[1]))
    with pytest.raises(Rejected, match="/moves/0: no-certain-end"):
        resolve(document(bare), *moves)
    with pytest.raises(Rejected, match="/state: nothing-to-decide"):
        ask("suggest", {"state": document(unseen), "player": "a", "so_far": moves[:1]})
