"""Card types and the effect language of a catalogue (C1, C2).

The effect language consists of the classes of this module and nothing else.  Cards contain no code.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import Final, TypeAlias

from service.games.snowcrest.rules.payments.resources import NOTHING, Amounts, Building, Resource

Card: TypeAlias = int
"""Number of a villager, guardian or forest card: its index among all cards of the catalogue."""

UNKNOWN: Final[Card] = -1
"""A hand card that the caller has not seen (C12)."""
NO_LIMIT: Final = 999
"""More than a condition can count."""
UNKNOWN_ID: Final = "unknown"

Names: TypeAlias = tuple[tuple[str, str], ...]
"""Pairs of a language and a name, in the order of ``LANGUAGES``."""


# What cards do --------------------------------------------------------------------------------


class GainKind(IntEnum):
    """What a card can give; the resources come first, in the order of :class:`Resource`.

    Only guardians and forest cards give buildings; villagers build them.
    """

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
    FARM = 10
    FORGE = 11
    TEMPLE = 12
    BUILDING = 13

    @property
    def label(self) -> str:
        """The value of ``what`` in JSON."""
        return self.name.lower().replace("_", "-")

    @property
    def resource(self) -> Resource | None:
        """The resource of this kind; None if it is not a single resource."""
        return Resource(self) if self <= GainKind.GOLD else None

    @property
    def is_building(self) -> bool:
        """Whether the gain is a building of one kind or of any."""
        return self >= GainKind.FARM

    @property
    def building(self) -> Building | None:
        """The building of this kind; None if the player chooses one."""
        return None if self is GainKind.BUILDING else Building(self - GainKind.FARM)


@dataclass(frozen=True, slots=True)
class Cost:
    """A cost.

    Attributes:
        plain: amount of each resource.
        any: number of resources of any kind.
        items: hand cards and buildings, given after the resources.
    """

    plain: Amounts = NOTHING
    any: int = 0
    items: tuple[PenaltyItem, ...] = ()


@dataclass(frozen=True, slots=True)
class Gain:
    """A number of resources, scrolls, cards, omen steps or buildings."""

    what: GainKind
    count: int = 1


@dataclass(frozen=True, slots=True)
class Build:
    """Build one building of a kind, or of any kind."""

    building: Building | None


@dataclass(frozen=True, slots=True)
class TurnUpBuildings:
    """Turn all own spent buildings face up."""


@dataclass(frozen=True, slots=True)
class Worship:
    """Reveal a guardian."""

    pass


@dataclass(frozen=True, slots=True)
class Meditate:
    """Bid bells against the other players for scrolls (C6)."""

    pass


@dataclass(frozen=True, slots=True)
class Trade:
    """Give one of the sets, if wanted, for another one."""

    sets: tuple[Gain, ...]


@dataclass(frozen=True, slots=True)
class TakeBack:
    """Take a card from the own discards into the hand."""


@dataclass(frozen=True, slots=True)
class Redraw:
    """Discard any number of hand cards and draw the same number."""


@dataclass(frozen=True, slots=True)
class Recruit:
    """Replace this villager by another one, who acts at no cost (C18)."""


@dataclass(frozen=True, slots=True)
class PerBuilding:
    """Gain once for each own face-up building of a kind, or of any kind."""

    building: Building | None
    gain: Gain


@dataclass(frozen=True, slots=True)
class Copy:
    """Perform the actions of another face-up villager (C17)."""


@dataclass(frozen=True, slots=True)
class Wake:
    """Turn one own exhausted villager face up."""


@dataclass(frozen=True, slots=True)
class Exhaust:
    """Exhaust one own face-up villager, except the one who acts."""


@dataclass(frozen=True, slots=True)
class Discard:
    """Discard a hand card."""


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
    | Wake
    | Exhaust
    | Discard
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
    Wake: "wake",
    Exhaust: "exhaust",
    Discard: "discard",
}
"""The values of an effect's ``type`` in JSON."""


@dataclass(frozen=True, slots=True)
class CardAction:
    """An action on a card: effects in printed order, with an optional cost."""

    effects: tuple[Effect, ...]
    cost: Cost | None = None


class PenaltyItem(IntEnum):
    """What a penalty takes; the resources come first, in the order of :class:`Resource`."""

    BARLEY = 0
    BELL = 1
    BOWL = 2
    JUNIPER = 3
    GOLD = 4
    ANY = 5
    CARD = 6
    VILLAGER = 7
    EXHAUSTED = 8
    FARM = 9
    FORGE = 10
    TEMPLE = 11
    BUILDING = 12

    @property
    def label(self) -> str:
        """The value of ``item`` in JSON."""
        return self.name.lower()

    @property
    def is_resource(self) -> bool:
        """Whether the item is a token of one resource or of any."""
        return self <= PenaltyItem.ANY

    @property
    def is_building(self) -> bool:
        """Whether the item is a building of one kind or of any."""
        return self >= PenaltyItem.FARM


COST_ITEMS: Final = (
    PenaltyItem.CARD, PenaltyItem.FARM, PenaltyItem.FORGE, PenaltyItem.TEMPLE, PenaltyItem.BUILDING,
)  # fmt: skip
"""What a cost may have besides resources."""


@dataclass(frozen=True, slots=True)
class Penalty:
    """Penalty items in order, and omen that cannot be paid or settled (C7)."""

    items: tuple[PenaltyItem, ...] = ()
    omen: int = 0


# Cards ----------------------------------------------------------------------------------------


class VillagerKind(IntEnum):
    """The kind of a villager: starter, other card of the own deck, or common villager."""

    STARTER = 0
    VILLAGER = 1
    COMMON = 2

    @property
    def label(self) -> str:
        """The value of ``kind`` in JSON."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Villager:
    """A villager card.

    Attributes:
        id: id in the API.
        kind: kind of the villager.
        cost: barley that the player pays to play it.
        actions: actions in printed order.
        icons: resources that it pays when exhausted or discarded, and yields face up at a rest.
            A resource of any kind pays what gold pays, so it is among the gold (C4).
        any_icons: how many of the gold are resources of any kind instead.
        less_omen: steps on the omen track that it yields face up at a rest (C16).
        settles: whether it can settle a penalty item (C15).
        back_icons: resources that it yields exhausted at a rest (C16); starters only.
        copies: number of copies.
        in_solo: whether it is used in the solo game.
        names: names, if the catalogue has them.
    """

    id: str
    kind: VillagerKind
    cost: int
    actions: tuple[CardAction, ...] = ()
    icons: Amounts = NOTHING
    any_icons: int = 0
    less_omen: int = 0
    settles: bool = False
    back_icons: Amounts = NOTHING
    copies: int = 1
    in_solo: bool = True
    names: Names | None = None

    def has(self, kind: type[Effect]) -> bool:
        """Return whether one of the effects is of a type."""
        return any(isinstance(each, kind) for action in self.actions for each in action.effects)


@dataclass(frozen=True, slots=True)
class Spirit:
    """A guardian or a forest card.

    Attributes:
        id: id in the API.
        own: penalty of the active player.
        others: penalty of each other player.
        reward: reward of the active player.
        copies: number of copies.
        names: names, if the catalogue has them.
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
        """The value of a condition's ``type`` in JSON."""
        return self.name.lower().replace("_", "-")


@dataclass(frozen=True, slots=True)
class Condition:
    """A count within bounds; ``of`` restricts it to one building, resource or kind of villager."""

    kind: ConditionKind
    at_least: int
    of: Building | Resource | VillagerKind | None = None
    at_most: int = NO_LIMIT


@dataclass(frozen=True, slots=True)
class Challenge:
    """A challenge: the first player who meets all conditions at once takes the scrolls (C10)."""

    id: str
    conditions: tuple[Condition, ...]
    scrolls: int
    names: Names | None = None


@dataclass(frozen=True)
class Catalogue:
    """All cards.

    Attributes:
        villagers: starters, then the other cards of the own deck, then the commons.
        guardians, forest, challenges: cards in the order of the catalogue.
        decks: name and cards of the deck of each colour; empty if all players have equal decks.
    """

    villagers: tuple[Villager, ...]
    guardians: tuple[Spirit, ...]
    forest: tuple[Spirit, ...]
    challenges: tuple[Challenge, ...]
    decks: tuple[tuple[str, tuple[Card, ...]], ...] = ()

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        # Every state refers to a catalogue.  Caching avoids hashing all cards for each state.
        return hash((self.villagers, self.guardians, self.forest, self.challenges, self.decks))

    def __repr__(self) -> str:
        return f"Catalogue({len(self.villagers)} villagers, {len(self.guardians)} guardians)"

    def villager(self, card: Card) -> Villager:
        """Return the villager of a card number."""
        return self.villagers[card]

    def spirit(self, card: Card) -> Spirit:
        """Return the guardian or forest card of a card number."""
        return self._spirits[card - len(self.villagers)]

    @cached_property
    def _spirits(self) -> tuple[Spirit, ...]:
        return self.guardians + self.forest

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of all cards, indexed by card number."""
        return (*(each.id for each in self.villagers), *(each.id for each in self._spirits))

    @cached_property
    def card_by_id(self) -> dict[str, Card]:
        """Card number of each id."""
        return {name: card for card, name in enumerate(self.ids)}

    @cached_property
    def challenge_by_id(self) -> dict[str, int]:
        """Index of each challenge id."""
        return {challenge.id: index for index, challenge in enumerate(self.challenges)}

    def id(self, card: Card) -> str:
        """Return the id of a card number."""
        return UNKNOWN_ID if card == UNKNOWN else self.ids[card]

    @cached_property
    def deck(self) -> Counter[Card]:
        """Copies of each card of all decks, starters included."""
        return Counter(
            {
                card: villager.copies
                for card, villager in enumerate(self.villagers)
                if villager.kind is not VillagerKind.COMMON
            }
        )

    def deck_of(self, name: str | None) -> Counter[Card]:
        """Return the copies of each card in a deck; without a name, of the deck of all players."""
        return self._deck_by_name[name]

    @cached_property
    def _deck_by_name(self) -> dict[str | None, Counter[Card]]:
        named: dict[str | None, Counter[Card]] = {
            name: Counter({card: self.deck[card] for card in sorted(cards)})
            for name, cards in self.decks
        }
        return {None: self.deck, **named}

    def starters_of(self, name: str | None) -> tuple[Card, ...]:
        """Return the card numbers of the starters in a deck."""
        starter = VillagerKind.STARTER
        return tuple(card for card in self.deck_of(name) if self.villagers[card].kind is starter)

    @cached_property
    def guardian_pile(self) -> Counter[Card]:
        """Copies of each guardian."""
        first = len(self.villagers)
        return Counter({first + at: each.copies for at, each in enumerate(self.guardians)})

    @cached_property
    def forest_pile(self) -> Counter[Card]:
        """Copies of each forest card."""
        first = len(self.villagers) + len(self.guardians)
        return Counter({first + at: each.copies for at, each in enumerate(self.forest)})

    def commons(self, *, solo: bool) -> Counter[Card]:
        """Return the copies of each common in a solo game or a game of several players."""
        return Counter(
            {
                card: villager.copies
                for card, villager in enumerate(self.villagers)
                if villager.kind is VillagerKind.COMMON and (villager.in_solo or not solo)
            }
        )
