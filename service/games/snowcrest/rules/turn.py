"""A turn in progress: its tasks, and the small steps that several rules share.

The tasks form a stack.  A task either runs by itself or waits for a choice or a card.  Which of the
two depends only on public information, so the same actions describe the turn to every player,
whatever hands that player can see (C12).  All functions are pure and return the resulting turn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from service.core.frozen import HashedOnce, hash_once, replace
from service.games.snowcrest.catalogue.cards import (
    Card,
    CardAction,
    Copy,
    Cost,
    Effect,
    GainKind,
    PenaltyItem,
    Recruit,
    Villager,
)
from service.games.snowcrest.rules.actions import NO_PAYMENT, Action, Payment
from service.games.snowcrest.rules.challenges import is_met
from service.games.snowcrest.rules.payments.resources import ONE, plus
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    JUNIPER_PER_PLAYER,
    MAX_OMEN,
    Phase,
    PostedChallenge,
    Seat,
    State,
)

# Tasks ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlaceFirstVillager:
    """The player puts a villager into the centre cell during the set-up (C20)."""


@dataclass(frozen=True, slots=True)
class ChooseTurn:
    """The player activates, plays, rests or passes (C3)."""


@dataclass(frozen=True, slots=True)
class PayCost:
    """The player pays a cost (C4).

    Attributes:
        cost: the cost.
        effects: effects to apply after the payment; empty when a card is paid for.
        chosen: whether the player has chosen the card or trade that is paid for.  Then choice and
            payment count as one action, and the player is known to be able to pay.
    """

    cost: Cost
    effects: tuple[Effect, ...] = ()
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class GiveItems:
    """The player gives the hand cards and buildings of a cost; this is a part of the payment (C4).

    Attributes:
        paid: what is paid for.
        items: that are left.
        given: buildings spent for the resources of the cost; they are not also returned.
    """

    paid: PayCost
    items: tuple[PenaltyItem, ...]
    given: Payment


@dataclass(frozen=True, slots=True)
class PerformAction:
    """Perform one action of a villager (C5)."""

    action: CardAction


@dataclass(frozen=True, slots=True)
class ApplyEffect:
    """Apply one effect of an action."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class ReceiveGain:
    """The player gains something."""

    what: GainKind
    count: int


@dataclass(frozen=True, slots=True)
class DrawCards:
    """The player draws cards while there are any (C19)."""

    count: int


@dataclass(frozen=True, slots=True)
class RevealSpirit:
    """Reveal a guardian or a forest card."""

    forest: bool


@dataclass(frozen=True, slots=True)
class TakeOmen:
    """A seat takes printed omen, which cannot be paid or settled (C7)."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class AnswerPenalty:
    """A seat gives penalty items or takes omen for them (C7).

    Attributes:
        seat: index.
        items: that are left.
        given: buildings spent and villagers exhausted so far; they settle no other item.
    """

    seat: int
    items: tuple[PenaltyItem, ...]
    given: Payment = NO_PAYMENT


@dataclass(frozen=True, slots=True)
class ReturnSpirit:
    """Put a guardian or forest card under its pile; after a forest card, refill the forest (C8)."""

    card: Card
    forest: bool


@dataclass(frozen=True, slots=True)
class CollectBids:
    """Collect the bids of a meditation (C6).

    Attributes:
        waiting: seats that have not bid yet, in turn order.
        bids: bids so far.
    """

    waiting: tuple[int, ...]
    bids: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class DecideBids:
    """Players who gained no scroll take their bids back or leave them spent (C6).

    Attributes:
        bids: all bids, in turn order from the active player.
        waiting: seats that have not decided yet, in turn order.
        returned: seats that take their bid back.
    """

    bids: tuple[Payment, ...]
    waiting: tuple[int, ...]
    returned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceRecruit:
    """Put a new villager into the cell of a recruiter who has left (C18)."""

    cell: int


@dataclass(frozen=True, slots=True)
class ReturnCopiedCommon:
    """Put a common that was copied in a solo game under its pile (C13)."""

    card: Card


@dataclass(frozen=True, slots=True)
class ExhaustVillager:
    """Exhaust the villager who acted (C5)."""

    cell: int


@dataclass(frozen=True, slots=True)
class TurnUpVillagers:
    """Turn all villagers face up at the end of a rest (C16)."""


@dataclass(frozen=True, slots=True)
class FillRow:
    """Fill the row of commons at the end of the turn (C18)."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    """Pass the turn to the next seat."""

    pass


@dataclass(frozen=True, slots=True)
class RevealHands:
    """Reveal the unknown hand cards at the end of the game (C11)."""


Task: TypeAlias = (
    PlaceFirstVillager
    | ChooseTurn
    | PayCost
    | GiveItems
    | PerformAction
    | ApplyEffect
    | ReceiveGain
    | DrawCards
    | RevealSpirit
    | TakeOmen
    | AnswerPenalty
    | ReturnSpirit
    | CollectBids
    | DecideBids
    | PlaceRecruit
    | ReturnCopiedCommon
    | ExhaustVillager
    | TurnUpVillagers
    | FillRow
    | EndTurn
    | RevealHands
)


@dataclass(frozen=True, slots=True)
class Turn(HashedOnce):
    """A turn in progress.

    Attributes:
        state: state after everything that has happened in this turn.
        tasks: tasks to do, the next one first; empty once the turn is complete.
        actions: all choices, answers and draws so far.
        acting_cell: cell of the villager who acts or has just entered, and pays nothing (C4).
        events: events since the last action, while it is being applied.
        forced: actions of the active player since then that had no alternative (C5).
    """

    state: State
    tasks: tuple[Task, ...] = ()
    actions: tuple[Action, ...] = ()
    acting_cell: int | None = None
    events: tuple[Event, ...] = ()
    forced: tuple[Action, ...] = ()

    __hash__ = hash_once

    @property
    def mover(self) -> Seat:
        """The active player's seat."""
        return self.state.mover

    @property
    def task(self) -> Task:
        """The next task."""
        return self.tasks[0]

    @property
    def popped(self) -> Turn:
        """The turn without its next task."""
        return replace(self, tasks=self.tasks[1:])

    def push(self, *tasks: Task) -> Turn:
        """Return the turn with more tasks before all others."""
        return replace(self, tasks=(*tasks, *self.tasks))

    def with_state(self, state: State, *events: Event) -> Turn:
        """Return the turn with another state and the events that led to it."""
        return replace(self, state=state, events=self.events + events)

    def with_events(self, *events: Event) -> Turn:
        """Return the turn with more events."""
        return replace(self, events=self.events + events)

    def with_forced(self, *actions: Action) -> Turn:
        """Return the turn with more actions that had no alternative."""
        return replace(self, forced=self.forced + actions)

    def with_mover(self, seat: Seat, *events: Event) -> Turn:
        """Return the turn with another seat for the active player."""
        return self.with_state(self.state.with_seat(self.state.turn, seat), *events)


# Shared steps ---------------------------------------------------------------------------------


def gain_tokens(turn: Turn, what: GainKind, count: int) -> Turn:
    """Give the active player resource tokens."""
    resource = what.resource
    assert resource is not None, "tokens are resources"
    tokens = plus(turn.mover.tokens, ONE[resource], count)
    event = Event("gain", player=turn.mover.player, what=what, count=count)
    return turn.with_mover(replace(turn.mover, tokens=tokens), event)


def gain_scrolls(turn: Turn, seat: int, count: int, rule: str | None = None) -> Turn:
    """Give a seat scrolls; once the supply is empty they come from the reserve (C9)."""
    state, receiver = turn.state, turn.state.seats[seat]
    supply = max(0, state.supply - count)
    event = Event("scrolls", rule, player=receiver.player, count=count)
    taken = state.with_seat(seat, replace(receiver, scrolls=receiver.scrolls + count))
    last = () if supply or state.ending else (Event("last-round", "C9"),)
    return turn.with_state(
        replace(taken, supply=supply, ending=state.ending or not supply), event, *last
    )


def take_omen(turn: Turn, seat: int, count: int, rule: str) -> Turn:
    """Move a seat's omen marker down; omen beyond the end of the track becomes tokens."""
    if not count:
        return turn
    target = turn.state.seats[seat]
    omen = max(-MAX_OMEN, target.omen - count)
    tokens = count - (target.omen - omen)
    event = Event("omen", rule, player=target.player, omen=omen, count=tokens)
    target = replace(target, omen=omen, omen_tokens=target.omen_tokens + tokens)
    return turn.with_state(turn.state.with_seat(seat, target), event)


def reduce_omen(turn: Turn, count: int) -> Turn:
    """Move the active player's omen marker up, at most to the end of the track (C21).

    Omen tokens stay.
    """
    omen = min(MAX_OMEN, turn.mover.omen + count)
    event = Event("less-omen", "C21", player=turn.mover.player, omen=omen)
    return turn.with_mover(replace(turn.mover, omen=omen), event)


def replant_forest(turn: Turn) -> Turn:
    """Refill the forest with juniper (C8)."""
    count = JUNIPER_PER_PLAYER * len(turn.state.seats)
    return turn.with_state(replace(turn.state, juniper=count), Event("juniper", "C8", count=count))


def remove_resident(turn: Turn, seat: int, cell: int) -> Turn:
    """Remove a villager from a village.

    A common goes under its pile, any other villager to the owner's discards.
    """
    owner = turn.state.seats[seat]
    resident = owner.village[cell]
    assert resident is not None, "the cell has a villager"
    owner, card = owner.with_resident(cell, None), resident.card
    if card in turn.state.catalogue.deck:
        return turn.with_state(turn.state.with_seat(seat, owner.with_discard(card)))
    return put_under_pile(turn.with_state(turn.state.with_seat(seat, owner)), card)


def put_under_pile(turn: Turn, card: Card) -> Turn:
    """Put a common under the pile of commons, where it is known (C12)."""
    below = turn.state.below
    below = replace(below, commons=(*below.commons, card))
    return turn.with_state(replace(turn.state, below=below))


def skip(turn: Turn, action: str, rule: str = "C5") -> Turn:
    """Record that an action of a villager is skipped."""
    return turn.with_events(Event("skip", rule, player=turn.mover.player, action=action))


def is_copyable(villager: Villager) -> bool:
    """Return whether the scholar can copy a villager (C17)."""
    return bool(villager.actions) and not villager.has(Copy) and not villager.has(Recruit)


def claim_challenges(turn: Turn) -> Turn:
    """Claim every challenge that the active player meets, one by one in printed order (C10)."""
    state = turn.state
    if state.phase is not Phase.TURNS:
        return turn
    printed_order = sorted(enumerate(state.challenges), key=lambda each: each[1].challenge)
    for index, posted in printed_order:
        challenge = state.catalogue.challenges[posted.challenge]
        if posted.by is not None or not is_met(state, state.mover, challenge):
            continue
        claimed = PostedChallenge(posted.challenge, state.turn)
        challenges = (*state.challenges[:index], claimed, *state.challenges[index + 1 :])
        event = Event(
            "challenge",
            "C10",
            player=state.mover.player,
            challenge=posted.challenge,
            count=challenge.scrolls,
        )
        turn = turn.with_state(replace(state, challenges=challenges), event)
        return claim_challenges(gain_scrolls(turn, state.turn, challenge.scrolls, "C10"))
    return turn


def deciding_seat(turn: Turn) -> int:
    """Return the index of the seat that has to decide."""
    match turn.task:
        case AnswerPenalty(seat=seat):
            return seat
        case CollectBids(waiting=waiting) | DecideBids(waiting=waiting):
            return waiting[0]
    return turn.state.turn
