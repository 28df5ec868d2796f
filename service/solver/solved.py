"""One solve for the whole table: everybody plays by a model, and each asker is told its part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from service.core.hint import Mixture, Position, Question
from service.core.joint import Joint, RoundGame
from service.core.play import Choice
from service.solver.equilibrium import certified, equilibrium, settle
from service.solver.findings import Findings, objective_weights
from service.solver.games import Floats
from service.solver.given import against_given
from service.solver.limits import EFFORTS, Meter
from service.solver.quantal import PRECISION, quantal, response

EQUILIBRIUM: Final = "equilibrium"
QUANTAL: Final = "quantal"
LEVEL_ONE: Final = "level-1"


@dataclass(frozen=True)
class Play:
    """How everybody plays.

    Attributes:
        strategies: by player, float64[moves], as printed.
        gap: see :class:`~service.core.hint.Search`, as the next one.
        residual: of quantal strategies.
        settled: whether each later decision that can be met was solved.
    """

    strategies: Sequence[Floats]
    gap: float | None
    residual: float | None
    settled: bool


def by_everybody(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: Meter,
) -> Findings[Choice]:
    """Solves the decision for all players and takes the asker's part.

    Raises:
        OutOfTime: before anything was found.
    """
    joint, play = play_by_everybody(game, question, owners, meter)
    return findings(joint, question, play, meter)


def play_by_everybody(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: Meter,
) -> tuple[Joint[Choice], Play]:
    """How everybody plays; but for a healer's decision it is the same whoever asks."""
    joint = game.joint(question)
    meter.check()
    return joint, _play(game, joint, question, owners, meter)


def _play(
    game: RoundGame[Position, Choice],
    joint: Joint[Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: Meter,
) -> Play:
    ways = joint.given(question.weights)
    effort = EFFORTS[question.tier]
    meter.resolved += joint.rounds
    if question.model == QUANTAL:
        precision = PRECISION[question.objective]
        solved, residual = quantal(joint, ways, precision, effort, meter)
        return Play(solved.strategies, solved.gap, residual, solved.settled)
    if question.model == LEVEL_ONE:
        strategies = _level_one(game, joint, question, owners, meter)
        settle(joint, strategies, effort, meter)
        solved = certified(joint, [own[None] for own in strategies], strategies)
        return Play(solved.strategies, None, None, solved.settled)
    solved = equilibrium(joint, ways, effort, meter)
    return Play(solved.strategies, solved.gap, None, solved.settled)


def _level_one(
    game: RoundGame[Position, Choice],
    joint: Joint[Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: Meter,
) -> list[Floats]:
    """Everybody's quantal response to all others choosing uniformly, or as weights say."""
    ways = joint.given(question.weights)
    found: list[Floats] = []
    for number, player in enumerate(joint.players):
        way, twin = ways[number], joint.alike[number]
        if twin < number:
            found.append(found[twin])
        elif way is not None and len(way) == 1:
            found.append(way[0])
        elif joint.counts[number] == 1:
            found.append(np.ones(1))
        else:
            asked = replace(
                question,
                player=player,
                actors=tuple(a for a in question.decision.choices if owners[a] == player),
                model="uniform",
                weights={a: w for a, w in question.weights.items() if owners[a] != player},
                depth=1,
            )
            seen = against_given(game, asked, owners, meter)
            values = np.einsum("mk,k->m", seen.outcomes, seen.weights)
            precision = PRECISION[question.objective]
            if way is None:
                found.append(response(values, precision))
            else:
                answer = response((way * values).sum(axis=1), precision)
                found.append((answer[:, None] * way).sum(axis=0))
    return found


def findings(
    joint: Joint[Choice], question: Question[Position, Choice], play: Play, meter: Meter
) -> Findings[Choice]:
    """The asker's part of what was found for everybody."""
    asker = joint.players.index(question.player)
    together = np.concatenate(play.strategies)
    columns = joint.columns(asker)
    common: Floats | None = None
    own: Floats | None = None
    outcomes = joint.outcomes(asker, together)
    if play.gap is not None:
        own = play.strategies[asker]
        # Everybody is told the same, so it is taken from one side, whoever asks.
        first = outcomes if asker == 0 else joint.outcomes(0, together)
        common = (play.strategies[0][:, None] * first).sum(axis=0)
    return Findings(
        players=joint.players,
        asker=asker,
        columns=columns,
        weights=objective_weights(question.objective, columns, asker, len(joint.players)),
        moves=joint.moves(asker),
        outcomes=outcomes,
        own=own,
        others={
            player: mixture(joint, number, play.strategies[number])
            for number, player in enumerate(joint.players)
            if number != asker
        },
        common=common,
        gap=play.gap,
        residual=play.residual,
        method=question.model,
        depth=1,
        settled=play.settled,
        complete=True,
        resolved=meter.resolved,
        left_out=0.0,
    )


def mixture(joint: Joint[Choice], player: int, strategy: Floats) -> Mixture[Choice]:
    """A player's moves that are played, with their probabilities; nothing if none is due."""
    moves = joint.moves(player)
    return [
        (move, float(probability))
        for move, probability in zip(moves, strategy, strict=True)
        if probability > 0.0 and move
    ]
