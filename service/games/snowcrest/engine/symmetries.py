"""Equal positions as one: turned and mirrored villages, and the order of the row.

The cells of a village matter only by the lines that they form (C3).  The eight rotations and
reflections of the square keep all lines, and no other permutation does.  Each village has them on
its own: no rule compares the cells of two villages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, TypeAlias

from service.core.frozen import replace
from service.core.turn_hints import CanonicalTurn, TurnQuestion
from service.games.snowcrest.rules import turn as rules
from service.games.snowcrest.rules.actions import Action, ActionType, Payment
from service.games.snowcrest.rules.choices import listed_choices
from service.games.snowcrest.rules.effects.meditation import bidders
from service.games.snowcrest.rules.state import VILLAGE_CELLS, Resident, Village
from service.games.snowcrest.rules.turn import Turn, deciding_seat

CellMap: TypeAlias = tuple[int, ...]
"""The new cell of each cell of a village."""
Cells: TypeAlias = tuple[tuple[int, ...], ...]
"""What a turn says about the cells of a village, besides who is there."""


def _symmetries() -> Iterator[CellMap]:
    cells = [divmod(cell, 3) for cell in range(VILLAGE_CELLS)]
    for mirrored, upside_down, reversed_ in product((False, True), repeat=3):
        moved = ((column, row) if mirrored else (row, column) for row, column in cells)
        yield tuple(
            3 * (2 - row if upside_down else row) + (2 - column if reversed_ else column)
            for row, column in moved
        )


SYMMETRIES: Final = tuple(_symmetries())


def canonical(question: TurnQuestion[Turn, Action]) -> CanonicalTurn[Turn, Action]:
    """Return the one form of a question that all equal ones have."""
    turn, state = question.play, question.play.state
    maps = [_canonical_map(turn, index) for index in range(len(state.seats))]
    play = _moved_turn(turn, maps)
    asker, players = deciding_seat(turn), state.players
    [listed] = question.decision.choices.values()
    choices = [moved_action(choice, asker, maps, players) for choice in listed]
    # A long list of choices depends on the cells, and may lack the choice to grade.
    places = {choice: place for place, choice in enumerate(listed_choices(play))}
    choices.sort(key=lambda choice: (places.get(choice, len(places)), _nameless(choice, players)))
    back = [inverse(each) for each in maps]
    chosen = question.chosen
    return CanonicalTurn(
        replace(
            question,
            play=play,
            stated=question.stated and _moved_turn(question.stated, maps),
            decision=replace(question.decision, choices={question.player: tuple(choices)}),
            chosen=None if chosen is None else moved_action(chosen, asker, maps, players),
        ),
        form_of=lambda choice: moved_action(choice, asker, maps, players),
        restored=lambda choice: moved_action(choice, asker, back, players),
    )


def _moved_turn(turn: Turn, maps: Sequence[CellMap]) -> Turn:
    """Return a turn after the symmetries of all villages, with sorted row and challenges."""
    state = turn.state
    seats = tuple(
        replace(seat, village=moved_village(seat.village, own))
        for seat, own in zip(state.seats, maps, strict=True)
    )
    challenges = tuple(sorted(state.challenges, key=lambda posted: posted.challenge))
    return replace(
        turn,
        state=replace(state, seats=seats, row=tuple(sorted(state.row)), challenges=challenges),
        tasks=tuple(_moved_task(turn, task, maps) for task in turn.tasks),
        acting_cell=None if turn.acting_cell is None else maps[state.turn][turn.acting_cell],
        actions=(),
    )


def _canonical_map(turn: Turn, index: int) -> CellMap:
    """Return the symmetry that leads to the least form of a village."""
    village, cells = turn.state.seats[index].village, _cells_of(turn, index)

    def form(cell_map: CellMap) -> tuple[list[Resident], list[tuple[int, ...]]]:
        moved = [tuple(sorted(cell_map[cell] for cell in each)) for each in cells]
        return [each or _EMPTY for each in moved_village(village, cell_map)], moved

    return min(SYMMETRIES, key=form)


_EMPTY: Final = Resident(-2)


def _cells_of(turn: Turn, index: int) -> Cells:
    """Return the cells that a turn names in the village of a seat."""
    cells: list[tuple[int, ...]] = []
    if index == turn.state.turn:
        cells.append(() if turn.acting_cell is None else (turn.acting_cell,))
        cells += [
            (task.cell,)
            for task in turn.tasks
            if isinstance(task, rules.ExhaustVillager | rules.PlaceRecruit)
        ]
    for task in turn.tasks:
        if isinstance(task, rules.CollectBids | rules.DecideBids):
            bids = zip(bidders(turn), task.bids, strict=False)
            cells += [bid.cells for seat, bid in bids if seat == index]
        elif isinstance(task, rules.AnswerPenalty) and task.seat == index:
            cells.append(task.given.cells)
    return tuple(cells)


# Forms ----------------------------------------------------------------------------------------


def moved_village(village: Village, cell_map: CellMap) -> Village:
    """Return a village after a symmetry."""
    moved: list[Resident | None] = [None] * VILLAGE_CELLS
    for cell, resident in enumerate(village):
        moved[cell_map[cell]] = resident
    return tuple(moved)


def inverse(cell_map: CellMap) -> CellMap:
    """Return the symmetry that undoes another one."""
    return tuple(cell_map.index(cell) for cell in range(VILLAGE_CELLS))


def moved_action(
    action: Action, seat: int, maps: Sequence[CellMap], players: Sequence[str]
) -> Action:
    """Return an action of a seat after the symmetries of all villages."""
    if action.cell is None and action.payment is None:
        return action
    of_cell = players.index(action.owner) if action.type is ActionType.COPY else seat
    return replace(
        action,
        cell=None if action.cell is None else maps[of_cell][action.cell],
        payment=None if action.payment is None else _moved_payment(action.payment, maps[seat]),
    )


def _moved_payment(payment: Payment, cell_map: CellMap) -> Payment:
    return payment._replace(cells=tuple(sorted(cell_map[cell] for cell in payment.cells)))


def _moved_task(turn: Turn, task: rules.Task, maps: Sequence[CellMap]) -> rules.Task:
    match task:
        case rules.ExhaustVillager(cell=cell) | rules.PlaceRecruit(cell=cell):
            return replace(task, cell=maps[turn.state.turn][cell])
        case rules.CollectBids(bids=bids) | rules.DecideBids(bids=bids):
            moved = (
                _moved_payment(bid, maps[seat])
                for seat, bid in zip(bidders(turn), bids, strict=False)
            )
            return replace(task, bids=tuple(moved))
        case rules.AnswerPenalty(seat=seat, given=given):
            return replace(task, given=_moved_payment(given, maps[seat]))
    return task


def _nameless(action: Action, players: Sequence[str]) -> str:
    owner = action.owner and str(players.index(action.owner))
    return repr(replace(action, player=None, owner=owner))
