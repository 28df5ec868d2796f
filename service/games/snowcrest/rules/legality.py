"""Parse and validate raw documents into states, collecting all violations.

The schema has already replaced every misshapen value by ``INVALID``.  Parts with such a value are
skipped here, because their violation is recorded already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from service.core.violations import GAME_OVER, pointer
from service.games.common.fields import Document
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    UNKNOWN_ID,
    Card,
    Catalogue,
    VillagerKind,
)
from service.games.snowcrest.rules.own_catalogue import check_seat_decks, parse_own_catalogue
from service.games.snowcrest.rules.payments.resources import Amounts, Building, Resource, amounts
from service.games.snowcrest.rules.solo import DIFFICULTIES
from service.games.snowcrest.rules.state import (
    BUILDING_LIMITS,
    BUILDING_SLOTS,
    CENTRE,
    EMPTY_VILLAGE,
    JUNIPER_PER_PLAYER,
    Below,
    BuildingCount,
    BuildingCounts,
    Phase,
    PostedChallenge,
    Resident,
    Seat,
    State,
    Village,
    pile_size,
)

_PHASES: Final = {phase.label: phase for phase in Phase}


def parse_state(raw: Any, violations: Violations, *, over: bool = False) -> State | None:
    """Return the state of a document; None if it is invalid.

    Args:
        raw: the document.
        violations: collects the violations.
        over: whether a finished game is accepted.
    """
    if raw is INVALID:
        return None
    before = len(violations)
    catalogue = parse_own_catalogue(raw, violations, "/state")
    names = check_names(raw["seats"], violations, "/state/seats")
    check_seat_decks(raw["seats"], catalogue, violations, "/state/seats")
    turn = _seat_index(raw["turn"], names, violations, "/state/turn")
    card_parser = _CardParser(catalogue, violations)
    seats = [
        _parse_seat(seat, card_parser, pointer("state", "seats", index))
        for index, seat in enumerate(raw["seats"] or ())
    ]
    row = card_parser.cards(raw["row"], "/state/row", card_parser.is_common)
    below = _parse_below(raw.get("below") or {}, card_parser)
    challenges = _parse_challenges(raw.get("challenges"), names, catalogue, violations)
    _check_variant(raw, "/state", violations)
    if len(violations) > before or not fully_valid(raw):
        return None
    solo = len(seats) == 1
    state = State(
        seats=tuple(seat for seat in seats if seat is not None),
        turn=turn or 0,
        supply=raw["supply"],
        juniper=raw["juniper"],
        row=row,
        challenges=challenges,
        phase=_PHASES[raw.get("phase", Phase.TURNS.label)],
        ending=raw.get("ending", False) or raw["supply"] == 0,
        below=below,
        starter_variant=raw.get("starter_variant", False),
        difficulty=raw.get("difficulty", 1) if solo else 0,
        rests=raw.get("rests", 0),
        own_catalogue=catalogue if "catalogue" in raw else None,
    )
    _check_table(state, violations)
    if len(violations) == before:
        _check_phase(state, violations, over=over)
    return None if len(violations) > before else state


# Players and variants -------------------------------------------------------------------------


def check_names(raw: Any, violations: Violations, at: str) -> list[Any]:
    """Return the player names, invalid ones included, after a check for duplicates."""
    names = [INVALID if seat is INVALID else seat["player"] for seat in raw or ()]
    for index, name in enumerate(names):
        if name is not INVALID and name in names[:index]:
            detail = f"{name} already has a seat; give each seat a different player."
            violations.add(at + pointer(index, "player"), "duplicate-player", detail)
    return names


def _seat_index(raw: Any, names: Sequence[Any], violations: Violations, at: str) -> int | None:
    if not raw or INVALID in names or not names:
        return None
    if raw not in names:
        violations.unknown(at, "unknown-player", "player", raw, names)
        return None
    return names.index(raw)


def _check_variant(raw: Document, at: str, violations: Violations) -> None:
    """Check that the starter variant has several players, and solo fields a single one (C13)."""
    if not isinstance(raw["seats"], list):
        return
    if len(raw["seats"]) == 1:
        if raw.get("starter_variant"):
            detail = "A solo game has no starter variant. Remove the field."
            violations.add(at + "/starter_variant", "not-in-solo", detail, "C13")
        return
    for name in ("difficulty", "rests"):
        if name in raw:
            detail = "Only a solo game has this field. Remove it."
            violations.add(at + pointer(name), "only-in-solo", detail, "C13")


def check_setup(raw: Document, catalogue: Catalogue | None, violations: Violations) -> None:
    """Check what a set-up request has in common with a state."""
    check_names(raw["seats"], violations, "/seats")
    check_seat_decks(raw["seats"], catalogue, violations, "/seats")
    _check_variant(raw, "", violations)


# Cards ----------------------------------------------------------------------------------------


class _CardParser:
    """Parses card ids.  Without a valid catalogue every id is ignored."""

    def __init__(self, catalogue: Catalogue | None, violations: Violations) -> None:
        self.catalogue, self.violations = catalogue, violations

    def is_own(self, card: Card) -> bool:
        return self.catalogue is not None and card in self.catalogue.deck

    def is_common(self, card: Card) -> bool:
        return self.is_villager(card) and not self.is_own(card)

    def is_villager(self, card: Card) -> bool:
        return self.catalogue is not None and 0 <= card < len(self.catalogue.villagers)

    def is_guardian(self, card: Card) -> bool:
        return self.catalogue is not None and card in self.catalogue.guardian_pile

    def is_forest(self, card: Card) -> bool:
        return self.catalogue is not None and card in self.catalogue.forest_pile

    def cards(
        self, raw: Any, at: str, fits: Callable[[Card], bool], *, unknown: bool = False
    ) -> tuple[Card, ...]:
        """Return the valid cards of a list."""
        parsed = [
            self.card(name, at + pointer(index), fits, unknown=unknown)
            for index, name in enumerate(raw or ())
        ]
        return tuple(card for card in parsed if card is not None)

    def card(
        self, raw: Any, at: str, fits: Callable[[Card], bool], *, unknown: bool = False
    ) -> Card | None:
        """Return one card; None if it is invalid."""
        if not raw or self.catalogue is None:
            return None
        if unknown and raw == UNKNOWN_ID:
            return UNKNOWN
        card = self.catalogue.card_by_id.get(raw)
        if card is None:
            fitting = (name for name, each in self.catalogue.card_by_id.items() if fits(each))
            self.violations.unknown(at, "unknown-card", "card", raw, fitting, "C1")
        elif not fits(card):
            self.violations.add(
                at,
                "wrong-place",
                f"{raw} can never be in this place. Choose a card of another kind.",
                "C1",
            )
        return card


def _parse_below(raw: Document, card_parser: _CardParser) -> Below:
    return Below(
        commons=card_parser.cards(
            raw.get("commons"), "/state/below/commons", card_parser.is_common
        ),
        guardians=card_parser.cards(
            raw.get("guardians"), "/state/below/guardians", card_parser.is_guardian
        ),
        forest=card_parser.cards(raw.get("forest"), "/state/below/forest", card_parser.is_forest),
    )


def _parse_challenges(
    raw: Any, names: Sequence[Any], catalogue: Catalogue | None, violations: Violations
) -> tuple[PostedChallenge, ...]:
    challenges: list[PostedChallenge] = []
    seen: set[str] = set()
    for index, item in enumerate(raw or ()):
        if not item or catalogue is None:
            continue
        at, name = pointer("state", "challenges", index), item["challenge"]
        by = _seat_index(item.get("by"), names, violations, at + "/by")
        if not name:
            continue
        if name not in catalogue.challenge_by_id:
            known = catalogue.challenge_by_id
            violations.unknown(at + "/challenge", "unknown-card", "challenge", name, known, "C1")
            continue
        if name in seen:
            detail = f"The challenge {name} is listed twice; list it once."
            violations.add(at + "/challenge", "duplicate-challenge", detail, "C10")
        seen.add(name)
        challenges.append(PostedChallenge(catalogue.challenge_by_id[name], by))
    return tuple(challenges)


# Seats ----------------------------------------------------------------------------------------


def _parse_seat(raw: Any, card_parser: _CardParser, at: str) -> Seat | None:
    if raw is INVALID:
        return None
    hand = card_parser.cards(raw.get("hand"), at + "/hand", card_parser.is_own, unknown=True)
    discards = card_parser.cards(raw.get("discards"), at + "/discards", card_parser.is_own)
    village = _parse_village(raw.get("village"), card_parser, at + "/village")
    if not fully_valid(raw):
        return None
    buildings = _parse_buildings(raw.get("buildings", {}))
    if sum(stock.total for stock in buildings) > BUILDING_SLOTS:
        detail = f"Remove buildings: a village has {BUILDING_SLOTS} slots."
        card_parser.violations.add(at + "/buildings", "too-many-buildings", detail, "C21")
    return Seat(
        player=raw["player"],
        tokens=parse_amounts(raw.get("tokens", {})),
        scrolls=raw.get("scrolls", 0),
        omen=raw.get("omen", 0),
        omen_tokens=raw.get("omen_tokens", 0),
        village=village,
        buildings=buildings,
        hand=tuple(sorted(hand)),
        discards=tuple(sorted(discards)),
        deck=raw.get("deck"),
    )


def parse_amounts(raw: Document) -> Amounts:
    """Return the amounts of a document; absent resources have the amount 0."""
    return amounts(raw.get(resource.label, 0) for resource in Resource)


def _parse_buildings(raw: Document) -> BuildingCounts:
    farms, forges, temples = (
        BuildingCount(item.get("up", 0), item.get("spent", 0))
        for item in (raw.get(kind.label, {}) for kind in Building)
    )
    return (farms, forges, temples)


def _parse_village(raw: Any, card_parser: _CardParser, at: str) -> Village:
    village = list(EMPTY_VILLAGE)
    for index, item in enumerate(raw or ()):
        if not item:
            continue
        card = card_parser.card(item["card"], at + pointer(index, "card"), card_parser.is_villager)
        cell = item["cell"]
        if cell is INVALID or card is None:
            continue
        if village[cell] is not None:
            detail = "The cell already has a villager. Choose another cell."
            card_parser.violations.add(at + pointer(index, "cell"), "cell-taken", detail)
        village[cell] = Resident(card, bool(item.get("exhausted", False)))
    return tuple(village)


# The table as a whole -------------------------------------------------------------------------


def _check_table(state: State, violations: Violations) -> None:
    """Check the state as a whole."""
    for index, seat in enumerate(state.seats):
        _check_deck(state, index, seat, violations)
    for kind, limit in BUILDING_LIMITS.items():
        if state.available_buildings(kind) < 0:
            detail = f"Remove a {kind.label}: the game has {limit} of them."
            violations.add("/state/seats", "too-many-buildings", detail, "C21")
    _check_commons(state, violations)
    for name, known, pile in (
        ("guardians", state.below.guardians, state.catalogue.guardian_pile),
        ("forest", state.below.forest, state.catalogue.forest_pile),
    ):
        if Counter(known) - pile:
            detail = "A card is listed more often than it exists. Remove the surplus."
            violations.add(pointer("state", "below", name), "too-many-cards", detail, "C12")
    most = JUNIPER_PER_PLAYER * len(state.seats)
    if state.juniper > most:
        detail = f"The forest has at most {most} juniper: {JUNIPER_PER_PLAYER} per player."
        violations.add("/state/juniper", "too-much-juniper", detail, "C8")
    if not state.juniper:
        detail = f"Expected 1 to {most}: the forest is refilled when the last juniper is taken."
        violations.add("/state/juniper", "out-of-range", detail, "C8")
    if state.starter_variant and state.challenges:
        detail = "The starter variant has no challenges. Remove them."
        violations.add("/state/challenges", "no-challenges", detail)


def _check_deck(state: State, index: int, seat: Seat, violations: Violations) -> None:
    """Check that each card of a player's deck is in one place only (C1, C12)."""
    own, deck = state.catalogue.deck, state.catalogue.deck_of(seat.deck)
    known = Counter(card for card in (*seat.hand, *seat.discards) if card != UNKNOWN)
    known.update(
        resident.card for resident in seat.village if resident is not None and resident.card in own
    )
    at = pointer("state", "seats", index)
    for card in known - deck:
        detail = f"{state.catalogue.id(card)} is in more places than it has copies. Remove one."
        if card not in deck:
            detail = f"{state.catalogue.id(card)} is not in the deck {seat.deck}. Remove it."
        violations.add(at, "too-many-cards", detail, "C12")
    if not known - deck and pile_size(state, index) < 0:
        detail = (
            f"{seat.unknown_count} hand cards are unknown, but fewer cards are unseen. Remove some."
        )
        violations.add(at + "/hand", "too-many-unknown", detail, "C12")


def _check_commons(state: State, violations: Violations) -> None:
    known = Counter((*state.row, *state.below.commons))
    known.update(
        resident.card
        for seat in state.seats
        for resident in seat.village
        if resident is not None and state.villager(resident.card).kind is VillagerKind.COMMON
    )
    surplus = known - state.catalogue.commons(solo=state.solo)
    for card in surplus:
        detail = f"{state.catalogue.id(card)} is in more places than it has copies. Remove one."
        violations.add("/state", "too-many-cards", detail, "C12")


def _check_phase(state: State, violations: Violations, *, over: bool) -> None:
    """Check that a turn of the given phase can be next."""
    if state.phase is Phase.OVER:
        if not over:
            violations.add("/state", GAME_OVER, "The game is over. Start a new game.", "C11")
        return
    if state.phase is Phase.SET_UP:
        for index in range(state.turn, len(state.seats)):
            seat = state.seats[index]
            if seat.village[CENTRE] is not None or not seat.hand:
                detail = (
                    "Before the set-up turn a player has a hand and an empty centre cell. Correct "
                    "the seat or `turn`."
                )
                violations.add(pointer("state", "seats", index), "not-at-set-up", detail, "C20")
    elif state.ending and state.turn == 0:
        detail = "The round in which the supply became empty is over; `phase` must be `over`."
        violations.add("/state/turn", "round-is-over", detail, "C9")
    if state.solo and state.rests >= DIFFICULTIES[state.difficulty].rests and not state.ending:
        violations.add(
            "/state/rests",
            "too-many-rests",
            "With so many rests the solo game is lost: `phase` must be `over`.",
            "C13",
        )
