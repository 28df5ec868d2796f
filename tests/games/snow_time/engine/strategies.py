"""Random legal positions and rounds of Snow Time for Hypothesis, as JSON documents."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from tests.games.snow_time.plain_rules import DECK, lines, rolls

NAMES = ("red", "blue", "green", "Y_4", "x-5")
SEATINGS = ("abc", "abcd", "abcde", "xxyy", "xyxy", "xyyx")


@st.composite
def tracks(draw: st.DrawFn) -> dict[str, Any]:
    length = draw(st.integers(5, 40) | st.integers(5, 200))
    spaces = draw(st.sets(st.integers(1, length - 1), max_size=length - 1))
    bonuses = [
        {
            "space": space,
            "kind": draw(st.sampled_from(["fight", "fruit", "mana"])),
            "advance": draw(st.integers(1, 3)),
        }
        for space in sorted(spaces)
    ]
    options = draw(st.sets(st.sampled_from(["optional_watcher", "spared_champion"])))
    return {"length": length, "bonuses": bonuses} | dict.fromkeys(sorted(options), True)


hands = st.sets(st.sampled_from(DECK)).map(
    lambda cards: [card for card in DECK if card in cards or card == "healer"]
)


@st.composite
def fruits(draw: st.DrawFn) -> list[int]:
    """Fruit by level for some of the 15 tokens; empty and nearly empty supplies are frequent."""
    count = draw(st.integers(0, 15) | st.sampled_from([13, 14, 15]))
    levels = draw(st.lists(st.integers(1, 6), min_size=count, max_size=count))
    return [levels.count(level) for level in range(1, 7)]


@st.composite
def positions(draw: st.DrawFn) -> dict[str, Any]:
    """A position of an unfinished game, anywhere on its track or near the end."""
    track = draw(st.none() | tracks())
    last = track["length"] if track else 30
    scores = st.integers(0, last - 1) | st.integers(max(0, last - 4), last - 1)
    owners = draw(st.sampled_from(SEATINGS))
    seats = [
        {
            "seat": name,
            "player": f"{owner}-player" if len(set(owners)) == 2 else name,
            "score": draw(scores),
            "hand": draw(hands),
        }
        for name, owner in zip(draw(st.permutations(NAMES)), owners, strict=False)
    ]
    return {"seats": seats, "fruit": draw(fruits())} | ({"track": track} if track else {})


@st.composite
def rounds(draw: st.DrawFn) -> dict[str, Any]:
    """A body of ``resolve``: a position, dice and a complete legal move of every seat."""
    state = draw(positions())
    dice = draw(st.sampled_from(rolls(state["fruit"])))
    # Half of the rounds use few levels so that champions meet.
    crowded = draw(st.booleans())
    moves = {}
    for seat in state["seats"]:
        choices = lines(seat["hand"], state.get("track"))
        meeting = [line for line in choices if line["card"] in ("4", "5", "6")]
        pool = meeting if crowded and meeting else choices
        moves[seat["seat"]] = draw(st.sampled_from(pool))
    return {"state": state, "dice": dice, "moves": moves}
