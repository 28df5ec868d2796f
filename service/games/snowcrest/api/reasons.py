"""Reasons in Snowcrest: what a choice does by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from service.core.game import Chance
from service.core.hints import Reason
from service.core.sequential import TurnQuestion
from service.games.common.turn_reasons import Explainer
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.turn import Turn
from service.texts.catalogue import text
from service.texts.formatting import join_list

REASON_CODES: Final = {
    "scrolls": "Takes `count` scrolls.",
    "gains": "Gains `gained` at once.",
    "omen": "Takes `count` omen tokens.",
    "wakes": "Turns all villagers face up.",
    "draws-card": "A draw or a reveal comes next.",
}
"""Reason codes and their meanings."""


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
    items = (
        text(f"snowcrest.amount.{kind}", language, count=count) for kind, count in gained.items()
    )
    return join_list(items, language)


EXPLAINER: Final[Explainer[Turn, Action]] = Explainer(
    facts=facts,
    codes=REASON_CODES,
    texts="snowcrest.reason",
    formatters={"gained": _gained},
)
