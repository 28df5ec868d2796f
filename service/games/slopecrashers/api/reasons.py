"""Texts of hints in Slopecrashers: arguments, and what a choice does by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from service.core.game import Chance
from service.core.hints import Reason
from service.core.sequential import OTHERS, WAITS, TurnQuestion
from service.games.common.turns.arguments import Arguments
from service.games.common.turns.reasons import Explainer
from service.games.slopecrashers.api.names import choice_name
from service.games.slopecrashers.engine.end_leaves import GIFT_MEASURES, NEXT_RIVALS
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Action
from service.games.slopecrashers.rules.turn import Turn
from service.texts.catalogue import text

FACT_CODES: Final = {
    "wins-now": "Wins the race at once (S16).",
    "onward": "Moves the character `rows` rows ahead.",
    "movements": "Gains `count` movements.",
    "draws-gift": "Draws a gift.",
    "plays": "Plays the top card as `gift`.",
    "aims": "Attacks `targets`, who may foil the attack.",
    "foils": "Foils the attack.",
}
"""Codes of facts and their meanings."""
ARGUMENTS: Final = Arguments(
    codes={
        "progress": "The place on the course; `count` is in movements.",
        "gifts": "The player's gifts.",
        "next-turn": "The own next turn (`count` without `kind`: movements), and what the others "
        "(`player`) do then or instead.",
        "misses-turn": "The player misses its next turn.",
        "stung": "The player stings itself.",
        "way": "The way, counting gift fields.",
        "snowmen": "Snowmen in the way next turn.",
        WAITS: "What waiting loses.",
        OTHERS: "What the others lose or get before the next turn, most of all `player`.",
    },
    counted={"progress": "movements", "gifts": "gifts", "next-turn": "next-movements"},
    harms={"next-turn": ("misses-turn", "stung")},
    causes={"next-turn": WAITS},
    texts="slopecrashers.argument",
    explained={"next-turn": "snowmen"},
    kinds={
        "progress": {"gift-fields": "gift-field"},
        "gifts": {measure: measure for measure in GIFT_MEASURES},
        "next-turn": {"next-gifts": "gift"},
    },
    fallbacks={
        "gifts": {"gifts-worth": "gifts-worth"},
        "next-turn": {"next-gifts-worth": "gifts-worth", "later-gift-fields": "later-gift-field"},
    },
    slight={"progress": "way", "next-turn": "snowmen"},
    gradual=frozenset({"gifts", "next-turn"}),
    rivals={"next-turn": NEXT_RIVALS},
)


def facts(question: TurnQuestion[Turn, Action], choice: Action) -> Iterator[Reason]:
    """Yield what the choice does before a draw or an answer."""
    game, before = Slopecrashers(), question.play
    step = game.choose(before, {question.player: choice})
    own = [event for event in step.events if event.player == question.player]
    if any(event.type == "win" for event in own):
        yield Reason("wins-now", {})
        return
    rows = _rows(before, own)
    if rows:
        yield Reason("onward", {"rows": rows})
    gained = sum(event.movements or 0 for event in own if event.type in ("boost", "chili"))
    if gained:
        yield Reason("movements", {"count": gained})
    if isinstance(game.pending(step.play), Chance):
        yield Reason("draws-gift", {})
    for event in own:
        if event.type == "play" and event.gift is not None:
            yield Reason("plays", {"gift": event.gift.label})
            if event.targets:
                yield Reason("aims", {"targets": list(event.targets)})
        if event.type == "answer" and event.card is not None:
            yield Reason("foils", {})


def _rows(before: Turn, events: Sequence[Event]) -> int:
    """Return the rows gained; after the finish line, the next lap begins at row 0."""
    rows = 0
    for event in events:
        if event.type in ("step", "jump") and event.start and event.end:
            laps = event.end.lap - event.start.lap
            rows += laps * len(before.state.course.rows) + event.end.row - event.start.row
    return rows


def _gift(label: Any, language: str) -> str:
    return text(f"slopecrashers.gift.{label}", language)


EXPLAINER: Final[Explainer[Turn, Action]] = Explainer(
    facts=facts,
    codes=FACT_CODES,
    texts="slopecrashers.reason",
    arguments=ARGUMENTS,
    label=choice_name,
    formatters={
        "rows": lambda rows, _: str(rows),
        "gift": _gift,
    },
    player_lists=frozenset({"targets"}),
    amounts="slopecrashers.amount",
)
