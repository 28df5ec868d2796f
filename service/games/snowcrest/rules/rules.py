"""The rules of Snowcrest as an implementation of :class:`~service.core.game.Game`.

One play is one turn: a sequence of the player's actions, the other players' answers, and draws.
``choices`` lists the legal actions; ``progress`` applies actions and draws.
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
from service.games.snowcrest.rules.choice_violations import choice_violations, normalized
from service.games.snowcrest.rules.choices import pending_decision
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
    """The rules; outcomes of chance nodes are cards."""

    name = "snowcrest"

    def begin(self, state: State) -> Step[Turn, Event]:
        return begin_turn(state)

    def pending(self, play: Turn) -> Decision[Action] | Chance[Card] | None:
        if not play.tasks:
            return None
        name = _PILE_NAMES.get(type(play.task))
        if name is None:
            return pending_decision(play)
        return Chance(
            _pile_name(play.task) if isinstance(play.task, RevealSpirit) else name,
            _card_probabilities(play),
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

    def violations_of(self, play: Turn, actor: str | None, action: Any) -> tuple[Violation, ...]:
        if actor is None:
            if action == UNKNOWN and isinstance(play.task, DrawCards):
                return ()  # A card that the caller has not seen (C12).
            detail = (
                "This card cannot be drawn: every copy is known to be elsewhere. `legal-moves` "
                "lists the possible cards."
            )
            return (Violation("", "impossible-draw", detail, "C12"),)
        not_a_choice = Violation(
            "", "not-a-choice", "This is not one of the legal choices, which `legal-moves` lists."
        )
        if not isinstance(action, Action):
            return (not_a_choice,)
        node = pending_decision(play)
        violations = choice_violations(play, node, action)
        return violations or (() if actor in node.choices else (not_a_choice,))


_PILE_NAMES = {DrawCards: "card", RevealSpirit: "spirit", FillRow: "common", RevealHands: "hand"}


def _pile_name(task: RevealSpirit) -> str:
    """Return the JSON name of the pile that a card comes from."""
    return "forest" if task.forest else "guardian"


def _card_probabilities(turn: Turn) -> tuple[tuple[Card, Fraction], ...]:
    """Return the possible cards with their probabilities."""
    possible = chance_outcomes(turn)
    size = sum(possible.values())
    return tuple((card, Fraction(count, size)) for card, count in possible.items())
