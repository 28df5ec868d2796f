"""The arguments of a hint for a turn: what a choice gains against another one, and what it costs.

``part_arguments.py`` has the argument of each part of the difference; here they are selected.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.core.advice import TOLERANCES
from service.core.comparison import by_size, leaning
from service.core.hints import Reason
from service.core.rounding import rounded
from service.core.sequential import PAYS_OFF, RESULT, WON, ChoiceValue
from service.core.vocabulary import WIN
from service.games.common.turns.part_arguments import (
    ALWAYS,
    CERTAIN,
    MIN_PART,
    ODDS,
    SAME,
    UNSURE,
    WINS,
    PartArguments,
)

MAX_ARGUMENTS: Final = 3
MIN_OF_LARGEST: Final = 0.1
"""Parts that are smaller in proportion to the largest part are no argument."""
LIKELY: Final = 0.9
"""A choice that wins so often wins as well as one that is sure to, only later."""


@dataclass(frozen=True, slots=True)
class Arguments(PartArguments):
    """The arguments of one game, see :class:`PartArguments` for what they are about."""

    def of(
        self,
        value: ChoiceValue[Any],
        others: Sequence[str],
        *,
        best: bool,
        cards: Sequence[str] = (),
    ) -> list[Reason]:
        """Return at most :data:`MAX_ARGUMENTS` arguments for a choice.

        With how often it pays off, own harm and uncertainty, there is one more.

        The best choice has its advantages first, then the largest cost if it matters. Every other
        choice has its largest advantage first, and then what that costs. Arguments that say what
        changes come before vague ones. If all advantages of the best choice are vague, a small one
        that says what changes is added; if there is none, fractions say it, or how often the choice
        pays off. Without any, and if the difference does not matter, the choice makes no
        difference. A proven win needs no other argument.

        Args:
            value: of the choice, with a comparison.
            others: the other players, in turn order after the player.
            best: whether the choice is the best one.
            cards: ids of the cards that are measured one by one.
        """
        assert value.comparison is not None, "there is another choice"
        if value.bounds[0] == 1.0 and value.comparison.difference > 0.0:
            return [Reason(WINS, {"share": value.comparison.difference})]
        difference = value.comparison.difference
        # An error within the tolerance matters as little as a difference within it.
        uncertain = value.difference_error / 2.0 > max(abs(difference), TOLERANCES[WIN])
        if abs(difference) <= TOLERANCES[WIN]:
            difference = 0.0  # Too small to argue for.
        if not best:
            reasons = self._of_another(value, difference, others, cards, uncertain)
        else:
            soon = self._win_soon(value, others) if difference else None
            if soon is not None:
                return [soon]
            reasons = self._of_best(value, difference, others, cards, uncertain)
        if not reasons:
            reasons.append(_unsure(value) if uncertain else Reason(SAME, {}))
        return reasons

    def _win_soon(self, value: ChoiceValue[Any], others: Sequence[str]) -> Reason | None:
        """Return the argument of a win that is sure, if it gains most or mostly comes sooner."""
        assert value.comparison is not None, "see `of`"
        parts = value.comparison.parts
        share = parts.get(RESULT, 0.0)
        if value.value < ALWAYS or share <= 0.0:
            return None
        is_largest = RESULT in by_size(parts, 1)[:1]
        other = value.value - sum(parts.values())
        if not (is_largest or (other >= LIKELY and value.measures.get(WON, 0.0) >= CERTAIN)):
            return None
        argument = self.of_part(RESULT, share, value, others)
        return argument if self.names_change(argument) else None

    def _of_another(
        self,
        value: ChoiceValue[Any],
        difference: float,
        others: Sequence[str],
        cards: Sequence[str],
        uncertain: bool,
    ) -> list[Reason]:
        """Return the arguments about parts for a choice that is not the best one."""
        assert value.comparison is not None, "see `of`"
        parts, room = value.comparison.parts, MAX_ARGUMENTS - uncertain
        large = _large(parts)
        named = large.union(by_size(parts, 1)[:1], by_size(parts, -1)[:1])
        arguments = {part: self.of_part(part, parts[part], value, others, cards) for part in named}
        gains, costs = (self._in_order(parts, arguments, large, sign) for sign in (1, -1))
        if difference < 0.0 and not costs:
            # Many small costs outweigh the gain.
            costs = by_size(parts, -1)[:1]
        pros = min(len(gains), 1 if costs else room)
        chosen = leaning(gains, costs, difference, parts.__getitem__, pros, room - pros, room)
        return [arguments[part] for part in chosen]

    def _of_best(
        self,
        value: ChoiceValue[Any],
        difference: float,
        others: Sequence[str],
        cards: Sequence[str],
        uncertain: bool,
    ) -> list[Reason]:
        """Return the arguments about parts for the best choice, or how often it pays off."""
        assert value.comparison is not None, "see `of`"
        parts, room = value.comparison.parts, MAX_ARGUMENTS - uncertain
        large = _large(parts)
        fractions = bool(difference) or uncertain
        arguments = self._for_best(parts, value, others, cards, fractions=fractions)
        gains, costs = (self._in_order(parts, arguments, large, sign) for sign in (1, -1))
        if not gains:
            # A pick needs an argument for it; without one, its costs explain nothing.
            gains = by_size(parts, 1)[:1]
            costs = costs if gains else []
        harmful = [
            part
            for part in costs
            if part in self.warned or self.harm(part, parts[part], value) is not None
        ]
        costs = harmful or costs
        cons = min(len(costs), 1 if gains else room)
        pros = room - cons
        chosen = leaning(gains, costs, difference, parts.__getitem__, pros, cons, room)
        if harmful and harmful[0] not in chosen:
            chosen = gains[:pros] + costs[:cons]
            if sum(map(parts.__getitem__, chosen)) * difference < 0.0:
                # The largest advantages outweigh the harm, also if they are vague.
                largest = by_size(parts, 1)[:pros]
                chosen = [part for part in gains if part in largest] + costs[:cons]
        chosen = self._with_minor_gain(chosen, parts, arguments, room, harmful)
        reasons = [arguments[part] for part in chosen]
        if any(self.names_change(arguments[part]) for part in chosen if parts[part] > 0.0):
            return reasons
        harm_matters = any(abs(parts[part]) >= MIN_PART for part in harmful)
        if not (difference or uncertain or harm_matters):
            return []
        return _with_odds(reasons, value.measures.get(PAYS_OFF, 0.0), room, harmful=bool(harmful))

    def _in_order(
        self,
        parts: Mapping[str, float],
        arguments: Mapping[str, Reason],
        large: Collection[str],
        sign: int,
    ) -> list[str]:
        """Return the large parts of a sign by size, those whose arguments are not vague first."""
        sized = [part for part in by_size(parts, sign) if part in large]
        return sorted(sized, key=lambda part: self.is_vague(arguments[part]))

    def _for_best(
        self,
        parts: Mapping[str, float],
        value: ChoiceValue[Any],
        others: Sequence[str],
        cards: Sequence[str],
        *,
        fractions: bool,
    ) -> dict[str, Reason]:
        """Return the arguments of all parts for the best choice.

        Args:
            parts, value, others, cards: see :meth:`of_part`.
            fractions: whether they explain the gains if none that is a tenth of the largest part
                says what changes.
        """
        arguments = {part: self.of_part(part, parts[part], value, others, cards) for part in parts}
        least = _least_minor(parts)
        gains = [part for part in by_size(parts, 1) if parts[part] >= least]
        if fractions and not any(self.names_change(arguments[part]) for part in gains):
            arguments |= {
                part: self.of_part(part, parts[part], value, others, cards, fractions=True)
                for part in gains
            }
        return arguments

    def _with_minor_gain(
        self,
        chosen: Sequence[str],
        parts: Mapping[str, float],
        arguments: Mapping[str, Reason],
        room: int,
        harmful: Sequence[str],
    ) -> list[str]:
        """Return the parts with the largest gain that says what changes, if no gain does yet.

        It has to be a tenth of the largest part. The smallest of several gains makes room for it,
        but no harm.

        Args:
            chosen: the gains and then the costs to name.
            parts: all parts of the difference.
            arguments: of all parts.
            room: for so many arguments.
            harmful: costs that are own harm.
        """
        gains = [part for part in chosen if parts[part] > 0.0]
        costs = [part for part in chosen if parts[part] < 0.0]
        named = [part for part in by_size(parts, 1) if self.names_change(arguments[part])]
        least = _least_minor(parts)
        is_missing = not any(self.names_change(arguments[part]) for part in gains)
        kept = room - 1 - (len(costs) if harmful else 0)
        if not (is_missing and kept > 0 and named and parts[named[0]] >= least):
            return list(chosen)
        largest = sorted(gains, key=parts.__getitem__)[-kept:]
        gains = [*(part for part in gains if part in largest), named[0]]
        gains.sort(key=lambda part: self.is_vague(arguments[part]))
        return [*gains, *costs][:room]


def _with_odds(reasons: list[Reason], odds: float, room: int, *, harmful: bool) -> list[Reason]:
    """Return the reasons with how often the choice pays off, if it does, before the costs.

    A cost makes room for it, or the smallest of several gains. One gain and own harm stay, even if
    there is only room for two.

    Args:
        reasons: gains, then costs.
        odds: the probability that the choice pays off.
        room: for so many reasons.
        harmful: whether the costs are own harm.
    """
    gains = [reason for reason in reasons if reason.params["share"] > 0.0]
    costs = [reason for reason in reasons if reason.params["share"] < 0.0]
    if len(gains) + len(costs) >= room:
        if costs and not harmful:
            costs.pop()
        elif len(gains) > 1:
            gains.remove(min(gains, key=lambda gain: gain.params["share"]))
    if not gains or odds <= 0.0:
        return reasons
    return [*gains, Reason(ODDS, {"count": rounded(odds)}), *costs]


def _least_minor(parts: Mapping[str, float]) -> float:
    """Return the least part that a gain which says what changes needs."""
    return MIN_OF_LARGEST * max(map(abs, parts.values()), default=0.0)


def _large(parts: Mapping[str, float]) -> set[str]:
    """Return the parts that are worth an argument."""
    largest = max(map(abs, parts.values()), default=0.0)
    least = min(max(MIN_PART, _least_minor(parts)), largest)
    return {part for part, share in parts.items() if abs(share) >= least}


def _unsure(value: ChoiceValue[Any]) -> Reason:
    return Reason(UNSURE, {"error": value.difference_error})
