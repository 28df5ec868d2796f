"""Observations from a history: positions before a choice, and what was chosen there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from service.core.game import Choice
from service.core.hints import ObservedDecision, ObservedRound, Position, Question
from service.core.simultaneous import CanonicalQuestion, RoundGame
from service.core.vocabulary import EQUILIBRIUM, STANDARD, WIN
from service.solver.opponents.fixed_models import joint_moves
from service.solver.opponents.inference import Choices, Observation, Round
from service.solver.opponents.predictions import Predictions

Predict = Callable[[CanonicalQuestion[Position, Choice]], Predictions]
"""Returns the predictions of all styles for a decision, from a cache or new."""


def observe(
    game: RoundGame[Position, Choice],
    decisions: ObservedRound[Position, Choice],
    owners: Mapping[str, str],
    predict: Predict[Position, Choice],
) -> Round:
    """Return by player what can be learned from a round.

    Each observation has the moves of a decision with their predictions, and which of them agree
    with the choices that are known. Players without a choice, or without a known one, are absent.

    Args:
        game: the game.
        decisions: of the round, in order.
        owners: the player of each actor.
        predict: returns the predictions of a decision.
    """
    observed: dict[str, list[Observation]] = {}
    for place, decision in enumerate(decisions):
        canonical = canonical_decision(game, decision, owners)
        seen = {
            actor: decision.choices[name]
            for actor, name in zip(canonical.owners, canonical.actors, strict=True)
            if name in decision.choices
        }
        predictions = predict(canonical)
        for number, player in enumerate(canonical.players):
            choices, moves = choices_of(canonical, predictions, number, first=place == 0)
            known = [(actor, choice) for actor, choice in seen.items() if actor in moves[0]]
            agreeing = [
                index
                for index, move in enumerate(moves)
                if all(move[actor] == choice for actor, choice in known)
            ]
            # Nothing is learned from a player without a choice, or without a known one.
            if 0 < len(agreeing) < len(moves):
                observed.setdefault(player, []).append(Observation(choices, agreeing))
    return observed


def canonical_decision(
    game: RoundGame[Position, Choice],
    decision: ObservedDecision[Position, Choice],
    owners: Mapping[str, str],
) -> CanonicalQuestion[Position, Choice]:
    """Return a decision as a question in canonical form, as predictions need it."""
    return game.canonicalize(_question(decision, owners))


def round_key(
    game: RoundGame[Position, Choice],
    decisions: ObservedRound[Position, Choice],
    owners: Mapping[str, str],
) -> bytes:
    """Return everything that is observed in a round, with the names of the players."""
    key = [
        (
            game.position_key(_question(decision, owners)),
            decision.decision.name,
            sorted((actor, repr(choice)) for actor, choice in decision.choices.items()),
        )
        for decision in decisions
    ]
    return repr(key).encode()


def _question(
    decision: ObservedDecision[Position, Choice], owners: Mapping[str, str]
) -> Question[Position, Choice]:
    player = owners[next(iter(decision.decision.choices))]
    return Question(
        position=decision.position,
        revealed=decision.revealed,
        decision=decision.decision,
        player=player,
        actors=tuple(a for a in decision.decision.choices if owners[a] == player),
        objective=WIN,
        model=EQUILIBRIUM,
        weights={},
        effort=STANDARD,
        depth=1,
        deadline_ms=None,
        chosen=None,
        nonce=None,
    )


def choices_of(
    canonical: CanonicalQuestion[Position, Choice],
    predictions: Predictions,
    player: int,
    *,
    first: bool = True,
) -> tuple[Choices, Sequence[Mapping[str, Choice]]]:
    """Return a player's choices at a decision, and its moves by number of the actor.

    Args:
        canonical: the decision.
        predictions: of all styles for it.
        player: its number.
        first: whether it is the first decision of its round.
    """
    actors = [actor for actor, owner in canonical.owners.items() if owner == str(player)]
    moves = joint_moves(canonical.question, actors)
    labels = [tuple(move.values()) for move in moves]
    return Choices(predictions.rows[player], labels, habitual=first), moves
