"""The arguments of a hint for a turn: what a choice gains against another one, and what it costs.

``part_arguments.py`` has the argument of each part of the difference; here they are selected.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from service.core.advice import TOLERANCES
from service.core.comparison import by_size, leaning
from service.core.hints import Reason
from service.core.sequential import RESULT, WON, ChoiceValue
from service.core.vocabulary import WIN
from service.games.common.turns.part_arguments import (
    ALWAYS,
    MIN_PART,
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

        The best choice has its advantages first, then the largest cost if it matters. Every other
        choice has its largest advantage first, and then what that costs. Arguments that say what
        changes come before vague ones. If all advantages of the best choice are vague, a small one
        that says what changes is added; if there is none, fractions say it. Without any, and if the
        difference does not matter, the choice makes no difference. A certain win needs no other
        argument.

        Args:
            value: of the choice, with a comparison.
            others: the other players, in turn order after the player.
            best: whether the choice is the best one.
            cards: ids of the cards that are measured one by one.
        """
        assert value.comparison is not None, "there is another choice"
        if value.value == 1.0 and value.comparison.difference > 0.0:
            return [Reason(WINS, {"share": value.comparison.difference})]
        parts, difference = value.comparison.parts, value.comparison.difference
        if abs(difference) <= TOLERANCES[WIN]:
            difference = 0.0  # Too small to argue for.
        if best and difference and _wins_soon(value, parts):
            return [self.of_part(RESULT, parts[RESULT], value, others)]
        large = _large(parts)
        if best:
            arguments = self._for_best(parts, value, others, cards, fractions=bool(difference))
        else:
            named = large.union(by_size(parts, 1)[:1], by_size(parts, -1)[:1])
            arguments = {
                part: self.of_part(part, parts[part], value, others, cards) for part in named
            }

        def in_order(sign: int) -> list[str]:
            sized = [part for part in by_size(parts, sign) if part in large]
            return sorted(sized, key=lambda part: self.is_vague(arguments[part]))

        gains, costs = in_order(1), in_order(-1)
        if best and not gains:
            # A pick needs an argument for it; without one, its costs explain nothing.
            gains = by_size(parts, 1)[:1]
            costs = costs if gains else []
        elif difference < 0.0 and not costs:
            # Many small costs outweigh the gain.
            costs = by_size(parts, -1)[:1]
        # An error within the tolerance matters as little as a difference within it.
        uncertain = value.difference_error > max(abs(value.comparison.difference), TOLERANCES[WIN])
        room = MAX_ARGUMENTS - uncertain
        harmful: list[str] = []
        if best:
            harmful = [
                part
                for part in costs
                if part in self.warned or self.harm(part, parts[part], value) is not None
            ]
            costs = harmful or costs
            cons = min(len(costs), 1 if gains else room)
            pros = room - cons
        else:
            pros = min(len(gains), 1 if costs else room)
            cons = room - pros
        chosen = leaning(gains, costs, difference, parts.__getitem__, pros, cons, room)
        if best and harmful and harmful[0] not in chosen:
            chosen = gains[:pros] + costs[:cons]
            if sum(map(parts.__getitem__, chosen)) * difference < 0.0:
                # The largest advantages outweigh the harm, also if they are vague.
                largest = by_size(parts, 1)[:pros]
                chosen = [part for part in gains if part in largest] + costs[:cons]
        if best:
            chosen = self._with_minor_gain(chosen, parts, arguments, room, harmful)
        reasons = [arguments[part] for part in chosen]
        if best and not (
            difference or uncertain or harmful or any(map(self.names_change, reasons))
        ):
            reasons = []
        if not reasons and not uncertain:
            reasons.append(Reason(SAME, {}))
        if uncertain:
            reasons.append(Reason(UNSURE, {"error": value.difference_error}))
        return reasons

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


def _wins_soon(value: ChoiceValue[Any], parts: Mapping[str, float]) -> bool:
    """Return whether a choice is sure to win, and gains most by that or wins only sooner."""
    if value.value < ALWAYS or parts.get(RESULT, 0.0) <= 0.0:
        return False
    is_largest = RESULT in by_size(parts, 1)[:1]
    other = value.value - sum(parts.values())
    return is_largest or (other >= LIKELY and value.measures.get(WON, 0.0) >= ALWAYS)


def _least_minor(parts: Mapping[str, float]) -> float:
    """Return the least part that a gain which says what changes needs."""
    return MIN_OF_LARGEST * max(map(abs, parts.values()), default=0.0)


def _large(parts: Mapping[str, float]) -> set[str]:
    """Return the parts that are worth an argument."""
    largest = max(map(abs, parts.values()), default=0.0)
    least = min(max(MIN_PART, _least_minor(parts)), largest)
    return {part for part, share in parts.items() if abs(share) >= least}
