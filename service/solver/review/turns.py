"""What a game came to, decision by decision: skill, and luck of two kinds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from service.core.game import Choice, Play
from service.core.reviews import Account, JudgedDecision, Luck, PastDecision, PlayedTurns
from service.core.rounding import rounded
from service.core.sequential import TurnHint
from service.core.vocabulary import DRAWS, GRADES, LUCK_SOURCES, OTHERS, SEARCH

"""Where luck comes from; see :class:`~service.core.reviews.Luck`."""
_NOTHING: Final = dict.fromkeys(LUCK_SOURCES, 0.0)


def judge(
    past: PastDecision[Play, Choice],
    hint: TurnHint[Choice],
    before: JudgedDecision[Play, Choice] | None,
) -> JudgedDecision[Play, Choice]:
    """A decision by the hint that was due there.

    Args:
        hint: with what was chosen graded.
        before: the same player's decision before, if there is one.
    """
    assert hint.grade is not None, "a past decision was taken"
    chosen, class_ = hint.grade
    best = hint.choices[0]
    luck = None
    if before is not None:
        luck = Luck(_source(before.past, past), rounded(best.value - before.value))
    return JudgedDecision(past, best.choice, best.value, chosen.value, chosen.loss, class_, luck)


def _source(before: PastDecision[Play, Choice], past: PastDecision[Play, Choice]) -> str:
    own = past.mover == past.question.player
    if past.turn != before.turn or not own:
        return OTHERS
    return SEARCH if past.chances == before.chances else DRAWS


def accounts(
    played: PlayedTurns[Play, Choice],
    decisions: Sequence[JudgedDecision[Play, Choice]],
    *,
    complete: bool,
) -> Mapping[str, Account]:
    """Each player's game, by the decisions that were judged.

    Args:
        complete: whether these are all, so that the end of the game is accounted for.
    """
    own: dict[str, list[JudgedDecision[Play, Choice]]] = {name: [] for name in played.players}
    for decision in decisions:
        own[decision.past.question.player].append(decision)
    return {
        player: _account(player, found, played if complete else None)
        for player, found in own.items()
    }


def _account(
    player: str,
    decisions: Sequence[JudgedDecision[Play, Choice]],
    played: PlayedTurns[Play, Choice] | None,
) -> Account:
    classes = Counter(decision.class_ for decision in decisions)
    luck = dict(_NOTHING)
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
    """What came between a player's last decision and the end of the game."""
    past = decision.past
    if past.turn != played.turns - 1 or past.mover != past.question.player:
        return OTHERS
    return SEARCH if past.chances == played.chances else DRAWS
