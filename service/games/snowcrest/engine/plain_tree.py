"""The tree of a turn with the plain rules.

The last turn of a game is followed to its end, whatever the effort, and scored exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter
from typing import Final

from service.core.arrays import Floats
from service.core.frozen import replace
from service.core.sequential import Check, EndValue, Leaves, Node, Outcomes, Reach, SimilarNode
from service.core.turn_hints import TurnQuestion
from service.games.snowcrest.catalogue.cards import UNKNOWN
from service.games.snowcrest.engine.choices.bids import (
    bid_outcomes,
    deciding_seat,
    final_answering_bids,
    listed_choices,
)
from service.games.snowcrest.engine.choices.candidates import final_actions
from service.games.snowcrest.engine.end_values import EndValues, Position
from service.games.snowcrest.engine.ends.final_answers import (
    FinalAnswers,
    Option,
    to_next_answer,
)
from service.games.snowcrest.engine.ends.final_scores import (
    expected_standing,
    final_points,
    is_last_turn,
)
from service.games.snowcrest.engine.ends.position_counter import PositionCounter
from service.games.snowcrest.engine.ends.possible_hands import possible_seats
from service.games.snowcrest.engine.ends.turn_ends import (
    after_draws,
    ends_game,
    is_decided,
    is_end,
    may_end_game,
    next_turn,
)
from service.games.snowcrest.engine.evaluation import Evaluator, comparable
from service.games.snowcrest.engine.kernels.reaching import MAY_END_BEAM
from service.games.snowcrest.engine.parts import estimates
from service.games.snowcrest.engine.revealed_cards import revealed_cards
from service.games.snowcrest.engine.similar_choices import (
    equal_plays,
    similar_bids,
    similar_plays,
)
from service.games.snowcrest.engine.turn_steps import TurnSteps
from service.games.snowcrest.payments.payments import MAX_LISTED
from service.games.snowcrest.rules.actions import Action, draw_action
from service.games.snowcrest.rules.progress import apply_draw, chance_outcomes, resumed
from service.games.snowcrest.rules.state import Seat
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    CollectBids,
    DecideBids,
    DrawCards,
    RevealSpirit,
    Turn,
)

_FINAL_ENDS: Final = 4
"""Ends of the last turn that are scored."""
_FINAL_EVENTS: Final = 2
"""Events of the last turn that are followed."""
_FINAL_OUTCOMES: Final = 60
"""Cards revealed in the last turn."""
_MOST_WIDE: Final = 600
"""Positions after which a reach follows one line only, except in the last turn. Turns with the
default catalogue have fewer than 200."""
SEARCHED_BIDS: Final = {"quick": 6, "standard": 12, "deep": 24}
"""By effort, bids above that of the player who meditates that are searched, and as many others."""


class PlainTree:
    """Snowcrest as an implementation of :class:`~service.core.sequential.TurnTree`.

    Args:
        question: the decision.
        evaluator: of positions.
        cells: searched for each playable card.
        steps: those that other trees of the plan have taken.
        rough: whether the last turn of a game is followed no further than other turns.
    """

    def __init__(
        self,
        question: TurnQuestion[Turn, Action],
        evaluator: Evaluator,
        cells: int,
        steps: TurnSteps,
        *,
        rough: bool = False,
    ) -> None:
        self._question, self.steps = question, steps
        self._turn = replace(question.play, actions=())
        self.players = question.play.state.players
        self.asker = self.players.index(question.player)
        self._evaluator = evaluator
        self._cells, self._rough = cells, rough
        self._guessed, self._counter = False, PositionCounter()
        self._end_values = EndValues(question.play.state, self.asker, evaluator, certain=not rough)
        self.looks_ahead = self._end_values.looks_ahead
        self._final_answers = FinalAnswers(
            lambda turn: final_actions(turn, evaluator.model(turn.state))[0], self._counter
        )
        self._reaches: dict[tuple[Position, int, int], Reach] = {}
        [choices] = question.decision.choices.values()
        own, task = self._turn.state.seats[self.asker], self._turn.task
        # Not all choices are known, or listed.
        self._is_open_root = (
            own.unknown_count > 0 or isinstance(task, CollectBids) or len(choices) >= MAX_LISTED
        )
        self._similar: Mapping[Action, Node | SimilarNode]
        if is_last_turn(question.play.state):
            self._similar = equal_plays(self._turn, choices, self._node_after)
        elif isinstance(self._turn.task, CollectBids):
            self._similar = similar_bids(
                self._turn,
                choices,
                question.chosen,
                SEARCHED_BIDS[question.effort],
                evaluator,
                self._node_after,
                self._after_meditation,
            )
        else:
            self._similar = similar_plays(
                self._turn, choices, cells, evaluator, steps.after, self._node_after
            )

    def rough(self) -> PlainTree:
        """Return the tree that follows the last turn of a game no further than other turns."""
        return PlainTree(self._question, self._evaluator, self._cells, self.steps, rough=True)

    def watch(self, check: Check) -> None:
        self._counter.check = check

    def after(self, choice: Action) -> Node | SimilarNode:
        return self._similar.get(choice) or self._node_after(choice)

    def _node_after(self, choice: Action) -> Position:
        """Return the position before the answers of others, which :meth:`reach` finds."""
        turn = replace(self.steps.after(self._turn, choice), actions=())
        return Position(turn, assumed=self._is_open_root)

    def _after_choice(self, turn: Turn, choice: Action, *, assumed: bool = False) -> Position:
        return self._advance(self.steps.after(turn, choice), assumed=assumed)

    def _advance(self, turn: Turn, *, assumed: bool) -> Position:
        """Return the position at the asker's next decision, at the next event, or at the end."""
        drawn = False
        while not is_end(turn):
            if isinstance(turn.task, DrawCards):
                turn, drawn = apply_draw(turn, draw_action(UNKNOWN)).play, True
                continue
            if isinstance(turn.task, RevealSpirit) or self._is_open(turn):
                break
            if isinstance(turn.task, AnswerPenalty) and self._is_followed(turn):
                turn, assumed = self._after_final_answers(turn), True
                continue
            answers = self._answers(turn)
            if len(answers) > 1:
                break
            assumed |= not self._is_followed(turn) or len(listed_choices(turn)) > 1
            turn = self.steps.after(turn, answers[0][1])
        # Cards that are drawn may allow other choices.
        assumed |= drawn and not is_end(turn)
        return Position(replace(turn, actions=()), assumed=assumed)

    def _is_open(self, turn: Turn) -> bool:
        """Return whether the asker decides, or another player with one of several hands."""
        return deciding_seat(turn) == self.asker or bool(self._possible_seats(turn))

    def _after_final_answers(self, turn: Turn) -> Turn:
        """Return the turn after the best answers of other players to a penalty, as far as sure."""
        first, *further = self._final_answers.best(turn)
        seat = deciding_seat(turn)
        if seat == turn.state.turn:
            # Its seat changes after the answers, too.
            return self._answered_by(turn, seat, self.steps.after(turn, first.answers[0]))
        turn = self._answered_by(turn, seat, _with_answers(turn, seat, first))
        for option in further:
            seat = deciding_seat(turn)
            if seat == turn.state.turn or self._is_open(turn):
                break
            turn = self._answered_by(turn, seat, _with_answers(turn, seat, option))
        return resumed(turn)

    def _answered_by(self, turn: Turn, seat: int, after: Turn) -> Turn:
        # A player who knows its own cards may choose otherwise.
        self._guessed |= turn.state.seats[seat].unknown_count > 0
        self._counter.add()
        return after

    def _answers(self, turn: Turn) -> list[tuple[float, Action]]:
        """Return the choices of another player with probabilities."""
        model, seat = self._evaluator.model(turn.state), deciding_seat(turn)
        # A player who knows its own cards may choose otherwise.
        self._guessed |= turn.state.seats[seat].unknown_count > 0
        if isinstance(turn.task, CollectBids) and seat != turn.state.turn:
            if self._is_followed(turn) and not turn.state.seats[seat].unknown_count:
                return [(1.0, self._final_bid(turn, seat))]
            return bid_outcomes(turn, model)
        candidates = self.steps.candidates(turn, 1 if seat != turn.state.turn else 2)
        if len(candidates) == 1 or seat != turn.state.turn:
            return [(1.0, candidates[0])]
        # The active player chooses what gives it the largest estimated win share.
        reached = [self.steps.after(turn, action) for action in candidates]
        best = max(
            range(len(candidates)), key=lambda index: self._estimated_share(reached[index], seat)
        )
        return [(1.0, candidates[best])]

    def _possible_seats(self, turn: Turn) -> list[tuple[float, Seat]]:
        """Return the other player who decides, with each hand that decides in the last turn."""
        if not self._is_followed(turn) or not isinstance(turn.task, AnswerPenalty | CollectBids):
            return []
        return possible_seats(turn.state, deciding_seat(turn))

    def _after_each_hand(
        self, turn: Turn, seats: Sequence[tuple[float, Seat]]
    ) -> list[tuple[float, Position]]:
        """Return what follows the choices of a player with each hand, with probabilities."""
        self._guessed = True
        self._counter.add(len(seats))
        shares, unseen = dict[Position, float](), dict[Action, Position]()
        holdings = [
            replace(turn, state=turn.state.with_seat(deciding_seat(turn), seat))
            for _, seat in seats
        ]
        if isinstance(turn.task, AnswerPenalty):
            options = self._final_answers.best_of(turn, [seat for _, seat in seats])
            choices = [first.answers[0] for first, *_ in options]
        else:
            choices = [self._answers(holding)[0][1] for holding in holdings]
        for (probability, _), holding, choice in zip(seats, holdings, choices, strict=True):
            if choice not in unseen:
                unseen[choice] = self._after_choice(turn, choice)
            reached = unseen[choice]
            if is_end(reached.turn):
                # What the player chose says something about its hand; the asker decides no more.
                reached = self._after_choice(holding, choice)
            shares[reached] = shares.get(reached, 0.0) + probability
        return [(share, reached) for reached, share in shares.items()]

    def _final_bid(self, turn: Turn, seat: int) -> Action:
        """Return another player's best bid in the last turn; nothing if that is as good."""
        return max(
            final_answering_bids(turn, self._evaluator.model(turn.state)),
            key=lambda action: comparable(self._after_bids(self.steps.after(turn, action), seat)),
        )

    def _after_bids(self, turn: Turn, seat: int) -> float:
        """Return a player's standing after the further bids."""
        self._counter.add()
        while turn.tasks and isinstance(turn.task, CollectBids | DecideBids):
            self._counter.add()
            turn = self.steps.after(turn, self._answers(turn)[0][1])
        return self._final_standing(turn, seat)

    def _after_meditation(self, bid: Action) -> Turn:
        """Return the turn after a bid and the meditation, if the others do what is likeliest."""
        turn = self.steps.after(self._turn, bid)
        while turn.tasks and isinstance(turn.task, CollectBids | DecideBids):
            _, answer = max(self._answers(turn), key=itemgetter(0))
            turn = self.steps.after(turn, answer)
        return turn

    def _final_standing(self, turn: Turn, seat: int) -> float:
        """Return a player's standing after the draws that follow at once."""
        return expected_standing(after_draws(turn).state, seat)

    def _estimated_share(self, turn: Turn, seat: int) -> float:
        """Return a seat's win share as if the turn ended here; an order in the last turn."""
        if ends_game(turn):
            return expected_standing(turn.state, seat)
        return self._evaluator.shares(turn.state, next_turn(turn))[seat]

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        self._counter.start()
        given = _position(node)
        before = given.events
        position = self._advance(given.turn, assumed=given.assumed).preceded(before)
        turn, count = position.turn, max(1, self._counter.count)
        if is_end(turn):
            return Reach([position], [], count, cut=self._guessed, actions=[0], rough=self._rough)
        if self._is_event(turn):
            return Reach([], [position], count, cut=self._guessed, actions=[0], rough=self._rough)
        if self._is_followed(turn):
            ends, events = _FINAL_ENDS, _FINAL_EVENTS
        start = position.preceded(0)
        key = start, ends, events
        if key not in self._reaches:
            self._reaches[key] = self._search(start, ends, events)
        found = self._reaches[key]
        return replace(
            found,
            ends=[_position(end).preceded(before) for end in found.ends],
            events=[_position(event).preceded(before) for event in found.events],
        )

    def _search(self, start: Position, ends: int, events: int) -> Reach:
        # The beam is wider if more ends are wanted.
        beam = ends + 1
        layer, before, cut = [start], {start: 0}, False
        self._counter.start()
        end_nodes: list[Position] = []
        event_nodes: list[Position] = []
        while layer:
            following: list[Position] = []
            may_end = not self._rough and any(may_end_game(each.turn) for each in layer)
            last = any(self._is_followed(each.turn) for each in layer)
            narrow = self._counter.count > _MOST_WIDE and not last
            for each in layer[:1] if narrow else layer:
                promising, all_ = self._promising(each.turn, beam)
                cut |= narrow or not all_
                for action in promising[:1] if narrow else promising:
                    reached = self._after_choice(each.turn, action, assumed=each.assumed)
                    self._counter.add()
                    if reached in before:
                        continue
                    before[reached] = before[each] + 1
                    if is_end(reached.turn):
                        end_nodes.append(reached)
                    elif self._is_event(reached.turn):
                        event_nodes.append(reached)
                    else:
                        following.append(reached)
            # The evaluator does not know what the end of the game is worth.
            layer = self._best(following, MAY_END_BEAM if may_end else beam)
            cut |= len(following) > len(layer)
        # If there are only events but none is wanted, keep the best one.
        best_ends = self._best(end_nodes, ends)
        best_events = self._best(event_nodes, events or not end_nodes)
        # With all hands known, the best of several final positions is known too.
        decided = all(is_decided(each.turn) for each in end_nodes)
        cut |= len(end_nodes) > len(best_ends) and not decided
        cut |= len(event_nodes) > len(best_events) or self._guessed
        actions = [before[each] for each in (*best_ends, *best_events)]
        positions = self._counter.count
        return Reach(best_ends, best_events, positions, cut=cut, actions=actions, rough=self._rough)

    def _promising(self, turn: Turn, beam: int) -> tuple[Sequence[Action], bool]:
        """Return the choices to follow, and whether they are all that make a difference."""
        if self._is_followed(turn):
            return final_actions(turn, self._evaluator.model(turn.state))
        return self.steps.candidates(turn, beam), False

    def _is_followed(self, turn: Turn) -> bool:
        """Return whether a turn is followed to the end of the game."""
        return ends_game(turn) and not self._rough

    def _is_event(self, turn: Turn) -> bool:
        return isinstance(turn.task, RevealSpirit) or deciding_seat(turn) != self.asker

    def _best(self, nodes: list[Position], limit: int) -> list[Position]:
        if len(nodes) <= limit:
            return nodes
        return sorted(
            nodes,
            key=lambda node: comparable(self._estimated_share(node.turn, self.asker)),
            reverse=True,
        )[:limit]

    def outcomes(self, event: Node, limit: int) -> Outcomes:
        position = _position(event)
        turn, before, complete = position.turn, position.events, False
        self._counter.start()
        if isinstance(turn.task, RevealSpirit):
            wanted = max(limit, _FINAL_OUTCOMES) if self._is_followed(turn) else limit
            state = turn.state
            numbers = state.supply, state.juniper, state.below, state.turn
            possible = chance_outcomes(turn)
            cards = revealed_cards(possible, wanted, numbers)
            complete = len(cards) == sum(count > 0 for count in possible.values())
            after = [(share, apply_draw(turn, draw_action(card)).play) for card, share in cards]
            reached = [
                (share, self._advance(each, assumed=position.assumed)) for share, each in after
            ]
        elif seats := self._possible_seats(turn):
            reached = self._after_each_hand(turn, seats)
        else:
            reached = [
                (share, self._after_choice(turn, action)) for share, action in self._answers(turn)
            ]
        nodes = [(share, each.preceded(before + 1)) for share, each in reached]
        return Outcomes(nodes, self._counter.count, all=complete)

    def cut_off(self, node: Node) -> Node:
        return node

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        return self._end_values.evaluate(_position(end), rounds, determinizations)

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        return self._end_values.leaves([*map(_position, ends)], rounds, determinizations)

    def estimate(self, features: Floats) -> Floats:
        solo = self._turn.state.solo
        return estimates(self._evaluator, self.asker, len(self.players), solo, features)

    def preference(self, end: Node) -> tuple[float, ...]:
        """Points, hand cards, resources, face-up villagers."""
        seat = _position(end).turn.state.seats[self.asker]
        villagers = sum(1 for each in seat.village if each is not None and not each.exhausted)
        return (
            float(final_points(seat)),
            float(len(seat.hand)),
            float(sum(seat.tokens) + sum(stock.up for stock in seat.buildings)),
            float(villagers),
        )

    def replies(self, node: Node) -> None:
        return None

    def waiting(self, end: Node) -> None:
        return None  # The choices of a turn always include progress (C3).


def _with_answers(turn: Turn, seat: int, option: Option) -> Turn:
    """Return the turn at the next answer; a seat that has not the turn changes only itself."""
    return to_next_answer(replace(turn.popped, state=turn.state.with_seat(seat, option.seat)))


def _position(node: Node) -> Position:
    assert isinstance(node, Position), "a node of this tree"
    return node
