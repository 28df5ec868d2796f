"""The rules of Slopecrashers as an implementation of :class:`~service.core.game.Game`.

One play is one turn: a sequence of the player's actions, the other players' answers to attacks,
and draws.  ``choices`` lists the legal actions; ``turn`` applies actions and draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from service.core.game import Chance, Decision, Step
from service.core.violations import Violation
from service.games.slopecrashers.rules.choices import (
    answer_choices,
    answer_violations,
    is_uncertain,
    normalized,
    turn_choices,
    turn_violations,
)
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import Action, ActionType, State, draw_action, pool
from service.games.slopecrashers.rules.turn import (
    Turn,
    apply_action,
    begin_turn,
    end_without_placement,
)


class Slopecrashers:
    """The rules; outcomes of chance nodes are cards."""

    name = "slopecrashers"

    def begin(self, state: State) -> Step[Turn, Event]:
        step = begin_turn(state)
        turn = step.play
        if not turn.over and turn.mover.place is None and not turn_choices(turn):
            return end_without_placement(step)
        return step

    def pending(self, play: Turn) -> Decision[Action] | Chance[Card] | None:
        if play.over:
            return None
        if play.drawing:
            return Chance("gift", draw_outcomes(play))
        if play.attack is not None:
            target = play.state.seats[play.attack.waiting[0]].player
            return Decision("answer", {target: answer_choices(play)})
        name = "place" if play.mover.place is None else "turn"
        return Decision(name, {play.mover.player: turn_choices(play)})

    def choose(self, play: Turn, choices: Mapping[str, Action]) -> Step[Turn, Event]:
        [action] = choices.values()
        return apply_action(play, normalized(play, action))

    def draw(self, play: Turn, outcome: Card) -> Step[Turn, Event]:
        return apply_action(play, draw_action(outcome))

    def rest(self, play: Turn) -> State:
        return play.state

    def over(self, state: State) -> bool:
        return state.winner is not None

    def winners(self, state: State) -> tuple[str, ...]:
        return () if state.winner is None else (state.seats[state.winner].player,)

    def violations_of(self, play: Turn, actor: str | None, action: Any) -> tuple[Violation, ...]:
        if actor is None:
            if action == UNKNOWN:
                return ()  # A card that the caller has not seen (S15).
            detail = (
                "This card cannot be drawn: every copy is known to be elsewhere. `legal-moves` "
                "lists the possible cards."
            )
            return (Violation("", "impossible-draw", detail, "S15"),)
        not_a_choice = Violation(
            "", "not-a-choice", "This is not one of the legal choices, which `legal-moves` lists."
        )
        if not isinstance(action, Action):
            return (not_a_choice,)
        if action.type is ActionType.ANSWER and actor not in self._deciders(play):
            detail = (
                f"{actor} cannot use a magnet here, so is not asked. Send `magnet`: false, at most "
                "once, or remove this answer."
            )
            return (Violation("/magnet", "no-magnet", detail, "S13"),)
        complete = normalized(play, action)
        listed = answer_choices if play.attack is not None else turn_choices
        if complete != action and complete in listed(play):
            return ()  # The caller omitted the card.
        violations = answer_violations if play.attack is not None else turn_violations
        found = tuple(violations(play, complete))
        if found or (play.attack is None and is_uncertain(play, complete)):
            return found
        return (not_a_choice,)

    def _deciders(self, play: Turn) -> tuple[str, ...]:
        node = self.pending(play)
        return tuple(node.choices) if isinstance(node, Decision) else ()


def draw_outcomes(turn: Turn) -> tuple[tuple[Card, Fraction], ...]:
    """Return the cards that may be drawn, with their shares of the pool (S15)."""
    possible = pool(turn.state, turn.in_play)
    size = sum(possible.values())
    return tuple((card, Fraction(count, size)) for card, count in possible.items())
