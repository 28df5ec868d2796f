"""S13: answers that have no alternative may be stated; a list of actions fits every view."""

from random import Random

import pytest

from service.core.violations import Rejected
from service.games.slopecrashers.api.responses import render_action
from service.games.slopecrashers.rules.state import observed
from tests.conformance.walks import random_playout
from tests.games.slopecrashers.positions import GAME, ask, document, response_violations, state

COURSE = "\n".join([".g.g", "....", "g.g.", "...."] * 3)
NO = {"type": "answer", "magnet": False}
ICE = {"type": "play", "gift": "black-ice"}
END = {"type": "end"}


def no(player):
    return NO | {"player": player}


def iced(**stacks):
    """Return a state in which b, c and d are next to a, who has black ice."""
    at = {"a": (2, 1), "b": (3, 1), "c": (2, 0), "d": (2, 2)}
    return document(state(at, gifts={"a": "black-ice"} | stacks))


def resolve(start, *moves):
    return ask("resolve", {"state": start, "moves": moves})


def code_of(start, *moves):
    """Return the code of the only violation."""
    [(_, code)] = response_violations("resolve", {"state": start, "moves": moves})
    return code


@pytest.mark.parametrize("endpoint", ["legal-moves", "suggest"])
@pytest.mark.parametrize("answers", [[no("b")], [no("c")], [no("b"), no("c"), no("d")], [NO]])
def test_s13_forced_answers_do_not_change_what_follows(endpoint, answers):
    body = {"state": iced(b="chili", c="spring")}
    if endpoint == "suggest":
        body |= {"player": "a", "effort": "quick"}
    bare = ask(endpoint, body | {"so_far": [ICE]})
    assert ask(endpoint, body | {"so_far": [ICE, *answers]}) == bare


@pytest.mark.parametrize(
    "answers", [[], [no("b"), no("c"), no("d")], [no("d")], [no("b"), no("d")], [NO, NO, NO]]
)
def test_s13_resolve_lists_the_answers_of_all_targets_with_gifts(answers):
    resolved = resolve(iced(b="chili", c="spring"), ICE, *answers, END)
    answered = [action for action in resolved["moves"] if action["type"] == "answer"]
    assert answered == [no("b"), no("c")]
    assert "answer" not in [event["type"] for event in resolved["events"]]


def test_s13_an_answer_makes_an_unknown_card_known():
    start = iced(b="?")
    magnet = {"type": "answer", "player": "b", "magnet": True, "card": "chili-or-magnet"}
    after = resolve(start, ICE, magnet, END)["state"]
    assert after["discards"] == ["black-ice", "chili-or-magnet"]
    assert after["seats"][1]["gifts"] == []
    gone = start | {"discards": ["chili-or-magnet"]}
    assert code_of(gone, ICE, magnet, END) == "no-magnet"
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
    assert code_of(start, ICE, no("c"), no("b"), END) == "not-deciding"
    assert code_of(start, ICE, no("d"), no("c"), END) == "not-deciding"


def test_s13_a_magnet_where_none_is_possible_is_refused():
    start, magnet = iced(b="chili"), no("b") | {"magnet": True}
    with pytest.raises(Rejected, match=r"^/moves/1/magnet: no-magnet$") as rejected:
        resolve(start, ICE, magnet, END)
    assert "`magnet`: false" in rejected.value.violations[0].detail
    assert code_of(start, ICE, no("b"), no("b"), END) == "no-magnet"


def test_s13_only_targets_answer():
    start = document(state({"a": (2, 1), "b": (3, 1), "c": (5, 3)}, gifts={"a": "black-ice"}))
    assert code_of(start, ICE, no("c"), END) == "not-deciding"
    assert code_of(start, no("b"), END) == "not-deciding"


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
    forced = 0
    for seed in range(2):
        playout = random_playout(GAME, state(dict.fromkeys("abcd"), COURSE), seed)
        random = Random(seed)
        for before, after, play in zip(
            playout.states, playout.states[1:], playout.completed, strict=False
        ):
            forced += play.forced
            if any(seat.gifts for seat in before.seats):
                moves = [render_action(action) for action in play.actions]
                seen = document(observed(before, random.choice(before.players)))
                resolved = ask("resolve", {"state": seen, "moves": moves})
                assert sizes(resolved["state"]) == sizes(document(after))
                assert resolved["moves"] == moves
    assert forced


def sizes(state):
    """Return the seats of a state with the numbers of their gifts."""
    return [seat | {"gifts": len(seat["gifts"])} for seat in state["seats"]]


def test_s5_the_own_gifts_of_the_player_in_turn_may_make_an_end_certain():
    """a enters the space of b because a spring leads on; others do not see the spring."""
    drawing, at = ".... .... .... ~.~. .... ....", {"a": (2, 1), "b": (3, 1)}
    full, unseen, bare = (
        document(state(at, drawing, gifts={"a": gifts}, stung="a"))
        for gifts in ("bee-sting spring", "bee-sting ?", "")
    )
    moves = [
        {"type": "step", "direction": "forward"},
        {"type": "discard"},
        {"type": "play", "gift": "spring", "card": "spring", "direction": "forward"},
        END,
    ]
    assert resolve(unseen, *moves)["events"] == resolve(full, *moves)["events"]
    assert ask("legal-moves", {"state": unseen, "so_far": moves[:1]})["moves"] == {"a": []}
    with pytest.raises(Rejected, match="/moves/1: occupied-at-end"):
        resolve(unseen, moves[0], END)
    with pytest.raises(Rejected, match="/moves/0: no-certain-end"):
        resolve(bare, *moves)
    with pytest.raises(Rejected, match="/state: nothing-to-decide"):
        ask("suggest", {"state": unseen, "player": "a", "so_far": moves[:1]})
