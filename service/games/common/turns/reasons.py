"""The texts of a hint for a turn: the headline, the reasons for choices, and their facts.

A game adds what a choice does compared with another one (``consequences.py``), and the facts: what
a choice does by itself, taken from the event log.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeAlias

from service.core.advice import (
    ADVICE_CODES,
    AVOID,
    CLEAR,
    DECIDED,
    DRAWN,
    EQUAL,
    FORCED,
    HOPELESS,
    MIXTURE,
    TOLERANCES,
    UNCERTAIN,
    WON,
    clear_form,
    is_slight,
    judge,
)
from service.core.explanation import BALANCE
from service.core.game import Choice, Play
from service.core.hints import Reason
from service.core.rounding import TIE, rounded
from service.core.turn_hints import TurnHint, TurnPlan, TurnQuestion
from service.core.vocabulary import WIN
from service.games.common.display_names import NO_NAMES, DisplayNames
from service.games.common.reason_texts import as_exception
from service.games.common.turns.consequences import Changes, SameStage, reasons_of
from service.texts.catalogue import text
from service.texts.formatting import join_list

TURN_ADVICE_CODES: Final = {
    code: ADVICE_CODES[code] for code in ADVICE_CODES if code not in (MIXTURE, DRAWN)
}
"""Codes of the headlines, without those of mixed strategies."""

MAX_QUOTED: Final = 40
"""Longer names of choices are not quoted."""
MOST_NAMED: Final = 4
"""Larger numbers of repetitions have no word of their own."""

Formatter = Callable[[Any, str], str]
"""Formats a parameter in a language."""
Say: TypeAlias = Callable[
    [TurnQuestion[Play, Choice], Reason, str, DisplayNames], tuple[str, Mapping[str, Any]]
]
"""Returns the last part of the id of a reason's text, and its words in a language."""


@dataclass(frozen=True, slots=True)
class Explainer(Generic[Play, Choice]):
    """The texts of one game.

    Attributes:
        texts: what the ids of the game's texts begin with.
        facts: returns what a choice does by itself, before anything else happens.
        formatters: by parameter of the facts.
        player_lists: the parameters of facts that are lists of player ids.
        changes: what a choice does compared with another one.
        same_stage: whether the same comes next after two plans.
        highlights: codes of changes that are said of the best choice if nothing sets it apart, the
            most telling first.
        costs: codes of changes that follow a gain as an exception.
        comparing: codes of gains that say how much more something is than with another choice.
        say: returns which text a reason has, and its words.
        label: names a choice in a language, made so many times in a row.
        arrival: returns the id of the text for where a choice of a plan ends, or nothing.
    """

    texts: str
    facts: Callable[[TurnQuestion[Play, Choice], Choice], Iterable[Reason]]
    formatters: Mapping[str, Formatter]
    changes: Changes[Play, Choice]
    same_stage: SameStage[Play, Choice]
    highlights: Sequence[str]
    costs: Collection[str]
    comparing: Collection[str]
    say: Say[Play, Choice]
    label: Callable[[TurnQuestion[Play, Choice], Choice, str, int], str]
    arrival: Callable[[TurnQuestion[Play, Choice], Choice], str] = lambda question, choice: ""
    player_lists: frozenset[str] = frozenset()

    def reasons(
        self,
        question: TurnQuestion[Play, Choice],
        hint: TurnHint[Choice],
        plans: Sequence[TurnPlan[Play, Choice]],
    ) -> list[list[Reason]]:
        """Return the reasons for each choice of a hint; none if they have the same result.

        Args:
            question: the question.
            hint: with comparisons.
            plans: of the best choice, and of those that a player would consider.
        """
        if _is_level(hint):
            return [[] for _ in hint.choices]
        found = reasons_of(question, hint, plans, self.changes, self.same_stage, self.highlights)
        best, advice = found[0], advise(hint)
        slightly = advice.code == CLEAR and is_slight(advice.params["margin"], WIN)
        equal = hint.certain[1].loss <= TOLERANCES[WIN]
        if equal and not any(reason.code in self.costs for reason in best):
            # The headline says that others are as good, so one gain alone explains nothing.
            found[0] = [each for each in best if each.code not in (BALANCE, *self.comparing)]
        elif not slightly:
            # What is much better is not only "better on balance".
            found[0] = [each for each in best if each.code != BALANCE]
        return found

    def sentences(
        self,
        question: TurnQuestion[Play, Choice],
        reasons: Sequence[Reason],
        rank: int,
        other: Choice | None,
        language: str,
        names: DisplayNames = NO_NAMES,
    ) -> list[str]:
        """Return the reasons for a choice as sentences; a cost after a gain is an exception.

        Args:
            question: the question.
            reasons: of the choice.
            rank: of the choice; the best one, 0, is compared with the next best one.
            other: the choice that it is compared with.
            language: one of ``LANGUAGES``.
            names: display names.
        """
        instead = text("turns.other.best" if rank else "turns.other.next-best", language)
        label = "" if other is None else self.label(question, other, language, 1)
        if label and len(label) <= MAX_QUOTED:
            instead = text("turns.other.quoted", language, choice=label)
        sentences = []
        for place, reason in enumerate(reasons):
            form, words = self.say(question, reason, language, names)
            sentence = text(f"{self.texts}.consequence.{form}", language, other=instead, **words)
            if place and reason.code in self.costs:
                sentence = as_exception(sentence, language)
            sentences.append(sentence)
        return sentences

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
        return text(f"{self.texts}.reason.{reason.code}", language, **words)

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
        elif code == UNCERTAIN and _loss_of_second(hint) <= TOLERANCES[WIN]:
            code = EQUAL
        if code == AVOID:
            mistakes = [hint.choices[place].choice for place in params["mistakes"]]
            labels = [self.label(question, choice, language, 1) for choice in mistakes]
            words["mistakes"] = join_list(dict.fromkeys(labels), language)
        return text(f"turns.advice.{code}", language, **words)

    def _plan(
        self,
        question: TurnQuestion[Play, Choice],
        plan: TurnPlan[Play, Choice],
        language: str,
    ) -> str:
        """Return the name of a plan, such as "Step forward twice, then end the turn"."""
        named, times = list[str](), 0
        for play, choice, following in zip(
            plan.plays, plan.choices, [*plan.choices[1:], None], strict=True
        ):
            here = replace(question, play=play)
            times += 1
            arrival = self.arrival(here, choice)
            if arrival or choice != following:
                label = self.label(here, choice, language, times)
                named.append(text(arrival, language, action=label) if arrival else label)
                times = 0
        first, *others = named
        others = [label[0].lower() + label[1:] for label in others]
        if not others:
            return first
        before = text("turns.plan.comma", language).join([first, *others[:-1]])
        return text("turns.plan.then", language, before=before, last=others[-1])


def repeated(label: str, count: int, language: str) -> str:
    """Return what to do so many times, such as "Step forward twice".

    Args:
        label: what to do once; the first word is the verb.
        count: at least 1.
        language: of the label.
    """
    if count == 1:
        return label
    verb, _, rest = label.partition(" ")
    named = count if count <= MOST_NAMED else "many"
    times = text(f"turns.times.{named}", language, number=str(count))
    words = text("turns.plan.times", language, verb=verb, rest=rest, times=times)
    return words.replace("  ", " ")


def advise(hint: TurnHint[Choice]) -> Reason:
    """Return the headline of a hint: one of ``TURN_ADVICE_CODES`` and its parameters.

    Args:
        hint: with comparisons. Parameters refer to its choices by index.
    """
    values = [value.value for value in hint.certain]
    second = _error_of_second(hint)
    bounds = [value.bounds for value in hint.certain]
    verdict = judge(values, WIN, error=second, bounds=bounds, pick=0)
    assumed = hint.choices[len(values) :]
    if assumed and verdict.result == WON:
        verdict = replace(verdict, code=EQUAL if verdict.code == DECIDED else verdict.code)
    elif assumed and (verdict.code in (FORCED, DECIDED) or not all(each.loss for each in assumed)):
        # A card that the asker may have can be better.
        verdict = replace(verdict, code=UNCERTAIN, result="")
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
    values = [value.value for value in hint.certain]
    return len(values) > 1 and min(values) > 1.0 - HOPELESS


def _is_level(hint: TurnHint[Choice]) -> bool:
    """Return whether all choices have the same value, or nearly the same result."""
    values = [value.value for value in hint.certain]
    if len(values) < 2:
        return True
    same = max(values) - min(values) < TIE and not _error_of_second(hint)
    return same or max(values) < HOPELESS or _almost_won(hint)


def _error_of_second(hint: TurnHint[Choice]) -> float:
    """Return the error of the difference between the first two choices of a hint."""
    return hint.certain[1].difference_error if len(hint.certain) > 1 else 0.0


def _loss_of_second(hint: TurnHint[Choice]) -> float:
    return hint.certain[1].loss if len(hint.certain) > 1 else 1.0
