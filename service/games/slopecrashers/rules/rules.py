"""The rules of Slopecrashers as the service's :class:`~service.core.game.Game`.

A play is a turn: the player's atoms, the others' answers to attacks, and the gifts drawn, one
after the other.  ``turn`` says what each makes of it, ``choices`` what may be done.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from service.core.game import Chance, Decision, Step
from service.core.violations import Violation
from service.games.slopecrashers.rules.choices import (
    answer_choices,
    answer_faults,
    completed,
    turn_choices,
    turn_faults,
)
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import Atom, State, drawn, pool
from service.games.slopecrashers.rules.turn import Turn, applied, begun, without_placement


class Slopecrashers:
    """The rules; outcomes of chance are cards."""

    name = "slopecrashers"

    def begin(self, state: State) -> Step[Turn, Event]:
        step = begun(state)
        turn = step.play
        if not turn.over and turn.mover.place is None and not turn_choices(turn):
            return without_placement(step)
        return step

    def pending(self, play: Turn) -> Decision[Atom] | Chance[Card] | None:
        if play.over:
            return None
        if play.drawing:
            return Chance("gift", draw_outcomes(play))
        if play.attack is not None:
            asked = play.state.seats[play.attack.waiting[0]].player
            return Decision("answer", {asked: answer_choices(play)})
        name = "place" if play.mover.place is None else "turn"
        return Decision(name, {play.mover.player: turn_choices(play)})

    def choose(self, play: Turn, choices: Mapping[str, Atom]) -> Step[Turn, Event]:
        [atom] = choices.values()
        return applied(play, completed(play, atom))

    def draw(self, play: Turn, outcome: Card) -> Step[Turn, Event]:
        return applied(play, drawn(outcome))

    def rest(self, play: Turn) -> State:
        return play.state

    def over(self, state: State) -> bool:
        return state.winner is not None

    def winners(self, state: State) -> tuple[str, ...]:
        return () if state.winner is None else (state.seats[state.winner].player,)

    def refusal(self, play: Turn, actor: str | None, told: Any) -> tuple[Violation, ...]:
        if actor is None:
            if told == UNKNOWN:
                return ()  # Drawn, but not seen by whoever tells it (S15).
            detail = "No such card can be drawn: all are known to be elsewhere."
            return (Violation("", "impossible-draw", detail, "S15"),)
        stray = Violation("", "not-a-choice", "This is none of the choices.")
        if not isinstance(told, Atom):
            return (stray,)
        atom = completed(play, told)
        listed = answer_choices if play.attack is not None else turn_choices
        if atom != told and atom in listed(play):
            return ()  # Its card was left out.
        faults = answer_faults if play.attack is not None else turn_faults
        return tuple(faults(play, atom)) or (stray,)


def draw_outcomes(turn: Turn) -> tuple[tuple[Card, Fraction], ...]:
    """The cards that may be drawn, each with its share of the pool (S15)."""
    possible = pool(turn.state, turn.in_play)
    size = sum(possible.values())
    return tuple((card, Fraction(count, size)) for card, count in possible.items())
