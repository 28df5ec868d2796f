"""The tree of a turn of the asker with the compiled rules, for several players.

It is equivalent to ``plain_tree.py`` but faster if the turn cannot end the game.  Otherwise it is a
rough tree: the last turn is followed no further than other turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from service.core.arrays import Floats
from service.core.sequential import Check, EndValue, Leaves, Node, Outcomes, Reach, SimilarNode
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.engine.end_values import (
    LEAST_DEALS,
    EndLeaves,
    deals_after,
    leaves_of,
    mean_of_deals,
)
from service.games.snowcrest.engine.ends.turn_ends import (
    has_small_turns,
    most_scrolls,
    play_may_end_game,
)
from service.games.snowcrest.engine.evaluation import Evaluator, comparable
from service.games.snowcrest.engine.kernels.choices.answers import answer_bid
from service.games.snowcrest.engine.kernels.choices.endings import ends_game
from service.games.snowcrest.engine.kernels.choices.estimation import (
    memo_size,
    next_turn,
    phase,
    shares,
)
from service.games.snowcrest.engine.kernels.choices.listing import MOST_ACTIONS
from service.games.snowcrest.engine.kernels.reaching import (
    FOUND_ENDS,
    FOUND_EVENTS,
    LAST_TURN,
    LEFT_OUT,
    MOST_POSITIONS,
    SEARCHED,
    reach,
)
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.rules.acting import act, draw
from service.games.snowcrest.engine.kernels.searching import ENDED, EVENT, FAILURE, OWN, settle
from service.games.snowcrest.engine.lookahead import LookAhead, Played
from service.games.snowcrest.engine.packing import Vector, packing_of
from service.games.snowcrest.engine.parts import estimates
from service.games.snowcrest.engine.revealed_cards import revealed_cards
from service.games.snowcrest.rules.actions import Action, ActionType
from service.games.snowcrest.rules.scoring import BUILDING_POINTS
from service.games.snowcrest.rules.state import Below
from service.games.snowcrest.rules.turn import Turn


class PackedNode(NamedTuple):
    """A node of the search tree.

    Attributes:
        data: the position, see ``kernels/rules/layout.py``.
        kind: what it needs next: ``OWN``, ``EVENT`` or ``ENDED``.
        events: number of events before it.
    """

    data: bytes
    kind: int
    events: int = 0

    @property
    def vector(self) -> Vector:
        """The position as a vector that may change."""
        return np.frombuffer(self.data, np.int16).copy()


def is_packable(question: TurnQuestion[Turn, Action]) -> bool:
    """Return whether a decision belongs to a turn of the asker that the compiled rules can search.

    Payments with unknown cards of the asker are left to the plain rules, as are solo games and
    catalogues with large turns.
    """
    turn, state = question.play, question.play.state
    return (
        not state.solo
        and has_small_turns(state.catalogue)
        and turn.mover.player == question.player
        and not turn.mover.unknown_count
    )


def is_suitable(question: TurnQuestion[Turn, Action]) -> bool:
    """Return whether the compiled rules can search a turn as the plain ones would.

    The turn cannot end the game (C9): in the last seat, twice the scrolls of a large turn must be
    left.  That bound is not strict.
    """
    state = question.play.state
    last = state.turn + 1 == len(state.seats)
    may_end = state.ending or state.supply <= 2 * most_scrolls(state.catalogue)
    return is_packable(question) and not (last and may_end)


class PackedTree:
    """Snowcrest as an implementation of :class:`~service.core.sequential.TurnTree`.

    Args:
        question: a packable decision.
        evaluator: of positions.
        cells: searched for each playable card.

    Raises:
        ValueError: if a position needs more room than a vector has.
    """

    looks_ahead = True

    def __init__(
        self, question: TurnQuestion[Turn, Action], evaluator: Evaluator, cells: int
    ) -> None:
        state = question.play.state
        self.players = state.players
        self.asker = self.players.index(question.player)
        self._evaluator, self._catalogue = evaluator, state.catalogue
        self._packing = packing_of(state.catalogue, len(state.seats))
        self._cards = self._packing.cards
        self._look_ahead = LookAhead(state, self.asker, evaluator)
        self._models = self._look_ahead.models
        self._turn, self._root = question.play, self._packing.pack(question.play)
        self._own = at.SEATS + self.asker * int(self._cards[at.SEAT_SIZE])
        self._memory = np.empty((MOST_POSITIONS + 1, self._packing.length), np.int16)
        self._out = np.zeros((MOST_ACTIONS, self._packing.action_size), np.int16)
        self._memos = np.full((len(state.seats), memo_size(self._cards)), -1.0)
        self._played: dict[tuple[PackedNode, int, int], Played] = {}
        self._final: dict[bytes, Floats] = {}
        [choices] = question.decision.choices.values()
        self._nodes = self._nodes_after(choices, cells)

    def watch(self, check: Check) -> None:
        """Do nothing: the compiled rules cannot be interrupted."""

    def after(self, choice: Action) -> Node | SimilarNode:
        return self._nodes[choice]

    def _nodes_after(
        self, choices: Sequence[Action], cells: int
    ) -> dict[Action, PackedNode | SimilarNode]:
        """Return what follows each choice; see ``PlainTree``."""
        nodes: dict[Action, PackedNode | SimilarNode] = {}
        by_card: dict[Card | None, list[tuple[float, Action, Vector, list[float]]]] = {}
        for choice in choices:
            vector = self._root.copy()
            act(vector, self._cards, self._packing.pack_action(choice, self.players))
            if choice.type is ActionType.PLAY and not play_may_end_game(self._turn, choice):
                own_shares = self._shares(vector)
                rated = comparable(own_shares[self.asker]), choice, vector, own_shares
                by_card.setdefault(choice.card, []).append(rated)
            else:
                nodes[choice] = self._settled(vector)
        for plays in by_card.values():
            plays.sort(key=lambda play: -play[0])
            _, best, vector, best_shares = plays[0]
            for _, choice, searched, _ in plays[:cells]:
                nodes[choice] = self._settled(searched.copy())
            node, position = nodes[best], PackedNode(vector.tobytes(), OWN)
            for _, choice, other, own_shares in plays[cells:]:
                difference = tuple(
                    own - share for own, share in zip(own_shares, best_shares, strict=True)
                )
                positions = position, PackedNode(other.tobytes(), OWN)
                nodes[choice] = SimilarNode(node, difference, positions)
        return nodes

    def _settled(self, vector: Vector, event: PackedNode | None = None) -> PackedNode:
        """Return the node of a position, at the next decision, at an event, or at the end.

        Args:
            vector: the position; changed.
            event: before the position; the node if the position needs too much room.
        """
        scratch = self._memory[MOST_POSITIONS]
        kind = settle(vector, self._cards, self._models, self.asker, self._out, scratch)
        events = 0 if event is None else event.events + 1
        if kind != FAILURE:
            return PackedNode(vector.tobytes(), kind, events)
        if event is None:
            raise ValueError("a position needs more room than a vector has")
        return event._replace(kind=ENDED, events=events)

    def _shares(self, vector: Vector) -> list[float]:
        """Return the stated win shares as if the turn ended here."""
        out = np.empty(len(self.players))
        shares(vector, self._cards, self._models, next_turn(vector), self._memos, out)
        own_shares: list[float] = self._evaluator.stated(out[None], self.asker)[0].tolist()
        return own_shares

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        start = _packed(node)
        rough = bool(ends_game(start.vector))
        if start.kind == ENDED:
            return Reach([start], [], 1, cut=False, actions=[0], rough=rough)
        if start.kind == EVENT:
            return Reach([], [start], 1, cut=False, actions=[0], rough=rough)
        self._memory[0] = start.vector
        depths = np.empty(MOST_POSITIONS, np.int64)
        kept = np.empty((2, MOST_POSITIONS), np.int64)
        numbers = np.empty(5, np.int64)
        reach(
            self._memory, self._cards, self._models, self._memos, self.asker, ends, events,
            most_scrolls(self._catalogue), self._out, depths, kept, numbers,
        )  # fmt: skip
        found_ends = kept[0, : numbers[FOUND_ENDS]].tolist()
        found_events = kept[1, : numbers[FOUND_EVENTS]].tolist()
        return Reach(
            [self._node(place, ENDED, start.events) for place in found_ends],
            [self._node(place, EVENT, start.events) for place in found_events],
            int(numbers[SEARCHED]),
            cut=bool(numbers[LEFT_OUT]),
            actions=depths[found_ends + found_events].tolist(),
            rough=bool(numbers[LAST_TURN]),
        )

    def _node(self, place: int, kind: int, events: int) -> PackedNode:
        return PackedNode(self._memory[place].tobytes(), kind, events)

    def outcomes(self, event: Node, limit: int) -> Outcomes:
        before = _packed(event)
        vector = before.vector
        top = at.STACK + (int(vector[at.TASKS]) - 1) * at.TASK_SIZE
        after = []
        if vector[top] == at.REVEAL:
            for card, chance in self._revealed(vector, limit, forest=bool(vector[top + 1])):
                revealed = vector.copy()
                draw(revealed, self._cards, card)
                after.append((chance, self._settled(revealed, before)))
            return Outcomes(after)
        model = self._models[phase(vector, self._models)]
        chance = answer_bid(vector, self._cards, model, self._out)
        for probability, bid in zip((chance, 1.0 - chance), self._out[:2].copy(), strict=True):
            answered = vector.copy()
            act(answered, self._cards, bid)
            after.append((probability, self._settled(answered, before)))
        return Outcomes(after)

    def _revealed(self, vector: Vector, limit: int, *, forest: bool) -> list[tuple[Card, float]]:
        """Return the guardians or forest cards that may be revealed, with their probabilities."""
        cards, catalogue = self._cards, self._catalogue
        pile = catalogue.forest_pile if forest else catalogue.guardian_pile
        pool = int(cards[at.POOLS] - cards[at.DECK])
        left = {card: int(vector[pool + card]) for card in pile}
        below = self._below(vector)
        unseen = {card: count for card, count in left.items() if count > 0}
        top = (below.forest if forest else below.guardians)[:1]
        numbers = vector[[at.SUPPLY, at.JUNIPER, at.TURN]].tolist()
        position = numbers[0], numbers[1], below, numbers[2]
        return revealed_cards(unseen or dict.fromkeys(top, 1), limit, position)

    def _below(self, vector: Vector) -> Below:
        piles = []
        for count, first_at in (
            (at.COMMONS_BELOW, at.BELOW_COMMONS),
            (at.GUARDIANS_BELOW, at.BELOW_GUARDIANS),
            (at.FOREST_BELOW, at.BELOW_FOREST),
        ):
            first = int(self._cards[first_at])
            piles.append(tuple(vector[first : first + int(vector[count])].tolist()))
        return Below(*piles)

    def cut_off(self, node: Node) -> Node:
        return _packed(node)._replace(kind=ENDED)

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        node = _packed(end)
        if ends_game(node.vector):
            final = self._final_shares(node)
            return EndValue(final, len(final), 1)
        static = np.array([self._shares(node.vector)])
        if not rounds:
            return EndValue(static, 1, 1)
        key = node, rounds, determinizations
        if key not in self._played:
            deals = deals_after(node.events, determinizations)
            self._played[key] = self._look_ahead.play_on(node.vector, rounds, deals)
        return mean_of_deals(self._played[key], static, determinizations)

    def _final_shares(self, node: PackedNode) -> Floats:
        """Return the win shares of a game that is over, float64[deals, seats]."""
        if node.data not in self._final:
            played = self._look_ahead.play_on(node.vector, 1, LEAST_DEALS)
            self._final[node.data] = played.shares
        return self._final[node.data]

    def _result(self, node: PackedNode) -> float:
        """Return the asker's share of a game that is over, otherwise NaN."""
        # A position of a SimilarNode is not the end of a turn.
        if node.kind != ENDED or not ends_game(node.vector):
            return np.nan
        return float(self._final_shares(node)[:, self.asker].mean())

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        nodes = [*map(_packed, ends)]
        vectors = np.array([node.vector for node in nodes])
        played = [self._played.get((node, rounds, determinizations)) for node in nodes]
        results = np.array([self._result(node) for node in nodes])
        described = self._look_ahead.terms_of(vectors, ~np.isnan(results))
        own = [
            EndLeaves(np.ones(1), np.array([result]), terms[None])
            for result, terms in zip(results, described, strict=True)
        ]
        return leaves_of(self._look_ahead, self.asker, own, played, determinizations)

    def estimate(self, features: Floats) -> Floats:
        return estimates(self._evaluator, self.asker, len(self.players), False, features)

    def preference(self, end: Node) -> tuple[float, ...]:
        """Points, hand cards, resources, face-up villagers."""
        seat = _packed(end).vector[self._own : self._own + at.HAND].tolist()
        buildings = sum(seat[at.UP : at.UP + 2 * at.BUILDINGS])
        omen = seat[at.OMEN] - seat[at.OMEN_TOKENS]
        points = seat[at.SCROLLS] + omen + BUILDING_POINTS.get(buildings, 0)
        tokens = sum(seat[at.TOKENS : at.TOKENS + at.RESOURCES])
        face_up = sum(seat[at.UP : at.UP + at.BUILDINGS])
        village = seat[at.VILLAGE : at.VILLAGE + at.CELLS]
        villagers = sum(code >= 0 and code % 2 == 0 for code in village)
        return float(points), float(seat[at.HAND_COUNT]), float(tokens + face_up), float(villagers)

    def replies(self, node: Node) -> None:
        return None

    def waiting(self, end: Node) -> None:
        return None  # The choices of a turn always include progress (C3).


def _packed(node: Node) -> PackedNode:
    assert isinstance(node, PackedNode), "a node of this tree"
    return node
