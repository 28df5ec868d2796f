"""The models of a game's engine, with the moves that the rules list.

A solver numbers moves, and its results are read with the moves of the rules.  Here both are
compared, so that no value can belong to the wrong move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from service.core.best_response_model import BestResponseGame, BestResponseModel
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.simultaneous import RoundGame, SimultaneousGame
from service.solver.opponents.fixed_models import joint_moves


def stage_game_of(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
) -> SimultaneousGame[Choice, Position]:
    """Return the decision in question as a game in normal form.

    Raises:
        ValueError: if a player's moves are neither those of the question, in their order, nor a
            single one of them.  The engine may have another order of a player's actors.
    """
    stage_game = game.stage_game(question)
    for number, player in enumerate(stage_game.players):
        actors = [actor for actor, owner in owners.items() if owner == player]
        _compare(question, actors, stage_game.moves(number))
    return stage_game


def best_response_model_of(
    game: BestResponseGame[Position, Choice], question: Question[Position, Choice]
) -> BestResponseModel[Choice]:
    """Return the round in question for its asker.

    Raises:
        ValueError: if the asker's moves are not those of the question, in their order.
    """
    model = game.best_response_model(question)
    _compare(question, question.actors, model.moves)
    return model


def _compare(
    question: Question[Position, Choice],
    actors: Sequence[str],
    moves: Sequence[Mapping[str, Choice]],
) -> None:
    legal = joint_moves(question, sorted(actors, key=[*moves[0], *actors].index))
    if list(moves) != legal and not (len(moves) == 1 and moves[0] in legal):
        raise ValueError(f"the engine and the rules list other moves of {', '.join(actors)}")
