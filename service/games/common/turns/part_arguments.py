"""The argument of one part of the difference between two choices of a turn.

Parts come from comparisons of values (``docs/comparisons.md``).  A game says which measure counts
each part and which changes harm the player itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from service.core.advice import TOLERANCES
from service.core.hints import Reason
from service.core.rounding import TIE, rounded
from service.core.sequential import LOST, OTHERS, RESULT, RIVALS, WON, ChoiceValue
from service.core.spoken import spoken_percent, spoken_spaces
from service.core.vocabulary import WIN

MIN_PART: Final = 0.005
"""Smaller parts of a difference are no argument, unless there is no larger one."""
MAX_COUNT: Final = 1000.0
"""Larger expected changes of a measure mean that something cannot be reached any more."""
CERTAIN: Final = 0.5
"""Smaller expected changes of a measure explain nothing."""
MOST: Final = 0.5
"""What makes up so much of a part explains it."""
UNSURE, SAME, WINS, ODDS = "unsure", "same", "wins", "odds"
UNNAMED: Final = "unnamed"
"""Form of the argument about the others that names nobody."""
_ENDING_KINDS: Final = {"win": WON, "loss": LOST}
"""What an argument about games that end soon counts, and its measure."""
ALWAYS: Final = 0.9999
"""A larger probability is said to be certain: uncertain results are a little mixed."""
_LEAST_OF_COUNT: Final = 0.1
"""Games that end soon decide a part if it is at least so large for each; otherwise they would have
ended in the same way later.
"""
_LATER: Final = "later-"
"""What the names of kinds begin with that are counted after the next turns."""
LEAST: Final = 0.1
"""Smaller changes of another player, or of a measure in ``slight``, explain nothing."""

COMMON_CODES: Final = {
    RESULT: "How often the game is won.",
    WINS: "A certain win; `share` is the whole difference.",
    ODDS: "How often (`count`) it beats the other choice's mean.",
    UNSURE: "The difference is below half of its error `error`.",
    SAME: "No difference that matters.",
}
"""Codes of arguments in all turn-based games, and their meanings."""


@dataclass(frozen=True, slots=True)
class PartArguments:
    """What explains each part of a value in one game.

    Attributes:
        codes: codes and their meanings: the parts of a value, and the harms.
        counted: by part, the measure that counts it.
        harms: by part, measures that are 1 if the player harms itself in this way.
        causes: by part, a measure of what one harm takes from it, as a share; the harm explains the
            part if that is at least half of it.
        explained: by part, a measure that explains it if nothing can be counted; less is better.
        warned: parts whose costs are harm that the player does to itself.
        kinds: by part, measures of which one explains it if nothing else does, with what each
            counts.
        fallbacks: the same, if no kind explains the part; the first one that does.
        slight: by part, a measure of which even 0.1 explains it if nothing else does; less is
            better.
        fractions: by part, measures of the leaves of which one explains it if no advantage of the
            choice says what changes otherwise; even a fraction of a kind does.
        either: by part, a measure that explains it whether it rises or falls, and what it then
            counts.
        gradual: parts of which a fraction of a kind explains something, too.
        rivals: by part, measures of the others, in turn order, of which one explains it if nothing
            else does.
        card_measures: by part and kind, the measures of single cards. If nothing else explains the
            part, it names the card that a gain has and the other choice has not.
        dropped: by part, the kind of the card that a gain has not; named if no card is gained.
        texts: what the ids of the texts begin with.
    """

    codes: Mapping[str, str]
    counted: Mapping[str, str]
    harms: Mapping[str, Sequence[str]]
    texts: str
    causes: Mapping[str, str] = field(default_factory=dict)
    explained: Mapping[str, str] = field(default_factory=dict)
    warned: frozenset[str] = frozenset()
    kinds: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    fallbacks: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    slight: Mapping[str, str] = field(default_factory=dict)
    fractions: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    either: Mapping[str, tuple[str, str, str]] = field(default_factory=dict)
    gradual: frozenset[str] = frozenset()
    rivals: Mapping[str, Sequence[str]] = field(default_factory=dict)
    card_measures: Mapping[str, Mapping[str, Sequence[str]]] = field(default_factory=dict)
    dropped: Mapping[str, str] = field(default_factory=dict)

    def of_part(
        self,
        part: str,
        share: float,
        value: ChoiceValue[Any],
        others: Sequence[str],
        cards: Sequence[str] = (),
        *,
        fractions: bool = False,
    ) -> Reason:
        """Return the argument of a part of the difference.

        Args:
            part: of the difference.
            share: of the part.
            value: of the choice, with a comparison.
            others: the other players, in turn order after the player.
            cards: ids of the cards of :attr:`card_measures`.
            fractions: whether :attr:`fractions` explain it if nothing else does.
        """
        if part == OTHERS:
            return _about_rival(part, share, value.measures, RIVALS, others, TIE)
        harm = self.harm(part, share, value)
        if harm is not None:
            return Reason(harm, {"share": share})
        count = value.measures.get(self.counted.get(part, ""), 0.0)
        countable = abs(count) <= MAX_COUNT and not spoken_spaces(count).below
        if count * share > 0.0 and countable:
            return Reason(part, {"share": share, "count": rounded(abs(count))})
        reason = _lessened(self.explained.get(part, ""), share, value, CERTAIN) or self._kind(
            part, share, value, self.kinds
        )
        if reason is not None:
            return reason
        if part == RESULT:
            return _about_endings(share, value)
        if part in self.either:
            return self._either(part, share, value)
        rivals = self.rivals.get(part, ())
        reason = _about_rival(part, share, value.measures, rivals, others, LEAST)
        if "player" in reason.params:
            return reason
        return (
            self._kind(part, share, value, self.fallbacks)
            or self._card(part, share, value, cards)
            or _lessened(self.slight.get(part, ""), share, value, LEAST)
            or (self._kind(part, share, value, self.fractions) if fractions else None)
            or reason
        )

    def harm(self, part: str, share: float, value: ChoiceValue[Any]) -> str | None:
        """Return the harm that the player does to itself, or not, and that explains a part."""
        least = MOST * abs(share)
        return _explaining(self.harms.get(part, ()), share, value) or _explaining(
            [self.causes.get(part, "")], share, value, least
        )

    def _kind(
        self,
        part: str,
        share: float,
        value: ChoiceValue[Any],
        kinds_of: Mapping[str, Mapping[str, str]],
    ) -> Reason | None:
        """Return the argument about the kind that explains a part best, if any does."""
        assert value.comparison is not None, "it has a part"
        others = (abs(own) for other, own in value.comparison.parts.items() if other != part)
        if part == RESULT and max(others, default=0.0) > MIN_PART:
            return None  # Not all games are over, so nobody knows by how many points.
        kinds = kinds_of.get(part, {})
        sign = 1.0 if share > 0.0 else -1.0
        counts = {measure: sign * value.measures.get(measure, 0.0) for measure in kinds}
        least = 0.0 if part in self.gradual or kinds_of is self.fractions else CERTAIN
        if part == RESULT:
            least = abs(share)  # A point for each game that is won instead of lost.
        explaining = [
            measure
            for measure, count in counts.items()
            if least <= count <= MAX_COUNT and _is_spoken(count)
        ]
        if not explaining:
            return None
        in_order = kinds_of is self.fallbacks
        measure = explaining[0] if in_order else max(explaining, key=counts.__getitem__)
        count = rounded(counts[measure])
        return Reason(part, {"share": share, "count": count, "kind": kinds[measure]})

    def _card(
        self, part: str, share: float, value: ChoiceValue[Any], cards: Sequence[str]
    ) -> Reason | None:
        """Return the argument about the card that a gain has, or that a cost has not, if any.

        Without such a card, it is about one that a gain has not, or that a cost has.
        """
        kinds, sign = self.card_measures.get(part, {}), 1.0 if share > 0.0 else -1.0
        ways = [(kind, sign) for kind in kinds]
        if part in self.dropped:
            ways.append((self.dropped[part], -sign))
        for kind, direction in ways:
            counts = [value.measures.get(measure, 0.0) for measure in kinds[kind]]
            changes = {card: direction * count for card, count in zip(cards, counts, strict=False)}
            card = max(changes, key=changes.__getitem__, default="")
            if changes.get(card, 0.0) >= CERTAIN:
                count = rounded(direction * changes[card])
                return Reason(part, {"share": share, "count": count, "kind": kind, "card": card})
        return None

    def _either(self, part: str, share: float, value: ChoiceValue[Any]) -> Reason:
        """Return the argument of a part that a measure explains in both directions."""
        measure, more, less = self.either[part]
        count = value.measures.get(measure, 0.0)
        if abs(count) > MAX_COUNT or not _is_spoken(count):
            return Reason(part, {"share": share})
        kind = more if count > 0.0 else less
        return Reason(part, {"share": share, "count": rounded(abs(count)), "kind": kind})

    def names_change(self, argument: Reason) -> bool:
        """Return whether an argument counts something, names a player, or needs neither."""
        if argument.params.keys() & {"count", "player"}:
            return True
        counted = {*self.counted, *self.kinds, *self.fallbacks, *self.fractions}
        return argument.code not in {*counted, *self.either, *self.card_measures, OTHERS, RESULT}

    def is_vague(self, argument: Reason) -> bool:
        """Return whether an argument does not say what changes; the result of games always does."""
        return argument.code != RESULT and not self.names_change(argument)

    def kinds_counted(self) -> set[str]:
        """Return all kinds whose amounts an argument may state."""
        named = [*self.kinds.values(), *self.fallbacks.values(), *self.fractions.values()]
        either = {kind for _, *kinds in self.either.values() for kind in kinds}
        return {kind for kinds in named for kind in kinds.values()} | either

    def text_ids(self) -> list[str]:
        """Return what the ids of the texts of all arguments end with."""
        sides = ("gain", "loss")
        counted = [f"{part}.{side}-count" for part in self.counted for side in sides]
        named_kinds = {*self.kinds, *self.fallbacks, *self.either}
        of_kind = [f"{part}.{side}-kind" for part in named_kinds for side in sides]
        later = [
            f"{part}.{side}-later"
            for part, kinds in (*self.kinds.items(), *self.fallbacks.items())
            if any(kind.startswith(_LATER) for kind in kinds.values())
            for side in sides
        ]
        later += [f"{part}.gain-later" for part in self.fractions.keys() - self.fallbacks.keys()]
        unnamed = [f"{OTHERS}.{side}-{UNNAMED}" for side in sides]
        named = [f"{part}.{side}-player" for part in self.rivals for side in sides]
        of_cards = [
            f"{part}.{side}-{kind}-{'more' if side == 'gain' else 'fewer'}"
            for part, kinds in self.card_measures.items()
            for kind in kinds
            for side in sides
        ]
        of_cards += [
            f"{part}.{side}-{kind}-{'fewer' if side == 'gain' else 'more'}"
            for part, kind in self.dropped.items()
            for side in sides
        ]
        plain = [f"{code}.{side}" for code in self.codes for side in sides]
        return [*counted, *of_kind, *later, *unnamed, *named, *of_cards, *plain]


def _is_spoken(count: float) -> bool:
    """Return whether a count of any sign is said in numbers."""
    spoken = spoken_spaces(count)
    return spoken.amount > 0.0 and not spoken.below


def _explaining(
    measures: Sequence[str], share: float, value: ChoiceValue[Any], least: float = CERTAIN
) -> str | None:
    """Return the measure that explains a part: more of it costs, less of it gains.

    Args:
        measures: the first one that explains it counts.
        share: of the part.
        value: of the choice.
        least: smaller changes explain nothing.
    """
    for measure in measures:
        change = value.measures.get(measure, 0.0)
        if abs(change) >= least and change * share < 0.0:
            return measure
    return None


def _lessened(measure: str, share: float, value: ChoiceValue[Any], least: float) -> Reason | None:
    """Return the argument about a measure of which less is better, if it explains a part."""
    explaining = _explaining([measure], share, value, least)
    return None if explaining is None else Reason(explaining, {"share": share})


def text_id(reason: Reason) -> str:
    """Return the id of the text of an argument, without what the ids of its game begin with."""
    share = reason.params.get("share")
    if share is None:
        always = reason.code == ODDS and reason.params["count"] >= ALWAYS
        return f"{ODDS}-always" if always else reason.code
    side = "gain" if share > 0.0 else "loss"
    if reason.code == OTHERS:
        return f"{reason.code}.{side}" + ("" if "player" in reason.params else f"-{UNNAMED}")
    kind = reason.params.get("kind", "")
    if "card" in reason.params:
        return f"{reason.code}.{side}-{kind}-{'more' if reason.params['count'] > 0.0 else 'fewer'}"
    if kind in _ENDING_KINDS:
        count = reason.params["count"]
        form = "-soon" if count >= ALWAYS else ""
        form = form if abs(share) >= _LEAST_OF_COUNT * count else "-time"
        return f"{reason.code}.{side}-{kind}{form}"
    if kind.startswith(_LATER):
        return f"{reason.code}.{side}-later"
    form = next((f"-{name}" for name in ("kind", "count", "player") if name in reason.params), "")
    return f"{reason.code}.{side}{form}"


def is_common(reason: Reason) -> bool:
    """Return whether the text of an argument is the same in all games."""
    return reason.code in COMMON_CODES and reason.params.get("kind") in (None, *_ENDING_KINDS)


def _about_endings(share: float, value: ChoiceValue[Any]) -> Reason:
    """Return the argument of the games that end soon: those that are won, or lost."""
    assert value.comparison is not None, "it has a part"
    sign = 1.0 if share > 0.0 else -1.0
    counts = {
        kind: rounded(sign * value.measures.get(measure, 0.0))
        for kind, measure in _ENDING_KINDS.items()
    }
    kind = max(counts, key=counts.__getitem__)
    matters = abs(value.comparison.difference) > TOLERANCES[WIN]
    if not matters or counts[kind] <= 0.0 or spoken_percent(counts[kind]).below:
        return Reason(RESULT, {"share": share})
    return Reason(RESULT, {"share": share, "count": counts[kind], "kind": kind})


def _about_rival(
    part: str,
    share: float,
    measures: Mapping[str, float],
    names: Sequence[str],
    others: Sequence[str],
    least: float,
) -> Reason:
    """Return the argument of what the others lose or get, about the one who does most, if any.

    Args:
        part: of the difference.
        share: of the part.
        measures: how far the others fall back, and other numbers.
        names: of these measures, in turn order.
        others: the other players, in turn order.
        least: smaller changes are not named.
    """
    sign = 1.0 if share > 0.0 else -1.0
    changes = {
        player: sign * measures.get(measure, 0.0)
        for player, measure in zip(others, names, strict=False)
    }
    player = max(changes, key=changes.__getitem__, default="")
    # Shares are not linear: a part can favour the player although nobody falls back on average.
    named = {"player": player} if changes.get(player, 0.0) > least else {}
    return Reason(part, {"share": share, **named})
