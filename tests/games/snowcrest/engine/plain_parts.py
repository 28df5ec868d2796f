"""The leaves of a hint, in plain functions of readable positions.

The equations are those of ``docs/comparisons.md``. The features of a position are those of all
seats and the weights of the knots; the terms of a part are the features of the part.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from service.core.sequential import OTHERS
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.engine.end_values import STATIC_DEALS
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.engine.features import FEATURES
from service.games.snowcrest.engine.kernels.choices.endings import ends_game
from service.games.snowcrest.engine.kernels.choices.estimation import next_turn
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.searching import ENDED
from service.games.snowcrest.engine.lookahead import LookAhead
from service.games.snowcrest.engine.parts import PARTS
from service.games.snowcrest.engine.position import Position
from service.games.snowcrest.engine.tree import Tree
from service.games.snowcrest.engine.turn_tree import MAX_CELLS_PER_CARD
from service.games.snowcrest.rules.actions import Action
from service.games.snowcrest.rules.scoring import winners
from service.games.snowcrest.rules.state import BuildingCount, Resident, State
from service.games.snowcrest.rules.turn import Turn
from tests.games.snowcrest.engine.plain_evaluation import features, knots_of
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
    rows, knots = np.array(features(state, following), float), knots_of(state)
    terms = np.zeros((len(PARTS), rows.size + len(knots)))
    by_part = terms[:, : rows.size].reshape(len(PARTS), *rows.shape)
    by_part[PARTS.index(OTHERS)] = rows
    by_part[PARTS.index(OTHERS), asker] = 0.0
    by_part[PART_OF_FEATURE, asker, np.arange(len(FEATURES))] = rows[asker]
    terms[PARTS.index("phase"), rows.size :] = knots
    return PlainLeaf(1.0, result, np.zeros_like(terms) if result is not None else terms)


def plain_terms(state: State, following: int, *, asker: int) -> np.ndarray:
    """Return the terms of the parts by knot, see ``engine/parts.py``."""
    terms = leaf_of(state, following, asker=asker).terms
    weights = np.array(EVALUATOR.solo if state.solo else EVALUATOR.several)
    rows = terms[:, : -len(weights)].reshape(len(PARTS), len(state.seats), len(FEATURES))
    return np.concatenate(
        [(rows @ weights.T).reshape(len(PARTS), -1), terms[:, -len(weights) :]], 1
    )


class PlainTree(Tree):
    """The tree of a decision that remembers where the decision is."""

    def __init__(self, question: TurnQuestion[Turn, Action]) -> None:
        super().__init__(question, EVALUATOR, MAX_CELLS_PER_CARD[question.effort])
        self.state = question.play.state


def leaves_after(
    tree: PlainTree, node: Position, rounds: int, determinizations: int
) -> list[PlainLeaf]:
    """Return the leaves of a position; a finished turn of the last seat has the mean of its deals.

    After other ends of turns, they are the end itself and the unpacked positions of the look-ahead.
    """
    vector, asker = node.vector, tree.asker
    state, following = unpacked(vector, tree.state), next_turn(vector)
    if node.kind != ENDED:
        return [leaf_of(state, following, asker=asker)]
    if ends_game(vector):
        result = float(tree.evaluate_end(node, rounds, determinizations).shares[:, asker].mean())
        if not any(seat.unknown_count for seat in state.seats):
            won = winners(state)
            assert result == (state.players[asker] in won) / max(1, len(won))
        return [leaf_of(state, following, asker=asker, result=result)]
    if state.solo:
        return [leaf_of(state, following, asker=asker)]
    deals = max(2, determinizations // 3**node.events)
    played = LookAhead(state, asker, EVALUATOR).play_on(vector, rounds, deals)
    weight = STATIC_DEALS * np.mean(~played.finished)
    weight /= weight + determinizations
    leaves = [leaf_of(state, following, asker=asker)]
    leaves[0] = replace(leaves[0], probability=weight)
    for after, shares, over in zip(played.leaves, played.shares, played.finished, strict=True):
        leaf_state = unpacked(after, state)
        result = float(shares[asker]) if over else None
        turn = leaf_state.turn or len(leaf_state.seats)
        leaf = leaf_of(leaf_state, turn, asker=asker, result=result)
        leaves.append(replace(leaf, probability=(1.0 - weight) / len(played.finished)))
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
