"""The state of a Snowcrest game between two turns, and what a player can observe of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple, TypeAlias

from service.core.frozen import HashedOnce, hash_once, replace
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Catalogue, Villager
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.rules.payments.resources import NOTHING, Amounts, Building

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
"""Cells of the rows, columns and both diagonals of a village (C3)."""

MAX_OMEN: Final = 5
"""The omen track runs from ``-MAX_OMEN`` to ``MAX_OMEN``."""
BUILDING_SLOTS: Final = 8
"""Buildings that fit below one village (C21)."""
BUILDING_LIMITS: Final = {Building.FARM: 21, Building.FORGE: 16, Building.TEMPLE: 16}
"""Buildings of each kind in the game, on the board and below the villages together (C21)."""
JUNIPER_PER_PLAYER: Final = 3
"""Juniper on a full forest, per player."""
START_HAND: Final = 3
"""Cards in each hand at the start."""


class Phase(IntEnum):
    """The phase of the game."""

    SET_UP = 0
    TURNS = 1
    OVER = 2

    @property
    def label(self) -> str:
        """The value of ``phase`` in JSON."""
        return self.name.lower().replace("_", "-")


class Resident(NamedTuple):
    """A villager card in a cell of a village."""

    card: Card
    exhausted: bool = False


class BuildingCount(NamedTuple):
    """The buildings of one kind that a player owns: face up and spent."""

    up: int = 0
    spent: int = 0

    @property
    def total(self) -> int:
        """Number of buildings of this kind, face up or spent."""
        return self.up + self.spent


class PostedChallenge(NamedTuple):
    """A challenge on the board.

    Attributes:
        challenge: index in the catalogue.
        by: index of the seat that has claimed it; None while it is open.
    """

    challenge: int
    by: int | None = None


Village: TypeAlias = tuple[Resident | None, ...]
BuildingCounts: TypeAlias = tuple[BuildingCount, BuildingCount, BuildingCount]

EMPTY_VILLAGE: Final[Village] = (None,) * VILLAGE_CELLS
FIRST_FARM: Final[BuildingCounts] = (BuildingCount(1), BuildingCount(), BuildingCount())


@dataclass(frozen=True, slots=True)
class Seat(HashedOnce):
    """One player's position.

    Attributes:
        player: name.
        tokens: resource tokens.
        scrolls: scrolls taken.
        omen: position of the omen marker, -5 to 5; positive is good.
        omen_tokens: omen tokens taken beyond the bad end of the track.
        village: nine cells, row by row.
        buildings: farms, forges and temples.
        hand: cards in ascending order; ``UNKNOWN`` for a card that the caller has not seen.
        discards: cards in ascending order.
        deck: name of the deck of the catalogue; None if all players have equal decks.
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
    deck: str | None = None

    __hash__ = hash_once

    @property
    def building_count(self) -> int:
        """Number of buildings of all kinds, spent ones included."""
        farms, forges, temples = self.buildings
        return farms.total + forges.total + temples.total

    @property
    def unknown_count(self) -> int:
        """Number of unknown cards in the hand."""
        return self.hand.count(UNKNOWN)

    def with_resident(self, cell: int, resident: Resident | None) -> Seat:
        """Return the seat with another resident, or none, in a cell."""
        return replace(self, village=(*self.village[:cell], resident, *self.village[cell + 1 :]))

    def with_card(self, card: Card) -> Seat:
        """Return the seat with one more card in hand."""
        return replace(self, hand=tuple(sorted((*self.hand, card))))

    def without_card(self, card: Card) -> Seat:
        """Return the seat with one card less in hand: this card, else an unknown one (C12)."""
        hand = list(self.hand)
        hand.remove(card if card in hand else UNKNOWN)
        return replace(self, hand=tuple(hand))

    def with_seen_cards(self, cards: tuple[Card, ...]) -> Seat:
        """Return the seat with unknown hand cards replaced by cards that the player has shown."""
        hand = list(self.hand)
        for card, count in Counter(cards).items():
            for _ in range(count - self.hand.count(card)):
                hand[hand.index(UNKNOWN)] = card
        return replace(self, hand=tuple(sorted(hand)))

    def with_discard(self, card: Card) -> Seat:
        """Return the seat with one more card in the discards."""
        return replace(self, discards=tuple(sorted((*self.discards, card))))


@dataclass(frozen=True, slots=True)
class Below:
    """Known cards at the bottom of the shared piles, top first (C12).

    The sampling seeds in ``engine/chances.py`` are derived from the ``repr`` of this class.
    """

    commons: tuple[Card, ...] = ()
    guardians: tuple[Card, ...] = ()
    forest: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class State(HashedOnce):
    """A position between two turns.

    Attributes:
        seats: one to four seats in turn order, beginning with the start player.
        turn: index of the seat that has the next turn.
        supply: scrolls on the board.
        juniper: juniper on the forest.
        row: face-up common villagers.
        challenges: challenges on the board.
        phase: phase of the game.
        ending: whether the supply has been empty once, which fixes the end of the game (C9).
        below: known cards at the bottom of the piles.
        starter_variant: whether the starter variant is played.
        difficulty: difficulty of a solo game, 1 to 10 (C13); 0 with several players.
        rests: rests taken in a solo game.
        own_catalogue: catalogue of the request; None stands for the default catalogue.
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

    __hash__ = hash_once

    @property
    def catalogue(self) -> Catalogue:
        """The catalogue in use."""
        return DEFAULT_CATALOGUE if self.own_catalogue is None else self.own_catalogue

    def villager(self, card: Card) -> Villager:
        """Return the villager of a card number."""
        return self.catalogue.villagers[card]

    @property
    def solo(self) -> bool:
        """Whether the game has a single player."""
        return len(self.seats) == 1

    @property
    def players(self) -> tuple[str, ...]:
        """Player names in turn order."""
        return tuple(seat.player for seat in self.seats)

    @property
    def mover(self) -> Seat:
        """The seat that has the next turn."""
        return self.seats[self.turn]

    def seats_after(self, seat: int) -> tuple[int, ...]:
        """Return the indices of the other seats in turn order, beginning after the given seat."""
        count = len(self.seats)
        return tuple((seat + step) % count for step in range(1, count))

    def with_seat(self, index: int, seat: Seat) -> State:
        """Return the state with another seat at an index."""
        return replace(self, seats=(*self.seats[:index], seat, *self.seats[index + 1 :]))

    def available_buildings(self, building: Building) -> int:
        """Return how many buildings of a kind are on the board (C21)."""
        return BUILDING_LIMITS[building] - sum(
            seat.buildings[building].total for seat in self.seats
        )


# Villages -------------------------------------------------------------------------------------


def exhausted_lines(village: Village) -> int:
    """Return how many rows, columns and diagonals have three exhausted villagers (C3)."""
    exhausted = [resident is not None and resident.exhausted for resident in village]
    return sum(exhausted[one] and exhausted[two] and exhausted[three] for one, two, three in LINES)


# Hidden cards (C12) ---------------------------------------------------------------------------


def unseen_deck(state: State, index: int) -> Counter[Card]:
    """Return the unseen cards of a deck: those in the pile or among the unknown hand cards.

    Returns:
        Copies per card, in deck order, without zero counts.
    """
    return unseen_deck_of(state.seats[index], state.catalogue)


def unseen_deck_of(seat: Seat, catalogue: Catalogue) -> Counter[Card]:
    """Return the same as :func:`unseen_deck` for a seat and a catalogue."""
    left = dict(catalogue.deck_of(seat.deck))
    residents = (resident.card for resident in seat.village if resident is not None)
    for card in (*seat.discards, *seat.hand, *residents):
        if card in left:  # Unknown cards and commons are not part of the deck.
            left[card] -= 1
    return Counter({card: count for card, count in left.items() if count > 0})


def pile_size(state: State, index: int) -> int:
    """Return the number of cards in a seat's face-down pile."""
    return unseen_deck(state, index).total() - state.seats[index].unknown_count


def unseen_commons(state: State) -> Counter[Card]:
    """Return the unknown commons, which lie above the known bottom of the pile."""
    left = state.catalogue.commons(solo=state.solo)
    left.subtract(state.row)
    left.subtract(state.below.commons)
    for seat in state.seats:
        for resident in seat.village:
            if resident is not None and resident.card in left:
                left[resident.card] -= 1
    return +left


def unseen_guardians(state: State) -> Counter[Card]:
    """Return the unknown guardians, which lie above the known bottom of the pile."""
    return state.catalogue.guardian_pile - Counter(state.below.guardians)


def unseen_forest(state: State) -> Counter[Card]:
    """Return the unknown forest cards, which lie above the known bottom of the pile."""
    return state.catalogue.forest_pile - Counter(state.below.forest)


def top_candidates(unseen: Counter[Card], below: tuple[Card, ...]) -> Counter[Card]:
    """Return the possible top cards of a pile with their weights.

    Unknown cards lie above the known ones, so a known card is on top only if none is unknown.
    """
    return unseen or Counter(below[:1])


def known_after_draw(unseen: Counter[Card], below: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the known bottom of a pile after its top card is drawn.

    Args:
        unseen: unknown cards of the pile before the draw.
        below: known bottom of the pile before the draw.
    """
    return below if unseen else below[1:]


def observed(state: State, player: str) -> State:
    """Return the state as one player observes it: the other hands become unknown cards (C12)."""
    return replace(
        state,
        seats=tuple(
            seat if seat.player == player else replace(seat, hand=(UNKNOWN,) * len(seat.hand))
            for seat in state.seats
        ),
    )
