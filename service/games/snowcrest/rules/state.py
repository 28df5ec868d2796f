"""What lies on the table in Snowcrest, and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Catalogue, Villager
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.payments.resources import NOTHING, Amounts, Building

VILLAGE_CELLS: Final = 9
CENTRE: Final = 4
CORNERS: Final = (0, 2, 6, 8)
LINES: Final = (
    (0, 1, 2),
    (3, 4, 5),
    (6, 7, 8),
    (0, 3, 6),
    (1, 4, 7),
    (2, 5, 8),
    (0, 4, 8),
    (2, 4, 6),
)
"""Rows, columns and both diagonals (C3)."""

MAX_OMEN: Final = 5
"""Where the track ends, on either side."""
BUILDING_SLOTS: Final = 8
BUILDING_LIMITS: Final = {Building.FARM: 21, Building.FORGE: 16, Building.TEMPLE: 16}
"""On the board at the start and in the villages together (C21)."""
JUNIPER_PER_PLAYER: Final = 3
"""On the forest, for each player."""
START_HAND: Final = 3
"""At the start."""


class Phase(IntEnum):
    """Which kind of turn is next."""

    SET_UP = 0
    TURNS = 1
    OVER = 2

    @property
    def label(self) -> str:
        return self.name.lower().replace("_", "-")


class Resident(NamedTuple):
    """A villager in a village."""

    card: Card
    exhausted: bool = False


class BuildingCount(NamedTuple):
    """A player's buildings of a kind."""

    up: int = 0
    spent: int = 0

    @property
    def total(self) -> int:
        return self.up + self.spent


class PostedChallenge(NamedTuple):
    """A challenge on the board, and the seat that has met it."""

    challenge: int
    by: int | None = None


Village: TypeAlias = tuple[Resident | None, ...]
BuildingCounts: TypeAlias = tuple[BuildingCount, BuildingCount, BuildingCount]

EMPTY_VILLAGE: Final[Village] = (None,) * VILLAGE_CELLS
FIRST_FARM: Final[BuildingCounts] = (BuildingCount(1), BuildingCount(), BuildingCount())


@dataclass(frozen=True, slots=True)
class Seat:
    """One player.

    Attributes:
        player: the name.
        tokens: resources.
        scrolls: taken.
        omen: of the marker, from -5 to 5; good is positive.
        omen_tokens: taken below the track.
        village: nine cells, row by row.
        buildings: farms, forges and temples.
        hand: sorted; ``UNKNOWN`` where whoever posts the state has not seen a card.
        discards: sorted.
    """

    player: str
    tokens: Amounts = NOTHING
    scrolls: int = 0
    omen: int = 0
    omen_tokens: int = 0
    village: Village = EMPTY_VILLAGE
    buildings: BuildingCounts = FIRST_FARM
    hand: tuple[Card, ...] = ()
    discards: tuple[Card, ...] = ()

    @property
    def building_count(self) -> int:
        return sum(stock.total for stock in self.buildings)

    @property
    def unknown_count(self) -> int:
        """How many of the hand cards nobody has told."""
        return self.hand.count(UNKNOWN)

    def with_resident(self, cell: int, resident: Resident | None) -> Seat:
        return replace(self, village=(*self.village[:cell], resident, *self.village[cell + 1 :]))

    def with_card(self, card: Card) -> Seat:
        """With one more in hand."""
        return replace(self, hand=tuple(sorted((*self.hand, card))))

    def without_card(self, card: Card) -> Seat:
        """Without one of the hand: that card, or an unknown one that turns out to be it."""
        hand = list(self.hand)
        hand.remove(card if card in hand else UNKNOWN)
        return replace(self, hand=tuple(hand))

    def with_discard(self, card: Card) -> Seat:
        return replace(self, discards=tuple(sorted((*self.discards, card))))


@dataclass(frozen=True, slots=True)
class Below:
    """What is known to lie at the bottom of the common piles, top first (C12)."""

    commons: tuple[Card, ...] = ()
    guardians: tuple[Card, ...] = ()
    forest: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A position between two turns.

    Attributes:
        seats: one to four, in the order of turns, from the start player.
        turn: index of the seat whose turn is next.
        supply: scrolls on the board.
        juniper: on the forest.
        row: common villagers turned up.
        challenges: on the board, in printed order.
        phase: which kind of turn is next.
        ending: whether the supply has been empty once (C9).
        below: known cards under the piles.
        starter_variant: the variant for beginners.
        difficulty: of the game of one (C13); 0 with several.
        rests: of the game of one.
        own_catalogue: that the caller brought; None stands for the house's.
    """

    seats: tuple[Seat, ...]
    turn: int
    supply: int
    juniper: int
    row: tuple[Card, ...]
    challenges: tuple[PostedChallenge, ...] = ()
    phase: Phase = Phase.TURNS
    ending: bool = False
    below: Below = Below()
    starter_variant: bool = False
    difficulty: int = 0
    rests: int = 0
    own_catalogue: Catalogue | None = None

    @property
    def catalogue(self) -> Catalogue:
        return DEFAULT_CATALOGUE if self.own_catalogue is None else self.own_catalogue

    def villager(self, card: Card) -> Villager:
        return self.catalogue.villagers[card]

    @property
    def solo(self) -> bool:
        return len(self.seats) == 1

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(seat.player for seat in self.seats)

    @property
    def mover(self) -> Seat:
        """Whose turn is next."""
        return self.seats[self.turn]

    def after(self, seat: int) -> tuple[int, ...]:
        """The other seats in the order of turns, from the left of one."""
        count = len(self.seats)
        return tuple((seat + step) % count for step in range(1, count))

    def with_seat(self, index: int, seat: Seat) -> State:
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def available_buildings(self, building: Building) -> int:
        """How many of a kind are on the board (C21)."""
        return BUILDING_LIMITS[building] - sum(
            seat.buildings[building].total for seat in self.seats
        )


# Villages -------------------------------------------------------------------------------------


def exhausted_lines(village: Village) -> int:
    """How many rows, columns and diagonals hold three exhausted villagers (C3)."""
    worn = [resident is not None and resident.exhausted for resident in village]
    return sum(all(worn[cell] for cell in line) for line in LINES)


# Hidden cards (C12) ---------------------------------------------------------------------------


def unseen_deck(state: State, index: int) -> Counter[Card]:
    """What a seat's pile and unknown hand cards may be together: the deck less all known cards.

    Returns:
        how many of each card, in deck order, none of them 0 times.
    """
    return unseen_deck_of(state.seats[index], state.catalogue)


def unseen_deck_of(seat: Seat, catalogue: Catalogue) -> Counter[Card]:
    """As :func:`unseen_deck`."""
    left = Counter(catalogue.deck)
    left.subtract(seat.discards)
    left.subtract(card for card in seat.hand if card != UNKNOWN)
    left.subtract(resident.card for resident in seat.village if resident is not None)
    return Counter({card: left[card] for card in catalogue.deck if left[card] > 0})


def pile_size(state: State, index: int) -> int:
    """How many cards lie face down beside a village."""
    return unseen_deck(state, index).total() - state.seats[index].unknown_count


def unseen_commons(state: State) -> Counter[Card]:
    """The unknown part of the common pile, which lies on top of what is known to be below."""
    left = state.catalogue.commons(solo=state.solo)
    left.subtract(state.row)
    left.subtract(state.below.commons)
    for seat in state.seats:
        for resident in seat.village:
            if resident is not None and resident.card in left:
                left[resident.card] -= 1
    return +left


def unseen_guardians(state: State) -> Counter[Card]:
    return state.catalogue.guardian_pile - Counter(state.below.guardians)


def unseen_forest(state: State) -> Counter[Card]:
    return state.catalogue.forest_pile - Counter(state.below.forest)


def top_candidates(unseen: Counter[Card], below: tuple[Card, ...]) -> Counter[Card]:
    """What may lie on top of a pile, in proportion: unknown cards lie above those known below."""
    return unseen or Counter(below[:1])


def known_after_draw(unseen: Counter[Card], below: tuple[Card, ...]) -> tuple[Card, ...]:
    """What is known of a pile once its top is gone; ``unseen`` is as it was before."""
    return below if unseen else below[1:]


def observed(state: State, player: str) -> State:
    """What a player sees: of the others' hands how many cards there are, and no more (C12)."""
    return replace(
        state,
        seats=tuple(
            seat if seat.player == player else replace(seat, hand=(UNKNOWN,) * len(seat.hand))
            for seat in state.seats
        ),
    )
