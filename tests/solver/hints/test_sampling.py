"""Draws from rounded probabilities."""

from __future__ import annotations

from collections import Counter

import pytest

from service.solver.hints.sampling import draw_index

CHANCES = [0.5, 0.0, 0.3, 0.15, 0.05]


def draw_move(nonce: str | None, position: bytes = b"table", player: str = "anna") -> int:
    return draw_index(CHANCES, position, player, nonce)


def test_equal_position_player_and_nonce_give_equal_draws():
    for number in range(50):
        assert len({draw_move(f"n{number}") for _ in range(3)}) == 1


def test_a_certain_move_is_always_drawn():
    for number in range(200):
        assert draw_index([0.0, 1.0, 0.0], b"table", "anna", f"n{number}") == 1
    assert draw_index([1.0], b"", "", None) == 0


def test_over_many_nonces_frequencies_match_the_probabilities():
    """Chi-square with three degrees of freedom exceeds 16.3 once in a thousand."""
    many = 20_000
    counts = Counter(draw_move(f"nonce {number}") for number in range(many))
    assert counts[1] == 0
    square = sum(
        (counts[place] - many * chance) ** 2 / (many * chance)
        for place, chance in enumerate(CHANCES)
        if chance
    )
    assert square < 16.3


def test_a_tiny_probability_is_almost_never_drawn():
    for units, drawn in ((0, 1), (1, 1), (2, 1), (999_999_999, 0)):
        chances = [units / 10**9, (10**9 - units) / 10**9]
        assert {draw_index(chances, b"table", "anna", f"{n}") for n in range(300)} == {drawn}


def test_other_positions_players_and_nonces_give_independent_draws():
    # Independent draws agree with probability .5 ** 2 + .3 ** 2 + .15 ** 2 + .05 ** 2 = 0.365.
    for word, other in (("n", {"position": b"other"}), ("n", {"player": "bob"}), ("m", {})):
        agreeing = sum(draw_move(f"n{n}") == draw_move(f"{word}{n}", **other) for n in range(200))
        assert 0.25 < agreeing / 200 < 0.48


def test_what_is_told_is_not_run_together():
    """A player's last letter is not the nonce's first."""
    pairs = [(draw_move(f"b{n}", player="a"), draw_move(f"{n}", player="ab")) for n in range(200)]
    assert any(one != other for one, other in pairs)


def test_probabilities_that_do_not_sum_to_one_are_a_programming_error():
    with pytest.raises(ValueError, match="sum to 1"):
        draw_index([0.0, 0.0], b"table", "anna", "n")
