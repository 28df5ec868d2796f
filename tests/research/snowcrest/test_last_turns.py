"""Values of last turns against a plain search in which every player maximizes its own share."""

from random import Random

import pytest
from research.league.snowcrest import agents
from research.league.snowcrest.play import GAME, initial_state, play

from service.core.frozen import replace
from service.core.game import Decision
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.engine.final_scores import FinalScores
from service.games.snowcrest.engine.packing import packing_of
from service.games.snowcrest.engine.turn_tree import SnowcrestTurns
from service.games.snowcrest.rules.actions import draw_action
from service.games.snowcrest.rules.choices import pending_decision
from service.games.snowcrest.rules.progress import apply_choice, apply_draw, chance_outcomes
from service.games.snowcrest.rules.scoring import scores
from service.games.snowcrest.rules.turn import DrawCards, RevealSpirit, Turn, deciding_seat
from service.solver.search.turn_expectimax import solve
from tests.games.snowcrest.plain_ends import is_end, standing

pytestmark = pytest.mark.research

FIRST_TURNS = 3
"""Turns of the last seat before those that are made last turns."""


def plain_shares(turn: Turn, memo: dict) -> tuple[list[float], list[float]]:
    """Return the win shares and standings after a turn in which all choose for themselves."""
    turn = replace(turn, actions=())
    if turn in memo:
        return memo[turn]
    if is_end(turn):
        packing = packing_of(turn.state.catalogue, len(turn.state.seats))
        shares = FinalScores(packing).shares(packing.pack(turn)).mean(axis=0).tolist()
        found = shares, [standing(turn.state, seat) for seat in range(len(shares))]
    elif isinstance(turn.task, DrawCards):
        found = plain_shares(apply_draw(turn, draw_action(UNKNOWN)).play, memo)
    elif isinstance(turn.task, RevealSpirit):
        outcomes = chance_outcomes(turn)
        total = sum(outcomes.values())
        after = [
            (count / total, plain_shares(apply_draw(turn, draw_action(card)).play, memo))
            for card, count in outcomes.items()
        ]
        found = tuple(
            [sum(chance * each[part][seat] for chance, each in after) for seat in seats(turn)]
            for part in (0, 1)
        )
    else:
        seat, [choices] = deciding_seat(turn), pending_decision(turn).choices.values()
        found = max(
            (plain_shares(apply_choice(turn, choice).play, memo) for choice in choices),
            key=lambda each: (round(each[0][seat], 9), each[1][seat]),
        )
    memo[turn] = found
    return found


def seats(turn: Turn) -> range:
    return range(len(turn.state.seats))


def last_turns(seed: int, players: int) -> list:
    """Return positions of a game, changed so that the turn is the last one of a close race."""
    before = []
    start = initial_state(players, seed)
    agent = agents.GreedyAgent() if seed % 3 else agents.RandomAgent()
    play(start, dict.fromkeys(start.players, agent), seed, before.append)
    random, own = Random(seed), players - 1
    late = [state for state in before if state.turn == own][FIRST_TURNS:]
    found = []
    for state in random.sample(late, min(2, len(late))):
        supply = random.choice((0, 0, 1, 2))
        points = [each.points for each in scores(state)]
        best = max(points[:own])
        ahead = best - points[own] + random.choice((0, 0, 1, 1, 2, 2, 3, 4))
        others = random.choice((0, 1, 1, 2, 2, 3))
        changed = tuple(
            replace(seat, scrolls=seat.scrolls + max(0, ahead))
            if index == own
            else replace(
                seat,
                scrolls=seat.scrolls + others + (max(0, -ahead) if points[index] == best else 0),
            )
            for index, seat in enumerate(state.seats)
        )
        found.append(replace(state, supply=supply, ending=True, seats=changed))
    return found


@pytest.mark.parametrize(
    ("seed", "players", "number"),
    [(87, 2, 0), (102, 2, 0), (4, 3, 0), (32, 3, 0), (50, 3, 0), (156, 2, 1)],
)
def test_values_of_a_last_turn_are_those_of_a_plain_search(seed, players, number):
    """What others give up depends on the cards that the player draws afterwards (102), several
    draws are followed (87), a player foresees how the later ones answer a penalty (32, 50), and
    every redraw is followed (156)."""
    state = last_turns(seed, players)[number]
    turn = GAME.begin(state).play
    decision = GAME.pending(turn)
    assert isinstance(decision, Decision)
    player, memo = state.players[state.turn], {}
    solution = solve(
        SnowcrestTurns(), TurnQuestion(turn, decision, player, "deep", None, None), None
    )
    shares = [each[state.turn] for each in solution.shares]
    expected = [
        plain_shares(apply_choice(turn, choice).play, memo)[0][state.turn]
        for choice in decision.choices[player]
    ]
    assert len(set(expected)) > 1
    assert shares == pytest.approx(expected, abs=1e-6)
