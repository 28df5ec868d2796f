"""Why a choice in a turn is worth what it is: shares of the win, compared in print.

A game adds what the choice itself does, read off its event log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic

from service.core.game import Choice
from service.core.hints import Reason
from service.core.rounding import rounded
from service.core.sequential import ChoiceValue, Play, TurnHint, TurnQuestion
from service.games.common.wording import hundredths, percent

COMPARISONS: Final = {
    "surely": "Leads to a win, or to none, for sure; `chance` is 1 or 0.",
    "ahead": "The best choice, by `share` of the win before the next.",
    "even": "Loses `share` at most, so that `count` choices are about as good.",
    "behind": "Costs `share` of the win against the best choice.",
    "helps": "With it instead of the best choice, or as the best instead of the next, `player` has "
    "`share` of the win more; nobody gains more by it.",
    "hinders": "Likewise `player` has `share` less; nobody loses more by it.",
    "unsure": "Hidden cards being sampled, the value may be off: `error` is its standard error.",
}
"""What is told by comparing the shares of the choices."""
LEAST_SHARE: Final = 0.005
"""Smaller differences are not worth a sentence."""

_SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "ahead": {
        "en": "Best: {share} of the win ahead of the next choice.",
        "de": "Am besten: {share} Siegchance vor der nächsten Wahl.",
        "zh": "最佳：勝率比次佳選擇高 {share}。",
    },
    "even": {
        "en": "{count} choices are about equally good, up to {share} of the win.",
        "de": "Etwa gleich gute Wahlen: {count}, bis auf {share} Siegchance.",
        "zh": "有 {count} 個選擇大致相同，勝率相差至多 {share}。",
    },
    "behind": {
        "en": "Costs {share} of the win against the best choice.",
        "de": "Kostet {share} Siegchance gegenüber der besten Wahl.",
        "zh": "與最佳選擇相比，勝率少 {share}。",
    },
    "helps": {
        "en": "Helps {player} most: {share} of the win.",
        "de": "Hilft am meisten {player}: {share} Siegchance.",
        "zh": "最有利於 {player}：勝率增加 {share}。",
    },
    "hinders": {
        "en": "Hinders {player} most: {share} of the win.",
        "de": "Behindert am meisten {player}: {share} Siegchance.",
        "zh": "最不利於 {player}：勝率減少 {share}。",
    },
    "unsure": {
        "en": "Hidden cards leave an error of {error} or so.",
        "de": "Verdeckte Karten lassen einen Fehler von etwa {error}.",
        "zh": "隱藏的牌造成約 {error} 的誤差。",
    },
    "surely": {
        "en": "{chance} of the win: that is sure.",
        "de": "{chance} Siegchance: Das ist sicher.",
        "zh": "勝率 {chance}：這是確定的。",
    },
}

Words = Callable[[Any, str], str]
_WORDS: Final[Mapping[str, Words]] = {
    "share": hundredths,
    "error": hundredths,
    "chance": percent,
    "count": lambda count, _: str(count),
    "player": lambda player, _: str(player),
}


@dataclass(frozen=True, slots=True)
class Explaining(Generic[Play, Choice]):
    """What a game says of its choices.

    Attributes:
        facts: what a choice does by itself, before anybody else does anything.
        codes: what its reasons mean.
        sentences: by code and language, with the names of parameters in braces.
        words: how each parameter is put into words, in a language.
    """

    facts: Callable[[TurnQuestion[Play, Choice], Choice], Iterable[Reason]]
    codes: Mapping[str, str]
    sentences: Mapping[str, Mapping[str, str]]
    words: Mapping[str, Words]

    def reasons(
        self, question: TurnQuestion[Play, Choice], hint: TurnHint[Choice]
    ) -> list[list[Reason]]:
        """All there is to say of each choice of a hint."""
        close = [found.loss for found in hint.choices if found.loss < LEAST_SHARE]
        even = Reason("even", {"count": len(close), "share": max(close)})
        return [
            [*self.facts(question, found.choice), *comparisons(question.player, hint, place, even)]
            for place, found in enumerate(hint.choices)
        ]

    def sentence(self, reason: Reason, language: str) -> str:
        """A reason in words."""
        words = {**_WORDS, **self.words}
        told = {name: words[name](value, language) for name, value in reason.params.items()}
        sentences = self.sentences.get(reason.code) or _SENTENCES[reason.code]
        return sentences[language].format(**told)


def comparisons(player: str, hint: TurnHint[Choice], place: int, even: Reason) -> Iterator[Reason]:
    """What comes of comparing a choice with the best one, or the best with the next.

    Args:
        player: who asks.
        hint: the answer.
        place: of the choice in it.
        even: what is told of the choices that are about as good as the best, if they are several.
    """
    found = hint.choices[place]
    if found.error == 0.0 and found.value in (0.0, 1.0) and hint.exact:
        yield Reason("surely", {"chance": found.value})
    if found.loss >= LEAST_SHARE:
        yield Reason("behind", {"share": found.loss})
    elif even.params["count"] > 1:
        yield even
    elif len(hint.choices) > 1:
        yield Reason("ahead", {"share": hint.choices[1].loss})
    if len(hint.choices) > 1:
        other = hint.choices[0 if place else 1]
        yield from _of_others(player, found, other)
    if found.error >= LEAST_SHARE:
        yield Reason("unsure", {"error": found.error})


def _of_others(
    player: str, found: ChoiceValue[Choice], instead_of: ChoiceValue[Choice]
) -> Iterator[Reason]:
    changes = {
        name: rounded(share - instead_of.shares[name])
        for name, share in found.shares.items()
        if name != player
    }
    if not changes:
        return
    gainer, loser = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
    if changes[gainer] >= LEAST_SHARE:
        yield Reason("helps", {"player": gainer, "share": changes[gainer]})
    if -changes[loser] >= LEAST_SHARE:
        yield Reason("hinders", {"player": loser, "share": -changes[loser]})
