"""How well the solver predicts the cards of agents, with and without learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from research.league.roster import agent
from research.league.snow_time.agents import SOLVER_GAME
from research.league.snow_time.learned_agent import predict
from research.league.snow_time.play import initial_state, play
from service.core.hints import ObservedRound
from service.games.snow_time.rules.state import Move, State
from service.solver.opponents.histories import observe
from service.solver.opponents.inference import (
    SMOOTHING,
    Round,
    natural_logarithm,
    pool,
    predict_move,
    prior_belief,
)
from service.solver.opponents.refinement import TableBeliefs

MODELS: Final = ("equilibrium", "prior", "learned")
"""The equilibrium alone, the prior over all styles without learning, and with learning."""


def recorded_rounds(specs: Mapping[str, str], seed: int) -> Sequence[ObservedRound[State, Move]]:
    """Play a game and return the decisions of each round.

    Args:
        specs: an agent for each player, see ``research/league/roster.py``; one seat each.
        seed: of the game.
    """
    agents = {player: agent(spec) for player, spec in specs.items()}
    return play(initial_state(len(specs), len(specs)), agents, seed).rounds


def owners_of(rounds: Sequence[ObservedRound[State, Move]]) -> Mapping[str, str]:
    """Return the player of each seat."""
    return {seat.name: seat.player for seat in rounds[0][0].position.seats}


def observed_rounds(rounds: Sequence[ObservedRound[State, Move]]) -> list[Round]:
    """Return what is observed in the rounds of a game, predicted by the styles of the library."""
    owners, predictions = owners_of(rounds), partial(predict, SOLVER_GAME.style_library)
    return [observe(SOLVER_GAME, decisions, owners, predictions) for decisions in rounds]


@dataclass(frozen=True)
class Prediction:
    """How well one revealed card was predicted.

    Attributes:
        player: who played it.
        round: its number, from 1.
        nats: over uniform play, by model.
    """

    player: str
    round: int
    nats: Mapping[str, float]


def score(
    rounds: Sequence[ObservedRound[State, Move]], opponents: Sequence[str]
) -> Iterator[Prediction]:
    """Score the predictions of each observed first decision from the rounds before it."""
    library, owners = SOLVER_GAME.style_library, owners_of(rounds)
    prior = prior_belief(library)
    table = TableBeliefs.start(library, opponents)
    for number, past in enumerate(rounds, 1):
        observed = observe(SOLVER_GAME, past, owners, partial(predict, table.library))
        pooled = pool(table.by_player)
        for player in opponents:
            for observation in observed.get(player, ()):
                choices, agreeing = observation.choices, list(observation.agreeing)
                if not choices.habitual:
                    continue
                count = choices.rows.shape[1]
                unrefined = replace(choices, rows=choices.rows[: library.size])
                equilibrium = choices.rows[library.equilibrium].astype(np.float64)
                memory = table.by_player[player].memory
                by_model = {
                    "equilibrium": (1.0 - SMOOTHING) * equilibrium + SMOOTHING / count,
                    "prior": predict_move(prior.weights, prior.memory, unrefined),
                    "learned": predict_move(pooled[player], memory, choices),
                }
                nats = {
                    model: natural_logarithm(float(own[agreeing].sum()) / len(agreeing) * count)
                    for model, own in by_model.items()
                }
                yield Prediction(player, number, nats)
        table = table.after(observed)
