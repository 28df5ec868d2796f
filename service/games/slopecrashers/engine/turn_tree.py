"""Slopecrashers for the solver of turn-based games."""

from __future__ import annotations

from dataclasses import replace

from service.core.calibration import evaluator_name
from service.core.sequential import ErrorModel
from service.core.turn_hints import CanonicalTurn, TurnQuestion
from service.games.slopecrashers.engine.breadth import TURN_BUDGETS
from service.games.slopecrashers.engine.end_leaves import PARTS
from service.games.slopecrashers.engine.errors import error_model
from service.games.slopecrashers.engine.evaluation import Evaluator, default_evaluator
from service.games.slopecrashers.engine.mirror_images import canonical_form
from service.games.slopecrashers.engine.packed_tree import PackedTree, may_pass
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Action
from service.games.slopecrashers.rules.turn import Turn


class SlopecrashersTurns:
    """The implementation of :class:`~service.core.sequential.TurnGame`.

    Args:
        evaluator: estimates positions; default: the evaluator of this version.
    """

    rules = Slopecrashers()
    budgets = TURN_BUDGETS
    parts = PARTS

    def __init__(self, evaluator: Evaluator | None = None) -> None:
        self._evaluator = evaluator or default_evaluator()
        self.evaluator = evaluator_name(self._evaluator)

    def error_model(self, question: TurnQuestion[Turn, Action]) -> ErrorModel:
        return error_model(question.play.state)

    def tree(self, question: TurnQuestion[Turn, Action]) -> PackedTree:
        return PackedTree(question, self._evaluator)

    def canonical(self, question: TurnQuestion[Turn, Action]) -> CanonicalTurn[Turn, Action] | None:
        return canonical_form(question)

    def assumes(self, question: TurnQuestion[Turn, Action], choice: Action) -> bool:
        seats = question.play.state.seats
        [gifts] = [seat.gifts for seat in seats if seat.player == question.player]
        return choice.card is not None and gifts[:1] == (UNKNOWN,)

    def position_key(self, question: TurnQuestion[Turn, Action]) -> bytes:
        turn = question.play
        state = turn.state
        [choices] = question.decision.choices.values()
        listed = [replace(choice, player=None) for choice in choices]
        seats = tuple(replace(seat, player=str(at)) for at, seat in enumerate(state.seats))
        # Everything but names, and what the request brought in place of the default data.
        table = replace(state, seats=seats, own_pieces=None, own_deck=False)
        # Of what happened before, only whether the player may still pass matters.
        bare = replace(turn, state=table, actions=(), forced=0, visited=frozenset())
        # The choices of a plan depend on the cards that an unknown own card cannot be.
        stated = question.stated and [seat.gifts for seat in question.stated.state.seats]
        asker, passing = state.players.index(question.player), may_pass(turn)
        return repr((bare, asker, listed, stated, passing)).encode()
