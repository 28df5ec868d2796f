"""Parse the history of a question: positions of earlier rounds, and what was played there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from service.core.game import Decision, Step, follow
from service.core.hints import ObservedDecision, ObservedRound
from service.core.violations import pointer
from service.games.common.validation import INVALID, Violations
from service.games.snow_time.api.round_script import RoundScript
from service.games.snow_time.rules.legality import read_position
from service.games.snow_time.rules.move_legality import read_moves
from service.games.snow_time.rules.rules import Round, SnowTime
from service.games.snow_time.rules.state import Move, State


def read_history(
    raw: Any, violations: Violations, at: str
) -> tuple[ObservedRound[State, Move], ...]:
    """Parse the rounds of a history and add their violations.

    The rounds are independent: a missing round does no harm. A move may be given as far as it is
    known, for example without the champions that a healer took back.

    Args:
        raw: the list of rounds, or None.
        violations: receives those of all rounds.
        at: JSON pointer to the list.

    Returns:
        The decisions of each round without a violation, at least one each; rounds without moves
        tell nothing and are left out.
    """
    rounds = []
    for number, entry in enumerate(raw or ()):
        if entry is INVALID:
            continue
        here, before = at + pointer(number), len(violations)
        position = read_position(entry["state"], violations, here + "/state")
        moves = read_moves(entry["moves"], position, violations, here + "/moves", every_seat=False)
        if position.state is not None and moves and len(violations) == before:
            rounds.append(tuple(_decisions(position.state, moves, here + "/moves")))
    return tuple(rounds)


def _decisions(
    state: State, moves: Mapping[str, Move], at: str
) -> Iterator[ObservedDecision[State, Move]]:
    """Yield the decisions of a round, up to the first one that is not completely known."""
    game, script = SnowTime(), RoundScript(moves, None, at)
    followed = follow(game, Step(Round(state)), script)
    revealed: Mapping[str, Move] = {}
    for taken in followed.decided:
        yield ObservedDecision(state, revealed, taken.node, taken.choices)
        revealed = {**revealed, **taken.choices}
    node = game.pending(followed.play)
    if isinstance(node, Decision):
        choices = script.choices(node)
        if choices:
            yield ObservedDecision(state, revealed, node, choices)
