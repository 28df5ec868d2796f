"""The search of Snowcrest's turns: work budgets, and what a search tree is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from service.core.calibration import evaluator_name
from service.core.frozen import replace
from service.core.sequential import ErrorModel
from service.core.turn_budgets import Breadth, Lines, TurnBudget
from service.core.turn_hints import CanonicalTurn, TurnQuestion
from service.games.snowcrest.engine.evaluation import Evaluator, default_evaluator
from service.games.snowcrest.engine.parts import PARTS
from service.games.snowcrest.engine.symmetries import canonical
from service.games.snowcrest.engine.tree import Tree
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.turn import Turn

_QUICK: Final = Breadth((1,), (1,), determinizations=1, outcomes=3)
_STANDARD: Final = Breadth((2, 1), (2, 1), determinizations=1, outcomes=6, best=6)
_DEEP: Final = Breadth((6, 2), (4, 2, 1), determinizations=1, outcomes=60, best=12)
_PLANNED: Final = 1_500
"""One in sixteen plans is shortened, and hints take at most about 0.3 s."""
TURN_BUDGETS: Final[Mapping[str, TurnBudget]] = {
    "quick": TurnBudget(
        (_QUICK,), rounds=2, positions=2_200, lines=(Lines(None, 2), Lines(2, 4)), first=3_000,
        planned=_PLANNED,
    ),
    "standard": TurnBudget(
        (_QUICK, _STANDARD), rounds=2, positions=2_200, lines=(Lines(None, 2), Lines(4, 9)),
        first=4_000, planned=_PLANNED,
    ),
    "deep": TurnBudget(
        (_QUICK, _STANDARD, _DEEP), rounds=2, positions=12_000, first=24_000,
        lines=(Lines(None, 4), Lines(6, 32)),
    ),
}  # fmt: skip
DEAL_VARIANCE: Final = 0.02
SHARE_ERROR: Final = 1.6
"""Divided by the number of players, see :class:`~service.core.sequential.ErrorModel`."""
DIFFERENCE_ERROR: Final = 0.5
MAX_CELLS_PER_CARD: Final = {"quick": 1, "standard": 2, "deep": 4}
"""Cells searched per playable card, by effort; the other cells are estimated from the best one."""


class SnowcrestTurns:
    """Snowcrest as an implementation of :class:`~service.core.sequential.TurnGame`.

    Args:
        evaluator: evaluator to use instead of the default one.
    """

    rules = Snowcrest()
    budgets = TURN_BUDGETS
    parts = PARTS

    def __init__(self, evaluator: Evaluator | None = None) -> None:
        self._evaluator = evaluator or default_evaluator()
        self.evaluator = evaluator_name(self._evaluator)

    def error_model(self, question: TurnQuestion[Turn, Action]) -> ErrorModel:
        # Nothing is played on in solo games, so they have no own measurement.
        players = max(2, len(question.play.state.seats))
        return ErrorModel(DEAL_VARIANCE, SHARE_ERROR / players, DIFFERENCE_ERROR)

    def tree(self, question: TurnQuestion[Turn, Action]) -> Tree:
        return Tree(question, self._evaluator, MAX_CELLS_PER_CARD[question.effort])

    def canonical(self, question: TurnQuestion[Turn, Action]) -> CanonicalTurn[Turn, Action]:
        return canonical(question)

    def assumes(self, question: TurnQuestion[Turn, Action], choice: Action) -> bool:
        return False  # A choice of unknown cards states how many, not which.

    def position_key(self, question: TurnQuestion[Turn, Action]) -> bytes:
        turn, state = question.play, question.play.state
        names = {player: str(index) for index, player in enumerate(state.players)}
        seats = tuple(replace(seat, player=names[seat.player]) for seat in state.seats)
        own = state.own_catalogue
        cards = own and (own.villagers, own.guardians, own.forest, own.challenges)
        [choices] = question.decision.choices.values()
        normalized = [
            replace(choice, player=None, owner=choice.owner and names[choice.owner])
            for choice in choices
        ]
        asker = names[question.player]
        # Everything but names; what happened before does not matter.
        table = replace(state, seats=seats, own_catalogue=None)
        bare = replace(turn, state=table, actions=(), events=(), forced=())
        return repr((bare, cards, asker, normalized)).encode()
