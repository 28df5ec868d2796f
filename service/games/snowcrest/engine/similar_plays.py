"""Plays that need no search of their own, because another play is worth the same or about that."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from service.core.sequential import SimilarNode
from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.engine.end_values import Position
from service.games.snowcrest.engine.ends.turn_ends import next_turn, play_may_end_game
from service.games.snowcrest.engine.evaluation import Evaluator, comparable
from service.games.snowcrest.rules.actions import Action, ActionType
from service.games.snowcrest.rules.turn import Turn


def equal_plays(
    turn: Turn, choices: Sequence[Action], node_after: Callable[[Action], Position]
) -> Mapping[Action, Position]:
    """Return the plays of the last turn with what follows a play of the same worth.

    The same card may enter an empty cell or replace the same villager.  If challenges are open,
    cells differ: they may count rows of exhausted villagers.

    Args:
        turn: in which the choices are.
        choices: of the player.
        node_after: returns the position that a choice leads to.
    """
    nodes, by_choice = dict[object, Position](), dict[Action, Position]()
    if any(posted.by is None for posted in turn.state.challenges):
        return by_choice
    for choice in choices:
        if choice.type is ActionType.PLAY and choice.payment is None:
            resident = turn.mover.village[choice.cell or 0]
            key = choice.card, resident and resident.card
            if key not in nodes:
                nodes[key] = node_after(choice)
            by_choice[choice] = nodes[key]
    return by_choice


def similar_plays(
    turn: Turn,
    choices: Sequence[Action],
    cells: int,
    evaluator: Evaluator,
    after: Callable[[Turn, Action], Turn],
    node_after: Callable[[Action], Position],
) -> Mapping[Action, SimilarNode]:
    """Return the plays that are not searched, with the searched play they resemble.

    A played villager does the same in every cell.  Only the replaced villager and full lines
    differ.  The evaluator estimates this as a difference of win shares.

    Args:
        turn, choices, node_after: see :func:`equal_plays`.
        cells: searched for each card.
        evaluator: of the positions.
        after: returns the turn after a choice.
    """
    by_card: dict[Card | None, list[tuple[float, Action, Turn, list[float]]]] = {}
    for choice in choices:
        if choice.type is ActionType.PLAY and not play_may_end_game(turn, choice):
            played = after(turn, choice)
            shares = evaluator.shares(played.state, next_turn(played))
            rated = comparable(shares[turn.state.turn]), choice, played, shares
            by_card.setdefault(choice.card, []).append(rated)
    similar = {}
    for rated_choices in by_card.values():
        rated_choices.sort(key=lambda rated: -rated[0])
        rest = rated_choices[cells:]
        if not rest:
            continue
        _, best, best_turn, shares = rated_choices[0]
        node = node_after(best)
        for _, choice, played, others in rest:
            difference = tuple(other - share for other, share in zip(others, shares, strict=True))
            positions = Position(best_turn), Position(played)
            similar[choice] = SimilarNode(node, difference, positions)
    return similar
