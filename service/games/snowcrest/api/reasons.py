"""Reasons in Snowcrest: what a choice does by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from service.core.game import Chance
from service.core.hints import Reason
from service.core.sequential import TurnQuestion
from service.games.common.formatting import join_list
from service.games.common.turn_reasons import Explainer
from service.games.snowcrest.api.names import KIND_NAMES
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.turn import Turn

REASON_CODES: Final = {
    "scrolls": "Takes `count` scrolls.",
    "gains": "Gains `gained` at once.",
    "omen": "Takes `count` omen tokens.",
    "wakes": "Turns all villagers face up.",
    "draws-card": "A draw or a reveal comes next.",
}
"""Reason codes and their meanings."""

_SENTENCES: Final = {
    "scrolls": {
        "en": "Scrolls taken: {count}.",
        "de": "Schriftrollen genommen: {count}.",
        "zh-Hans": "取得 {count} 个卷轴。",
        "zh-Hant": "取得 {count} 個卷軸。",
    },
    "gains": {
        "en": "Gains: {gained}.",
        "de": "Bringt: {gained}.",
        "zh-Hans": "获得：{gained}。",
        "zh-Hant": "獲得：{gained}。",
    },
    "omen": {
        "en": "Omen tokens taken: {count}.",
        "de": "Unheil genommen: {count}.",
        "zh-Hans": "承受 {count} 个厄运。",
        "zh-Hant": "承受 {count} 個厄運。",
    },
    "wakes": {
        "en": "Turns all villagers up.",
        "de": "Alle Bewohner erholen sich.",
        "zh-Hans": "所有居民恢复。",
        "zh-Hant": "所有居民恢復。",
    },
    "draws-card": {
        "en": "A card is drawn next.",
        "de": "Danach wird eine Karte gezogen.",
        "zh-Hans": "接着抽一张牌。",
        "zh-Hant": "接著抽一張牌。",
    },
}


def facts(question: TurnQuestion[Turn, Action], choice: Action) -> Iterator[Reason]:
    """Yield what the choice does before a draw or a decision of another player."""
    game = Snowcrest()
    step = game.choose(question.play, {question.player: choice})
    own = [event for event in step.events if event.player == question.player]
    scrolls = sum(event.count or 0 for event in own if event.type == "scrolls")
    if scrolls:
        yield Reason("scrolls", {"count": scrolls})
    gained: Counter[str] = Counter()
    for event in own:
        if event.type == "gain" and event.what is not None:
            gained[event.what.name.lower()] += event.count or 0
    if gained:
        yield Reason("gains", {"gained": dict(gained)})
    omen = sum(event.count or 0 for event in own if event.type == "omen")
    if omen:
        yield Reason("omen", {"count": omen})
    if any(event.type == "awake" for event in own):
        yield Reason("wakes", {})
    if isinstance(game.pending(step.play), Chance):
        yield Reason("draws-card", {})


def _gained(gained: Any, language: str) -> str:
    items = (f"{KIND_NAMES[kind][language]} {count}" for kind, count in gained.items())
    return join_list(items, language)


EXPLAINER: Final[Explainer[Turn, Action]] = Explainer(
    facts=facts, codes=REASON_CODES, sentences=_SENTENCES, formatters={"gained": _gained}
)
