"""One solve for the whole table: everybody plays by a model, and each asker is told its part."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from service.core.faults import OutOfTime
from service.core.hint import Mixture, Position, Question
from service.core.joint import Joint, Prospect, RoundGame
from service.core.play import Choice
from service.core.rounding import DECIMALS, rounded
from service.solver.equilibrium import certified, equilibrium
from service.solver.expectimax import TooMuchWork
from service.solver.findings import WIN, Findings, objective_weights
from service.solver.focal import SLACK
from service.solver.games import Floats, response
from service.solver.given import against_given
from service.solver.limits import EFFORTS, LOOKAHEADS, Meter
from service.solver.lookahead import Lookahead
from service.solver.meetings import settle
from service.solver.quantal import PRECISION, quantal

QUANTAL: Final = "quantal"
LEVEL_ONE: Final = "level-1"

LATER_TIER: Final = "quick"
"""Of every round after the first."""
LATER_SHARE: Final = 64
"""A later round may spend this part of what is left, when it looks ahead itself."""
LOOKS: Final = 2
"""How often what is played is looked beyond and then solved again."""
TIE: Final = 1.5 * 10**-DECIMALS
"""Values closer than that are told as equal."""
MOST_LEFT_OUT: Final = 0.5
"""With more left out the answer is one round shallower."""


@dataclass(frozen=True)
class Play:
    """How everybody plays.

    Attributes:
        strategies: by player, float64[moves], as printed.
        gap: see :class:`~service.core.hint.Search`, as the next one; None where the others'
            strategies are given, so that the asker plays what is best.
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
    first = joint, play = play_by_everybody(game, question, owners, meter)
    found = findings(joint, question, play, meter)
    for depth in range(2, question.depth + 1):
        try:
            if depth > 2:
                first = play_by_everybody(game, question, owners, meter)
            rounds = LOOKAHEADS[question.tier]
            deeper = look_ahead(game, question, owners, depth, rounds, meter, first)
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


def look_ahead(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    depth: int,
    rounds: int,
    meter: Meter,
    first: tuple[Joint[Choice, Position], Play],
) -> tuple[Joint[Choice, Position], Play, float] | None:
    """How everybody plays when all look so many rounds ahead, and the share left out.

    Args:
        rounds: how many rounds of final choices may be resolved after the first round.
        first: how everybody plays who looks no further; its payoffs change.

    Returns:
        None where more than half would be left out.
    """
    joint, play = first
    before = meter.resolved

    def expects(asked: Question[Position, Choice]) -> Prospect:
        later = play_by_everybody(game, asked, owners, meter)
        if depth > 2:
            share = max(0, rounds - (meter.resolved - before)) // LATER_SHARE
            found = look_ahead(game, asked, owners, depth - 1, share, meter, later)
            if found is None:
                raise TooMuchWork
            later = found[:2]
        return _prospect(*later)

    asked = replace(question, tier=LATER_TIER, chosen=None, nonce=None)
    ahead = Lookahead(game, asked, expects, rounds, meter)
    left_out = 1.0
    try:
        for _ in range(LOOKS):
            left_out = ahead.look(joint, play.strategies)
            if left_out > MOST_LEFT_OUT:
                return None
            if question.objective != WIN:
                joint.suppose(ahead.average(joint, play.strategies))
            play = _play(game, joint, question, owners, meter)
        left_out = ahead.look(joint, play.strategies)
    except TooMuchWork:
        return None
    return None if left_out > MOST_LEFT_OUT else (joint, play, left_out)


def _prospect(joint: Joint[Choice, Position], play: Play) -> Prospect:
    together = np.concatenate(play.strategies)
    outcome = (play.strategies[0][:, None] * joint.outcomes(0, together)).sum(axis=0)
    columns = joint.columns(0)
    return Prospect(
        gains=dict(zip(joint.players, outcome[columns.gains].tolist(), strict=True)),
        shares=dict(zip(joint.players, outcome[columns.shares].tolist(), strict=True)),
    )


def play_by_everybody(
    game: RoundGame[Position, Choice],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: Meter,
) -> tuple[Joint[Choice, Position], Play]:
    """How everybody plays one round; but for a healer's decision it is the same whoever asks."""
    joint = game.joint(question)
    meter.check()
    meter.resolved += joint.rounds
    return joint, _play(game, joint, question, owners, meter)


def _play(
    game: RoundGame[Position, Choice],
    joint: Joint[Choice, Position],
    question: Question[Position, Choice],
    owners: Mapping[str, str],
    meter: Meter,
) -> Play:
    ways = joint.given(question.weights)
    effort = EFFORTS[question.tier]
    if sum(count > 1 for count in joint.counts) <= 1:
        gap = None if question.model == LEVEL_ONE else 0.0
        return Play(_best_alone(joint), gap, None, settled=True)
    if question.model == QUANTAL:
        precision = PRECISION[question.objective]
        solved, residual = quantal(joint, ways, precision, effort, meter)
        return Play(solved.strategies, solved.gap, residual, solved.settled)
    if question.model == LEVEL_ONE:
        strategies = _level_one(game, joint, question, owners, meter)
        settle(joint, strategies, effort, meter)
        solved = certified(joint, [own[None] for own in strategies], strategies)
        return Play(solved.strategies, None, None, solved.settled)
    solved = equilibrium(joint, ways, effort, meter, SLACK[question.objective])
    return Play(solved.strategies, solved.gap, None, solved.settled)


def _best_alone(joint: Joint[Choice, Position]) -> list[Floats]:
    """The strategies where one player is left to decide: its best move, the first of equals."""
    found = []
    for player, count in enumerate(joint.counts):
        strategy = np.zeros(count)
        printed = [rounded(float(value)) for value in joint.payoffs[player]]
        best = max(printed)
        strategy[next(m for m in range(count) if count == 1 or printed[m] > best - TIE)] = 1.0
        found.append(strategy)
    return found


def _level_one(
    game: RoundGame[Position, Choice],
    joint: Joint[Choice, Position],
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
