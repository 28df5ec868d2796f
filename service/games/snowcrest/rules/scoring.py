"""Final scoring (C11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from service.games.snowcrest.catalogue.cards import UNKNOWN, Catalogue
from service.games.snowcrest.rules.payments.resources import (
    NOTHING,
    ONE,
    PLAIN,
    Amounts,
    Building,
    Resource,
    plus,
)
from service.games.snowcrest.rules.solo import is_won
from service.games.snowcrest.rules.state import Seat, State

BUILDING_POINTS: Final = {6: 1, 7: 3, 8: 5}
"""Points for the total number of buildings; spent ones count."""


@dataclass(frozen=True, slots=True)
class Score:
    """The components of one player's score.

    Attributes:
        player: name.
        scrolls, buildings, omen, omen_tokens: points; the last two may be negative.
        majorities: 1 for each resource of which no player has more; all 0 in a solo game.
        resources: tokens after the final conversion.
    """

    player: str
    scrolls: int
    buildings: int
    omen: int
    omen_tokens: int
    majorities: Amounts
    resources: Amounts

    @property
    def points(self) -> int:
        """The final score of the player: the sum of all its parts."""
        return self.scrolls + self.buildings + self.omen + self.omen_tokens + sum(self.majorities)


# A search asks again and again: most seats stay as they are.
@lru_cache(maxsize=1024)
def final_resources(seat: Seat, catalogue: Catalogue) -> Amounts:
    """Return the resources of a seat once villagers, buildings and hand cards are converted.

    Icons of any kind are still among the gold.
    """
    total = seat.tokens
    for kind in Building:
        total = plus(total, ONE[kind.yields], seat.buildings[kind].up)
    for resident in seat.village:
        if resident is not None and not resident.exhausted:
            total = plus(total, catalogue.villagers[resident.card].icons)
    for card in seat.hand:
        if card != UNKNOWN:
            total = plus(total, catalogue.villagers[card].icons)
    return total


def scores(state: State) -> tuple[Score, ...]:
    """Return the scores in seat order; unknown hand cards count nothing."""
    resources = _with_chosen_kinds(state)
    return tuple(
        Score(
            player=seat.player,
            scrolls=seat.scrolls,
            buildings=BUILDING_POINTS.get(seat.building_count, 0),
            omen=seat.omen,
            omen_tokens=-seat.omen_tokens,
            majorities=NOTHING if state.solo else _majorities(total, resources),
            resources=total,
        )
        for seat, total in zip(state.seats, resources, strict=True)
    )


def _with_chosen_kinds(state: State) -> list[Amounts]:
    """Return the final resources, with a kind for each icon of any kind, in turn order (C22)."""
    resources = [final_resources(seat, state.catalogue) for seat in state.seats]
    for index, seat in enumerate(state.seats):
        left = _any_icons(seat, state.catalogue)
        while left:
            kind, count = _next_kind(resources, index, left)
            chosen = plus(resources[index], ONE[kind], count)
            resources[index] = plus(chosen, ONE[Resource.GOLD], -count)
            left -= count
    return resources


@lru_cache(maxsize=1024)
def _any_icons(seat: Seat, catalogue: Catalogue) -> int:
    residents = (each for each in seat.village if each is not None and not each.exhausted)
    cards = (*(each.card for each in residents), *(card for card in seat.hand if card != UNKNOWN))
    return sum(catalogue.villagers[card].any_icons for card in cards)


def _next_kind(resources: Sequence[Amounts], index: int, left: int) -> tuple[Resource, int]:
    """Return the kind that icons of a seat become next, and how many of those left (C22).

    The majority comes first that lacks the fewest, if the icons are enough for it; then one icon
    ends a tie; then all become the kind of which the seat's lead is smallest.
    """

    def lead(kind: Resource) -> int:
        others = (each[kind] for place, each in enumerate(resources) if place != index)
        own, most = resources[index][kind], max((0, *others))
        return own - (most if own >= max(1, most) else max(1, most))

    def rank(kind: Resource) -> tuple[int, int]:
        number = lead(kind)
        return (1, number) if number >= 0 else (0 if -number <= left else 2, -number)

    kind = min(PLAIN, key=rank)
    number = lead(kind)
    return kind, 1 if number == 0 else min(-number, left) if number < 0 else left


def _majorities(own: Amounts, all_: Sequence[Amounts]) -> Amounts:
    """Return 1 for each resource that this seat has and of which no seat has more."""
    barley, bell, bowl, juniper, gold = (
        int(0 < own[kind] == max(total[kind] for total in all_)) for kind in Resource
    )
    return (barley, bell, bowl, juniper, gold)


def winners(state: State, table: Sequence[Score] | None = None) -> tuple[str, ...]:
    """Return the winners of a finished game: most points, then most resources, then shared.

    Args:
        table: the scores of the state, if they are known already.
    """
    table = table or scores(state)
    if state.solo:
        [own] = table
        return (own.player,) if is_won(state, own.points) else ()
    ranks = [(score.points, sum(score.resources)) for score in table]
    return tuple(
        score.player for score, rank in zip(table, ranks, strict=True) if rank == max(ranks)
    )
