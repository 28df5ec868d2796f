"""Endgames of Snow Time, and what is sure in them by the readable rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random

from research.league.snow_time.play import GAME, initial_state, question_for
from service.core.game import Decision
from service.core.hints import Question
from service.games.snow_time.rules.rules import Round
from service.games.snow_time.rules.state import DECK, Card, Move, State


def endgame(
    random: Random, seats: Sequence[int] = (3, 4), rates: Sequence[float] = (0.15, 0.3, 0.6)
) -> State:
    """Return a position on the last five spaces of the default track.

    Args:
        random: decides.
        seats: numbers of seats.
        rates: probabilities of each card but the healer to be in a hand.
    """
    count = random.choice(seats)
    fruit = [0] * 6
    for _ in range(random.choice((1, 2, 5, 9))):
        fruit[random.randrange(6)] += 1
    rate = random.choice(rates)
    first = initial_state(count, count)
    placed = tuple(
        replace(
            seat,
            score=random.randint(25, 29),
            hand=tuple(card for card in DECK if card is Card.HEALER or random.random() < rate),
        )
        for seat in first.seats
    )
    return State(placed, tuple(fruit))


def card_question(state: State, player: str, effort: str) -> Question[State, Move] | None:
    """Return the question for a card, for the share of the win; None if the game is over."""
    play = Round(state)
    node = GAME.pending(play)
    if not isinstance(node, Decision):
        return None
    return replace(question_for(play, node, player), model="equilibrium", effort=effort)


def bounds_after(play: Round, player: str, own: Mapping[str, Move]) -> tuple[float, float]:
    """Return a player's least and largest share after its choice, by a search through all plays."""
    node = GAME.pending(play)
    assert isinstance(node, Decision), "there is a choice"
    others = [actor for actor in node.choices if actor not in own]
    results = []
    for choices in product(*(node.choices[actor] for actor in others)):
        step = GAME.choose(play, {**own, **dict(zip(others, choices, strict=True))})
        results.append(_bounds(step.play, player))
    return min(least for least, _ in results), max(most for _, most in results)


def _bounds(play: Round, player: str) -> tuple[float, float]:
    """Return the least and the largest share if the player chooses well from here on."""
    node = GAME.pending(play)
    if not isinstance(node, Decision):
        winners = GAME.winners(GAME.rest(play))
        share = 1.0 / len(winners) if player in winners else 0.0
        return (share, share) if winners else (0.0, 1.0)
    if node.name == "healer":
        # What is taken back changes no result of this round.
        return bounds_after(play, player, {actor: own[0] for actor, own in node.choices.items()})
    own = [actor for actor in node.choices if play.state.seat(actor).player == player]
    results = [
        bounds_after(play, player, dict(zip(own, chosen, strict=True)))
        for chosen in product(*(node.choices[actor] for actor in own))
    ]
    return max(least for least, _ in results), max(most for _, most in results)
