"""Checks of an engine against the rules of its game, for every game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from random import Random
from typing import Any

import numpy as np
import pytest

from service.core.game import Chance, Game
from service.core.hints import Question
from service.core.sequential import SimilarNode, TurnGame
from service.core.simultaneous import RoundGame
from service.core.turn_hints import TurnQuestion
from service.games.definition import Suggest
from service.solver.opponents.fixed_models import joint_moves
from service.solver.search.turn_expectimax import solve
from tests.conformance.walks import Playout

Rules = Game[Any, Any, Any, Any, Any]
MOST_PROFILES = 60
"""Of one decision, that are played by the rules."""
WITHIN = 1e-9


# Games in rounds ------------------------------------------------------------------------------


def round_questions(
    game: Any, endpoint: Suggest[Any, Any], playout: Playout
) -> Iterator[tuple[Question[Any, Any], Any]]:
    """Yield every decision of a game as a question, with its play."""
    for nodes in playout.rounds:
        revealed: Mapping[str, Any] = {}
        for visited in nodes:
            if isinstance(visited.node, Chance):
                continue
            position = game.rest(visited.play)
            owners = endpoint.owners(position)
            player = owners[next(iter(visited.node.choices))]
            actors = tuple(a for a in visited.node.choices if owners[a] == player)
            asked = position, revealed, visited.node, player, actors
            settings = "win", "equilibrium", {}, "quick", 1, None, None, None
            yield Question(*asked, *settings), visited.play
            revealed = {**revealed, **visited.revealed}


def check_round_engine(
    search: RoundGame[Any, Any],
    rules: Rules,
    question: Question[Any, Any],
    play: Any,
    random: Random,
) -> int:
    """Check moves, symmetries, and the payoffs and outcomes of finished games.

    Returns:
        How many of the randomly chosen combinations of moves end the game.
    """
    canonical = search.canonicalize(question)
    stage = search.stage_game(canonical.question)
    numbers = [*map(str, range(len(canonical.players)))]
    actors = [[a for a, owner in canonical.owners.items() if owner == each] for each in numbers]
    # A solution has no names, so players and moves have the order of the canonical form.
    assert list(stage.players) == numbers
    for player, own in enumerate(actors):
        moves, legal = list(stage.moves(player)), joint_moves(canonical.question, own)
        asks = numbers[player] == canonical.question.player
        # An engine may fix what the others do at the last decision of a round.
        assert moves == legal or (not asks and len(moves) == 1 and moves[0] in legal)
    table = np.asarray(stage.payoffs).reshape(len(numbers), *stage.counts)
    check_symmetries(table, stage)
    profiles = [*product(*map(range, stage.counts))]
    ended = 0
    for profile in random.sample(profiles, min(MOST_PROFILES, len(profiles))):
        moves = {
            canonical.actors[int(actor)]: choice
            for player, number in enumerate(profile)
            for actor, choice in stage.moves(player)[number].items()
        }
        after = rules.choose(play, moves).play
        winners = () if rules.pending(after) is not None else rules.winners(rules.rest(after))
        if not winners:
            continue
        ended += 1
        expected = [(player in winners) / len(winners) for player in canonical.players]
        assert table[(slice(None), *profile)] == pytest.approx(expected, abs=WITHIN), moves
        pure = [np.eye(count)[own] for count, own in zip(stage.counts, profile, strict=True)]
        for player, number in enumerate(profile):
            outcome = stage.outcomes(player, np.concatenate(pure))[number]
            columns = search.columns(len(numbers), actors[player])
            assert outcome[columns.shares] == pytest.approx(expected, abs=WITHIN), moves
    return ended


def check_symmetries(table: np.ndarray, stage: Any) -> None:
    """Check that players of one symmetry class can be exchanged."""
    if len(stage.open_profiles()[0]):
        return
    for player, first in enumerate(stage.symmetry_classes):
        if first < player:
            exchanged = table.swapaxes(first + 1, player + 1).copy()
            exchanged[[first, player]] = exchanged[[player, first]]
            np.testing.assert_allclose(exchanged, table, rtol=0, atol=WITHIN)


# Games of turns -------------------------------------------------------------------------------


def turn_questions(playout: Playout) -> Iterator[TurnQuestion[Any, Any]]:
    """Yield every decision of a game as a question of a player who sees all cards."""
    for visited in playout.nodes:
        if not isinstance(visited.node, Chance):
            [player] = visited.node.choices
            yield TurnQuestion(visited.play, visited.node, player, "quick", None, None)


def check_turn_engine(
    search: TurnGame[Any, Any],
    rules: Rules,
    question: TurnQuestion[Any, Any],
) -> tuple[int, int]:
    """Check the listed choices, the ends of the game and the draws after them.

    Returns:
        How many choices end the game, and how many draws there are.
    """
    tree, player = search.tree(question), question.player
    choices = question.decision.choices[player]
    shares = solve(search, question, None).shares
    assert len(shares) == len(choices)
    ended = draws = 0
    for choice, own in zip(choices, shares, strict=True):
        play = rules.choose(question.play, {player: choice}).play
        node = rules.pending(play)
        if node is None and rules.over(end := rules.rest(play)):
            ended += 1
            winners = rules.winners(end)
            expected = [(each in winners) / max(1, len(winners)) for each in tree.players]
            assert own == pytest.approx(expected, abs=WITHIN), choice
        reached = tree.after(choice)
        if isinstance(node, Chance) and not isinstance(reached, SimilarNode):
            events = tree.reach(reached, 1, 1).events
            # Some engines draw at the end of a turn, after the reach.
            found = tree.outcomes(events[0], 10**6) if events else None
            if found and found.all:
                draws += 1
                listed = sorted(float(chance) for _, chance in node.outcomes)
                searched = sorted(chance for chance, _ in found.nodes)
                assert searched == pytest.approx(listed, abs=WITHIN), choice
    return ended, draws
