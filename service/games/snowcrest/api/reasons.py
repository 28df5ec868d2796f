"""Texts of hints in Snowcrest: arguments, what a choice does by itself, and its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from service.core.game import Chance
from service.core.hints import Reason
from service.core.sequential import OTHERS, RESULT, TurnQuestion
from service.games.common.turns.arguments import Arguments
from service.games.common.turns.reasons import Explainer
from service.games.snowcrest.api.action_names import action_name, card_name
from service.games.snowcrest.engine.abilities import KINDS
from service.games.snowcrest.engine.measures import (
    AVAILABLE,
    CHANCES,
    FACE_UP,
    HELD,
    HELD_CARDS,
    LATER_RESOURCES,
    PAID,
    READY,
    READY_CARDS,
    VILLAGE_CARDS,
    cards_of,
)
from service.games.snowcrest.payments.resources import Building, Resource
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.turn import Turn
from service.texts.catalogue import text
from service.texts.formatting import join_list

FACT_CODES: Final = {
    "scrolls": "Takes `count` scrolls.",
    "gains": "Gains `gained` at once.",
    "omen": "Takes `count` omen tokens.",
    "wakes": "Turns all villagers face up.",
    "draws-card": "A draw or a reveal comes next.",
}
"""Codes of facts and their meanings."""
ARGUMENTS: Final = Arguments(
    codes={
        "points": "Scrolls (`count`), and points for buildings; with `kind`, those to come.",
        "omen": "The omen track and omen tokens; with `kind`, those to come.",
        "resources": "Resource tokens; with `kind`, of one, now or to come.",
        "buildings": "Buildings, spent or not; with `kind`, of one kind, or face up.",
        "villagers": "The village: face-up villagers, those of a `kind`, or a `card`.",
        "rest-due": "A rest is forced in the next turn.",
        "rest-sooner": "A rest is forced sooner.",
        "actions": "What can be done next: by villagers, with resources, or an action (`kind`).",
        "hand": "Cards in hand, those of a `kind`, or a `card`.",
        "challenges": "Progress towards open challenges.",
        "majorities": "Majorities of resources, now or to come; `kind` is one, if so.",
        "phase": "How near the end is; with `kind`, scrolls left.",
        OTHERS: "What the others lose or get, most of all `player`.",
    },
    counted={
        "points": "scrolls",
        "omen": "omen",
        "resources": "resources",
        "buildings": "buildings",
        "villagers": "villagers",
        "hand": "hand",
    },
    harms={"villagers": ("rest-due",)},
    texts="snowcrest.argument",
    explained={"villagers": "rest-sooner"},
    warned=frozenset({"omen"}),
    kinds={
        "points": {"later-points": "point"},
        "omen": {"later-omen": "omen"},
        "resources": {resource.label: resource.label for resource in Resource},
        "buildings": {**{each.label: each.label for each in Building}, FACE_UP: "face-up-building"},
        "villagers": {
            **{kind: kind for kind in KINDS},
            **{ready: ready for ready in READY},
            **{paid: paid for paid in PAID},
        },
        "actions": {**READY, **AVAILABLE},
        "hand": HELD,
        "majorities": AVAILABLE,
        RESULT: {"later-lead": "point"},
    },
    fallbacks={
        "villagers": {"later-villagers": "later-villagers"},
        "actions": {chance: chance for chance in CHANCES},
        "hand": {"later-hand": "later-hand"},
    },
    fractions={
        "resources": {later: later for later in LATER_RESOURCES},
        "villagers": {later: later for later in ("later-villagers", "later-room")},
        "actions": {chance: chance for chance in CHANCES},
        "hand": {"later-hand": "later-hand"},
        "majorities": {"later-majorities": "later-majorities"},
    },
    either={"phase": ("supply", "scroll-left", "scroll-taken")},
    gradual=frozenset({"points", "omen", "resources"}),
    card_measures={
        "villagers": {"village": VILLAGE_CARDS, "ready": READY_CARDS},
        "hand": {"held": HELD_CARDS},
    },
    dropped={"villagers": "village", "hand": "held"},
)


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


def _card_names(question: TurnQuestion[Turn, Action], language: str) -> dict[str, str]:
    state = question.play.state
    cards = cards_of(state, state.players.index(question.player))
    return {state.villager(card).id: card_name(state, card, language) for card in cards}


def label(question: TurnQuestion[Turn, Action], action: Action, language: str) -> str:
    """Return the name of a choice."""
    return action_name(question.play.state, question.player, action, language)


EXPLAINER: Final[Explainer[Turn, Action]] = Explainer(
    facts=facts,
    codes=FACT_CODES,
    texts="snowcrest.reason",
    formatters={"gained": _gained},
    arguments=ARGUMENTS,
    label=label,
    amounts="snowcrest.amount",
    card_names=_card_names,
)
