"""The tree of a turn of Slopecrashers: packed positions, searched by kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from service.core.advice import UNKNOWN as UNPROVEN
from service.core.arrays import Floats, Ints
from service.core.rounding import rounded
from service.core.sequential import Check, EndValue, Leaves, Node, Outcomes, Reach, Replies, Waiting
from service.core.turn_hints import Bounds, TurnQuestion
from service.games.slopecrashers.engine import event_outcomes
from service.games.slopecrashers.engine.breadth import deal_limits, followed_limits
from service.games.slopecrashers.engine.end_leaves import PARTS, PlayedEnd, leaves_of
from service.games.slopecrashers.engine.end_selection import best_ends, leaves_out, rank_forced
from service.games.slopecrashers.engine.evaluation import Evaluator
from service.games.slopecrashers.engine.event_outcomes import Attack
from service.games.slopecrashers.engine.forced_results import ForcedResults
from service.games.slopecrashers.engine.kernels import (
    estimation,
    forcing,
    rating,
    reaching,
    search,
    turns,
)
from service.games.slopecrashers.engine.kernels.estimation import estimates
from service.games.slopecrashers.engine.nodes import (
    ATTACK,
    DRAW,
    Answering,
    Position,
    position_of,
    vector_of,
)
from service.games.slopecrashers.engine.packing import (
    Board,
    Vector,
    is_truncated,
    make_board,
    pack_turn,
    race_of,
)
from service.games.slopecrashers.rules.choices import answer_choices
from service.games.slopecrashers.rules.gifts import UNKNOWN
from service.games.slopecrashers.rules.state import Action, ActionType, Direction
from service.games.slopecrashers.rules.turn import Turn, apply_action

MAX_POSITIONS: Final = 2048
"""Positions that one call of ``reach`` returns at most."""
MAX_RATED: Final = 64
"""Up to this number of events are rated by the ends after them."""
_HASH_SLOTS: Final = 4 * MAX_POSITIONS


class PackedTree:
    """The implementation of :class:`~service.core.sequential.TurnTree`."""

    def __init__(self, question: TurnQuestion[Turn, Action], evaluator: Evaluator) -> None:
        turn = question.play
        self.players = turn.state.players
        self.asker = self.players.index(question.player)
        self._own = turns.SEAT + self.asker * turns.SEAT_SIZE
        self.looks_ahead = len(self.players) > 1
        self._turn = turn
        self._board: Board = make_board(turn.state.course, turn.state.deck)
        self._evaluator = evaluator
        self._calibration = evaluator.calibration[len(self.players)]
        self._race = race_of(self._board, evaluator)
        self._states = np.empty((MAX_POSITIONS, turns.LENGTH), np.int16)
        self._seen = np.zeros((2, _HASH_SLOTS), np.int64)
        self._scratch = np.empty(turns.LENGTH, np.int16), np.empty(turns.SEATS)
        self._after = np.empty((rating.MAX_AFTER + 1, turns.LENGTH), np.int16)
        self._seen_after = np.zeros((2, 4 * rating.MAX_AFTER), np.int64)
        self._forced = ForcedResults(turn, self.asker, question.effort, self._race)
        self._is_truncated = is_truncated(turn.state)
        self._start, self._may_pass = pack_turn(turn, self._board), may_pass(turn)
        self._played: dict[tuple[Node, int, int], PlayedEnd] = {}

    def watch(self, check: Check) -> None:
        """Do nothing: the compiled rules take a few milliseconds."""

    def after(self, choice: Action) -> Node:
        turn = apply_action(self._turn, choice).play
        while turn.attack is not None and turn.state.turn != self.asker:
            # Targets answer after this choice: a known magnet is used, an unknown card is none.
            answers = answer_choices(turn)
            turn = apply_action(turn, answers[0] if _is_known(turn) else answers[-1]).play
        vector = pack_turn(turn, self._board)
        if turn.over and turn.state.winner is None:
            # The rules have skipped missed turns, but not begun the next turn.
            turns.begin(vector)
        return Position(vector.tobytes(), turn.over)

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        vector, after = vector_of(node), position_of(node).after
        if position_of(node).over:
            return Reach([node], [], 1, cut=False, actions=[0])
        if vector[turns.TURN] != self.asker:
            return self._finish_attackers_turn(vector, after)
        if vector[turns.PHASE] == turns.DRAWING:
            return Reach([], [node], 1, cut=False)
        if vector[turns.PHASE] != turns.DECIDING:
            return Reach([], [], 1, cut=False, attacks=[node])
        board, states = self._board, self._states
        won = self._win_now(vector, after)
        if won is not None:
            return self._proven(won, vector)
        count = reaching.reach(vector, board.fields, board.uses, reaching.STOP, states, self._seen)
        cut, count = count < 0 or self._is_truncated, abs(count)
        cut |= bool((states[:count, turns.SNOW] == turns.SNOWMEN).any())
        ratings, kinds = np.empty(count), np.empty(count, np.int64)
        rating.rate(vector, self._race, states, count, *self._scratch, ratings, kinds)
        forced, searched = self._forced.of_ends(states, kinds)
        rank_forced(ratings, forced)
        ranked = np.argsort(-ratings, kind="stable")
        all_ends, all_events = (ranked[kinds[ranked] == kind] for kind in (1, 2))
        if not len(all_ends) and not len(all_events):
            # The only legal end may need cards deeper in the stack than the packed ones.
            turns.end_turn(vector)
            end = Position(vector.tobytes(), True, after)
            return Reach([end], [], count, cut=True)
        gifts = int(vector[self._own + turns.COUNT])
        ends, events = followed_limits(ends, events, gifts, after)
        wins = len(all_ends) > 0 and forced[all_ends[0]] > 0
        best = best_ends(all_ends, ratings, self._soonest if wins else self._preferred, ends)
        if not len(all_ends):
            events = events or 1  # Without any end, at least the best event is followed.
        elif wins:
            all_events = all_events[:0]  # Nothing is better than a forced win.
        followed, rated = self._best_events(all_events, ratings, events)
        drawing = states[followed, turns.PHASE] == turns.DRAWING
        draws, attacks = followed[drawing], followed[~drawing]
        found = Reach(
            ends=[Position(states[place].tobytes(), True, after) for place in best],
            events=[Position(states[place].tobytes(), False, after) for place in draws],
            positions=count + searched + rated,
            cut=cut or leaves_out(all_ends, best, forced) or len(all_events) > events,
            actions=self._seen[1, np.concatenate([best, draws, attacks])].tolist(),
            attacks=[Position(states[place].tobytes(), False, after) for place in attacks],
        )
        return self._proven(found, vector)

    def _proven(self, found: Reach, vector: Vector) -> Reach:
        """Return the reach, marked if its positions may need illegal actions (S5).

        A kernel does not know the earlier actions of the turn: they count, and the turn may not
        return to a space with the same movements left.  Only boosts side by side allow that.
        """
        actions = self._turn.count + 1 + max(found.actions, default=0)
        fields = self._board.fields[vector[self._own + turns.ROW]]
        returns = bool((fields[1:] & fields[:-1] & turns.BOOST).any())
        if actions <= forcing.FEW_ACTIONS and not returns:
            return found
        return replace(found, assumed=True)

    def _best_events(self, events: Ints, ratings: Floats, most: int) -> tuple[Ints, int]:
        """Return the places of the best events, and the number of positions searched for it.

        If there is room for two, a draw and an attack are among them: their ratings are hard to
        compare.

        Args:
            events: their places, by their ratings where the turn ends at the event.
        """
        if not most or len(events) <= most:
            return events[:most], 0
        ratings, scratch = ratings.copy(), (self._after, self._seen_after, self._scratch[1])
        rated = events[:MAX_RATED]
        searched = rating.rate_events(self._race, self._states, rated, *scratch, ratings)
        ranked = events[np.argsort(-ratings[events], kind="stable")]
        best, drawing = ranked[:most], self._states[ranked, turns.PHASE] == turns.DRAWING
        others = ranked[drawing != drawing[0]]
        if most > 1 and len(others) and (drawing[:most] == drawing[0]).all():
            best[-1] = others[0]
        return best, searched

    def _win_now(self, vector: Vector, after: str) -> Reach | None:
        """Return the soonest end of a turn that is certain to win, if any.

        Such a turn may need more positions or draws than a search follows.
        """
        board, states = self._board, self._states
        if not forcing.may_win_now(vector, board.uses, self._race.distances):
            return None
        count = abs(
            reaching.reach(vector, board.fields, board.uses, reaching.CERTAIN, states, self._seen)
        )
        wins = np.flatnonzero(states[:count, turns.PHASE] == turns.ENDED)
        if not len(wins):
            return None
        soonest = wins[self._seen[1, wins] == self._seen[1, wins].min()]
        place = soonest[np.argmax(states[soonest, self._own + turns.COUNT])]
        end = Position(states[place].tobytes(), True, after)
        return Reach([end], [], count, cut=False, actions=[int(self._seen[1, place])])

    def _preferred(self, place: int) -> tuple[float, ...]:
        return *self._preference(self._states[place]), float(-self._seen[1, place])

    def _soonest(self, place: int) -> tuple[float, ...]:
        return float(-self._seen[1, place]), *self._preference(self._states[place])

    def _finish_attackers_turn(self, vector: Vector, after: str) -> Reach:
        """Return the attacker's best end of the turn, after the asker has answered its attack."""
        out = np.empty(turns.LENGTH, np.int16)
        count = rating.best_end(
            vector,
            self._race,
            self._states,
            self._seen,
            out,
            self._scratch[1],
        )
        return Reach([Position(out.tobytes(), True, after)], [], count, cut=True, assumed=True)

    def outcomes(self, event: Node, most: int) -> Outcomes:
        # There are few kinds of cards, so no outcome is omitted.
        vector = vector_of(event)
        if vector[turns.PHASE] == turns.DRAWING:
            drawn = event_outcomes.draws(vector, self._board)
            return Outcomes(
                [
                    (probability, Position(after.tobytes(), over=False, after=DRAW))
                    for probability, after in drawn
                ],
                all=True,
            )
        after = position_of(event).after or ATTACK
        return Outcomes(
            [
                (probability, self._answered(attack, after))
                for probability, attack in event_outcomes.attacks(vector, self._board)
            ],
            all=True,
        )

    def replies(self, node: Node) -> Replies | None:
        if not isinstance(node, Answering):
            return None
        after = event_outcomes.replies(node.attack)
        return Replies(
            node.attack.waiting[0], [self._answered(attack, node.after) for attack in after]
        )

    def _answered(self, attack: Attack, after: str) -> Node:
        """Return the node of an attack, which takes effect if no more targets answer."""
        if attack.waiting:
            return Answering(attack, after)
        return Position(event_outcomes.settled(attack, self._board).tobytes(), False, after)

    def cut_off(self, node: Node) -> Node:
        position, vector = position_of(node), vector_of(node)
        if not position.over:
            turns.end_turn(vector)
        return position._replace(vector=vector.tobytes(), over=True)

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        vector, key = vector_of(end), (end, rounds, determinizations)
        forced, positions = self._forced.of_end(vector)
        if forced:
            winner = self.asker if forced > 0 else _winner(vector, self.asker)
            shares = np.eye(len(self.players))[[winner]]
            self._played[key] = PlayedEnd.decided(forced > 0, vector)
            return EndValue(shares, 1, positions, forced, bounds=_bounds(forced, vector))
        (samples, most), players = deal_limits(end, determinizations), len(self.players)
        deals = search.Deals(
            np.empty((most, players)), np.empty(most), np.empty((most, len(PARTS), players))
        )
        searched = np.zeros(1, np.int64)
        dealt = search.evaluate_end(
            vector,
            self.asker,
            rounds,
            (samples, most),
            self._race,
            self._states,
            self._seen,
            self._forced.of_deals,
            deals,
            searched,
        )
        count = abs(dealt)
        shares = deals.values[:count]
        if searched[0]:
            finished = np.isnan(deals.terms[:count, 0, :1])
            estimated = self._calibration.stated(shares, self.asker)
            shares = np.where(finished, self._calibration.of_finished(shares), estimated)
        known = deals.chances[:count].copy()
        self._played[key] = PlayedEnd(shares[:, self.asker], known, deals.terms[:count].copy())
        if dealt < 0:
            shares = (known[:, None] * shares).sum(axis=0)[None]
        return EndValue(shares, count, positions + int(searched[0]))

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        return leaves_of([self._played[end, rounds, determinizations] for end in ends])

    def estimate(self, features: Floats) -> Floats:
        shares = features.copy()
        estimates(shares, self._race.weights)
        return self._calibration.stated(shares, self.asker)[:, self.asker]

    def preference(self, end: Node) -> tuple[float, ...]:
        return self._preference(vector_of(end))

    def _preference(self, vector: Vector) -> tuple[float, ...]:
        """Fewer movements left on the course, then less what gifts, stings and missed turns change.

        Far ahead, all shares are equal to nine decimals: who did not move would never win.
        """
        left = np.empty(len(self.players))
        estimation.movements_left(vector, self._race, left)
        own = vector[self._own : self._own + turns.SEAT_SIZE]
        on_course = self._race.distances[own[turns.LAP], own[turns.ROW], own[turns.LANE]]
        return (
            -rounded(float(on_course)),
            -rounded(float(left[self.asker])),
            float(own[turns.COUNT]),
        )

    def waiting(self, end: Node) -> Waiting:
        return Waiting(self._go_first(end), self._passes(end), self._spends(end))

    def _go_first(self, end: Node) -> Reach | None:
        if position_of(end).after:
            return None  # The asker has made progress by a draw or an attack.
        out = np.empty(turns.LENGTH, np.int16)
        found = rating.go_first(
            vector_of(end), self.asker, self._race, self._states, self._seen, out
        )
        if not found:
            return None
        is_end = found == 1
        first = Position(out.tobytes(), is_end)
        return Reach([first] if is_end else [], [] if is_end else [first], 0, cut=True)

    def _passes(self, end: Node) -> bool:
        """Whether row and gifts of the asker are as before the turn."""
        return self._may_pass and self._keeps(end, turns.LAP, turns.ROW, turns.COUNT)

    def _spends(self, end: Node) -> bool:
        count = self._own + turns.COUNT
        fewer = vector_of(end)[count] < self._start[count]
        return bool(fewer) and self._keeps(end, turns.LAP, turns.ROW)

    def _keeps(self, end: Node, *fields: int) -> bool:
        """Whether fields of the asker are as before the turn, without a draw or an attack."""
        if position_of(end).after:
            return False
        kept = [turns.WINNER, *(self._own + field for field in fields)]
        return bool((vector_of(end)[kept] == self._start[kept]).all())


def _bounds(forced: int, vector: Vector) -> Bounds:
    """Return what a forced result proves: another player need not win as soon as it can."""
    if forced > 0:
        return 1.0, 1.0
    return (0.0, 0.0) if vector[turns.WINNER] >= 0 else UNPROVEN


def may_pass(turn: Turn) -> bool:
    """Whether the turn so far consists of steps sideways: if it ends so, the player has passed."""
    return all(
        each.type is ActionType.STEP and each.direction is not Direction.FORWARD
        for each in turn.actions
    )


def _is_known(turn: Turn) -> bool:
    """Whether the top card of the target that answers next is known."""
    assert turn.attack is not None, "an attack waits for an answer"
    return turn.state.seats[turn.attack.waiting[0]].gifts[0] != UNKNOWN


def _winner(vector: Vector, asker: int) -> int:
    """Return the winner of a race that the asker has lost or cannot win."""
    return int(vector[turns.WINNER]) if vector[turns.WINNER] >= 0 else 1 - asker
