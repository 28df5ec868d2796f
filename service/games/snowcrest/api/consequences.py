"""What a turn of Snowcrest does, compared with another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from service.core.sequential import OTHERS, RESULT
from service.core.turn_hints import TurnPlan
from service.games.common.turns.consequences import Change, Compared, codes_with_balance
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, Villager, Wake
from service.games.snowcrest.engine.abilities import effect_ability
from service.games.snowcrest.rules.actions import Action, ActionType
from service.games.snowcrest.rules.effects.meditation import bid_size, bidders
from service.games.snowcrest.rules.payments.resources import Building, Resource
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.scoring import Score, scores
from service.games.snowcrest.rules.state import Seat, State, exhausted_lines
from service.games.snowcrest.rules.turn import (
    CollectBids,
    DecideBids,
    DrawCards,
    RevealSpirit,
    Turn,
)

CONSEQUENCE_CODES: Final = codes_with_balance(
    {
        "challenge": "Claims `challenge` and takes `count` scrolls.",
        "scrolls": "Takes `count` more scrolls than the other turn, which takes `instead`.",
        "fewer-scrolls": "Takes `count` fewer scrolls than the other turn.",
        "building-points": "Has `buildings` buildings, worth `count` points more.",
        "gains": "Has more resources than before: `gained`.",
        "resources": "Has more resources than after the other turn: `gained`.",
        "fewer-resources": "Has fewer resources than after the other turn: `gained`.",
        "face-up": "Keeps a `building` face up, which the other turn spends.",
        "spends": "Spends a `building`, which the other turn keeps face up.",
        "offers": "`card` joins the village; from then on it offers `ability`.",
        "leaves": "`card` leaves the village.",
        "ready": "`cards` stay face up, which the other turn exhausts.",
        "turned-up": "Turns `cards` face up, which the other turn does not.",
        "exhausts": "Exhausts `cards`, which the other turn does not.",
        "wakes": "Turns all villagers face up.",
        "rest-next": "Forces a rest in the next turn.",
        "no-rest": "Does not force a rest in the next turn, which the other turn does.",
        "less-omen": "Has `count` omen less than after the other turn.",
        "omen": "Has `count` omen more than after the other turn.",
        "draws": "Draws a card.",
        "reveals": "Reveals a guardian.",
        "bids": "Bids `count` for scrolls; the highest other bid so far is `most`.",
        "cards": "Has `count` more cards in hand than after the other turn.",
        "fewer-cards": "Has `count` fewer cards in hand than after the other turn.",
        "keeps": "Keeps `card` in hand, which the other turn plays or gives.",
        "majority": "No player has more of `resource`.",
        "loses-majority": "Another player has more of `resource`.",
        "sooner": "Leaves `count` scrolls, fewer than the other turn.",
        "longer": "Leaves `count` scrolls, more than the other turn.",
        "omen-of": "`player` takes `count` omen.",
        "pays": "`player` gives up `gained`.",
    }
)
"""Codes of reasons and their descriptions; the rows of the table of sentences."""

ABILITIES: Final = {
    "worship": "points",
    "scrolls": "points",
    "build": "buildings",
    "meditate": "points",
    "wake": "actions",
    "less-omen": "omen",
    "cards": "hand",
    "turn-up": "buildings",
    "resources": "resources",
}
"""What a villager can do, the rarest first, and the part of a difference that it serves."""
_NAMES: Final = {
    "scroll": "scrolls",
    "less_omen": "less-omen",
    "card": "cards",
    "turn_up": "turn-up",
    "gain": "resources",
}
"""Abilities that the evaluator calls otherwise."""
_VILLAGE: Final = ("villagers", "actions")
_MOST_NAMED: Final = 2
"""More villagers are not listed."""


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a plan.

    Attributes:
        seat: of the player.
        state: the position.
        own: events of the player.
        score: of the player, if the game ended now.
    """

    seat: Seat
    state: State
    own: list[Event]
    score: Score

    @classmethod
    def of(cls, player: str, plan: TurnPlan[Turn, Action]) -> _End:
        state = plan.play.state
        place = state.players.index(player)
        own = [event for event in plan.events if event.player == player]
        return cls(state.seats[place], state, own, scores(state)[place])

    @property
    def omen(self) -> int:
        """The place on the omen track, less omen tokens."""
        return self.seat.omen - self.seat.omen_tokens

    @property
    def village(self) -> dict[int, tuple[Card, bool]]:
        """The villagers by cell: their cards, and whether they are exhausted."""
        return {
            cell: (each.card, each.exhausted)
            for cell, each in enumerate(self.seat.village)
            if each is not None
        }

    def card_id(self, card: Card) -> str:
        return self.state.villager(card).id


def changes(compared: Compared[Turn, Action]) -> Iterator[Change]:
    """Yield what the first plan does and the other one does not, and the other way round."""
    player = compared.question.player
    own, other = _End.of(player, compared.plan), _End.of(player, compared.other)
    before = compared.question.play.state
    start = before.seats[before.players.index(player)]
    yield from _village(start, own, other)
    if not compared.same_stage:
        yield from _next(player, compared.plan)
    # A turn that goes on can still gain the same.
    if compared.is_plain or compared.other_is_done:
        yield from _gains(compared, start, own, other)
    if compared.other_is_done:
        yield from _hand(compared, own, other)
    if compared.is_done:
        yield from _costs(start, own, other)
    if compared.same_stage:
        yield from _table(compared, own, other)


def same_stage(plan: TurnPlan[Turn, Action], other: TurnPlan[Turn, Action]) -> bool:
    """Return whether the same tasks come next after two plans."""
    return [*map(type, plan.play.tasks)] == [*map(type, other.play.tasks)]


def _next(player: str, plan: TurnPlan[Turn, Action]) -> Iterator[Change]:
    """Yield what comes next after a plan that does not end the turn."""
    match plan.play.tasks[:1]:
        case (DrawCards(),):
            yield Change("draws", {}, ("hand",))
        case (RevealSpirit(forest=False),):
            yield Change("reveals", {}, ("points", "resources", "hand"))
        case (CollectBids() | DecideBids() as task,):
            yield from _bid(player, plan.play, task)


def _bid(player: str, play: Turn, task: CollectBids | DecideBids) -> Iterator[Change]:
    """Yield whether the bid of the player is the highest so far."""
    sizes = {
        play.state.players[seat]: bid_size(play, seat, bid)
        for seat, bid in zip(bidders(play), task.bids, strict=False)
    }
    own, most = sizes.pop(player, 0), max(sizes.values(), default=0)
    if own > most > 0:
        yield Change("bids", {"count": own, "most": most}, ("points",))


# What the player has --------------------------------------------------------------------------


def _gains(
    compared: Compared[Turn, Action], start: Seat, own: _End, other: _End
) -> Iterator[Change]:
    """Yield what the first plan has more of."""
    claimed, instead = _claimed(own), _claimed(other)
    for index, count in claimed.items():
        if index not in instead:
            challenge = own.state.catalogue.challenges[index].id
            params = {"challenge": challenge, "count": count}
            yield Change("challenge", params, ("points", "challenges", RESULT))
    more = own.seat.scrolls - other.seat.scrolls
    if more > 0 and not claimed.keys() - instead.keys():
        params = {"count": more, "instead": other.seat.scrolls - start.scrolls}
        yield Change("scrolls", params, ("points", RESULT))
    if own.score.buildings > other.score.buildings:
        points = own.score.buildings - other.score.buildings
        params = {"buildings": own.seat.building_count, "count": points}
        yield Change("building-points", params, ("points", "buildings"))
    gained = _more(own, other)
    # The headline names what the player chooses to gain.
    chosen = any(choice.type is ActionType.GAIN for choice in compared.plan.choices)
    if gained and not chosen:
        code = "gains" if compared.is_plain else "resources"
        yield Change(code, {"gained": gained}, ("resources", "majorities"))
    for building in _more_spent(start, other, own):
        yield Change("face-up", {"building": building}, ("buildings",), rank=1)
    if own.omen > other.omen:
        yield Change("less-omen", {"count": own.omen - other.omen}, ("omen",))


def _costs(start: Seat, own: _End, other: _End) -> Iterator[Change]:
    """Yield what the other plan has more of."""
    fewer = other.seat.scrolls - own.seat.scrolls
    if fewer > 0:
        yield Change("fewer-scrolls", {"count": fewer}, ("points", RESULT), gain=False)
    lost = _more(other, own)
    if lost:
        parts = ("resources", "majorities")
        yield Change("fewer-resources", {"gained": lost}, parts, gain=False)
    for building in _more_spent(start, own, other):
        yield Change("spends", {"building": building}, ("buildings",), gain=False)
    if own.omen < other.omen:
        yield Change("omen", {"count": other.omen - own.omen}, ("omen",), gain=False)
    cards = len(other.seat.hand) - len(own.seat.hand)
    if cards > 0:
        yield Change("fewer-cards", {"count": cards}, ("hand",), gain=False)


def _claimed(end: _End) -> dict[int, int]:
    """Return the scrolls of the challenges that a plan claims, by challenge."""
    return {
        event.challenge: event.count or 0
        for event in end.own
        if event.type == "challenge" and event.challenge is not None
    }


def _more(own: _End, other: _End) -> dict[str, int]:
    """Return the resource tokens that one plan has more of, by label."""
    counts = zip(Resource, own.seat.tokens, other.seat.tokens, strict=True)
    return {kind.label: count - instead for kind, count, instead in counts if count > instead}


def _more_spent(start: Seat, own: _End, other: _End) -> list[str]:
    """Return the kinds of buildings of which one plan spends more."""
    stocks = zip(Building, start.buildings, own.seat.buildings, other.seat.buildings, strict=True)
    return [
        kind.label
        for kind, before, stock, instead in stocks
        if stock.spent > max(before.spent, instead.spent) and stock.up < instead.up
    ]


def _hand(compared: Compared[Turn, Action], own: _End, other: _End) -> Iterator[Change]:
    """Yield cards that are kept."""
    more = len(own.seat.hand) - len(other.seat.hand)
    if more > 0:
        yield Change("cards", {"count": more}, ("hand",))
    if compared.is_done:
        for card in dict.fromkeys(own.seat.hand):
            if card != UNKNOWN and card not in other.seat.hand:
                yield Change("keeps", {"card": own.card_id(card)}, ("hand",), rank=1)


# The village ----------------------------------------------------------------------------------


def _village(start: Seat, own: _End, other: _End) -> Iterator[Change]:
    """Yield who joins and leaves the village, and who stays face up."""
    lived = {each.card for each in start.village if each is not None}
    lives, instead = ({card for card, _ in end.village.values()} for end in (own, other))
    joined = sorted(lives - lived)
    known = {
        ability for card in instead - lived for ability in _abilities(own.state.villager(card))
    }
    for card in joined:
        offered = [each for each in _abilities(own.state.villager(card)) if each not in known]
        if offered:
            params = {"card": own.card_id(card), "ability": offered[0]}
            yield Change("offers", params, (*_VILLAGE, "challenges", ABILITIES[offered[0]]))
    for card in sorted(lived & instead - lives):
        yield Change("leaves", {"card": own.card_id(card)}, _VILLAGE, gain=False)
    if _wakes(own) and not _wakes(other):
        yield Change("wakes", {}, _VILLAGE)
    elif not _wakes(other):
        yield from _face_up(start, own, other)
    due, instead_due = (exhausted_lines(end.seat.village) > 0 for end in (own, other))
    if due != instead_due:
        code = "rest-next" if due else "no-rest"
        yield Change(code, {}, _VILLAGE, gain=not due)


def _face_up(start: Seat, own: _End, other: _End) -> Iterator[Change]:
    """Yield the villagers who are face up after one plan only."""
    ready, turned_up, exhausted = list[str](), list[str](), list[str]()
    for cell, (card, is_exhausted) in own.village.items():
        instead, before = other.village.get(cell), start.village[cell]
        if instead is not None and instead[0] == card and instead[1] != is_exhausted:
            was_exhausted = before is not None and before.exhausted
            named = exhausted if is_exhausted else turned_up if was_exhausted else ready
            named.append(own.card_id(card))
    if 0 < len(turned_up) <= _MOST_NAMED:
        params = {"cards": turned_up, "count": len(turned_up)}
        yield Change("turned-up", params, _VILLAGE)
    if len(ready) > len(exhausted) and len(ready) <= _MOST_NAMED:
        params = {"cards": ready, "count": len(ready)}
        yield Change("ready", params, _VILLAGE, rank=1)
    if len(exhausted) > len(ready) and len(exhausted) <= _MOST_NAMED:
        params = {"cards": exhausted, "count": len(exhausted)}
        yield Change("exhausts", params, _VILLAGE, gain=False)


def _wakes(end: _End) -> bool:
    return any(event.type == "awake" for event in end.own)


def _abilities(villager: Villager) -> list[str]:
    """Return what a villager can do, the rarest first."""
    effects = (effect for action in villager.actions for effect in action.effects)
    counted = (effect_ability(effect) for effect in effects)
    found = {_NAMES.get(name, name) for name, count in counted if count > 0.0}
    if villager.has(Wake):
        found.add("wake")
    if villager.less_omen:
        found.add("less-omen")
    return [ability for ability in ABILITIES if ability in found]


# The table ------------------------------------------------------------------------------------


def _table(compared: Compared[Turn, Action], own: _End, other: _End) -> Iterator[Change]:
    """Yield majorities, how long the game lasts, and what other players lose."""
    if not own.state.solo:
        yield from _majorities(own, other)
    if own.state.supply != other.state.supply and not own.state.solo:
        code = "sooner" if own.state.supply < other.state.supply else "longer"
        yield Change(code, {"count": own.state.supply}, ("phase",), rank=1)
    pairs: Iterator[tuple[Seat, Seat]] = zip(own.state.seats, other.state.seats, strict=True)
    for seat, instead in pairs:
        if seat.player == compared.question.player:
            continue
        omen = instead.omen - instead.omen_tokens - seat.omen + seat.omen_tokens
        if omen > 0:
            yield Change("omen-of", {"player": seat.player, "count": omen}, (OTHERS,))
        lost = _lost(seat.tokens, instead.tokens)
        if lost:
            yield Change("pays", {"player": seat.player, "gained": lost}, (OTHERS,))


def _majorities(own: _End, other: _End) -> Iterator[Change]:
    """Yield the resources of which the player has the most after one plan only."""
    pairs = zip(Resource, own.score.majorities, other.score.majorities, strict=True)
    for kind, has, instead in pairs:
        if has > instead:
            yield Change("majority", {"resource": kind.label}, ("majorities",))
        if has < instead:
            params = {"resource": kind.label}
            yield Change("loses-majority", params, ("majorities",), gain=False)


def _lost(tokens: Sequence[int], instead: Sequence[int]) -> dict[str, int]:
    """Return the resource tokens that are fewer than after the other plan, by label."""
    counts = zip(Resource, tokens, instead, strict=True)
    return {kind.label: other - own for kind, own, other in counts if own < other}
