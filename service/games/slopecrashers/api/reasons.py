"""Texts of hints in Slopecrashers: reasons, and what a choice does by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from service.core.game import Chance
from service.core.hints import Reason
from service.core.turn_hints import TurnQuestion
from service.games.common.display_names import DisplayNames
from service.games.common.reason_texts import within_sentence
from service.games.common.turns.reasons import Explainer
from service.games.slopecrashers.api.consequences import CONSEQUENCE_CODES, changes, same_stage
from service.games.slopecrashers.api.names import choice_name
from service.games.slopecrashers.rules.gifts import CARD_BY_LABEL
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Action, ActionType
from service.games.slopecrashers.rules.turn import Turn
from service.texts.catalogue import text
from service.texts.formatting import join_list

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
COSTS: Final = ("behind", "leaves-gift", "spends", "misses-turn", "stung")
"""Codes of reasons that follow a gain as an exception."""
COMPARING: Final = ("further",)
"""Codes of gains that say how much more something is than with another choice."""
HIGHLIGHTS: Final = ("finishes", "aims", "suspends", "stings", "snowman", "chili", "boost", "draws")
"""Codes of what a turn does in any case, worth saying if nothing sets it apart."""
FORMS: Final[Mapping[str, Sequence[str]]] = {
    **dict.fromkeys(CONSEQUENCE_CODES, ("",)),
    **dict.fromkeys(("blocked", "avoids"), ("-obstacle", "-abyss", "-snowman", "-edge")),
    "snowman": ("", "-of"),
}
"""The sentences of each code: what their ids end with."""


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


def say(
    question: TurnQuestion[Turn, Action], reason: Reason, language: str, names: DisplayNames
) -> tuple[str, dict[str, Any]]:
    """Return the last part of the id of a reason's text, and its words."""
    params = reason.params
    words: dict[str, Any] = {name: params[name] for name in ("count", "space") if name in params}
    if "card" in params:
        gifts = [
            text(f"slopecrashers.your-gift.{gift.label}", language)
            for gift in CARD_BY_LABEL[params["card"]]
        ]
        words["card"] = join_list(gifts, language, "or")
    if "gift" in params:
        words["gift"] = within_sentence(_gift(params["gift"], language), language)
    if "player" in params:
        words["player"] = names.label(params["player"])
    if "players" in params:
        words["players"] = join_list(map(names.label, params["players"]), language)
    form = reason.code
    if "kind" in params:
        form = f"{form}-{params['kind']}"
    if form == "snowman" and "player" in params:
        form = f"{form}-of"
    return form, words


def arrival(question: TurnQuestion[Turn, Action], choice: Action) -> str:
    """Return the id of the text for a movement that ends on a gift."""
    if choice.type is not ActionType.STEP:
        return ""
    game = Slopecrashers()
    after = game.choose(question.play, {question.player: choice}).play
    return "slopecrashers.onto-gift" if isinstance(game.pending(after), Chance) else ""


EXPLAINER: Final[Explainer[Turn, Action]] = Explainer(
    texts="slopecrashers",
    facts=facts,
    formatters={
        "rows": lambda rows, _: str(rows),
        "gift": _gift,
    },
    player_lists=frozenset({"targets"}),
    changes=changes,
    same_stage=same_stage,
    highlights=HIGHLIGHTS,
    costs=COSTS,
    comparing=COMPARING,
    say=say,
    label=choice_name,
    arrival=arrival,
)
