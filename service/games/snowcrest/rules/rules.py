"""The rules of Snowcrest as the service's :class:`~service.core.game.Game`.

A play is a turn: the player's atoms, the others' answers, and the cards drawn or turned up, one
after the other.  ``progress`` says what each makes of it, ``effect_choices`` what may be done.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from service.core.frozen import replace
from service.core.game import Chance, Decision, Step
from service.core.violations import Violation
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card
from service.games.snowcrest.rules.actions import Action, draw_action
from service.games.snowcrest.rules.choices import faults, normalized, pending_decision
from service.games.snowcrest.rules.progress import (
    apply_choice,
    apply_draw,
    begin_turn,
    chance_outcomes,
)
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.scoring import winners
from service.games.snowcrest.rules.state import Phase, State
from service.games.snowcrest.rules.turn import DrawCards, FillRow, RevealHands, RevealSpirit, Turn


class Snowcrest:
    """The rules; outcomes of chance are cards."""

    name = "snowcrest"

    def begin(self, state: State) -> Step[Turn, Event]:
        return begin_turn(state)

    def pending(self, play: Turn) -> Decision[Action] | Chance[Card] | None:
        if not play.tasks:
            return None
        name = _DRAWS.get(type(play.task))
        if name is None:
            return pending_decision(play)
        return Chance(
            _flip(play.task) if isinstance(play.task, RevealSpirit) else name, _shares(play)
        )

    def choose(self, play: Turn, choices: Mapping[str, Action]) -> Step[Turn, Event]:
        [(player, action)] = choices.items()
        return apply_choice(play, replace(normalized(action), player=player))

    def draw(self, play: Turn, outcome: Card) -> Step[Turn, Event]:
        return apply_draw(play, draw_action(outcome))

    def rest(self, play: Turn) -> State:
        return play.state

    def over(self, state: State) -> bool:
        return state.phase is Phase.OVER

    def winners(self, state: State) -> tuple[str, ...]:
        return winners(state) if self.over(state) else ()

    def refusal(self, play: Turn, actor: str | None, told: Any) -> tuple[Violation, ...]:
        if actor is None:
            if told == UNKNOWN and isinstance(play.task, DrawCards):
                return ()  # Drawn, but not seen by whoever tells it (C12).
            detail = "No such card can come now: all are known to be elsewhere."
            return (Violation("", "impossible-draw", detail, "C12"),)
        if not isinstance(told, Action):
            return (Violation("", "not-a-choice", "This is none of the choices."),)
        return faults(play, pending_decision(play), told)


_DRAWS = {DrawCards: "card", RevealSpirit: "spirit", FillRow: "common", RevealHands: "hand"}


def _flip(task: RevealSpirit) -> str:
    return "forest" if task.forest else "guardian"


def _shares(turn: Turn) -> tuple[tuple[Card, Fraction], ...]:
    """The cards that may come, each with its share of those that are unseen."""
    possible = chance_outcomes(turn)
    size = sum(possible.values())
    return tuple((card, Fraction(count, size)) for card, count in possible.items())
