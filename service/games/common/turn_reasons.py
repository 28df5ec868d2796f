"""The reasons of a hint for a turn: what a choice does, and how its win share compares.

A game adds what the choice itself does, taken from its event log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic

from service.core.game import Choice, Play
from service.core.hints import Reason
from service.core.rounding import rounded
from service.core.sequential import ChoiceValue, TurnHint, TurnQuestion
from service.games.common.display_names import NO_NAMES, DisplayNames
from service.texts.catalogue import text
from service.texts.formatting import join_list, percent, percentage_points

COMPARISONS: Final = {
    "surely": "Wins or loses for certain; `chance` is 1 or 0.",
    "ahead": "The best choice; the next one loses `share` of the win.",
    "even": "One of `count` choices that are about equally good; they lose at most `share`.",
    "behind": "Loses `share` of the win compared with the best choice.",
    "helps": "Compared with the best choice (for the best: with the next), `player` gains most: "
    "`share` of the win.",
    "hinders": "Compared in the same way, `player` loses most: `share`.",
    "unsure": "Hidden cards were sampled; `error` is the standard error of the value.",
}
"""Reasons from comparing the win shares of the choices, and their meanings."""
MIN_SHARE: Final = 0.005
"""Smaller differences are not mentioned."""

Formatter = Callable[[Any, str], str]
"""Formats a parameter in a language."""
_FORMATTERS: Final[Mapping[str, Formatter]] = {
    "share": percentage_points,
    "error": percentage_points,
    "chance": percent,
}


@dataclass(frozen=True, slots=True)
class Explainer(Generic[Play, Choice]):
    """The reasons of one game.

    Attributes:
        facts: returns what a choice does by itself, before anything else happens.
        codes: the game's own reason codes and their meanings.
        texts: what the ids of the sentences of these codes begin with.
        formatters: by parameter of these sentences.
        player_lists: the parameters that are lists of player ids.
    """

    facts: Callable[[TurnQuestion[Play, Choice], Choice], Iterable[Reason]]
    codes: Mapping[str, str]
    texts: str
    formatters: Mapping[str, Formatter]
    player_lists: frozenset[str] = frozenset()

    def reasons(
        self, question: TurnQuestion[Play, Choice], hint: TurnHint[Choice]
    ) -> list[list[Reason]]:
        """Return the reasons of each choice of a hint."""
        close = [choice.loss for choice in hint.choices if choice.loss < MIN_SHARE]
        even = Reason("even", {"count": len(close), "share": max(close)})
        return [
            [*self.facts(question, choice.choice), *comparisons(question.player, hint, place, even)]
            for place, choice in enumerate(hint.choices)
        ]

    def sentence(self, reason: Reason, language: str, names: DisplayNames = NO_NAMES) -> str:
        """Return the sentence of a reason, with display names in place of player ids."""
        formatters = {**_FORMATTERS, **self.formatters}
        words: dict[str, Any] = {}
        for param, value in reason.params.items():
            if param == "player":
                words[param] = names.label(value)
            elif param == "count":
                words[param] = value
            elif param in self.player_lists:
                words[param] = join_list(map(names.label, value), language)
            else:
                words[param] = formatters[param](value, language)
        texts = self.texts if reason.code in self.codes else "turns.reason"
        return text(f"{texts}.{reason.code}", language, **words)


def comparisons(player: str, hint: TurnHint[Choice], place: int, even: Reason) -> Iterator[Reason]:
    """Yield the reasons from comparing a choice with the best one, or the best with the next.

    Args:
        player: the player who gets the hint.
        hint: the hint.
        place: index of the choice in the hint.
        even: the reason for choices about as good as the best, used if there are several.
    """
    choice = hint.choices[place]
    if choice.error == 0.0 and choice.value in (0.0, 1.0) and hint.exact:
        yield Reason("surely", {"chance": choice.value})
    if choice.loss >= MIN_SHARE:
        yield Reason("behind", {"share": choice.loss})
    elif even.params["count"] > 1:
        yield even
    elif len(hint.choices) > 1:
        yield Reason("ahead", {"share": hint.choices[1].loss})
    if len(hint.choices) > 1:
        alternative = hint.choices[0 if place else 1]
        yield from _other_players(player, choice, alternative)
    if choice.error >= MIN_SHARE:
        yield Reason("unsure", {"error": choice.error})


def _other_players(
    player: str, choice: ChoiceValue[Choice], alternative: ChoiceValue[Choice]
) -> Iterator[Reason]:
    """Yield which other player gains and loses most by the choice."""
    changes = {
        name: rounded(share - alternative.shares[name])
        for name, share in choice.shares.items()
        if name != player
    }
    if not changes:
        return
    gainer, loser = max(changes, key=changes.__getitem__), min(changes, key=changes.__getitem__)
    if changes[gainer] >= MIN_SHARE:
        yield Reason("helps", {"player": gainer, "share": changes[gainer]})
    if -changes[loser] >= MIN_SHARE:
        yield Reason("hinders", {"player": loser, "share": -changes[loser]})
