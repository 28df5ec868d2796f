"""Perft on a game small enough to count by hand."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from service.core.game import Chance, Decision, Step
from service.core.perft import perft


@dataclass(frozen=True)
class Round:
    ended: bool
    coin: str | None = None
    chosen: bool = False


class TossAndChoose:
    """A coin toss, then a simultaneous choice of two and three; one of the two ends the game."""

    name = "toss-and-choose"

    def begin(self, state):
        return Step(Round(state))

    def pending(self, play):
        if play.ended or play.chosen:
            return None
        if play.coin is None:
            # Each outcome counts once, whatever its probability.
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


def test_paths_multiply_over_nodes_and_rounds_and_end_with_the_game():
    start = GAME.begin(False).play
    assert perft(GAME, start, 1) == 2 * 2 * 3
    # Six of the twelve paths end the game, the other six continue.
    assert perft(GAME, start, 2) == 6 + 6 * 12
    assert perft(GAME, start, 3) == 6 + 6 * (6 + 6 * 12)
    assert perft(GAME, GAME.begin(True).play, 5) == 1


def test_counting_can_start_within_a_round_or_at_its_end():
    for begun, one, two in (
        (Round(False, "heads"), 6, 3 + 3 * 12),
        (Round(False, "heads", chosen=True), 1, 12),
    ):
        assert (perft(GAME, begun, 1), perft(GAME, begun, 2)) == (one, two)
