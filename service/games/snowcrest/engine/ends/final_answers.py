"""Best answers to a penalty in the last turn, by backward induction over the players that answer.

Each player answers knowing the answers before, and maximizes its own final standing.  An answer
changes nothing but its own seat (C7), so the answers of one seat are listed once for all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Final, NamedTuple, TypeAlias

import numpy as np

from service.core.arrays import Floats, Ints
from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import PenaltyItem
from service.games.snowcrest.engine.ends.final_scores import (
    expected_standings,
    final_points,
    hidden_cards,
    standings,
)
from service.games.snowcrest.engine.ends.position_counter import PositionCounter
from service.games.snowcrest.engine.ends.turn_ends import after_draws, is_end
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.progress import apply_choice, resumed
from service.games.snowcrest.rules.scoring import final_resources
from service.games.snowcrest.rules.state import Seat, State, unseen_deck_of
from service.games.snowcrest.rules.turn import AnswerPenalty, TakeOmen, Task, Turn, take_omen

_FURTHER_ANSWERS: Final = 6
"""Answers to further items of a penalty that are compared."""
_MAX_SAMPLED: Final = 64
"""Combinations of answers that are compared if some cards are unknown."""
_MAX_COUNTED: Final = 5_000
"""Combinations of answers that are compared if all cards are known."""
_COMBINATIONS_PER_POSITION: Final = 8
"""So many combinations with unknown cards take the time of a position."""
_MOST_STEPS: Final = 600
"""Answers to the items of a penalty that are followed; further options of a seat are left out.
Penalties of the default catalogue take fewer than 100."""
_DIGITS: Final = 9
"""Digits of a standing that count; the others are rounding errors."""

AnswerList: TypeAlias = Callable[[Turn], Sequence[Action]]
"""Returns the answers to compare, cheapest first."""


class Option(NamedTuple):
    """Answers of a seat to all items of a penalty, and the seat after them."""

    answers: tuple[Action, ...]
    seat: Seat


class _Penalty(NamedTuple):
    """What the options of a seat depend on."""

    seat: int
    before: Seat
    items: tuple[PenaltyItem, ...]
    acting_cell: int | None


def _penalty(turn: Turn, task: AnswerPenalty) -> _Penalty:
    state = turn.state
    acting_cell = turn.acting_cell if task.seat == state.turn else None
    return _Penalty(task.seat, state.seats[task.seat], task.items, acting_cell)


class FinalAnswers:
    """Finds the best answers to penalties of the last turn.

    Args:
        list_answers: of the seat that has to answer.
        counter: counts each option of a seat, and each choice among them.
    """

    def __init__(self, list_answers: AnswerList, counter: PositionCounter) -> None:
        self._list_answers, self._counter = list_answers, counter
        self._options: dict[_Penalty, list[Option]] = {}
        self._best: dict[object, Sequence[Option]] = {}

    def best(self, turn: Turn) -> Sequence[Option]:
        """Return the best answers of the seat that has to answer, and of those after it.

        Returns:
            At least those of the first seat, of equal ones the cheapest; then those of the next
            seats that are certain to follow.
        """
        task = turn.task
        assert isinstance(task, AnswerPenalty), "a penalty is to be answered"
        [answers] = self.best_of(turn, [turn.state.seats[task.seat]])
        return answers

    def best_of(self, turn: Turn, seats: Sequence[Seat]) -> list[Sequence[Option]]:
        """Return the same for the seat with different hands."""
        tasks, after = list[_Penalty](), turn
        # What follows the answers is the same after all of them.
        while after.tasks and isinstance(after.task, AnswerPenalty):
            tasks.append(_penalty(after, after.task))
            self._options_of(after, after.task)
            after = to_next_answer(after.popped)
        state = after_draws(resumed(after)).state
        answering = [task.seat for task in tasks]
        rest = [
            _result(state, seat) for index, seat in enumerate(state.seats) if index not in answering
        ]
        return [
            self._best_with(turn, [tasks[0]._replace(before=seat), *tasks[1:]], state, rest)
            for seat in seats
        ]

    def _best_with(
        self, turn: Turn, tasks: list[_Penalty], state: State, rest: Sequence[object]
    ) -> Sequence[Option]:
        """Return the best options for the first of the tasks, and those certain to follow.

        Args:
            turn: in which the first task is to be answered; its seat may be another one.
            tasks: of all players that answer.
            state: after their answers; their seats do not matter.
            rest: what the standings depend on, of all other seats.
        """
        key = (*tasks, *rest)
        if key not in self._best:
            first = tasks[0]
            if first not in self._options:
                seated = turn.state.with_seat(first.seat, first.before)
                self._options_of(replace(turn, state=seated), turn.task)
            options = [self._options[task] for task in tasks]
            combinations = min(_MAX_SAMPLED, prod(map(len, options)))
            self._counter.add(1 + combinations // _COMBINATIONS_PER_POSITION)
            state = state.with_seat(first.seat, first.before)
            best = _best_options(state, [task.seat for task in tasks], options)
            self._best[key] = [own[place] for own, place in zip(options, best, strict=False)]
        return self._best[key]

    def _options_of(self, turn: Turn, task: Task) -> list[Option]:
        """Return the options of a seat with different results, cheapest first."""
        assert isinstance(task, AnswerPenalty), "a penalty is to be answered"
        key = _penalty(turn, task)
        if key not in self._options:
            self._options[key] = list(self._found_options(turn, task.seat).values())
        return self._options[key]

    def _found_options(self, turn: Turn, seat: int) -> dict[object, Option]:
        """Return the options by their results: depth first, the cheapest answers first."""
        found, reached = dict[object, Option](), set[Turn]()
        open_: list[tuple[Turn, tuple[Action, ...]]] = [(replace(turn, actions=()), ())]
        while open_ and (len(reached) < _MOST_STEPS or not found):
            here, given = open_.pop()
            if here in reached:
                continue
            reached.add(here)
            if is_end(here) or not isinstance(here.task, AnswerPenalty) or here.task.seat != seat:
                after = here.state.seats[seat]
                result = _result(here.state, after)
                if result not in found:
                    found[result] = Option(given, after)
                    self._counter.add()
                continue
            answers = self._list_answers(here)
            for answer in reversed(answers[:_FURTHER_ANSWERS] if given else answers):
                following = replace(apply_choice(here, answer).play, actions=())
                open_.append((following, (*given, answer)))
        return found


def to_next_answer(turn: Turn) -> Turn:
    """Return a turn between two answers to a penalty after the omen that all have to take (C7)."""
    while turn.tasks and isinstance(turn.task, TakeOmen | AnswerPenalty):
        task = turn.task
        if isinstance(task, TakeOmen):
            turn = take_omen(turn.popped, task.seat, task.count, "C7")
        elif task.items:
            break
        else:
            turn = turn.popped
    return turn


def _result(state: State, seat: Seat) -> object:
    """Return what the final standings depend on, of a seat."""
    known = final_points(seat), final_resources(seat, state.catalogue)
    if not seat.unknown_count:
        return known
    return known, seat.unknown_count, tuple(unseen_deck_of(seat, state.catalogue).items())


def _best_options(state: State, seats: Sequence[int], options: list[list[Option]]) -> Sequence[int]:
    """Return the indices of the best options: of the first seat, or of all if none is left out."""
    hidden = any(seat.unknown_count for seat in state.seats)
    most, all_ = _MAX_SAMPLED if hidden else _MAX_COUNTED, options
    while prod(map(len, options)) > most:
        longest = max(range(len(options)), key=lambda index: len(options[index]))
        options = [each[:-1] if index == longest else each for index, each in enumerate(options)]
    table = _standings_after(state, seats, [[each.seat for each in own] for own in options])
    best = best_by_induction(table.reshape(*map(len, options), len(seats)))
    # Later players compare more options once the first ones have answered.
    return best if options is all_ else best[:1]


def _standings_after(
    state: State, seats: Sequence[int], options: Sequence[Sequence[Seat]]
) -> Floats:
    """Return float64[combinations, len(seats)], the expected standings of these seats.

    Args:
        state: the final position.
        seats: that answer.
        options: each of them after each of its answers.
    """
    chosen = np.indices(tuple(map(len, options))).reshape(len(options), -1)
    count, catalogue = chosen.shape[1], state.catalogue
    points = np.tile([final_points(seat) for seat in state.seats], (count, 1))
    resources = np.tile([final_resources(seat, catalogue) for seat in state.seats], (count, 1, 1))
    hidden = [hidden_cards(seat, catalogue) for seat in state.seats]
    columns = [[each] * count for each in hidden]
    for seat, own, index in zip(seats, options, chosen, strict=True):
        points[:, seat] = np.array([final_points(each) for each in own])[index]
        resources[:, seat] = np.array([final_resources(each, catalogue) for each in own])[index]
        hands = [hidden_cards(each, catalogue) for each in own]
        columns[seat] = [hands[place] for place in index.tolist()]
    if state.solo or not any(unknown for _, unknown in hidden):
        table = standings(points, resources)
    else:
        hidden_by_position = list(zip(*columns, strict=True))
        table = expected_standings(points, resources, hidden_by_position, catalogue)
    return table[:, list(seats)]


def best_by_induction(table: Floats) -> list[int]:
    """Return the players' options by backward induction, the first of equal ones.

    Args:
        table: float64[options of each player ..., players], what each player maximizes, in the
            order in which they choose.
    """
    left, best = table.round(_DIGITS), list[Ints]()
    for player in range(table.shape[-1] - 1, -1, -1):
        best.append(left[..., player].argmax(axis=-1))
        left = np.take_along_axis(left, best[-1][..., None, None], axis=-2)[..., 0, :]
    chosen: list[int] = []
    for options in reversed(best):
        chosen.append(int(options[tuple(chosen)]))
    return chosen
