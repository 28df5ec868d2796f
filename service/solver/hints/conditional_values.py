"""The value of each of the asker's moves against each move of one other player.

All remaining players play the strategies of the solution, which do not change: they do not know
that player's move.  The mean of a move's values over a player's strategy is therefore the move's
value in the hint.
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
from service.core.simultaneous import CanonicalQuestion, RoundGame, SimultaneousGame
from service.core.vocabulary import UNIFORM
from service.solver.budget import EQUILIBRIUM_BUDGET, EquilibriumBudget, WorkMeter
from service.solver.codec import pack_arrays, unpack_arrays
from service.solver.equilibrium.subgames import solve_open_subgames
from service.solver.objectives import objective_values, objective_weights
from service.solver.opponents.fixed_models import fixed_strategies, joint_moves
from service.solver.search.best_response import outcomes_of_moves
from service.solver.search.iterative_deepening import search_for_all_players

MAX_MOVES: Final = 20
"""Listed moves of a player; a player with two seats can have up to a hundred."""
PACKING: Final = "1"
"""Version of the bytes that :meth:`ConditionalSolution.pack` returns."""


@dataclass(frozen=True, slots=True)
class ConditionalSolution:
    """The conditional outcomes of the asker's moves, without names.

    Attributes:
        places: by player, the indices of its listed moves; empty for the asker.
        outcomes: by player, float64[listed moves, moves of the asker, width].
        nodes: rounds resolved.
    """

    places: Sequence[Sequence[int]]
    outcomes: Sequence[Floats]
    nodes: int

    method = "crossing"
    epsilon = None
    complete = True

    def pack(self) -> bytes:
        """Return the solution as bytes; see ``codec.py``."""
        return pack_arrays({"places": self.places, "resolved": self.nodes}, self.outcomes)


def unpack(packed: bytes) -> ConditionalSolution:
    """Return the solution that :meth:`ConditionalSolution.pack` packed, see ``cached_values.py``.

    Raises:
        ValueError: if the bytes are not a packed solution.
    """
    try:
        head, arrays = unpack_arrays(packed)
        return ConditionalSolution(outcomes=arrays, nodes=head.pop("resolved"), **head)
    except (LookupError, TypeError, ValueError) as error:
        raise ValueError("the bytes are not packed conditional values") from error


def solve(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    stop_at: float | None,
) -> ConditionalSolution:
    """Combine the asker's moves of this round with the moves of each other player.

    Args:
        game: the game.
        canonical: the question in canonical form, but with the real asker; at depth 1.
        stop_at: ``time.monotonic()`` at which to stop, or None.

    Raises:
        OutOfTime: if the deadline passed.
    """
    meter = WorkMeter(stop_at)
    if canonical.question.model == UNIFORM:
        return _solve_fixed(game, canonical, meter)
    _, stage_game, profile = search_for_all_players(
        game, canonical.question, canonical.owners, meter
    )
    meter.check()
    asker = int(canonical.question.player)
    return combine_moves(stage_game, profile.strategies, asker, EQUILIBRIUM_BUDGET, meter)


def combine_moves(
    stage_game: SimultaneousGame[Choice, Position],
    strategies: Sequence[Floats],
    asker: int,
    budget: EquilibriumBudget,
    meter: WorkMeter,
) -> ConditionalSolution:
    """Return the outcomes of a player's moves against each listed move of each other player.

    Args:
        stage_game: with the subgames solved that the strategies reach.
        strategies: by player, float64[moves].
        asker: number of the player.
        budget: of subgames that the strategies do not reach.
        meter: counts the work and checks the deadline.

    Raises:
        OutOfTime: if the deadline passed.
    """
    places = [
        [] if player == asker else _listed_moves(own) for player, own in enumerate(strategies)
    ]
    tables: dict[tuple[int, int], Floats] = {}
    # Moves that are played come first, so that their subgames keep the values of the solution.
    for played in (True, False):
        for player, listed in enumerate(places):
            for move in listed:
                if bool(strategies[player][move] > 0.0) != played:
                    continue
                meter.check()
                changed = list(strategies)
                changed[player] = np.eye(len(changed[player]))[move]
                if not played:
                    solve_open_subgames(stage_game, changed, budget, meter)
                tables[player, move] = stage_game.outcomes(asker, np.concatenate(changed))
    return ConditionalSolution(
        places=places,
        outcomes=[
            np.stack([tables[player, move] for move in listed]) if listed else _NO_OUTCOMES
            for player, listed in enumerate(places)
        ],
        nodes=meter.nodes,
    )


_NO_OUTCOMES: Final = np.zeros((0, 0, 0))


def _listed_moves(strategy: Floats) -> list[int]:
    """Return the indices of the likeliest moves, in deck order."""
    if len(strategy) == 1:
        return []
    return sorted(np.argsort(-strategy, kind="stable")[:MAX_MOVES].tolist())


def _solve_fixed(
    game: RoundGame[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    meter: WorkMeter,
) -> ConditionalSolution:
    """Solve for fixed strategies of the others: each listed move becomes a fixed strategy."""
    question = canonical.question
    others = fixed_strategies(question, canonical.owners)
    asker = int(question.player)
    columns = game.columns(len(canonical.players), canonical.actors_of(asker))
    places: list[list[int]] = []
    outcomes: list[Floats] = []
    for player in range(len(canonical.players)):
        listed: list[int] = []
        tables = []
        if player != asker:
            actors = [actor for actor, owner in canonical.owners.items() if owner == str(player)]
            moves = joint_moves(question, actors)
            probabilities = dict.fromkeys(range(len(moves)), 0.0)
            for move, probability in others[str(player)]:
                probabilities[moves.index(move)] = probability
            listed = _listed_moves(np.array(list(probabilities.values())))
            for place in listed:
                weights = {actor: {choice: 1.0} for actor, choice in moves[place].items()}
                conditional = replace(question, weights={**question.weights, **weights})
                players, table = outcomes_of_moves(game, conditional, meter)
                tables.append(_in_canonical_order(canonical, players, table, columns))
        places.append(listed)
        outcomes.append(np.stack(tables) if tables else _NO_OUTCOMES)
    return ConditionalSolution(places, outcomes, meter.nodes)


def _in_canonical_order(
    canonical: CanonicalQuestion[Position, Choice],
    players: Sequence[str],
    outcomes: Floats,
    columns: OutcomeColumns,
) -> Floats:
    """Return outcomes with the players in the order of the question.

    A fixed strategy can change the order of the players in a best-response model.
    """
    order = np.array([players.index(str(player)) for player in range(len(canonical.players))])
    ordered = outcomes.copy()
    for part in (columns.gains, columns.shares):
        ordered[:, part] = outcomes[:, part][:, order]
    return ordered


def render_conditional_values(
    solution: ConditionalSolution,
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    canonical: CanonicalQuestion[Position, Choice],
    hint: Hint[Choice],
) -> dict[str, list[ConditionalValues[Choice]]]:
    """Return rounded conditional values by player, for the asker's moves in the hint's order.

    Args:
        solution: of the question.
        game: the game.
        question: the original question.
        canonical: its canonical form.
        hint: the answer to it.
    """
    asker = canonical.players.index(question.player)
    actors = canonical.actors_of(asker)
    columns = game.columns(len(canonical.players), actors)
    weights = objective_weights(question.objective, columns, asker, len(canonical.players))
    in_deck_order = joint_moves(question, actors)
    rows = [in_deck_order.index(value.move) for value in hint.moves]
    own = np.array([value.probability for value in hint.moves])
    by_player: dict[str, list[ConditionalValues[Choice]]] = {}
    for number, player in enumerate(canonical.players):
        if not solution.places[number]:
            continue
        moves = joint_moves(question, canonical.actors_of(number))
        mixture = hint.strategies[player]
        rendered = []
        for place, table in zip(solution.places[number], solution.outcomes[number], strict=True):
            outcomes = table[rows]
            values = [rounded(value) for value in objective_values(outcomes, weights).tolist()]
            shares = (own[:, None] * outcomes[:, columns.shares]).sum(axis=0)
            win_shares = dict(zip(canonical.players, apportion(shares.tolist()), strict=True))
            rendered.append(
                ConditionalValues(
                    move=moves[place],
                    probability=sum(chance for move, chance in mixture if move == moves[place]),
                    values=values[:MAX_MOVES],
                    best_response=hint.moves[values.index(max(values))].move,
                    value=max(values),
                    win_shares={name: win_shares[name] for name in hint.win_shares},
                )
            )
        by_player[player] = rendered
    return {player: by_player[player] for player in hint.win_shares if player in by_player}
