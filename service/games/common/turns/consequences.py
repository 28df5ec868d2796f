"""What a choice of a turn does, compared with another one, and how much that matters.

A game compares the ends of two plans and lists the changes between them.  A change weighs as much
as the parts of the difference that it belongs to, and is said only if they have its sign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias

from service.core.advice import TOLERANCES
from service.core.explanation import BALANCE, Consequence, explain_best, explain_other
from service.core.game import Choice, Decision, Play
from service.core.hints import Reason
from service.core.turn_hints import ChoiceValue, TurnHint, TurnPlan, TurnQuestion
from service.core.vocabulary import WIN

WHOLE: Final[Sequence[str]] = ()
"""Parts of a change that is the whole difference."""
MAX_HIGHLIGHTS: Final = 2
BALANCE_MEANING: Final = "Better on balance; nothing stands out."


@dataclass(frozen=True, slots=True)
class Change:
    """Something that happens with one plan and not, or less, with another one.

    Attributes:
        code: a row of the game's table of sentences.
        params: cards, spaces, players and numbers, by name.
        parts: the parts of the difference that it belongs to.
        gain: whether it is good for the player; otherwise it is a cost.
        rank: see :class:`~service.core.explanation.Consequence`.
    """

    code: str
    params: Mapping[str, Any]
    parts: Sequence[str]
    gain: bool = True
    rank: int = 0

    @property
    def reason(self) -> Reason:
        """What a response lists."""
        return Reason(self.code, self.params)


@dataclass(frozen=True, slots=True)
class Compared(Generic[Play, Choice]):
    """Two plans of one question.

    Attributes:
        question: the question.
        plan: of the choice to explain.
        other: of the choice that it is compared with.
        same_stage: whether the same comes next after both plans.
    """

    question: TurnQuestion[Play, Choice]
    plan: TurnPlan[Play, Choice]
    other: TurnPlan[Play, Choice]
    same_stage: bool

    @property
    def is_plain(self) -> bool:
        """Whether the plan is compared with doing nothing yet."""
        return not self.other.choices

    @property
    def is_done(self) -> bool:
        """Whether the plan gains nothing any more that the other one has already."""
        return self.same_stage or self.plan.open is None

    @property
    def other_is_done(self) -> bool:
        """Whether the other plan gains nothing any more that this one has already."""
        return self.same_stage or self.other.open is None


Changes: TypeAlias = Callable[[Compared[Play, Choice]], Iterable[Change]]
"""Returns what the first plan of a comparison does, in any order."""
SameStage: TypeAlias = Callable[[TurnPlan[Play, Choice], TurnPlan[Play, Choice]], bool]
"""Returns whether the same comes next after two plans that do not end the turn."""


def reasons_of(
    question: TurnQuestion[Play, Choice],
    hint: TurnHint[Choice],
    plans: Sequence[TurnPlan[Play, Choice]],
    changes: Changes[Play, Choice],
    same_stage: SameStage[Play, Choice],
    highlighted: Sequence[str],
) -> list[list[Reason]]:
    """Return the reasons of each choice of a hint; none for those without a plan.

    Args:
        question: the question.
        hint: with comparisons.
        plans: of the best choice, and of those that a player would consider.
        changes, same_stage: of the game.
        highlighted: codes of what is said of the best choice if nothing sets it apart, the most
            telling first, which is said in any case.
    """
    by_choice = {plan.choices[0]: plan for plan in plans}

    def is_cut(plan: TurnPlan[Play, Choice]) -> bool:
        return isinstance(plan.open, Decision) and question.player in plan.open.choices

    def same(plan: TurnPlan[Play, Choice], other: TurnPlan[Play, Choice]) -> bool:
        if plan.open is None or other.open is None:
            return plan.open is other.open
        return same_stage(plan, other)

    def found(value: ChoiceValue[Choice]) -> Iterator[Consequence]:
        assert value.comparison is not None, "there is another choice"
        plan, parts = by_choice[value.choice], value.comparison.parts
        other = by_choice.get(value.comparison.other)
        if other is None or is_cut(plan) or is_cut(other):
            return
        compared = Compared(question, plan, other, same(plan, other))
        for change in changes(compared):
            weight = sum(parts.get(part, 0.0) for part in change.parts or parts)
            if (weight > 0.0) == change.gain:
                yield Consequence(change.code, change.params, weight, rank=change.rank)

    def highlights(plan: TurnPlan[Play, Choice]) -> list[Change]:
        """Return what a plan itself does that is worth saying, the most telling first."""
        before: TurnPlan[Play, Choice] = TurnPlan([], [], question.play, None)
        done = changes(Compared(question, plan, before, same_stage=False))
        named = [each for each in done if each.gain and each.code in highlighted]
        return sorted(named, key=lambda each: highlighted.index(each.code))

    def set_apart(plan: TurnPlan[Play, Choice], done: Sequence[Change]) -> list[Change]:
        """Return the highlights of one plan among equals: what others do not do."""
        others = [highlights(each) for each in plans if each is not plan]
        return [each for each in done if not others or any(each not in other for other in others)]

    def reasons(place: int, value: ChoiceValue[Choice]) -> list[Reason]:
        if value.comparison is None or value.choice not in by_choice:
            return []
        if place:
            return explain_other([*found(value)])
        best = explain_best([*found(value)], value.comparison.difference, TOLERANCES[WIN])
        vague = [reason.code for reason in best] in ([], [BALANCE])
        plan = by_choice[value.choice]
        done = highlights(plan)
        if vague:
            equal = value.comparison.difference <= TOLERANCES[WIN]
            said = set_apart(plan, done) if equal else done
            best = [each.reason for each in said[:MAX_HIGHLIGHTS]] or best
        if done and done[0].code == highlighted[0] and done[0].reason not in best:
            best = [done[0].reason, *best[:1]]
        return best

    return [reasons(place, value) for place, value in enumerate(hint.choices)]


def codes_with_balance(codes: Mapping[str, str]) -> dict[str, str]:
    """Return a game's codes of reasons with the common one: nothing stands out."""
    return {**codes, BALANCE: BALANCE_MEANING}
