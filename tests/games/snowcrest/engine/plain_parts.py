"""The leaves of a hint, in plain functions of readable positions.

The equations are those of ``docs/comparisons.md``. The features of a position are those of all
seats and the weights of the knots; the terms of a part are the features of the part.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from service.core.sequential import OTHERS, RIVALS, TurnQuestion, TurnTree
from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    Build,
    Copy,
    Effect,
    Gain,
    GainKind,
    Meditate,
    Recruit,
    Redraw,
    TakeBack,
    Trade,
    TurnUpBuildings,
    Villager,
    Worship,
)
from service.games.snowcrest.engine.end_values import STATIC_DEALS
from service.games.snowcrest.engine.ends.final_scores import is_last_turn
from service.games.snowcrest.engine.evaluation import default_evaluator, knot_weights
from service.games.snowcrest.engine.features import FEATURES, features
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.lookahead import LookAhead
from service.games.snowcrest.engine.parts import PARTS
from service.games.snowcrest.engine.plain_tree import PlainTree
from service.games.snowcrest.engine.turn_steps import TurnSteps
from service.games.snowcrest.engine.turn_tree import MAX_CELLS_PER_CARD
from service.games.snowcrest.payments.resources import Building, Resource
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.scoring import (
    BUILDING_POINTS,
    final_resources,
    scores,
    winners,
)
from service.games.snowcrest.rules.state import (
    BuildingCount,
    Phase,
    Resident,
    State,
)
from service.games.snowcrest.rules.turn import FillRow, RevealHands, Turn
from tests.solver.search.plain_attribution import PlainLeaf

EVALUATOR = default_evaluator()
WEIGHTS = np.array(EVALUATOR.several)


def part_of(name):
    """Return the part of an own feature."""
    for prefix, part in (
        ("ready_", "actions"),
        ("up_", "villagers"),
        ("down_", "villagers"),
        ("held_", "hand"),
        ("farm_", "buildings"),
        ("forge_", "buildings"),
        ("temple_", "buildings"),
    ):
        if name.startswith(prefix):
            return part
    single = {
        "scrolls": "points",
        "building_points": "points",
        "omen": "omen",
        "hand": "hand",
        "challenges": "challenges",
        "majorities": "majorities",
    }
    resources = ("barley", "bell", "bowl", "juniper", "gold", "hoard")
    groups = dict.fromkeys(resources, "resources")
    groups |= dict.fromkeys(("residents", "free", "due"), "villagers")
    return (single | groups).get(name, "phase")


PART_OF_FEATURE = [PARTS.index(part_of(name)) for name in FEATURES]


def potentials(numbers: np.ndarray) -> np.ndarray:
    """Return the potentials of all seats for the features of a position."""
    rows, knots = numbers[: -len(WEIGHTS)].reshape(-1, len(FEATURES)), numbers[-len(WEIGHTS) :]
    return (rows @ WEIGHTS.T) @ knots


def estimate(asker: int, numbers: np.ndarray) -> float:
    """Return the asker's stated share for the features of a position."""
    each = potentials(numbers)
    slope = numbers[-len(WEIGHTS) :] @ EVALUATOR.slopes
    powers = np.exp(slope * (each - each[asker]))
    sharpness, optimism, doubt, _ = EVALUATOR.calibration[len(each)]
    weights = (powers / powers.sum()) ** sharpness
    weights[asker] /= np.exp(optimism)
    return float((1.0 - doubt) * weights[asker] / weights.sum() + doubt / len(each))


def leaf_of(state: State, following: int, *, asker: int, result: float | None = None) -> PlainLeaf:
    """Return the leaf of a position at the end of a turn.

    Args:
        state: the position.
        following: index of the next seat; the number of seats if a new round begins.
        asker: index of the asker's seat.
        result: the asker's share if the game is over.
    """
    rows, knots = np.array(features(state, following), float), knot_weights(state)
    terms = np.zeros((len(PARTS), rows.size + len(knots)))
    by_part = terms[:, : rows.size].reshape(len(PARTS), *rows.shape)
    by_part[PARTS.index(OTHERS)] = rows
    by_part[PARTS.index(OTHERS), asker] = 0.0
    by_part[PART_OF_FEATURE, asker, np.arange(len(FEATURES))] = rows[asker]
    terms[PARTS.index("phase"), rows.size :] = knots
    counts = counts_of(state, asker) | later_counts(state, asker, over=result is not None)
    if result is not None:
        counts |= {"won": result, "lost": result - 1.0}
    each = potentials(terms.sum(axis=0))
    for after in range(1, len(rows)):
        counts[RIVALS[after - 1]] = -each[(asker + after) % len(rows)]
    return PlainLeaf(1.0, result, np.zeros_like(terms) if result is not None else terms, counts)


def plain_tree(question: TurnQuestion[Turn, Action]) -> PlainTree:
    """Return the tree of a decision with the plain rules."""
    return PlainTree(question, EVALUATOR, MAX_CELLS_PER_CARD[question.effort], TurnSteps(EVALUATOR))


def leaves_after(
    tree: TurnTree[Any], node: Any, rounds: int, determinizations: int, start: State
) -> list[PlainLeaf]:
    """Return the leaves of a position; ``start`` is the position at the decision."""
    cards = own_cards(start, tree.asker)
    counts = presence_of_cards(node.turn.state, tree.asker, cards)
    return [
        replace(leaf, counts={**leaf.counts, **counts})
        for leaf in _leaves_after(tree, node, rounds, determinizations)
    ]


def _leaves_after(
    tree: TurnTree[Any], node: Any, rounds: int, determinizations: int
) -> list[PlainLeaf]:
    """Return the leaves of a position; a finished turn of the last seat has the mean of its deals.

    After other ends of turns, they are the end itself and the unpacked positions of the look-ahead.
    """
    end: Turn = node.turn
    state, asker = end.state, tree.asker
    following = state.turn + 1 if end.tasks else state.turn or len(state.seats)
    # Only the positions of similar choices, which are estimated, have actions.
    if end.actions or (end.tasks and not isinstance(end.task, FillRow | RevealHands)):
        return [leaf_of(state, following, asker=asker)]
    reveals = bool(end.tasks) and isinstance(end.task, RevealHands)
    if state.phase is Phase.OVER or reveals or (end.tasks and is_last_turn(state)):
        result = float(tree.evaluate_end(node, rounds, determinizations).shares[:, asker].mean())
        if not any(seat.unknown_count for seat in state.seats):
            won = winners(state)
            assert result == (state.players[asker] in won) / max(1, len(won))
        return [leaf_of(state, following, asker=asker, result=result)]
    if state.solo:
        return [leaf_of(state, following, asker=asker)]
    deals = max(2, determinizations // 3**node.events)
    ahead = LookAhead(state, asker, EVALUATOR)
    played = ahead.play_on(ahead.pack(end), rounds, deals)
    weight = STATIC_DEALS * np.mean(~played.finished)
    weight /= weight + determinizations
    own, leaves = counts_of(state, asker), [leaf_of(state, following, asker=asker)]
    leaves[0] = replace(leaves[0], probability=weight)
    for vector, shares, over in zip(played.leaves, played.shares, played.finished, strict=True):
        after = unpacked(vector, state)
        result = float(shares[asker]) if over else None
        leaf = leaf_of(after, after.turn or len(after.seats), asker=asker, result=result)
        rivals = {name: 0.0 if over else leaf.counts[name] for name in RIVALS[: len(shares) - 1]}
        endings = {"won": result, "lost": result - 1.0} if result is not None else {}
        counts = own | later_counts(after, asker, over=bool(over)) | rivals | endings
        chance = (1.0 - weight) / len(played.finished)
        leaves.append(replace(leaf, probability=chance, counts=counts))
    return leaves


def unpacked(vector: np.ndarray, before: State) -> State:
    """Return the position between two turns of a vector; piles and the row are not unpacked.

    Args:
        vector: see ``kernels/rules/layout.py``.
        before: an earlier position of the game.
    """
    numbers, deck = vector.tolist(), len(before.catalogue.deck)
    seats = []
    for index, seat in enumerate(before.seats):
        first = at.SEATS + index * (at.HAND + 3 * deck)
        own = numbers[first : first + at.HAND + 3 * deck]
        known, discards = (own[at.HAND + place * deck :][:deck] for place in range(2))
        village = own[at.VILLAGE : at.UP]
        stocks = zip(own[at.UP : at.SPENT], own[at.SPENT : at.UNKNOWN_COUNT], strict=True)
        hand = [*Counter(dict(enumerate(known))).elements()]
        seats.append(
            replace(
                seat,
                tokens=tuple(own[at.TOKENS : at.SCROLLS]),
                scrolls=own[at.SCROLLS],
                omen=own[at.OMEN],
                omen_tokens=own[at.OMEN_TOKENS],
                village=tuple(None if c < 0 else Resident(c >> 1, bool(c & 1)) for c in village),
                buildings=tuple(BuildingCount(*stock) for stock in stocks),
                hand=tuple(sorted([UNKNOWN] * own[at.UNKNOWN_COUNT] + hand)),
                discards=tuple(Counter(dict(enumerate(discards))).elements()),
            )
        )
    claimed = numbers[at.CHALLENGE + 1 : at.CHALLENGE + 2 * at.MAX_CHALLENGES : 2]
    posted = [
        each._replace(by=None if by < 0 else by)
        for each, by in zip(before.challenges, claimed, strict=False)
    ]
    return replace(
        before,
        seats=tuple(seats),
        turn=numbers[at.TURN],
        supply=numbers[at.SUPPLY],
        juniper=numbers[at.JUNIPER],
        ending=bool(numbers[at.ENDING]),
        challenges=tuple(posted),
    )


def own_cards(state: State, asker: int) -> list[int]:
    """Return 32 different cards of a player and the row, the most expensive ones first."""
    seat = state.seats[asker]
    cards = {resident.card for resident in seat.village if resident} | {
        *seat.hand,
        *seat.discards,
        *state.row,
    }
    by_cost = ((state.villager(card).cost, -card) for card in cards if card != UNKNOWN)
    return [-card for _, card in sorted(by_cost, reverse=True)][:32]


def presence_of_cards(state: State, asker: int, cards: list[int]) -> dict[str, float]:
    """Return whether each card is in the village, ready to act and in hand, by measure."""
    seat = state.seats[asker]
    village = [each for each in seat.village if each is not None]
    cards_at = {
        "village": [each.card for each in village],
        "ready": [each.card for each in village if not each.exhausted],
        "held": [*seat.hand],
    }
    return {
        f"{where}-card-{place}": float(card in copies)
        for where, copies in cards_at.items()
        for place, card in enumerate(cards, 1)
    }


def counts_of(state: State, asker: int) -> dict[str, float]:
    """Return what a player counts, by measure."""
    seat = state.seats[asker]
    residents = [resident for resident in seat.village if resident is not None]
    own = dict(zip(FEATURES, features(state, 0)[asker], strict=True))
    villager = state.catalogue.villagers.__getitem__
    ready = villagers_by_kind(villager(each.card) for each in residents if not each.exhausted)
    held = villagers_by_kind(villager(card) for card in seat.hand if card != UNKNOWN)
    return {
        "scrolls": seat.scrolls,
        "omen": seat.omen - seat.omen_tokens,
        "resources": sum(seat.tokens),
        "buildings": sum(stock.up + stock.spent for stock in seat.buildings),
        "villagers": sum(not resident.exhausted for resident in residents),
        "hand": len(seat.hand),
        "rest-due": own["due"],
        "rest-sooner": -own["free"],
        **{kind.label: count for kind, count in zip(Resource, seat.tokens, strict=True)},
        **{
            kind.label: stock.up + stock.spent
            for kind, stock in zip(Building, seat.buildings, strict=True)
        },
        "face-up": sum(stock.up for stock in seat.buildings),
        **villagers_by_kind(villager(each.card) for each in residents),
        **{f"ready-{kind}": count for kind, count in ready.items()},
        **{f"held-{kind}": count for kind, count in held.items()},
        **{
            f"paid-{kind.label}": sum(
                villager(each.card).icons[kind] for each in residents if not each.exhausted
            )
            for kind in Resource
        },
        **{
            f"available-{kind.label}": count
            for kind, count in zip(Resource, final_resources(seat, state.catalogue), strict=True)
        },
    }


def later_counts(state: State, asker: int, *, over: bool) -> dict[str, float]:
    """Return what a player has in a leaf, by measure; 1e9 for what does not count there."""
    own = dict(zip(FEATURES, features(state, state.turn or len(state.seats))[asker], strict=True))
    seat, points = state.seats[asker], {score.player: score.points for score in scores(state)}
    going_on = {
        "later-worship": own["ready_worship"],
        "later-worship-twice": own["ready_more_worship"],
        "later-build": own["ready_build"],
        "later-scroll": own["ready_scrolls"],
        "later-turn-up": own["ready_turn_up"],
        "later-barley": seat.tokens[Resource.BARLEY],
        "later-bell": seat.tokens[Resource.BELL],
        "later-bowl": seat.tokens[Resource.BOWL],
        "later-juniper": seat.tokens[Resource.JUNIPER],
        "later-gold": seat.tokens[Resource.GOLD],
        "later-villagers": own["residents"],
        "later-room": own["free"],
        "later-hand": own["hand"],
        "later-majorities": own["majorities"],
        "supply": 0 if state.solo else state.supply,
    }
    buildings = sum(stock.up + stock.spent for stock in seat.buildings)
    lead = points.pop(seat.player) - max(points.values(), default=0)
    return {
        **(dict.fromkeys(going_on, 1e9) if over else going_on),
        "later-points": seat.scrolls + BUILDING_POINTS.get(buildings, 0),
        "later-omen": seat.omen - seat.omen_tokens,
        "later-lead": lead if over else 1e9,
    }


def villagers_by_kind(cards: Iterable[Villager]) -> dict[str, int]:
    """Return how many villagers have an action with an effect, or an icon, by kind."""
    villagers = list(cards)

    def gained(villager: Villager) -> set[GainKind]:
        gains = [getattr(effect, "gain", effect) for effect in effects(villager)]
        return {gain.what for gain in gains if isinstance(gain, Gain)}

    def effects(villager: Villager) -> list[Effect]:
        return [effect for action in villager.actions for effect in action.effects]

    def does(villager: Villager, kind: type[Effect]) -> bool:
        return any(isinstance(effect, kind) for effect in effects(villager))

    tests = {
        "scroll": lambda each: GainKind.SCROLL in gained(each),
        "worship": lambda each: does(each, Worship),
        "meditate": lambda each: does(each, Meditate),
        "build": lambda each: does(each, Build),
        "card": lambda each: GainKind.CARD in gained(each),
        "gain": lambda each: any(what <= GainKind.ANY for what in gained(each)),
        "turn-up": lambda each: does(each, TurnUpBuildings),
        "less-omen": lambda each: GainKind.LESS_OMEN in gained(each),
        "other": lambda each: any(
            does(each, kind) for kind in (Trade, TakeBack, Redraw, Recruit, Copy)
        ),
        "settle": lambda each: each.settles,
        **{kind.label: lambda each, kind=kind: each.icons[kind] > 0 for kind in Resource},
    }
    return {f"villager-{name}": sum(map(test, villagers)) for name, test in tests.items()}
