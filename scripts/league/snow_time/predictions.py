"""How well the solver predicts the cards of agents, with and without learning."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np

from league.roster import agent
from league.snow_time.agents import SOLVER_GAME
from league.snow_time.play import Agent, initial_state, play
from service.core.hints import Question
from service.core.simultaneous import CanonicalQuestion
from service.games.snow_time.rules.state import Move, State
from service.solver.budget import WorkMeter
from service.solver.canonical import cache_key, canonicalize
from service.solver.opponents.histories import PastDecision, observe
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
from service.solver.opponents.predictions import Predictions, predict

MODELS: Final = ("equilibrium", "prior", "learned")
"""The equilibrium alone, the prior over all styles without learning, and with learning."""


class Recorder:
    """Lets an agent play, and records the decisions.

    Args:
        chooser: the agent.
        decisions: a question and the choices so far for each decision of the game; shared by the
            whole table.
    """

    def __init__(
        self, chooser: Agent, decisions: list[tuple[Question[State, Move], dict[str, Move]]]
    ) -> None:
        self._chooser, self._decisions = chooser, decisions

    def choose(self, question: Question[State, Move], random: Random) -> Mapping[str, Move]:
        chosen = self._chooser.choose(question, random)
        # All players get one object for the same decision.
        if not self._decisions or self._decisions[-1][0].decision is not question.decision:
            self._decisions.append((question, {}))
        self._decisions[-1][1].update(chosen)
        return chosen


def recorded_rounds(specs: Mapping[str, str], seed: int) -> list[list[PastDecision[State, Move]]]:
    """Play a game and return the decisions of each round.

    Args:
        specs: an agent for each player, see ``league/roster.py``; one seat each.
        seed: of the game.
    """
    decisions: list[tuple[Question[State, Move], dict[str, Move]]] = []
    agents = {player: Recorder(agent(spec), decisions) for player, spec in specs.items()}
    play(initial_state(len(specs), len(specs)), agents, seed)
    rounds: list[list[PastDecision[State, Move]]] = []
    for question, chosen in decisions:
        first = question.decision.name == "card"
        if first:
            rounds.append([])
        seen = {actor: (move,) for actor, move in chosen.items()}
        rounds[-1].append(PastDecision(canonicalize(SOLVER_GAME, question), seen, first))
    return rounds


class PredictionCache:
    """Predicts decisions and remembers them."""

    def __init__(self) -> None:
        self._known: dict[bytes, Predictions] = {}

    def __call__(self, canonical: CanonicalQuestion[State, Move]) -> Predictions:
        key = cache_key(SOLVER_GAME, canonical)
        if key not in self._known:
            self._known[key] = predict(SOLVER_GAME, canonical, WorkMeter(None))
        return self._known[key]


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


def predict_cards(
    rounds: Sequence[Sequence[PastDecision[State, Move]]], opponents: Sequence[str]
) -> Iterator[Prediction]:
    """Predict each card of some players from the rounds before it."""
    yield from score([observe(decisions, PredictionCache()) for decisions in rounds], opponents)


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
