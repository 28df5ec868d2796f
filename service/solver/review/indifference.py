"""What players decide who gain and lose nothing by it: they choose who of the others wins."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from service.core.arrays import Floats
from service.core.game import Choice
from service.core.hints import Position, Question
from service.core.rounding import TIE
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.vocabulary import WIN
from service.solver.normal_form import NormalForm, split
from service.solver.objectives import objective_values, objective_weights
from service.solver.search.checked_games import stage_game_of
from service.solver.solution import Solution


def indifferent_effects(
    game: RoundGame[Position, Choice],
    questions: Sequence[Question[Position, Choice]],
    asked: CanonicalQuestion[Position, Choice],
    solution: Solution,
) -> dict[str, float]:
    """Return how much each player's share changed because of indifferent players' choices.

    A player is indifferent if all its moves have the same value.  The effect is a player's share
    after its own choice and theirs minus that after its own choice and their strategies; the rest
    of the players plays its strategies.

    Args:
        game: the game.
        questions: of all players who decided, for the share of the win; ``chosen`` is their choice.
        asked: the canonical form of any of them.
        solution: of ``asked``; it must have the strategies of all players.

    Returns:
        By player; empty if nobody was indifferent.
    """
    assert solution.strategies is not None, "all players follow the model"
    chosen = {question.player: question.chosen for question in questions}
    players = range(len(asked.players))
    indifferent = [
        player
        for player in players
        if asked.players[player] in chosen and np.ptp(_values(game, asked, solution, player)) <= TIE
    ]
    if not indifferent or not asked.mutual:
        return {}
    stage_game = stage_game_of(game, asked.question, asked.owners)
    places = {name: str(number) for number, name in enumerate(asked.actors)}

    def place(player: int) -> int:
        """Return the index of a player's choice; 0 if it had none."""
        move: Mapping[str, Choice] = chosen.get(asked.players[player]) or {}
        own = {places[actor]: choice for actor, choice in move.items()}
        return list(stage_game.moves(player)).index(own) if own else 0

    played = [own.copy() for own in solution.strategies]
    for player in indifferent:
        played[player][:] = 0.0
        played[player][place(player)] = 1.0
    shape = np.array(stage_game.counts)
    form = NormalForm(np.ascontiguousarray(stage_game.payoffs), shape, np.arange(len(shape)))
    before, after = (
        split(form.action_values(np.concatenate(strategies)), shape)
        for strategies in (solution.strategies, played)
    )
    return {
        asked.players[player]: float(after[player][place(player)] - before[player][place(player)])
        for player in players
    }


def _values(
    game: RoundGame[Position, Choice],
    asked: CanonicalQuestion[Position, Choice],
    solution: Solution,
    player: int,
) -> Floats:
    columns = game.columns(len(asked.players), asked.actors_of(player))
    weights = objective_weights(WIN, columns, player, len(asked.players))
    return objective_values(solution.outcomes[player], weights)
