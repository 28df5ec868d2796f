"""What each move comes to against each move of one other player, the rest playing their strategies.

Strategies are those of the solve and stay as they are: the others do not know what that player
does.  So the mean of a move's values over a player's strategy is the move's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from service.core.arrays import Floats
from service.core.best_response_model import OutcomeColumns
from service.core.game import Choice
from service.core.hints import ConditionalValues, Hint, Position, Question
from service.core.rounding import apportion, rounded
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.vocabulary import UNIFORM
from service.solver.budget import EQUILIBRIUM_BUDGETS, WorkMeter
from service.solver.codec import pack_arrays, unpack_arrays
from service.solver.equilibrium.subgames import solve_open_subgames
from service.solver.objectives import objective_values, objective_weights
from service.solver.opponents.fixed_models import joint_moves, strategies
from service.solver.search.best_response import outcomes_of_moves
from service.solver.search.iterative_deepening import search_for_all_players

MOST_MOVES: Final = 20
"""Of a player that are told: with two seats there are up to a hundred."""
PACKING: Final = "1"


@dataclass(frozen=True, slots=True)
class ConditionalSolution:
    """What the asker's moves come to, without names.

    Attributes:
        places: by player, which of its moves are told; none of the asker's.
        outcomes: by player, float64[told moves, moves of the asker, width].
        resolved: rounds resolved.
    """

    places: Sequence[Sequence[int]]
    outcomes: Sequence[Floats]
    nodes: int

    method = "crossing"
    epsilon = None
    complete = True

    def pack(self) -> bytes:
        """All of it, as bytes."""
        return pack_arrays({"places": self.places, "resolved": self.nodes}, self.outcomes)


def unpack(packed: bytes) -> ConditionalSolution:
    """What :meth:`ConditionalSolution.pack` made.

    Raises:
        ValueError: if nothing did that made this.
    """
    try:
        head, arrays = unpack_arrays(packed)
        return ConditionalSolution(outcomes=arrays, nodes=head.pop("resolved"), **head)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError("these are no packed crossings") from error


def solve(
    game: RoundGame[Position, Choice],
    asked: CanonicalQuestion[Position, Choice],
    stop_at: float | None,
) -> ConditionalSolution:
    """Crosses the asker's moves of this round with everybody else's.

    Args:
        game: the game in rounds.
        asked: the question, in canonical form but for who asks; at depth 1.
        stop_at: ``time.monotonic()`` at which to stop, if ever.

    Raises:
        OutOfTime: if that came first.
    """
    meter = WorkMeter(stop_at)
    if asked.question.model == UNIFORM:
        return _solve_fixed(game, asked, meter)
    _, stage_game, play = search_for_all_players(game, asked.question, asked.owners, meter)
    meter.check()
    asker, budget = int(asked.question.player), EQUILIBRIUM_BUDGETS[asked.question.effort]
    places = [[] if player == asker else _told(own) for player, own in enumerate(play.strategies)]
    tables: dict[tuple[int, int], Floats] = {}
    # First what is played: the later decisions there stay as the solve has valued them.
    for played in (True, False):
        for player, told in enumerate(places):
            for move in told:
                if bool(play.strategies[player][move] > 0.0) != played:
                    continue
                meter.check()
                supposed = list(play.strategies)
                supposed[player] = np.eye(len(supposed[player]))[move]
                if not played:
                    solve_open_subgames(stage_game, supposed, budget, meter)
                tables[player, move] = stage_game.outcomes(asker, np.concatenate(supposed))
    return ConditionalSolution(
        places=places,
        outcomes=[
            np.stack([tables[player, move] for move in told]) if told else _NOTHING
            for player, told in enumerate(places)
        ],
        nodes=meter.nodes,
    )


_NOTHING: Final = np.zeros((0, 0, 0))


def _told(strategy: Floats) -> list[int]:
    """The moves of a player that are told, the likeliest if there are too many, in deck order."""
    if len(strategy) == 1:
        return []
    return sorted(np.argsort(-strategy, kind="stable")[:MOST_MOVES].tolist())


def _solve_fixed(
    game: RoundGame[Position, Choice], asked: CanonicalQuestion[Position, Choice], meter: WorkMeter
) -> ConditionalSolution:
    """The same where the others play as given, so that each move can be given instead."""
    question = asked.question
    others = strategies(question, asked.owners)
    columns = game.columns(len(asked.players), asked.actors_of(int(question.player)))
    places: list[list[int]] = []
    outcomes: list[Floats] = []
    for player in range(len(asked.players)):
        told: list[int] = []
        tables = []
        if str(player) != question.player:
            actors = [actor for actor, owner in asked.owners.items() if owner == str(player)]
            moves = joint_moves(question, actors)
            chances = dict.fromkeys(range(len(moves)), 0.0)
            for move, chance in others[str(player)]:
                chances[moves.index(move)] = chance
            told = _told(np.array(list(chances.values())))
            for place in told:
                supposed = {actor: {choice: 1.0} for actor, choice in moves[place].items()}
                given = replace(question, weights={**question.weights, **supposed})
                players, found = outcomes_of_moves(game, given, meter)
                tables.append(_in_order(asked, players, found, columns))
        places.append(told)
        outcomes.append(np.stack(tables) if tables else _NOTHING)
    return ConditionalSolution(places, outcomes, meter.nodes)


def _in_order(
    asked: CanonicalQuestion[Position, Choice],
    players: Sequence[str],
    outcomes: Floats,
    columns: OutcomeColumns,
) -> Floats:
    """Outcomes with the players in the order of the question: what is supposed of a seat has a
    part in the order of a table.
    """
    order = np.array([players.index(str(player)) for player in range(len(asked.players))])
    ordered = outcomes.copy()
    for part in (columns.gains, columns.shares):
        ordered[:, part] = outcomes[:, part][:, order]
    return ordered


def render_conditional_values(
    crossed: ConditionalSolution,
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    asked: CanonicalQuestion[Position, Choice],
    hint: Hint[Choice],
) -> dict[str, list[ConditionalValues[Choice]]]:
    """Crossings in print, by player, for the asker's moves in the order of the hint.

    Args:
        crossed: of the question.
        game: the game in rounds.
        question: what was asked.
        asked: the same in canonical form.
        hint: the answer to it.
    """
    asker = asked.players.index(question.player)
    actors = asked.actors_of(asker)
    columns = game.columns(len(asked.players), actors)
    weights = objective_weights(question.objective, columns, asker, len(asked.players))
    in_deck_order = joint_moves(question, actors)
    rows = [in_deck_order.index(found.move) for found in hint.moves]
    own = np.array([found.probability for found in hint.moves])
    told: dict[str, list[ConditionalValues[Choice]]] = {}
    for number, player in enumerate(asked.players):
        if not crossed.places[number]:
            continue
        moves = joint_moves(question, asked.actors_of(number))
        chances = hint.strategies[player]
        against = []
        for place, table in zip(crossed.places[number], crossed.outcomes[number], strict=True):
            outcomes = table[rows]
            values = [rounded(value) for value in objective_values(outcomes, weights).tolist()]
            shares = (own[:, None] * outcomes[:, columns.shares]).sum(axis=0)
            win_shares = dict(zip(asked.players, apportion(shares.tolist()), strict=True))
            against.append(
                ConditionalValues(
                    move=moves[place],
                    probability=sum(chance for move, chance in chances if move == moves[place]),
                    values=values[:MOST_MOVES],
                    best_response=hint.moves[values.index(max(values))].move,
                    value=max(values),
                    win_shares={name: win_shares[name] for name in hint.win_shares},
                )
            )
        told[player] = against
    return {player: told[player] for player in hint.win_shares if player in told}
