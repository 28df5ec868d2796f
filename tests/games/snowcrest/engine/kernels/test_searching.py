"""The compiled search of one turn equals a plain one of the same positions."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest

from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.kernels import searching
from service.games.snowcrest.engine.kernels.choices import listing
from service.games.snowcrest.engine.kernels.choices.candidates import list_candidates
from service.games.snowcrest.engine.kernels.choices.endings import MOST_HIDDEN, deal
from service.games.snowcrest.engine.kernels.choices.estimation import memo_size
from service.games.snowcrest.engine.kernels.choices.listing import MOST_ACTIONS
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.rules.acting import act
from service.games.snowcrest.engine.lookahead import LookAhead
from service.games.snowcrest.rules.state import observed
from tests import randomized
from tests.games.snowcrest.engine.kernels.test_twin import SETUPS, start, steps

SEEDS = [
    seed
    for seed in randomized.case_numbers(6, 60)
    if len(SETUPS[seed % len(SETUPS)]["players"]) > 1
]
EVERY = 4
"""Of the decisions of a random game, one in so many is searched."""


class Search(NamedTuple):
    """The arguments of a search."""

    tools: listing.Search
    asker: int

    @property
    def cards(self):
        return self.tools.cards

    def rate(self, position):
        return searching.rate(position, self.tools, self.asker)

    def end_value(self, position):
        return searching.end_value(position, self.tools, self.asker)

    def settle(self, position):
        return searching.settle(position, self.tools, self.asker, False) & ~searching.ASSUMED

    def choices(self, position):
        count = list_candidates(position, self.tools, 1)
        return self.tools.actions[:count].copy()

    def after(self, position, choice):
        """Return the position after a choice, and what it needs next."""
        reached = position.copy()
        act(reached, self.cards, choice)
        return reached, self.settle(reached)


def new_actions(cards):
    return np.zeros((MOST_ACTIONS, cards[at.ACTION_SIZE]), np.int16)


def decisions(seed: int) -> Iterator[tuple[Search, Any]]:
    """Yield decisions of a random game to search."""
    random, state, packing = start(seed, own_catalogue=False)
    evaluator, cards, players = default_evaluator(), packing.cards, len(state.seats)
    for number, (_, _, turn) in enumerate(steps(random, state)):
        if not turn.tasks or number % EVERY:
            continue
        asker = turn.state.turn
        view = replace(turn, state=observed(turn.state, turn.mover.player), actions=())
        position = packing.pack(view)
        models = LookAhead(view.state, asker, evaluator).models
        orders = np.zeros((2, max(cards[at.GUARDIANS], cards[at.FOREST])), np.int64)
        searching.sample_spirits(position, cards, orders)
        deals = np.zeros((searching.DEAL_COUNT, players, MOST_HIDDEN + 1, at.ICON_KINDS), np.int16)
        if position[at.SUPPLY] <= searching.FEW_SCROLLS or position[at.ENDING]:
            deal(position, cards, deals)
        memos = np.full((players, memo_size(cards)), -1.0)
        actions, scratch = new_actions(cards), np.zeros(len(position), np.int16)
        tools = listing.Search(cards, models, memos, deals, orders, actions, scratch)
        yield Search(tools, asker), position


def plain_value(search: Search, position: Any) -> float:
    """Return the value of a position in the asker's turn: of the best end or event on one line."""
    position = position.copy()
    status = search.settle(position)
    if status == searching.FAILURE:
        return -1.0
    if status == searching.ENDED:
        return search.end_value(position)
    if status == searching.EVENT:
        return plain_event_value(search, position)
    ends, events, following = list[Any](), list[Any](), [position]
    while following:
        before, following = max(following, key=search.rate), []
        for choice in search.choices(before):
            reached, status = search.after(before, choice)
            if status != searching.FAILURE:
                layers = {searching.OWN: following, searching.ENDED: ends, searching.EVENT: events}
                layers[status].append(reached)
    values = [-1.0]
    if events:
        values.append(plain_event_value(search, max(events, key=search.rate)))
    if ends:
        values.append(search.end_value(max(ends, key=search.rate)))
    return max(values)


def plain_event_value(search: Search, event: Any) -> float:
    """Return the mean value over the outcomes of an event, with one line after each."""
    after, chances = np.zeros((searching.MOST_OUTCOMES, len(event)), np.int16), np.zeros(8)
    count = searching.branch(event, search.tools, after, chances)
    return sum(chances[number] * line_value(search, after[number]) for number in range(count))


def line_value(search: Search, position: Any) -> float:
    """Return the value of following the best-rated choice of each decision."""
    position = position.copy()
    while (status := search.settle(position)) == searching.OWN:
        choices = search.choices(position)
        reached = [search.after(position, choice) for choice in choices]
        rated = [
            (search.rate(after), -number)
            for number, (after, status) in enumerate(reached)
            if status != searching.FAILURE
        ]
        act(position, search.cards, choices[-max(rated, default=(0.0, 0))[1]])
    if status == searching.FAILURE:
        return 0.0
    if status == searching.EVENT:
        return plain_event_value(search, position)
    return search.end_value(position)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_turn_has_the_value_of_a_plain_search(seed):
    compared = 0
    for search, position in decisions(seed):
        chances = np.zeros((3, searching.MOST_OPEN + searching.MOST_OUTCOMES))
        memory = np.zeros((searching.MEMORY, len(position)), np.int16)
        memory[searching.HERE] = position
        choices = new_actions(search.cards)
        value = searching.value_after(search.tools, search.asker, choices, chances, memory)
        assert value == pytest.approx(plain_value(search, position), abs=1e-9)
        compared += 1
    assert compared > 2
