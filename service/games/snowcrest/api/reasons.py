"""What a choice in a turn of Snowcrest does by itself, in words."""

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
    "scrolls": "`count` scrolls are taken.",
    "gains": "These are gained at once: `gained`.",
    "omen": "`count` omen tokens are taken.",
    "wakes": "All villagers are turned up.",
    "draws-card": "A card has to be drawn or turned up next.",
}
"""Facts of a choice."""

_SENTENCES: Final = {
    "scrolls": {
        "en": "Scrolls taken: {count}.",
        "de": "Schriftrollen genommen: {count}.",
        "zh": "取得 {count} 個卷軸。",
    },
    "gains": {"en": "Gains: {gained}.", "de": "Bringt: {gained}.", "zh": "獲得：{gained}。"},
    "omen": {
        "en": "Omen tokens taken: {count}.",
        "de": "Unheil genommen: {count}.",
        "zh": "承受 {count} 個厄運。",
    },
    "wakes": {
        "en": "Turns all villagers up.",
        "de": "Alle Bewohner erholen sich.",
        "zh": "所有居民恢復。",
    },
    "draws-card": {
        "en": "A card is drawn next.",
        "de": "Danach wird eine Karte gezogen.",
        "zh": "接著抽一張牌。",
    },
}


def facts(question: TurnQuestion[Turn, Action], choice: Action) -> Iterator[Reason]:
    """What the choice does before a card is drawn or anybody else decides."""
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
    told = (f"{KIND_NAMES[what][language]} {count}" for what, count in gained.items())
    return join_list(told, language)


EXPLAINER: Final[Explainer[Turn, Action]] = Explainer(
    facts=facts, codes=REASON_CODES, sentences=_SENTENCES, formatters={"gained": _gained}
)
