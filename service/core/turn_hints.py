"""Questions and hints for turn-based games; see ``sequential.py`` for the search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeAlias

from service.core.advice import UNKNOWN
from service.core.comparison import Comparison
from service.core.game import Chance, Choice, Decision, Play
from service.core.vocabulary import FULL

Bounds: TypeAlias = tuple[float, float]
"""The smallest and the largest share of the asker that are proven, whatever the others do and the
hidden cards and draws are: it can play so that it gets the first one, and never gets more than the
second one."""


@dataclass(frozen=True, slots=True)
class TurnQuestion(Generic[Play, Choice]):
    """A legal question for a hint in a turn.

    Attributes:
        play: the turn so far, as the asker sees it.
        decision: the decision in question.
        player: the asker, who decides.
        effort: work budget of the search.
        deadline_ms: milliseconds after receipt at which the search stops, or None.
        chosen: the asker's choice to grade, or None.
        detail: how long the hint is: ``full`` or ``brief``.
        include: optional parts of the hint: ``facts``.
        stated: the turn as the request states it, if the asker's own cards are unknown in it: then
            the cards of others decide which choices are legal.  Otherwise None.
    """

    play: Play
    decision: Decision[Choice]
    player: str
    effort: str
    deadline_ms: int | None
    chosen: Choice | None
    detail: str = FULL
    include: frozenset[str] = frozenset()
    stated: Play | None = None


@dataclass(frozen=True, slots=True)
class CanonicalTurn(Generic[Play, Choice]):
    """A question in canonical form, the same for all questions that are symmetric to it.

    Attributes:
        question: in this form.
        form_of: returns the choice in this form that is equal to a choice of the given question.
        restored: returns the choice of the given question, at this or a later decision of its
            turn, for a choice of the asker in this form.
    """

    question: TurnQuestion[Play, Choice]
    form_of: Callable[[Choice], Choice]
    restored: Callable[[Choice], Choice]


@dataclass(frozen=True, slots=True)
class TurnPlan(Generic[Play, Choice]):
    """A choice of the asker and its best choices after it, until something else happens.

    Attributes:
        choices: the choice, and those after it.
        plays: before each of them, as the asker sees it.
        play: after these choices, as the asker sees it.
        open: the node after them: a draw, another player's decision, or None at the end of the
            turn; or the asker's own decision, if the deadline or the budget stopped the planning.
        events: what happens until then.
    """

    choices: Sequence[Choice]
    plays: Sequence[Play]
    play: Play
    open: Decision[Choice] | Chance[Any] | None
    events: Sequence[Any] = ()


@dataclass(frozen=True, slots=True)
class ChoiceValue(Generic[Choice]):
    """The value of a choice to the asker, in win shares.

    Attributes:
        choice: the choice.
        value: rounded; of a choice that assumes a card, at most that of the first choice.
        loss: the best value minus this one.
        error: bound for the error of the value that holds in nine of ten positions.
        shares: of all players, rounded.
        comparison: with the best choice, or for the best choice with the best different one; None
            if there is only one choice.
        difference_error: bound for the error of the difference of the comparison that holds in nine
            of ten positions.
        bounds: see :data:`Bounds`.
        assumed: whether the choice names a card of the asker's that the question calls unknown.
    """

    choice: Choice
    value: float
    loss: float
    error: float
    shares: Mapping[str, float]
    comparison: Comparison[Choice] | None = None
    difference_error: float = 0.0
    bounds: Bounds = UNKNOWN
    assumed: bool = False


@dataclass(frozen=True, slots=True)
class TurnHint(Generic[Choice]):
    """The answer to a question.

    Attributes:
        choices: every legal choice, the best first.
        grade: the graded choice and its class, or None.
        win_shares: of all players after the best choice; they sum to 1.
        method: the algorithm.
        rounds: rounds of the other players' turns that were looked ahead.
        determinizations: number of deals of the hidden cards.
        exact: whether no value was estimated, pruned or sampled.
        complete: False if the deadline stopped the search.
        nodes: positions searched.
    """

    choices: Sequence[ChoiceValue[Choice]]
    grade: tuple[ChoiceValue[Choice], str] | None
    win_shares: Mapping[str, float]
    method: str
    rounds: int
    determinizations: int
    exact: bool
    complete: bool
    nodes: int

    @property
    def certain(self) -> Sequence[ChoiceValue[Choice]]:
        """The first choices, which assume no card; all of them if each one assumes a card."""
        return [each for each in self.choices if not each.assumed] or self.choices
