"""The texts of a hint for a turn: the headline, the arguments for each choice, and its facts.

A game adds what its arguments are about (``arguments.py``), and the facts: what a choice does
by itself, taken from the event log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, Generic

from service.core.advice import (
    ADVICE_CODES,
    AVOID,
    CLEAR,
    DECIDED,
    DRAWN,
    EQUAL,
    HOPELESS,
    MIXTURE,
    UNCERTAIN,
    clear_form,
    judge,
)
from service.core.game import Choice, Play
from service.core.hints import Reason
from service.core.languages import DEFAULT_LANGUAGE
from service.core.rounding import TIE, rounded
from service.core.sequential import TurnHint, TurnPlan, TurnQuestion
from service.core.spoken import spoken_spaces
from service.core.vocabulary import WIN
from service.games.common.display_names import NO_NAMES, DisplayNames
from service.games.common.reason_texts import as_sentence, with_impact
from service.games.common.spoken_texts import about_cases, about_percent, about_spaces, about_tenths
from service.games.common.turns.arguments import Arguments
from service.games.common.turns.part_arguments import ODDS, SAME, is_common, text_id
from service.texts.catalogue import text
from service.texts.formatting import join_list

TURN_ADVICE_CODES: Final = {
    code: ADVICE_CODES[code] for code in ADVICE_CODES if code not in (MIXTURE, DRAWN)
}
"""Codes of the headlines; nobody has to be unpredictable in a turn."""

Formatter = Callable[[Any, str], str]
"""Formats a parameter in a language."""
_NO_CARDS: Final[Mapping[str, str]] = {}


def _no_cards(question: TurnQuestion[Any, Any], language: str) -> Mapping[str, str]:
    return _NO_CARDS


@dataclass(frozen=True, slots=True)
class Explainer(Generic[Play, Choice]):
    """The texts of one game.

    Attributes:
        facts: returns what a choice does by itself, before anything else happens.
        codes: the codes of facts and their meanings.
        texts: what the ids of the sentences of these codes begin with.
        formatters: by parameter of these sentences.
        arguments: what the arguments of the game are about.
        label: names a choice in a language.
        player_lists: the parameters that are lists of player ids.
        amounts: what the ids of the texts of amounts begin with, for arguments about a kind.
        card_names: returns the ids of the cards that are measured one by one, with their names in
            a language.
    """

    facts: Callable[[TurnQuestion[Play, Choice], Choice], Iterable[Reason]]
    codes: Mapping[str, str]
    texts: str
    formatters: Mapping[str, Formatter]
    arguments: Arguments
    label: Callable[[TurnQuestion[Play, Choice], Choice, str], str]
    player_lists: frozenset[str] = frozenset()
    amounts: str = ""
    card_names: Callable[[TurnQuestion[Play, Choice], str], Mapping[str, str]] = _no_cards

    def reasons(
        self,
        hint: TurnHint[Choice],
        player: str,
        players: tuple[str, ...],
        cards: Sequence[str] = (),
    ) -> list[list[Reason]]:
        """Return the arguments for each choice of a hint; none for the only choice.

        Args:
            hint: with comparisons.
            player: the player who gets the hint.
            players: in the order of turns.
            cards: ids of the cards that are measured one by one.
        """
        if len(hint.choices) < 2:
            return [[] for _ in hint.choices]
        if _is_level(hint):
            return [[Reason(SAME, {})] for _ in hint.choices]
        place = players.index(player)
        others = (*players[place + 1 :], *players[:place])
        return [
            self.arguments.of(value, others, best=not rank, cards=cards)
            for rank, value in enumerate(hint.choices)
        ]

    def sentences(
        self,
        reasons: Sequence[Reason],
        language: str,
        names: DisplayNames = NO_NAMES,
        card_names: Mapping[str, str] = _NO_CARDS,
        *,
        error: float = 0.0,
    ) -> list[str]:
        """Return the arguments for a choice as sentences; a cost after a gain is an exception.

        Args:
            reasons: the arguments.
            language: one of ``LANGUAGES``.
            names: display names.
            card_names: names of cards by id, in the same language.
            error: of the difference that they explain.
        """
        sentences = []
        gains = False
        for reason in reasons:
            share = reason.params.get("share", 0.0)
            clause = with_impact(
                self._clause(reason, language, names, card_names), share, language, error
            )
            name = names.label(reason.params["player"]) if "player" in reason.params else ""
            exception = share < 0.0 and gains
            sentences.append(as_sentence(clause, language, name, is_exception=exception))
            if share or reason.code == ODDS:
                gains = share >= 0.0
        return sentences

    def _clause(
        self, reason: Reason, language: str, names: DisplayNames, card_names: Mapping[str, str]
    ) -> str:
        params = reason.params
        words: dict[str, Any] = {}
        if "count" in params:
            words["count"] = spoken_spaces(params["count"]).amount
            words["number"] = about_spaces(params["count"], language)
        if reason.code == ODDS:
            words["cases"] = about_tenths(params["count"], language)
        elif "kind" in params and is_common(reason):
            words["cases"] = about_cases(params["count"], language)
        elif "kind" in params and "card" not in params:
            words["amount"] = self._amount(params["kind"], params["count"], language)
        if "card" in params:
            words["card"] = card_names[params["card"]]
        if "player" in params:
            words["player"] = names.label(params["player"])
        if "error" in params:
            words["error"] = about_percent(params["error"], language)
        family = "turns.argument" if is_common(reason) else self.arguments.texts
        return text(f"{family}.{text_id(reason)}", language, **words)

    def _amount(self, kind: str, count: float, language: str) -> str:
        """Return an amount of a kind, such as "2 stone" or "about 0.8 stone"."""
        spoken = spoken_spaces(count)
        amount = text(f"{self.amounts}.{kind}", language, count=spoken.amount)
        whole = spoken.exact and spoken.amount.is_integer()
        return amount if whole else text("spoken.about", language, amount=amount)

    def fact(self, reason: Reason, language: str, names: DisplayNames = NO_NAMES) -> str:
        """Return the sentence of a fact, with display names in place of player ids."""
        words: dict[str, Any] = {}
        for param, value in reason.params.items():
            if param == "count":
                words[param] = value
            elif param in self.player_lists:
                words[param] = join_list(map(names.label, value), language)
            else:
                words[param] = self.formatters[param](value, language)
        return text(f"{self.texts}.{reason.code}", language, **words)

    def headline(
        self,
        question: TurnQuestion[Play, Choice],
        hint: TurnHint[Choice],
        plan: TurnPlan[Play, Choice],
        advice: Reason,
        language: str,
    ) -> str:
        """Return the sentence of a headline: the whole plan, and how clear the case is."""
        params, code = advice.params, advice.code
        words: dict[str, Any] = {"choice": self._plan(question, plan, language)}
        if "result" in params:
            code = f"{code}.{params['result']}"
        elif _almost_won(hint):
            code = "almost-won"
        elif code == CLEAR:
            code = clear_form(params["margin"], WIN)
        elif code == EQUAL and params["spread"] < TIE:
            code = "same"
        if code == AVOID:
            mistakes = [hint.choices[place].choice for place in params["mistakes"]]
            labels = [self.label(question, choice, language) for choice in mistakes]
            words["mistakes"] = join_list(dict.fromkeys(labels), language)
        return text(f"turns.advice.{code}", language, **words)

    def _plan(
        self,
        question: TurnQuestion[Play, Choice],
        plan: TurnPlan[Play, Choice],
        language: str,
    ) -> str:
        """Return the name of a plan, such as "Step forward 2 times, then end the turn"."""
        labels = (
            self.label(replace(question, play=play), choice, language)
            for play, choice in zip(plan.plays, plan.choices, strict=True)
        )
        counted = [(label, len([*same])) for label, same in groupby(labels)]
        named = [
            text("turns.plan.times", language, choice=label, count=count) if count > 1 else label
            for label, count in counted
        ]
        first, *others = named
        if language == DEFAULT_LANGUAGE:
            others = [label[0].lower() + label[1:] for label in others]
        if not others:
            return first
        before = text("turns.plan.comma", language).join([first, *others[:-1]])
        return text("turns.plan.then", language, before=before, last=others[-1])


def advise(hint: TurnHint[Choice]) -> Reason:
    """Return the headline of a hint with comparisons; choices among its parameters are those of the
    game.
    """
    values = [value.value for value in hint.choices]
    second = _error_of_second(hint)
    bounds = [value.bounds for value in hint.choices]
    verdict = judge(values, WIN, error=second, bounds=bounds, pick=0)
    choices = list(verdict.choices)
    margin, spread = rounded(verdict.margin), rounded(verdict.spread)
    result = {"result": verdict.result} if verdict.result else {}
    params: Mapping[str, Mapping[str, Any]] = {
        DECIDED: result,
        CLEAR: {"margin": margin, **result},
        EQUAL: {"choices": choices, "spread": spread, **result},
        AVOID: {"mistakes": choices, "margin": margin, "spread": spread},
        UNCERTAIN: {"choices": choices, "error": second},
    }
    return Reason(verdict.code, params.get(verdict.code, {}))


def _almost_won(hint: TurnHint[Choice]) -> bool:
    """Return whether every choice wins unless others play in another way than the model expects."""
    values = [value.value for value in hint.choices]
    return len(values) > 1 and min(values) > 1.0 - HOPELESS


def _is_level(hint: TurnHint[Choice]) -> bool:
    """Return whether all choices have the same value, or nearly the same result."""
    values = [value.value for value in hint.choices]
    same = max(values) - min(values) < TIE and not _error_of_second(hint)
    return same or max(values) < HOPELESS or _almost_won(hint)


def _error_of_second(hint: TurnHint[Choice]) -> float:
    """Return the error of the difference between the first two choices of a hint."""
    return hint.choices[1].difference_error if len(hint.choices) > 1 else 0.0
