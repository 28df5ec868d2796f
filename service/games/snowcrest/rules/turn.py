"""A turn under way: what is still to be done in it, and the small steps that all rules share.

What is to be done is a stack of tasks.  A task runs by itself, or waits for somebody's choice or
for a card; whether one waits depends on nothing but what everybody sees, so that the same atoms
tell a turn to all who know different hands (C12).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from service.core.frozen import replace
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
from service.games.snowcrest.payments.resources import ONE, plus
from service.games.snowcrest.rules.actions import Action, Payment
from service.games.snowcrest.rules.challenges import is_met
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.state import (
    JUNIPER_PER_PLAYER,
    MAX_OMEN,
    Phase,
    PostedChallenge,
    Seat,
    State,
)

# What is to be done ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PlaceFirstVillager:
    """The player puts a villager into the centre at the set-up (C20)."""


@dataclass(frozen=True, slots=True)
class ChooseTurn:
    """The player activates, plays, rests or passes (C3)."""


@dataclass(frozen=True, slots=True)
class PayCost:
    """A payment is due (C4).

    Attributes:
        cost: what it has to cover.
        effects: what it is for, if it is not for a card.
        chosen: whether it is for what the player chose, a card or a trade: then they are one, and
            whoever chose it can pay.
    """

    cost: Cost
    effects: tuple[Effect, ...] = ()
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class PerformAction:
    """One action of a villager (C5)."""

    action: CardAction


@dataclass(frozen=True, slots=True)
class ApplyEffect:
    effect: Effect


@dataclass(frozen=True, slots=True)
class ReceiveGain:
    """The player gains something."""

    what: GainKind
    count: int


@dataclass(frozen=True, slots=True)
class DrawCards:
    """The player draws so many cards, as far as there are any (C19)."""

    count: int


@dataclass(frozen=True, slots=True)
class RevealSpirit:
    """A guardian or a forest card is turned up."""

    forest: bool


@dataclass(frozen=True, slots=True)
class TakeOmen:
    """A seat takes omen that nothing averts."""

    seat: int
    count: int


@dataclass(frozen=True, slots=True)
class AnswerPenalty:
    """A seat gives items of a penalty, or takes omen for them (C7)."""

    seat: int
    items: tuple[PenaltyItem, ...]


@dataclass(frozen=True, slots=True)
class ReturnSpirit:
    """A guardian or forest card goes under its pile; the forest is planted again (C8)."""

    card: Card
    forest: bool


@dataclass(frozen=True, slots=True)
class CollectBids:
    """Meditation: bids so far, in the order of turns, and who has still to bid (C6)."""

    waiting: tuple[int, ...]
    bids: tuple[Payment, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceRecruit:
    """Somebody comes into the cell of a recruiter who has left (C18)."""

    cell: int


@dataclass(frozen=True, slots=True)
class ReturnCopiedCommon:
    """The common that was copied in the game of one goes under the pile (C13)."""

    card: Card


@dataclass(frozen=True, slots=True)
class ExhaustVillager:
    """Whoever acted is exhausted (C5)."""

    cell: int


@dataclass(frozen=True, slots=True)
class TurnUpVillagers:
    """All villagers turn up at the end of a rest (C16)."""


@dataclass(frozen=True, slots=True)
class FillRow:
    """The row of commons is filled again at the end of the turn (C18)."""


@dataclass(frozen=True, slots=True)
class EndTurn:
    pass


@dataclass(frozen=True, slots=True)
class RevealHands:
    """Hands that whoever posts the state does not know are counted at the end (C11)."""


Task: TypeAlias = (
    PlaceFirstVillager
    | ChooseTurn
    | PayCost
    | PerformAction
    | ApplyEffect
    | ReceiveGain
    | DrawCards
    | RevealSpirit
    | TakeOmen
    | AnswerPenalty
    | ReturnSpirit
    | CollectBids
    | PlaceRecruit
    | ReturnCopiedCommon
    | ExhaustVillager
    | TurnUpVillagers
    | FillRow
    | EndTurn
    | RevealHands
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn under way.

    Attributes:
        state: the position, with everything that has happened in this turn.
        tasks: what is still to be done, the next first; none once the turn is complete.
        atoms: everything done and drawn so far, the others' answers included.
        idle: the cell of the villager who acts or has just come; it pays nothing (C4).
        log: what has happened since the last atom, while it is being worked out.
    """

    state: State
    tasks: tuple[Task, ...] = ()
    actions: tuple[Action, ...] = ()
    acting_cell: int | None = None
    events: tuple[Event, ...] = ()

    @property
    def mover(self) -> Seat:
        return self.state.mover

    @property
    def task(self) -> Task:
        return self.tasks[0]

    @property
    def popped(self) -> Turn:
        """The turn after the next task."""
        return replace(self, tasks=self.tasks[1:])

    def push(self, *tasks: Task) -> Turn:
        """With more to be done before anything else."""
        return replace(self, tasks=(*tasks, *self.tasks))

    def with_state(self, state: State, *events: Event) -> Turn:
        """With another state, and the record of how it came about."""
        return replace(self, state=state, events=self.events + events)

    def with_events(self, *events: Event) -> Turn:
        return replace(self, events=self.events + events)

    def with_mover(self, seat: Seat, *events: Event) -> Turn:
        return self.with_state(self.state.with_seat(self.state.turn, seat), *events)


# Small steps ----------------------------------------------------------------------------------


def gain_tokens(turn: Turn, what: GainKind, count: int) -> Turn:
    """The player takes resources as tokens."""
    resource = what.resource
    assert resource is not None, "tokens are resources"
    tokens = plus(turn.mover.tokens, ONE[resource], count)
    event = Event("gain", player=turn.mover.player, what=what, count=count)
    return turn.with_mover(replace(turn.mover, tokens=tokens), event)


def gain_scrolls(turn: Turn, seat: int, count: int, rule: str | None = None) -> Turn:
    """A seat takes scrolls, from the reserve where the supply has none left (C9)."""
    state, taker = turn.state, turn.state.seats[seat]
    supply = max(0, state.supply - count)
    event = Event("scrolls", rule, player=taker.player, count=count)
    taken = state.with_seat(seat, replace(taker, scrolls=taker.scrolls + count))
    last = () if supply or state.ending else (Event("last-round", "C9"),)
    return turn.with_state(
        replace(taken, supply=supply, ending=state.ending or not supply), event, *last
    )


def take_omen(turn: Turn, seat: int, count: int, rule: str) -> Turn:
    """A seat's marker moves towards the bad side; what goes beyond it becomes tokens."""
    if not count:
        return turn
    hit = turn.state.seats[seat]
    omen = max(-MAX_OMEN, hit.omen - count)
    tokens = count - (hit.omen - omen)
    event = Event("omen", rule, player=hit.player, omen=omen, count=tokens)
    hit = replace(hit, omen=omen, omen_tokens=hit.omen_tokens + tokens)
    return turn.with_state(turn.state.with_seat(seat, hit), event)


def reduce_omen(turn: Turn, count: int) -> Turn:
    """The marker moves to the good side, at most to its end; tokens stay (C21)."""
    omen = min(MAX_OMEN, turn.mover.omen + count)
    event = Event("less-omen", "C21", player=turn.mover.player, omen=omen)
    return turn.with_mover(replace(turn.mover, omen=omen), event)


def replant_forest(turn: Turn) -> Turn:
    """The forest has its juniper again (C8)."""
    count = JUNIPER_PER_PLAYER * len(turn.state.seats)
    return turn.with_state(replace(turn.state, juniper=count), Event("juniper", "C8", count=count))


def remove_resident(turn: Turn, seat: int, cell: int) -> Turn:
    """A villager leaves: a common under its pile, another to the own discards."""
    owner = turn.state.seats[seat]
    resident = owner.village[cell]
    assert resident is not None, "only villagers leave"
    owner, card = owner.with_resident(cell, None), resident.card
    if card in turn.state.catalogue.deck:
        return turn.with_state(turn.state.with_seat(seat, owner.with_discard(card)))
    return put_under_pile(turn.with_state(turn.state.with_seat(seat, owner)), card)


def put_under_pile(turn: Turn, card: Card) -> Turn:
    """A common goes under the pile of commons, where it is known (C12)."""
    below = turn.state.below
    below = replace(below, commons=(*below.commons, card))
    return turn.with_state(replace(turn.state, below=below))


def skip(turn: Turn, action: str, rule: str = "C5") -> Turn:
    return turn.with_events(Event("skip", rule, player=turn.mover.player, action=action))


def is_copyable(villager: Villager) -> bool:
    """Whether there is something to copy (C17)."""
    return bool(villager.actions) and not villager.has(Copy) and not villager.has(Recruit)


def claim_challenges(turn: Turn) -> Turn:
    """The player takes what challenges are met, one after the other in printed order (C10)."""
    state = turn.state
    if state.phase is not Phase.TURNS:
        return turn
    for place, posed in enumerate(state.challenges):
        challenge = state.catalogue.challenges[posed.challenge]
        if posed.by is not None or not is_met(state, state.mover, challenge):
            continue
        taken = PostedChallenge(posed.challenge, state.turn)
        challenges = (*state.challenges[:place], taken, *state.challenges[place + 1 :])
        event = Event(
            "challenge",
            "C10",
            player=state.mover.player,
            challenge=posed.challenge,
            count=challenge.scrolls,
        )
        turn = turn.with_state(replace(state, challenges=challenges), event)
        return claim_challenges(gain_scrolls(turn, state.turn, challenge.scrolls, "C10"))
    return turn
