"""The search tree of a turn, on packed positions: a few promising choices for each decision.

A beam follows the asker's decisions.  Cards that the player draws stay unknown; the evaluator is
linear in card values and thus uses their mean.  Guardians and forest cards are revealed one by one,
or as a sample.  Other players answer by the price of what they give up.  After the end of the turn
the compiled rules play on (``lookahead.py``).

The last turn of a game is followed to its end, whatever the effort: with all choices that can make
a difference and the best answers of the others (``final_answers.py``), and scored exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from service.core.advice import UNKNOWN
from service.core.arrays import Floats
from service.core.sequential import Check, EndValue, Leaves, Node, Outcomes, Reach, SimilarNode
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.catalogue.cards import Card
from service.games.snowcrest.engine.chances import possible_hands, revealed_cards
from service.games.snowcrest.engine.end_values import EndValues
from service.games.snowcrest.engine.evaluation import Evaluator, comparable
from service.games.snowcrest.engine.final_answers import FinalAnswers
from service.games.snowcrest.engine.kernels import searching
from service.games.snowcrest.engine.kernels.choices.answers import answer_bid
from service.games.snowcrest.engine.kernels.choices.endings import MOST_HIDDEN, ends_game
from service.games.snowcrest.engine.kernels.choices.estimation import memo_size
from service.games.snowcrest.engine.kernels.choices.listing import MOST_ACTIONS, Search
from service.games.snowcrest.engine.kernels.rules import layout as at
from service.games.snowcrest.engine.kernels.rules.acting import act, deciding_seat, draw
from service.games.snowcrest.engine.kernels.rules.positions import next_task
from service.games.snowcrest.engine.packing import Vector, packing_of
from service.games.snowcrest.engine.parts import estimates
from service.games.snowcrest.engine.position import (
    STARTED,
    Position,
    similar_plays,
    worth_of_play,
)
from service.games.snowcrest.engine.turn_ends import (
    most_scrolls,
    play_may_end_game,
)
from service.games.snowcrest.rules.actions import Action, ActionType
from service.games.snowcrest.rules.payments.payments import MAX_LISTED
from service.games.snowcrest.rules.scoring import BUILDING_POINTS
from service.games.snowcrest.rules.turn import CollectBids, Turn

_FINAL_ENDS: Final = 4
"""Ends of the last turn that are scored."""
_FINAL_EVENTS: Final = 2
"""Events of the last turn that are followed."""
_FINAL_OUTCOMES: Final = 60
"""Cards revealed in the last turn."""
_MAY_END_BEAM: Final = 24
"""Positions followed after each action of a turn that may end the game."""
_MOST_CUT_OFF: Final = 10
"""Positions after which a node that is searched no further leads to one line only."""
_MOST_STEPS: Final = 12
"""Events of that line, and what the asker does between them."""
_MOST_WIDE: Final = 600
"""Positions after which a reach follows one line only, except in the last turn. Turns with the
default catalogue have fewer than 200."""


class Tree:
    """Snowcrest as an implementation of :class:`~service.core.sequential.TurnTree`.

    Args:
        question: the decision.
        evaluator: of positions.
        cells: searched for each playable card.
    """

    def __init__(
        self, question: TurnQuestion[Turn, Action], evaluator: Evaluator, cells: int
    ) -> None:
        state, self._turn = question.play.state, question.play
        self.players = state.players
        self.asker = self.players.index(question.player)
        self._evaluator, self._catalogue = evaluator, state.catalogue
        self._packing = packing_of(state.catalogue, len(state.seats))
        self._cards = self._packing.cards
        self._end_values = EndValues(state, self.asker, evaluator)
        self.looks_ahead = self._end_values.looks_ahead
        rows, players, length = MOST_ACTIONS, len(state.seats), self._packing.length
        self._search = Search(
            self._cards,
            self._end_values.models,
            np.full((players, memo_size(self._cards)), -1.0),
            np.zeros((0, players, MOST_HIDDEN + 1, at.ICON_KINDS), np.int16),
            np.zeros((2, 0), np.int64),
            np.zeros((rows, self._packing.action_size), np.int16),
            np.zeros(length, np.int16),
        )
        self._after, self._kinds = np.zeros((rows, length), np.int16), np.zeros(rows, np.int64)
        self._answers = FinalAnswers(self._packing, self._search, self._add)
        self._count, self._guessed = 0, False
        self._check: Check = _unchecked
        [choices] = question.decision.choices.values()
        # Not all choices are known, or listed.
        self._is_open = (
            state.seats[self.asker].unknown_count > 0
            or isinstance(self._turn.task, CollectBids)
            or len(choices) >= MAX_LISTED
        )
        self._nodes = self._nodes_after(choices, cells)

    def watch(self, check: Check) -> None:
        self._check = check

    def _add(self, positions: int = 1) -> None:
        self._count += positions
        self._check(self._count)

    # Choices ----------------------------------------------------------------------------------

    def after(self, choice: Action) -> Node | SimilarNode:
        return self._nodes[choice]

    def _nodes_after(
        self, choices: Sequence[Action], cells: int
    ) -> dict[Action, Position | SimilarNode]:
        """Return what follows each choice; of the plays of a card the best ones are searched."""
        nodes: dict[Action, Position | SimilarNode] = {}
        by_card: dict[Card | None, list[tuple[Action, Position]]] = {}
        equal: dict[object, Position] = {}
        root = self._packing.pack(self._turn)
        last = ends_game(root)
        for choice in choices:
            vector = root.copy()
            act(vector, self._cards, self._packing.pack_action(choice, self.players))
            node = Position(vector.tobytes(), STARTED, assumed=self._is_open)
            plays = choice.type is ActionType.PLAY
            if plays and not last and not play_may_end_game(self._turn, choice):
                by_card.setdefault(choice.card, []).append((choice, node))
            elif plays and last and choice.payment is None:
                nodes[choice] = equal.setdefault(worth_of_play(self._turn, choice), node)
            else:
                nodes[choice] = node
        for plays_of_card in by_card.values():
            vectors = np.array([node.vector for _, node in plays_of_card])
            shares = self._end_values.stated(self._estimates(vectors))
            nodes |= similar_plays(plays_of_card, shares, self.asker, cells)
        return nodes

    def _estimates(self, vectors: NDArray[np.int16]) -> Floats:
        """Return the win shares of positions as if the turn ended there."""
        out = np.zeros((len(vectors), len(self.players)))
        searching.estimate(vectors, self._search, out)
        return out

    # Reaches ----------------------------------------------------------------------------------

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        self._count = 0
        start = self._settled(_position(node))
        if start.kind != searching.OWN:
            found = [start] if start.kind == searching.ENDED else []
            other = [start] if start.kind == searching.EVENT else []
            return Reach(found, other, max(1, self._count), cut=self._guessed, actions=[0])
        if ends_game(start.vector):
            ends, events = _FINAL_ENDS, _FINAL_EVENTS
        return self._beam(start, ends, events)

    def _settled(self, node: Position, *, exact: bool = True) -> Position:
        """Return the next decision of the asker, event or end after a choice."""
        if node.kind != STARTED:
            return node
        vector = node.vector
        status = searching.settle(vector, self._search, self.asker, exact)
        found = self._followed(vector, status, node)
        # A position that needs too much room is valued as if the turn ended there.
        return found or node._replace(kind=searching.ENDED, assumed=True)

    def _followed(self, vector: Vector, status: int, before: Position) -> Position | None:
        """Return the node of a position that others may have to answer; None if it is too large.

        Args:
            vector: the position; changed.
            status: of the position, see ``searching.settle``.
            before: the node before it.
        """
        assumed = before.assumed or bool(status & searching.ASSUMED)
        while status & ~searching.ASSUMED == searching.ANSWER:
            seat = int(deciding_seat(vector))
            if possible_hands(vector, self._packing, seat):
                return Position(vector.tobytes(), searching.EVENT, before.events, assumed)
            self._guess(vector, seat)
            assumed = True
            for answer in self._answers.best(vector):
                act(vector, self._cards, answer)
            status = searching.settle(vector, self._search, self.asker, True)
        kind = status & ~searching.ASSUMED
        if kind == searching.FAILURE:
            return None
        return Position(vector.tobytes(), kind, before.events, assumed)

    def _guess(self, vector: Vector, seat: int) -> None:
        """Count an answer; a player who knows its own cards may choose otherwise."""
        self._guessed |= vector[self._packing.seat_at(seat) + at.UNKNOWN_COUNT] > 0
        self._add()

    def _beam(self, start: Position, ends: int, events: int, *, exact: bool = True) -> Reach:
        """Return what the choices of the asker lead to; see :meth:`reach`.

        Args:
            exact: whether the last turn is followed exactly.
        """
        beam, layer, before, cut = ends + 1, [start], {start: 0}, False
        end_nodes, event_nodes = list[Position](), list[Position]()
        while layer:
            following = list[Position]()
            vectors = [each.vector for each in layer]
            may_end = any(map(self._may_end_game, vectors))
            if exact:
                narrow = self._count > _MOST_WIDE and not any(map(ends_game, vectors))
            else:
                narrow = self._count > _MOST_CUT_OFF
            for each in layer[:1] if narrow else layer:
                reached, every = self._children(each, 1 if narrow else beam, exact=exact)
                cut |= narrow or not every
                for child in reached[:1] if narrow else reached:
                    if child in before:
                        continue
                    before[child] = before[each] + 1
                    ended, event = child.kind == searching.ENDED, child.kind == searching.EVENT
                    (end_nodes if ended else event_nodes if event else following).append(child)
            # The evaluator does not know what the end of the game is worth.
            layer = self._best(following, _MAY_END_BEAM if may_end else beam)
            cut |= len(following) > len(layer)
        # If there are only events but none is wanted, keep the best one.
        best_ends = self._best(end_nodes, ends)
        best_events = self._best(event_nodes, events or not end_nodes)
        # With all hands known, the best of several final positions is known too.
        cut |= len(end_nodes) > len(best_ends) and not all(map(self._is_decided, end_nodes))
        cut |= len(event_nodes) > len(best_events) or self._guessed
        actions = [before[each] for each in (*best_ends, *best_events)]
        return Reach(best_ends, best_events, max(1, self._count), cut=cut, actions=actions)

    def _children(
        self, position: Position, limit: int, *, exact: bool
    ) -> tuple[list[Position], bool]:
        """Return what follows the choices of a decision, and whether nothing is left out."""
        number, every = searching.expand(
            position.vector, self._search, self.asker, limit, exact, self._after, self._kinds
        )
        statuses, children = self._kinds[:number].tolist(), list[Position]()
        for vector, status in zip(self._after[:number].copy(), statuses, strict=True):
            self._add()
            child = self._followed(vector, status, position)
            if child is not None:
                children.append(child)
        return children, bool(every) and len(children) == number

    def _may_end_game(self, vector: Vector) -> bool:
        """Return whether the game may be over after the turn: its last scroll may be taken (C9)."""
        in_last_seat = vector[at.TURN] + 1 == vector[at.N]
        few = vector[at.SUPPLY] <= most_scrolls(self._catalogue)
        return bool(ends_game(vector) or (in_last_seat and few))

    def _is_decided(self, end: Position) -> bool:
        """Return whether the winners of a game that ends with the turn are certain."""
        vector = end.vector
        unknown = [self._packing.seat_at(seat) + at.UNKNOWN_COUNT for seat in range(vector[at.N])]
        return bool(ends_game(vector)) and not vector[unknown].any()

    def _best(self, nodes: list[Position], limit: int) -> list[Position]:
        """Return the nodes with the asker's largest shares; in the last turn, by final scores."""
        if len(nodes) <= limit:
            return nodes
        vectors = np.array([node.vector for node in nodes])
        last = np.array([*map(ends_game, vectors)])
        values = np.zeros(len(nodes))
        if last.any():
            scores = self._answers.scores
            values[last] = scores.standings(scores.numbers(vectors[last]))[:, self.asker]
        if not last.all():
            values[~last] = self._estimates(vectors[~last])[:, self.asker]
        order = sorted(range(len(nodes)), key=lambda place: -comparable(float(values[place])))
        return [nodes[place] for place in order[:limit]]

    def cut_off(self, node: Node) -> Node:
        """Return the end that the most promising choices and the likeliest outcomes lead to."""
        check, self._check, self._count = self._check, _unchecked, 0
        found = self._settled(_position(node), exact=False)
        for _ in range(_MOST_STEPS):
            if found.kind == searching.EVENT:
                _, found = max(self._outcomes(found, 1, exact=False)[0], key=itemgetter(0))
            elif found.kind == searching.OWN:
                reach = self._beam(found, 1, 0, exact=False)
                [found, *_] = [*map(_position, (*reach.ends, *reach.events)), found]
        self._check = check
        return found._replace(kind=searching.ENDED, assumed=True)

    # Events -----------------------------------------------------------------------------------

    def outcomes(self, event: Node, limit: int) -> Outcomes:
        self._count = 0
        nodes, every = self._outcomes(_position(event), limit, exact=True)
        return Outcomes(nodes, self._count, all=every)

    def _outcomes(
        self, before: Position, limit: int, *, exact: bool
    ) -> tuple[list[tuple[float, Position]], bool]:
        """Return what may follow an event, with probabilities, and whether nothing else can."""
        vector, seat = before.vector, int(deciding_seat(before.vector))
        if vector[next_task(vector)] == at.REVEAL:
            most = max(limit, _FINAL_OUTCOMES) if exact and ends_game(vector) else limit
            cards, every = revealed_cards(vector, self._packing, most)
            nodes = list[tuple[float, Position]]()
            for card, chance in cards:
                revealed = vector.copy()
                draw(revealed, self._cards, card)
                nodes.append((chance, self._after_event(revealed, before, exact=exact)))
            return nodes, every
        last = exact and ends_game(vector)
        if hands := possible_hands(vector, self._packing, seat) if last else []:
            self._guessed = True
            self._add(len(hands))
            return self._after_each_hand(vector, hands, before), False
        chance = answer_bid(vector, self._search)
        answered = [vector.copy(), vector.copy()]
        for after, bid in zip(answered, self._search.actions[:2].copy(), strict=True):
            act(after, self._cards, bid)
        chances = chance, 1.0 - chance
        ends = [self._after_event(after, before, exact=exact) for after in answered]
        return [*zip(chances, ends, strict=True)], False

    def _after_event(self, vector: Vector, event: Position, *, exact: bool = True) -> Position:
        node = Position(vector.tobytes(), STARTED, event.events + 1, event.assumed)
        return self._settled(node, exact=exact)

    def _after_each_hand(
        self, vector: Vector, hands: Sequence[tuple[float, Vector]], event: Position
    ) -> list[tuple[float, Position]]:
        """Return what follows the choices of a player with each hand, with probabilities."""
        shares = dict[Position, float]()
        for probability, holding in hands:
            choice = self._answers.best(holding)[0]
            reached = [vector.copy(), holding]
            for each in reached:
                act(each, self._cards, choice)
            node = self._after_event(reached[0], event)
            if node.kind == searching.ENDED:
                # What the player chose says something about its hand; the asker decides no more.
                node = self._after_event(reached[1], event)
            shares[node] = shares.get(node, 0.0) + probability
        return [(share, node) for node, share in shares.items()]

    # Ends -------------------------------------------------------------------------------------

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        node, scores = _position(end), self._answers.scores
        vector = node.vector
        if not ends_game(vector):
            estimated = self._estimates(vector[None])
            return self._end_values.evaluate(node, estimated, rounds, determinizations)
        final = scores.shares(vector)
        bounds = UNKNOWN if node.assumed else scores.bounds(vector, self.asker)
        return EndValue(final, len(final), int(len(final) > 1), bounds=bounds)

    def _result(self, node: Position) -> float:
        """Return the asker's share of a game that is over, otherwise NaN."""
        # A position of a SimilarNode is not the end of a turn.
        vector = node.vector
        if node.kind != searching.ENDED or not ends_game(vector):
            return np.nan
        return float(self._answers.scores.shares(vector)[:, self.asker].mean())

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        nodes = [*map(_position, ends)]
        results = np.array([self._result(node) for node in nodes])
        return self._end_values.leaves(nodes, results, rounds, determinizations)

    def estimate(self, features: Floats) -> Floats:
        solo = len(self.players) == 1
        return estimates(self._evaluator, self.asker, len(self.players), solo, features)

    def preference(self, end: Node) -> tuple[float, ...]:
        """Points, hand cards, resources, face-up villagers."""
        first = self._packing.seat_at(self.asker)
        seat = _position(end).vector[first : first + at.HAND].tolist()
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


def _unchecked(_: int) -> None:
    """Do not stop."""


def _position(node: Node) -> Position:
    assert isinstance(node, Position), "a node of this tree"
    return node
