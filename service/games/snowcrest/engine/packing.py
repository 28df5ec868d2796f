"""Pack catalogues, turns and actions into vectors for the compiled rules.

A vector holds all that the rules read, so equal vectors are equal turns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from service.games.snowcrest.catalogue import cards
from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.rules import turn as rules
from service.games.snowcrest.rules.actions import Action, Payment
from service.games.snowcrest.rules.payments.resources import Building, Resource
from service.games.snowcrest.rules.state import (
    Seat,
    State,
    unseen_commons,
    unseen_deck_of,
    unseen_forest,
    unseen_guardians,
)

Vector = NDArray[np.int16]
Numbers = NDArray[np.int64]

_MOST_SEATS: Final = 2_000
"""Packed seats of about 1 kB that are stored; then all are forgotten."""
_EFFECT_TYPES: Final = {kind: number for number, kind in enumerate(cards.EFFECT_LABELS)}


class Packing:
    """The packed form of a catalogue, and of positions and actions with it.

    Args:
        catalogue: the cards.
        players: number of players.

    Attributes:
        cards: int64 vector; see :mod:`.kernels.rules.layout`.
    """

    def __init__(self, catalogue: Catalogue, players: int) -> None:
        self.catalogue, self.players = catalogue, players
        self._actions: list[cards.CardAction] = []
        self._effects: list[cards.Effect] = []
        self._effect_rows: list[list[int]] = []
        action_rows: list[list[int]] = []
        self._add_effects([cards.Build(each) for each in (*Building, None)])
        villagers = [self._villager_row(each, action_rows) for each in catalogue.villagers]
        spirits = [_spirit_row(each) for each in (*catalogue.guardians, *catalogue.forest)]
        conditions = [
            [each.kind, each.at_least, -1 if each.of is None else int(each.of), each.at_most]
            for challenge in catalogue.challenges
            for each in challenge.conditions
        ]
        challenges, first = [], 0
        for challenge in catalogue.challenges:
            challenges.append([challenge.scrolls, first, len(challenge.conditions)])
            first += len(challenge.conditions)
        spirits_of = len(catalogue.guardians), len(catalogue.forest)
        header = [len(villagers), len(catalogue.deck), *spirits_of, players]
        numbers: list[int] = []
        for rows in (villagers, action_rows, self._effect_rows, spirits, challenges, conditions):
            header.append(at.HEADER + len(numbers))
            numbers += [number for row in rows for number in row]
        sizes = _sizes(catalogue, players)
        self.cards: Numbers = np.array([*header, *sizes, *numbers], np.int64)
        self.length, self.action_size = sizes[-2:]
        # Positions of a search differ in few seats.
        self._seats: dict[Seat, NDArray[np.int16]] = {}

    def _villager_row(self, villager: cards.Villager, action_rows: list[list[int]]) -> list[int]:
        first = len(action_rows)
        for action in villager.actions:
            self._actions.append(action)
            cost = action.cost
            plain = (0,) * at.RESOURCES if cost is None else cost.plain
            items = Counter(cost.items if cost else ())
            start = len(self._effects)
            action_rows.append(
                [
                    cost is not None, *plain, cost.any if cost else 0, start, len(action.effects),
                    _place(self._actions, action), *(items[item] for item in cards.PenaltyItem),
                ]
            )  # fmt: skip
            self._add_effects(action.effects)
        return [
            villager.kind, villager.cost, *villager.icons, villager.any_icons, villager.settles,
            *villager.back_icons, first, len(villager.actions), rules.is_copyable(villager),
            villager.has(cards.Recruit), villager.less_omen,
        ]  # fmt: skip

    def _add_effects(self, effects: Sequence[cards.Effect]) -> None:
        """Append the rows of effects, then those of the sets of trades."""
        sets: list[cards.Gain] = []
        after = len(self._effects) + len(effects)
        for effect in effects:
            what, count, building, first, number = -1, 0, -1, 0, 0
            match effect:
                case cards.Gain(what=kind, count=count):
                    what = int(kind)
                case cards.PerBuilding(building=of, gain=gain):
                    what, count = int(gain.what), gain.count
                    building = -1 if of is None else int(of)
                case cards.Build(building=of):
                    building = -1 if of is None else int(of)
                case cards.Trade(sets=sides):
                    first, number = after + len(sets), len(sides)
                    sets += sides
            self._effects.append(effect)
            self._effect_rows.append(
                [
                    _EFFECT_TYPES[type(effect)], what, count, building, first, number,
                    _place(self._effects, effect),
                ]
            )  # fmt: skip
        if sets:
            self._add_effects(sets)

    # Turns ------------------------------------------------------------------------------------

    def pack(self, turn: rules.Turn) -> Vector:
        """Return a turn as a vector; of very many tasks the next ones."""
        state, s = turn.state, np.zeros(self.length, np.int16)
        s[: at.TASKS] = (
            len(state.seats), state.turn, state.supply, state.juniper, state.phase, state.ending,
            state.starter_variant, state.difficulty, state.rests,
            -1 if turn.acting_cell is None else turn.acting_cell,
        )  # fmt: skip
        s[at.ROW_COUNT] = len(state.row)
        s[at.ROW : at.ROW + len(state.row)] = state.row
        s[at.CHALLENGES] = len(state.challenges)
        printed_order = sorted(state.challenges, key=lambda posted: posted.challenge)
        for place, posted in enumerate(printed_order):
            by = -1 if posted.by is None else posted.by
            s[at.CHALLENGE + 2 * place : at.CHALLENGE + 2 * place + 2] = posted.challenge, by
        for index in range(len(state.seats)):
            first = self.seat_at(index)
            s[first : first + self.cards[at.SEAT_SIZE]] = self._seat(state.seats[index])
        self._pack_piles(state, s)
        tasks = turn.tasks[: at.MAX_TASKS]
        s[at.TASKS] = len(tasks)
        for place, task in enumerate(reversed(tasks)):
            first = at.STACK + place * at.TASK_SIZE
            numbers = self._task(turn, task, s)
            s[first : first + len(numbers)] = numbers
        return s

    def seat_at(self, index: int) -> int:
        """Return the offset of a seat in a vector."""
        return at.SEATS + index * int(self.cards[at.SEAT_SIZE])

    def _seat(self, seat: Seat) -> NDArray[np.int16]:
        numbers = self._seats.get(seat)
        if numbers is None:
            if len(self._seats) >= _MOST_SEATS:
                self._seats.clear()
            numbers = self._seats[seat] = np.array(self._seat_numbers(seat), np.int16)
        return numbers

    def _seat_numbers(self, seat: Seat) -> list[int]:
        unseen = unseen_deck_of(seat, self.catalogue)
        deck = range(self.cards[at.DECK])
        hand, discards = Counter(seat.hand), Counter(seat.discards)
        return [
            *seat.tokens, seat.scrolls, seat.omen, seat.omen_tokens,
            *(-1 if each is None else 2 * each.card + each.exhausted for each in seat.village),
            *(stock.up for stock in seat.buildings), *(stock.spent for stock in seat.buildings),
            seat.unknown_count, unseen.total(), len(seat.hand), len(seat.discards),
            *(hand[card] for card in deck), *(discards[card] for card in deck),
            *(unseen[card] for card in deck),
        ]  # fmt: skip

    def _pack_piles(self, state: State, s: Vector) -> None:
        pool, below = self.cards[at.POOLS] - self.cards[at.DECK], state.below
        for unseen in (unseen_commons(state), unseen_guardians(state), unseen_forest(state)):
            for card, count in unseen.items():
                s[pool + card] = count
        for pile, queue in enumerate((below.commons, below.guardians, below.forest)):
            first = self.cards[at.BELOW_COMMONS + pile]
            s[at.COMMONS_BELOW + pile] = len(queue)
            s[first : first + len(queue)] = queue

    def _task(self, turn: rules.Turn, task: rules.Task, s: Vector) -> tuple[int, ...]:
        """Return a task as numbers; the running answer and bids also go into the vector."""
        match task:
            case rules.PayCost():
                return at.PAY_COST, *self._cost(task)
            case rules.PerformAction(action=action):
                return at.PERFORM, _place(self._actions, action)
            case rules.ApplyEffect(effect=effect):
                return at.APPLY, _place(self._effects, effect)
            case rules.ReceiveGain(what=what, count=count):
                return at.RECEIVE, what, count
            case rules.TakeOmen(seat=seat, count=count):
                return at.TAKE_OMEN, seat, count
            case rules.GiveItems(paid=paid, items=items, given=given):
                _pack_items(items, given, s)
                return at.PENALTY, turn.state.turn, -1 - self._cost(paid)[1], 1
            case rules.AnswerPenalty(seat=seat, items=items, given=given):
                running = task is turn.task and bool(items)
                if running:
                    _pack_items(items, given, s)
                place = next(at_ for at_, each in enumerate(turn.tasks) if each is task)
                card = next(
                    each.card for each in turn.tasks[place:] if isinstance(each, rules.ReturnSpirit)
                )
                return at.PENALTY, seat, card, running
            case rules.ReturnSpirit(card=card, forest=forest):
                return at.RETURN_SPIRIT, card, forest
            case rules.CollectBids(bids=bids):
                self._pack_bids(bids, s)
                return (at.COLLECT,)
            case rules.DecideBids(bids=bids, waiting=waiting, returned=returned):
                self._pack_bids(bids, s)
                return at.DECIDE, _set_of(waiting), _set_of(returned)
            case rules.DrawCards(count=number) | rules.RevealSpirit(forest=number):
                return _KINDS[type(task)], number
            case rules.PlaceRecruit(cell=number) | rules.ExhaustVillager(cell=number):
                return _KINDS[type(task)], number
            case rules.ReturnCopiedCommon(card=card):
                return at.RETURN_COPIED, card
        return (_KINDS[type(task)],)

    def _cost(self, task: rules.PayCost) -> tuple[int, ...]:
        if not task.chosen:
            action = next(
                number
                for number, each in enumerate(self._actions)
                if each.cost == task.cost and each.effects == task.effects
            )
            return at.FOR_ACTION, action
        if not task.effects:
            return at.FOR_CARD, task.cost.plain[Resource.BARLEY]
        [resource] = (each for each in Resource if task.cost.plain[each])
        give = cards.Gain(cards.GainKind(resource), task.cost.plain[resource])
        return at.FOR_TRADE, _place(self._effects, give), _place(self._effects, task.effects[0])

    def _pack_bids(self, bids: Sequence[Payment], s: Vector) -> None:
        s[at.BID_COUNT] = len(bids)
        for place, bid in enumerate(bids):
            first = self.cards[at.BIDS] + place * self.cards[at.BID_SIZE]
            s[first : first + self.cards[at.BID_SIZE]] = self._payment(bid)

    def _payment(self, payment: Payment) -> list[int]:
        hand = Counter(payment.hand)
        copies = (hand[card] for card in range(self.cards[at.DECK]))
        return [*payment.tokens, *payment.buildings, _set_of(payment.cells), *copies]

    # Actions ----------------------------------------------------------------------------------

    def pack_action(self, action: Action, players: Sequence[str]) -> Vector:
        """Return an action as a vector."""
        a = np.zeros(self.action_size, np.int16)
        owner = None if action.owner is None else players.index(action.owner)
        returned = action.returned
        a[: at.HAS_PAYMENT] = [
            -1 if each is None else int(each)
            for each in (
                action.type, action.card, action.cell, owner, action.item, action.settles,
                action.resource, action.building, action.spent, returned and returned.building,
                returned and returned.spent, action.give, action.get,
            )
        ]  # fmt: skip
        if action.payment is not None:
            a[at.HAS_PAYMENT] = 1
            a[at.PAYMENT :] = self._payment(action.payment)
        for card in action.cards or ():
            a[at.PAYMENT + at.PAID_CARDS + card] += 1
        return a


@lru_cache(maxsize=16)
def packing_of(catalogue: Catalogue, players: int) -> Packing:
    """Return the packing of a catalogue for a number of players."""
    return Packing(catalogue, players)


_KINDS: Final[dict[type[Any], int]] = {
    rules.PlaceFirstVillager: at.PLACE_FIRST,
    rules.ChooseTurn: at.CHOOSE,
    rules.DrawCards: at.DRAW_CARDS,
    rules.RevealSpirit: at.REVEAL,
    rules.PlaceRecruit: at.PLACE_RECRUIT,
    rules.ExhaustVillager: at.EXHAUST,
    rules.TurnUpVillagers: at.AWAKE,
    rules.FillRow: at.FILL,
    rules.EndTurn: at.END,
    rules.RevealHands: at.HANDS,
}


def _sizes(catalogue: Catalogue, players: int) -> list[int]:
    """Return sizes and offsets of a position, as in the header."""
    deck = len(catalogue.deck)
    seat_size = at.HAND + 3 * deck
    bids = at.SEATS + players * seat_size
    bid_size = at.PAID_CARDS + deck
    pools = bids + players * bid_size
    commons = catalogue.commons(solo=players == 1)
    below_commons = pools + len(catalogue.villagers) - deck
    below_commons += len(catalogue.guardians) + len(catalogue.forest)
    below_guardians = below_commons + commons.total()
    below_forest = below_guardians + catalogue.guardian_pile.total()
    length = below_forest + catalogue.forest_pile.total()
    return [
        seat_size, bids, bid_size, pools, below_commons, below_guardians, below_forest, length,
        at.PAYMENT + bid_size,
    ]  # fmt: skip


def _spirit_row(spirit: cards.Spirit) -> list[int]:
    reward = dict.fromkeys(range(at.GAIN_KINDS), 0)
    for gain in spirit.reward:
        reward[gain.what] = gain.count
    return [*_penalty(spirit.own), *_penalty(spirit.others), *reward.values()]


def _penalty(penalty: cards.Penalty) -> Iterator[int]:
    counts = Counter(penalty.items)
    yield from (counts[item] for item in cards.PenaltyItem)
    yield penalty.omen


def _pack_items(items: Sequence[cards.PenaltyItem], given: Payment, s: Vector) -> None:
    left = Counter(items)
    s[at.ITEMS : at.STACK] = (
        *(left[item] for item in cards.PenaltyItem), *given.buildings, _set_of(given.cells),
    )  # fmt: skip


def _set_of(numbers: Iterable[int]) -> int:
    return sum(1 << number for number in set(numbers))


def _place(rows: Sequence[object], wanted: object) -> int:
    """Return the first place of an equal entry; equal entries have equal effects."""
    return next(number for number, each in enumerate(rows) if each == wanted)
