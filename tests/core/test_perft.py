"""Perft on a game small enough to be counted on paper."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import pytest

from service.core.game import Chance, Decision, Step
from service.core.perft import perft


@dataclass(frozen=True)
class Round:
    ended: bool
    coin: str | None = None
    chosen: bool = False


class TossAndChoose:
    """A toss of a coin, then two choose at once of two and three; one of the two ends it all."""

    name = "toss-and-choose"

    def begin(self, state):
        return Step(Round(state))

    def pending(self, play):
        if play.ended or play.chosen:
            return None
        if play.coin is None:
            # Unlike chances count alike: once each.
            return Chance("toss", (("heads", Fraction(9, 10)), ("tails", Fraction(1, 10))))
        return Decision("choice", {"ann": ("on", "end"), "bob": (1, 2, 3)})

    def choose(self, play, choices):
        return Step(Round(choices["ann"] == "end", play.coin, chosen=True))

    def draw(self, play, outcome):
        return Step(Round(play.ended, outcome))

    def rest(self, play):
        return play.ended

    def over(self, state):
        return state

    def winners(self, state):
        return ("ann",) if state else ()


GAME = TossAndChoose()


@pytest.mark.parametrize(
    ("rounds", "paths"),
    [
        (1, 2 * 2 * 3),
        # Six of the twelve end the game, the other six go on.
        (2, 6 + 6 * 12),
        (3, 6 + 6 * (6 + 6 * 12)),
    ],
)
def test_paths_multiply_over_chance_choices_and_rounds_and_end_with_the_game(rounds, paths):
    assert perft(GAME, GAME.begin(False).play, rounds) == paths


def test_counting_may_start_in_the_middle_of_a_round():
    assert perft(GAME, Round(False, "heads"), 1) == 6
    assert perft(GAME, Round(False, "heads"), 2) == 3 + 3 * 12


def test_a_complete_round_is_one_path():
    assert perft(GAME, Round(False, "heads", chosen=True), 1) == 1
    assert perft(GAME, Round(False, "heads", chosen=True), 2) == 12


def test_a_finished_game_is_one_path_however_many_rounds_are_counted():
    assert perft(GAME, GAME.begin(True).play, 5) == 1
