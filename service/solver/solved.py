"""One solve for the whole table: everybody plays by a model, and each asker is told its part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from service.core.faults import OutOfTime
from service.core.hint import Mixture, Position, Question
from service.core.joint import Joint, RoundGame
from service.core.play import Choice
from service.solver.findings import Findings, objective_weights
from service.solver.games import Floats
from service.solver.limits import Meter
from service.solver.lookahead import look_ahead
from service.solver.playing import Play, Setting, play_round


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
    setting = Setting(game, owners, meter)
    first = joint, play = play_round(setting, question, question.player)
    found = findings(joint, question, play, meter)
    for depth in range(2, 2 if joint.presettled else question.depth + 1):
        if meter.stop():
            return replace(found, complete=False)
        try:
            if depth > 2:
                first = play_round(setting, question, question.player)
            deeper = look_ahead(setting, question, depth, first)
        except OutOfTime:
            return replace(found, complete=False)
        if deeper is None:
            # Perhaps only because the time was up.
            return replace(found, complete=not meter.stopped)
        joint, play, left_out = deeper
        found = replace(
            findings(joint, question, play, meter), depth=depth, left_out=left_out, settled=False
        )
    return found


def findings(
    joint: Joint[Choice, Position], question: Question[Position, Choice], play: Play, meter: Meter
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
        complete=not meter.stopped,
        resolved=meter.resolved,
        left_out=0.0,
    )


def mixture(joint: Joint[Choice, Position], player: int, strategy: Floats) -> Mixture[Choice]:
    """A player's moves that are played, with their probabilities; nothing if none is due."""
    moves = joint.moves(player)
    return [
        (move, float(probability))
        for move, probability in zip(moves, strategy, strict=True)
        if probability > 0.0 and move
    ]
