"""Skill and luck in a turn-based game, decision by decision."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from service.core.game import Choice, Play
from service.core.reviews import Account, JudgedDecision, Luck, PastDecision, PlayedTurns
from service.core.rounding import rounded
from service.core.turn_hints import TurnHint, TurnPlan
from service.core.vocabulary import DRAWS, GRADES, LUCK_SOURCES, OTHERS, SEARCH

_NO_LUCK: Final = dict.fromkeys(LUCK_SOURCES, 0.0)


def judge(
    past: PastDecision[Play, Choice],
    hint: TurnHint[Choice],
    plans: Sequence[TurnPlan[Play, Choice]],
    previous: JudgedDecision[Play, Choice] | None,
) -> JudgedDecision[Play, Choice]:
    """Return a graded decision.

    Args:
        past: the decision.
        hint: that the player could have had, with the graded choice and comparisons.
        plans: of the hint.
        previous: the same player's previous decision, or None.
    """
    assert hint.grade is not None, "a past decision has a choice"
    chosen, class_ = hint.grade
    best = hint.choices[0]
    luck = None
    if previous is not None:
        luck = Luck(_source(previous.past, past), rounded(best.value - previous.value))
    return JudgedDecision(
        past, best.choice, best.value, chosen.value, chosen.loss, class_, luck, hint, plans
    )


def _source(previous: PastDecision[Play, Choice], past: PastDecision[Play, Choice]) -> str:
    own = past.mover == past.question.player
    if past.turn != previous.turn or not own:
        return OTHERS
    return SEARCH if past.chances == previous.chances else DRAWS


def accounts(
    played: PlayedTurns[Play, Choice],
    decisions: Sequence[JudgedDecision[Play, Choice]],
    *,
    complete: bool,
) -> Mapping[str, Account]:
    """Return each player's account of the graded decisions.

    Args:
        played: the game.
        decisions: graded decisions.
        complete: whether these are all decisions; only then the end of the game counts.
    """
    by_player: dict[str, list[JudgedDecision[Play, Choice]]] = {
        player: [] for player in played.players
    }
    for decision in decisions:
        by_player[decision.past.question.player].append(decision)
    return {
        player: _account(player, own, played if complete else None)
        for player, own in by_player.items()
    }


def _account(
    player: str,
    decisions: Sequence[JudgedDecision[Play, Choice]],
    played: PlayedTurns[Play, Choice] | None,
) -> Account:
    classes = Counter(decision.class_ for decision in decisions)
    luck = dict(_NO_LUCK)
    for decision in decisions:
        if decision.luck is not None:
            luck[decision.luck.source] += decision.luck.share
    start = end = None
    if decisions:
        start, end = decisions[0].best_value, decisions[-1].value
    if played is not None and played.over:
        final = 1.0 / len(played.winners) if player in played.winners else 0.0
        if end is not None:
            luck[_last_source(decisions[-1], played)] += final - end
        end = final
    return Account(
        classes={name: classes[name] for name in GRADES},
        loss=rounded(sum(decision.loss for decision in decisions)),
        luck={source: rounded(share) for source, share in luck.items()},
        start=start,
        end=end,
    )


def _last_source(decision: JudgedDecision[Play, Choice], played: PlayedTurns[Play, Choice]) -> str:
    """Return the source of luck between a player's last decision and the end of the game."""
    past = decision.past
    if past.turn != played.turns - 1 or past.mover != past.question.player:
        return OTHERS
    return SEARCH if past.chances == played.chances else DRAWS
