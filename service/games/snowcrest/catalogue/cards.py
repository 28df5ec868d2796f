"""Cards as data: what a villager, a guardian, a forest card and a challenge can say (C1, C2).

The words of the effect language are the classes of this module and nothing else; nothing of a
card is ever evaluated.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias

from service.games.snowcrest.payments.resources import NOTHING, Amounts, Building, Resource

Card: TypeAlias = int
"""A villager, guardian or forest card: its place among all cards of the catalogue."""

UNKNOWN: Final[Card] = -1
"""A hand card that whoever posts a state has not seen (C12)."""
UNKNOWN_ID: Final = "unknown"

Names: TypeAlias = tuple[str, str, str]
"""In English, German and Chinese."""


# What cards do --------------------------------------------------------------------------------


class GainKind(IntEnum):
    """What a card can give; the resources come first, in their order."""

    BARLEY = 0
    BELL = 1
    BOWL = 2
    JUNIPER = 3
    GOLD = 4
    ANY = 5
    SCROLL = 6
    CARD = 7
    OMEN = 8
    LESS_OMEN = 9

    @property
    def label(self) -> str:
        return self.name.lower().replace("_", "-")

    @property
    def resource(self) -> Resource | None:
        return Resource(self) if self <= GainKind.GOLD else None


@dataclass(frozen=True, slots=True)
class Cost:
    """What has to be paid: so much of each resource, and so many of whatever kind."""

    plain: Amounts = NOTHING
    any: int = 0


@dataclass(frozen=True, slots=True)
class Gain:
    what: GainKind
    count: int = 1


@dataclass(frozen=True, slots=True)
class Build:
    """One building of a kind, or of any."""

    building: Building | None


@dataclass(frozen=True, slots=True)
class TurnUpBuildings:
    """All own spent buildings become usable again."""


@dataclass(frozen=True, slots=True)
class Worship:
    pass


@dataclass(frozen=True, slots=True)
class Meditate:
    pass


@dataclass(frozen=True, slots=True)
class Trade:
    """One of the sets, resources of a kind or scrolls, may be given for another."""

    sets: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A card from the own discards to the hand."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """Any number of hand cards may be discarded, and as many are drawn."""


@dataclass(frozen=True, slots=True)
class Recruit:
    """The villager makes way for another, who acts without being paid for."""


@dataclass(frozen=True, slots=True)
class PerBuilding:
    """A gain for each own face-up building of a kind, or of any."""

    building: Building | None
    gain: Gain


@dataclass(frozen=True, slots=True)
class Copy:
    """The actions of a face-up villager elsewhere."""


Effect: TypeAlias = (
    Gain
    | Build
    | TurnUpBuildings
    | Worship
    | Meditate
    | Trade
    | TakeBack
    | Redraw
    | Recruit
    | PerBuilding
    | Copy
)


EFFECT_LABELS: Final[dict[type[Effect], str]] = {
    Gain: "gain",
    Build: "build",
    TurnUpBuildings: "turn-up",
    Worship: "worship",
    Meditate: "meditate",
    Trade: "trade",
    TakeBack: "take-back",
    Redraw: "redraw",
    Recruit: "recruit",
    PerBuilding: "per-building",
    Copy: "copy",
}
"""The words of the effect language."""


@dataclass(frozen=True, slots=True)
class CardAction:
    """Effects in printed order, perhaps for a payment."""

    effects: tuple[Effect, ...]
    cost: Cost | None = None


class PenaltyItem(IntEnum):
    """What a penalty takes; the resources come first, in their order, then whatever kind."""

    BARLEY = 0
    BELL = 1
    BOWL = 2
    JUNIPER = 3
    GOLD = 4
    ANY = 5
    CARD = 6
    VILLAGER = 7
    FARM = 8
    FORGE = 9
    TEMPLE = 10
    BUILDING = 11

    @property
    def label(self) -> str:
        return self.name.lower()

    @property
    def is_resource(self) -> bool:
        return self <= PenaltyItem.ANY

    @property
    def is_building(self) -> bool:
        return self >= PenaltyItem.FARM


@dataclass(frozen=True, slots=True)
class Penalty:
    """What is demanded, item by item in their order, and omen that nothing averts (C7)."""

    items: tuple[PenaltyItem, ...] = ()
    omen: int = 0


# Cards ----------------------------------------------------------------------------------------


class VillagerKind(IntEnum):
    """Whose a villager is: in every own deck, there from the start or not, or anybody's."""

    STARTER = 0
    VILLAGER = 1
    COMMON = 2

    @property
    def label(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Villager:
    """A villager.

    Attributes:
        id: what it is called in the HTTP contract.
        kind: whose it is.
        cost: barley for playing it.
        actions: in printed order.
        icons: resources that it pays when exhausted or discarded, and yields at rest face up.
        settles: whether it can settle an item of a penalty (C15).
        back: what it yields when resting exhausted (C16); starters only.
        copies: how many there are.
        in_solo: whether it stays in the game of one.
        names: where the catalogue tells them.
    """

    id: str
    kind: VillagerKind
    cost: int
    actions: tuple[CardAction, ...] = ()
    icons: Amounts = NOTHING
    settles: bool = False
    back_icons: Amounts = NOTHING
    copies: int = 1
    in_solo: bool = True
    names: Names | None = None

    def has(self, kind: type[Effect]) -> bool:
        """Whether one of its effects is of that kind."""
        return any(isinstance(each, kind) for action in self.actions for each in action.effects)


@dataclass(frozen=True, slots=True)
class Spirit:
    """A guardian or a forest card: what it takes of whom, and the reward.

    Attributes:
        own: from whose turn it is.
        others: from everybody else.
        reward: for whose turn it is.
    """

    id: str
    own: Penalty
    others: Penalty
    reward: tuple[Gain, ...]
    copies: int = 1
    names: Names | None = None


class ConditionKind(IntEnum):
    """What the condition of a challenge counts."""

    BUILDINGS = 0
    RESOURCES = 1
    SCROLLS = 2
    OMEN = 3
    VILLAGERS = 4
    EXHAUSTED = 5
    EXHAUSTED_ROWS = 6
    HAND = 7

    @property
    def label(self) -> str:
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Condition:
    """At least so much of something; ``of`` narrows it, where it can, to a kind."""

    counted: ConditionKind
    at_least: int
    of: Building | Resource | VillagerKind | None = None


@dataclass(frozen=True, slots=True)
class Challenge:
    """All conditions at once are worth scrolls, to whoever meets them first (C10)."""

    id: str
    conditions: tuple[Condition, ...]
    scrolls: int
    names: Names | None = None


@dataclass(frozen=True)
class Catalogue:
    """All cards.

    Attributes:
        villagers: starters, then the rest of the deck that everybody has, then the commons.
        guardians, forest, challenges: likewise in the catalogue's order.
    """

    villagers: tuple[Villager, ...]
    guardians: tuple[Spirit, ...]
    forest: tuple[Spirit, ...]
    challenges: tuple[Challenge, ...]

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Every state holds a catalogue, and all its cards would be hashed again each time.
        return hash((self.villagers, self.guardians, self.forest, self.challenges))

    def __repr__(self) -> str:
        return f"Catalogue({len(self.villagers)} villagers, {len(self.guardians)} guardians)"

    def villager(self, card: Card) -> Villager:
        return self.villagers[card]

    def spirit(self, card: Card) -> Spirit:
        """The guardian or forest card of that number."""
        return self._spirits[card - len(self.villagers)]

    @cached_property
    def _spirits(self) -> tuple[Spirit, ...]:
        return self.guardians + self.forest

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """The names of all cards by their numbers."""
        return (*(each.id for each in self.villagers), *(each.id for each in self._spirits))

    @cached_property
    def card_by_id(self) -> dict[str, Card]:
        return {name: card for card, name in enumerate(self.ids)}

    @cached_property
    def challenge_by_id(self) -> dict[str, int]:
        return {challenge.id: index for index, challenge in enumerate(self.challenges)}

    def id(self, card: Card) -> str:
        return UNKNOWN_ID if card == UNKNOWN else self.ids[card]

    @cached_property
    def deck(self) -> Counter[Card]:
        """How many of each card everybody has, starters included."""
        return Counter(
            {
                card: villager.copies
                for card, villager in enumerate(self.villagers)
                if villager.kind is not VillagerKind.COMMON
            }
        )

    @cached_property
    def starters(self) -> tuple[Card, ...]:
        return tuple(
            card for card, each in enumerate(self.villagers) if each.kind is VillagerKind.STARTER
        )

    @cached_property
    def guardian_pile(self) -> Counter[Card]:
        first = len(self.villagers)
        return Counter({first + at: each.copies for at, each in enumerate(self.guardians)})

    @cached_property
    def forest_pile(self) -> Counter[Card]:
        first = len(self.villagers) + len(self.guardians)
        return Counter({first + at: each.copies for at, each in enumerate(self.forest)})

    def commons(self, *, solo: bool) -> Counter[Card]:
        """How many of each common there are in a game of several or of one."""
        return Counter(
            {
                card: villager.copies
                for card, villager in enumerate(self.villagers)
                if villager.kind is VillagerKind.COMMON and (villager.in_solo or not solo)
            }
        )
