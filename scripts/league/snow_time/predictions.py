"""How well the solver predicts the cards of agents, with and without learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import numpy as np

from league.roster import agent
from league.snow_time.agents import SOLVER_GAME
from league.snow_time.play import Agent, initial_state, play
from service.core.hints import ObservedDecision, Question
from service.core.simultaneous import CanonicalQuestion
from service.games.snow_time.rules.state import Move, State
from service.solver.budget import WorkMeter
from service.solver.opponents.histories import observe
from service.solver.opponents.inference import (
    SMOOTHING,
    Belief,
    Round,
    infer,
    natural_logarithm,
    pool,
    predict_move,
    prior_belief,
)
from service.solver.opponents.predictions import Predictions, predict, prediction_key

MODELS: Final = ("equilibrium", "prior", "learned")
"""The equilibrium alone, the prior over all styles without learning, and with learning."""


class Recorder:
    """Lets an agent play, and records the decisions.

    Args:
        chooser: the agent.
        rounds: the decisions of each round of the game so far; shared by the whole table.
    """

    def __init__(self, chooser: Agent, rounds: list[list[ObservedDecision[State, Move]]]) -> None:
        self._chooser, self._rounds = chooser, rounds

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        chosen = self._chooser.choose(question, random)
        node = question.decision
        # All players get one object for the same decision.
        last = self._rounds[-1][-1] if self._rounds else None
        if last is None or last.decision is not node:
            if node.name == "card":
                self._rounds.append([])
            last = ObservedDecision(question.position, question.revealed, node, {})
        else:
            self._rounds[-1].pop()
        self._rounds[-1].append(replace(last, choices={**last.choices, **chosen}))
        return chosen


def recorded_rounds(
    specs: Mapping[str, str], seed: int
) -> list[list[ObservedDecision[State, Move]]]:
    """Play a game and return the decisions of each round.

    Args:
        specs: an agent for each player, see ``league/roster.py``; one seat each.
        seed: of the game.
    """
    rounds: list[list[ObservedDecision[State, Move]]] = []
    agents = {player: Recorder(agent(spec), rounds) for player, spec in specs.items()}
    play(initial_state(len(specs), len(specs)), agents, seed)
    return rounds


def observed_rounds(rounds: Sequence[Sequence[ObservedDecision[State, Move]]]) -> list[Round]:
    """Return what is observed in the rounds of a game with one seat for each player."""
    known: dict[bytes, Predictions] = {}

    def predict_once(canonical: CanonicalQuestion[State, Move]) -> Predictions:
        key = prediction_key(SOLVER_GAME, canonical)
        if key not in known:
            known[key] = predict(SOLVER_GAME, canonical, WorkMeter(None))
        return known[key]

    owners = {seat.name: seat.player for seat in rounds[0][0].position.seats}
    return [observe(SOLVER_GAME, decisions, owners, predict_once) for decisions in rounds]


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


def score(observed: Sequence[Round], opponents: Sequence[str]) -> Iterator[Prediction]:
    """Score the predictions of each observed first decision from the rounds before it."""
    library = SOLVER_GAME.style_library
    prior = prior_belief(library)
    beliefs: dict[str, Belief] = dict.fromkeys(opponents, prior)
    for number, round_ in enumerate(observed, 1):
        pooled = pool(beliefs)
        for player in opponents:
            for observation in round_.get(player, ()):
                choices, agreeing = observation.choices, list(observation.agreeing)
                if not choices.habitual:
                    continue
                count = choices.rows.shape[1]
                equilibrium = choices.rows[library.equilibrium].astype(np.float64)
                by_model = {
                    "equilibrium": (1.0 - SMOOTHING) * equilibrium + SMOOTHING / count,
                    "prior": predict_move(prior.weights, prior.memory, choices),
                    "learned": predict_move(pooled[player], beliefs[player].memory, choices),
                }
                nats = {
                    model: natural_logarithm(float(own[agreeing].sum()) / len(agreeing) * count)
                    for model, own in by_model.items()
                }
                yield Prediction(player, number, nats)
        beliefs = infer(library, opponents, [round_], beliefs)
