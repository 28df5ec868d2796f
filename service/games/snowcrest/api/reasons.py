"""Texts of hints in Snowcrest: reasons, what a choice does by itself, and its name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from service.core.game import Chance
from service.core.hints import Reason
from service.core.languages import DEFAULT_LANGUAGE
from service.core.turn_hints import TurnQuestion
from service.games.common.display_names import DisplayNames
from service.games.common.reason_texts import within_sentence
from service.games.common.turns.reasons import Explainer, repeated
from service.games.snowcrest.api.action_names import (
    action_name,
    challenge_name,
    villager_subject,
)
from service.games.snowcrest.api.consequences import (
    ABILITIES,
    CONSEQUENCE_CODES,
    changes,
    same_stage,
)
from service.games.snowcrest.rules.actions import Action, ActionType
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
COSTS: Final = (
    "fewer-scrolls", "fewer-resources", "spends", "leaves", "exhausts", "rest-next", "omen",
    "fewer-cards", "loses-majority",
)  # fmt: skip
"""Codes of reasons that follow a gain as an exception."""
COMPARING: Final = ("building-points", "resources", "less-omen", "cards")
"""Codes of gains that say how much more something is than with another choice."""
HIGHLIGHTS: Final = (
    "challenge", "scrolls", "reveals", "bids", "wakes", "turned-up", "gains", "offers", "draws",
)  # fmt: skip
"""Codes of what a turn does in any case, worth saying if nothing sets it apart."""
FORMS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(CONSEQUENCE_CODES, ("",)),
    "scrolls": ("", "-more"),
    "offers": tuple(f"-{ability}" for ability in ABILITIES),
}
"""The sentences of each code: what their ids end with."""


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


def say(
    question: TurnQuestion[Turn, Action], reason: Reason, language: str, names: DisplayNames
) -> tuple[str, dict[str, Any]]:
    """Return the last part of the id of a reason's text, and its words."""
    params, state = reason.params, question.play.state

    def named(card_id: str) -> str:
        return villager_subject(state, state.catalogue.card_by_id[card_id], language)

    words: dict[str, Any] = {}
    if "count" in params:
        words["count"] = params["count"]
    if "most" in params:
        words["most"] = str(params["most"])
    if "buildings" in params:
        words["buildings"] = str(params["buildings"])
    if "card" in params:
        words["card"] = named(params["card"])
    if "cards" in params:
        words["cards"] = join_list(map(named, params["cards"]), language)
    if "challenge" in params:
        words["challenge"] = challenge_name(state, params["challenge"], language)
    if "gained" in params:
        words["gained"] = _gained(params["gained"], language)
    if "building" in params:
        words["amount"] = text(f"snowcrest.amount.{params['building']}", language, count=1)
    if "resource" in params:
        name = text(f"snowcrest.kind.{params['resource']}", language)
        words["resource"] = within_sentence(name, language)
    if "player" in params:
        words["player"] = names.label(params["player"])
    if reason.code == "offers":
        if language != DEFAULT_LANGUAGE:
            words["card"] = words["card"][0].upper() + words["card"][1:]
        return f"offers-{params['ability']}", words
    return ("scrolls-more" if params.get("instead") else reason.code), words


def label(question: TurnQuestion[Turn, Action], action: Action, language: str, count: int) -> str:
    """Return the name of a choice, made so many times in a row."""
    if action.type is ActionType.GAIN and action.resource is not None:
        amount = text(f"snowcrest.amount.{action.resource.label}", language, count=count)
        return text("page.snowcrest.action.gain", language, resource=amount)
    name = action_name(question.play.state, question.player, action, language)
    return repeated(name, count, language)


EXPLAINER: Final[Explainer[Turn, Action]] = Explainer(
    texts="snowcrest",
    facts=facts,
    formatters={"gained": _gained},
    changes=changes,
    same_stage=same_stage,
    highlights=HIGHLIGHTS,
    costs=COSTS,
    comparing=COMPARING,
    say=say,
    label=label,
)
