"""Sentences of the reasons that argue, and of nudges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from service.core.hints import Reason
from service.core.spoken import ALMOST_SURE, spoken_spaces
from service.core.vocabulary import WIN
from service.games.common.display_names import DisplayNames
from service.games.common.reason_texts import as_sentence, with_impact
from service.games.common.spoken_texts import about_spaces, how_likely
from service.games.snow_time.api.metadata import card_name
from service.games.snow_time.api.reasons.danger_texts import danger_clause
from service.games.snow_time.api.reasons.dangers import DANGERS
from service.games.snow_time.rules.state import State
from service.texts.catalogue import text
from service.texts.formatting import join_list

TWO_SIDED: Final = (
    "fruit",
    "fight",
    "mana",
    "bonus",
    "hand",
    "hand-value",
    "race",
    "others-gain",
    "others-cards",
    "card-worth",
    "end",
    "end-chance",
    "later",
)
"""Codes with a text for and a text against the move."""


class ArgumentTexts:
    """Words reasons in one language.

    Args:
        state: the position, with the seats of the players.
        objective: of the question.
        language: one of ``LANGUAGES``.
        names: display names.
        of_seat: whether to name the seat that a reason is about.
    """

    def __init__(
        self, state: State, objective: str, language: str, names: DisplayNames, *, of_seat: bool
    ) -> None:
        self._state, self._language, self._names = state, language, names
        self._on_shares, self._of_seat = objective == WIN, of_seat

    def sentences(self, reasons: Sequence[Reason]) -> list[str]:
        """Return the reasons as sentences; the first cost after a gain is put as an exception."""
        sentences = []
        gains = False
        for reason in reasons:
            cost = reason.params.get("value", -1.0) < 0.0
            clause, name = self._clause(reason), self._name(reason)
            exception = cost and gains and reason.code not in DANGERS
            sentences.append(as_sentence(clause, self._language, name, is_exception=exception))
            gains = not cost
        return sentences

    def _clause(self, reason: Reason) -> str:
        params, language = reason.params, self._language
        if reason.code in DANGERS:
            clause = danger_clause(reason, language, self._names)
        else:
            clause = text(
                f"snow-time.argument.{self._form(reason)}", language, **self._words(reason)
            )
        if self._of_seat and "seat" in params:
            seat = self._names.label(params["seat"])
            clause = text("snow-time.fact-part.of-seat", language, seat=seat, text=clause)
        if not self._on_shares or reason.code in DANGERS:
            return clause
        return with_impact(clause, params.get("value", 0.0), language)

    def _form(self, reason: Reason) -> str:
        if reason.code == "recovers" and "cards" in reason.params:
            return "recovers-these"
        if reason.code not in TWO_SIDED:
            return reason.code
        params = reason.params
        form = f"{reason.code}-{'more' if params['value'] > 0.0 else 'less'}"
        if reason.code == "end" and params["chance"] >= ALMOST_SURE:
            return f"{form}-now"
        if reason.code == "end-chance" and not (params["chance"] and params["instead"]):
            return f"{form}-{'possible' if params['chance'] else 'never'}"
        return f"{form}-of" if "player" in params else form

    def _words(self, reason: Reason) -> dict[str, Any]:
        params, language = reason.params, self._language
        words: dict[str, Any] = {}
        if "points" in params:
            words["count"] = spoken_spaces(params["points"]).amount
            words["number"] = about_spaces(params["points"], language)
        if "count" in params:
            words["count"] = params["count"]
        for name in ("chance", "instead"):
            if name in params:
                words[name] = how_likely(params[name], language)
        if "level" in params:
            words["level"] = str(params["level"])
        if "cards" in params:
            words["cards"] = join_list(params["cards"], language)
        if "card" in params:
            words["card"] = card_name(params["card"], language)
        if "player" in params:
            words["player"] = self._player(params["player"])
        return words

    def _name(self, reason: Reason) -> str:
        """Return the name or id with which the clause of a reason may begin."""
        params = reason.params
        if self._of_seat and "seat" in params:
            return self._names.label(params["seat"])
        return self._player(params["player"]) if "player" in params else ""

    def _player(self, player: str) -> str:
        seats = self._state.seats_of(player)
        if len(seats) > 1 and seats[0].name not in self._names.labels:
            return player
        return self._names.label(seats[0].name)


def nudge(code: str, language: str) -> str:
    """Return the text of a nudge, which names no number and no card."""
    return text(f"snow-time.nudge.{code}", language)
