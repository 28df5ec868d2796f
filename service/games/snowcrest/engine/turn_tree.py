"""Turn search for Snowcrest: the rules with a few candidate choices per decision.

A beam follows the own decisions.  Cards that the player draws stay unknown; the evaluator is
linear in card values and thus uses their mean.  Guardians and forest cards are revealed one by
one, or as a sample.  Other players answer by the price of what they give up.  At the end of the
turn they claim the challenges that they can claim in their next turn (``threats.py``).

The last turn of a game is followed to its end, whatever the effort, and scored exactly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Final, TypeVar

import numpy as np

from service.core.arrays import Floats
from service.core.frozen import replace
from service.core.sequential import (
    Breadth,
    EndValue,
    Leaves,
    Node,
    Reach,
    SimilarNode,
    TurnBudget,
    TurnQuestion,
)
from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    Card,
    Copy,
    Gain,
    Meditate,
    Trade,
    Worship,
)
from service.games.snowcrest.engine.candidates import (
    bid_outcomes,
    candidate_actions,
    deciding_seat,
    final_actions,
)
from service.games.snowcrest.engine.evaluation import Evaluator, default_evaluator
from service.games.snowcrest.engine.final_scores import final_shares, is_last_turn, standing
from service.games.snowcrest.engine.parts import MEASURES, PARTS, estimates, measures, terms
from service.games.snowcrest.engine.threats import Threats
from service.games.snowcrest.engine.turn_ends import (
    ends_game,
    is_decided,
    is_end,
    may_end_game,
    next_turn,
)
from service.games.snowcrest.rules.actions import Action, ActionType, draw_action
from service.games.snowcrest.rules.progress import apply_choice, apply_draw, chance_outcomes
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.scoring import BUILDING_POINTS
from service.games.snowcrest.rules.state import State
from service.games.snowcrest.rules.turn import (
    CollectBids,
    DrawCards,
    RevealSpirit,
    Turn,
)

_QUICK: Final = Breadth((1,), (1,), determinizations=8, outcomes=3)
_STANDARD: Final = Breadth((2, 1), (2, 1), determinizations=32, outcomes=6)
_DEEP: Final = Breadth((6, 2), (4, 2, 1), determinizations=128, outcomes=60)
TURN_BUDGETS: Final[Mapping[str, TurnBudget]] = {
    "quick": TurnBudget((_QUICK,), rounds=0, positions=0),
    "standard": TurnBudget((_QUICK, _STANDARD), rounds=0, positions=2_500),
    "deep": TurnBudget((_QUICK, _STANDARD, _DEEP), rounds=0, positions=12_000),
}
MAX_CELLS_PER_CARD: Final = {"quick": 1, "standard": 2, "deep": 4}
"""Cells searched per playable card, by effort; the other cells are estimated from the best one."""
_SCROLL_EFFECTS: Final = (Copy, Gain, Meditate, Trade, Worship)
"""Effects that may bring a scroll."""
_FINAL_BEAM: Final = 24
"""Positions followed after each action of a turn that may end the game."""
_FINAL_ENDS: Final = 4
"""Ends of the last turn that are scored."""
_FINAL_OUTCOMES: Final = 60
"""Cards revealed in the last turn."""

T = TypeVar("T")


class SnowcrestTurns:
    """Snowcrest as an implementation of :class:`~service.core.sequential.TurnGame`.

    Args:
        evaluator: evaluator to use instead of the default one.
    """

    rules = Snowcrest()
    budgets = TURN_BUDGETS
    parts = PARTS
    measures = MEASURES
    # Not measured: errors are those of the sampled cards.
    deal_variance = 0.0
    model_error = 0.0

    def __init__(self, evaluator: Evaluator | None = None) -> None:
        self._evaluator = evaluator or default_evaluator()

    @property
    def evaluator(self) -> str:
        return self._evaluator.version

    def tree(self, question: TurnQuestion[Turn, Action]) -> _TurnTree:
        return _TurnTree(question, self._evaluator)

    def position_key(self, question: TurnQuestion[Turn, Action]) -> bytes:
        turn, state = question.play, question.play.state
        names = {player: str(index) for index, player in enumerate(state.players)}
        seats = tuple(replace(seat, player=names[seat.player]) for seat in state.seats)
        own = state.own_catalogue
        cards = own and (own.villagers, own.guardians, own.forest, own.challenges)
        [choices] = question.decision.choices.values()
        normalized = [
            replace(choice, player=None, owner=choice.owner and names[choice.owner])
            for choice in choices
        ]
        asker = names[question.player]
        table = replace(state, seats=seats, own_catalogue=None)
        return repr((table, cards, turn.tasks, turn.acting_cell, asker, normalized)).encode()


class _TurnTree:
    """Snowcrest as an implementation of :class:`~service.core.sequential.TurnTree`."""

    def __init__(self, question: TurnQuestion[Turn, Action], evaluator: Evaluator) -> None:
        self._turn = replace(question.play, actions=())
        self.players = question.play.state.players
        self.asker = self.players.index(question.player)
        self._evaluator = evaluator
        self._cells = MAX_CELLS_PER_CARD[question.effort]
        self._threats = Threats(self.asker, evaluator.model)
        self._final_values: dict[tuple[Turn, int], Floats] = {}
        self._final_reaches: dict[tuple[Turn, int], Reach] = {}
        [choices] = question.decision.choices.values()
        self._similar: dict[Action, Turn | SimilarNode] = (
            self._equal_plays(choices)
            if is_last_turn(question.play.state)
            else dict(self._group_plays(choices))
        )

    def after(self, choice: Action) -> Node | SimilarNode:
        return self._similar.get(choice) or self._after_choice(self._turn, choice)

    def _equal_plays(self, choices: Sequence[Action]) -> dict[Action, Turn | SimilarNode]:
        """Return the plays of the last turn with what follows a play of the same worth.

        The same card may enter an empty cell or replace the same villager.  If challenges are
        open, cells differ: they may count rows of exhausted villagers.
        """
        state, nodes = self._turn.state, dict[object, Turn]()
        by_choice: dict[Action, Turn | SimilarNode] = {}
        if any(posted.by is None for posted in state.challenges):
            return by_choice
        for choice in choices:
            if choice.type is ActionType.PLAY and choice.payment is None:
                resident = state.mover.village[choice.cell or 0]
                key = choice.card, resident and resident.card
                if key not in nodes:
                    nodes[key] = self._after_choice(self._turn, choice)
                by_choice[choice] = nodes[key]
        return by_choice

    def _group_plays(self, choices: Sequence[Action]) -> dict[Action, SimilarNode]:
        """Return the plays that are not searched, with the searched play they resemble.

        A played villager does the same in every cell.  Only the replaced villager and full lines
        differ.  The evaluator estimates this as a difference of win shares.
        """
        by_card: dict[Card | None, list[tuple[float, Action, Turn, list[float]]]] = {}
        for choice in choices:
            if choice.type is ActionType.PLAY and not self._may_end_game(choice):
                turn = apply_choice(self._turn, choice).play
                shares = self._evaluator.shares(turn.state, next_turn(turn))
                rated = shares[self.asker], choice, turn, shares
                by_card.setdefault(choice.card, []).append(rated)
        similar = {}
        for rated_choices in by_card.values():
            rated_choices.sort(key=lambda rated: -rated[0])
            rest = rated_choices[self._cells :]
            if not rest:
                continue
            _, best, best_turn, shares = rated_choices[0]
            node = self._after_choice(self._turn, best)
            for _, choice, turn, others in rest:
                difference = tuple(
                    other - share for other, share in zip(others, shares, strict=True)
                )
                similar[choice] = SimilarNode(node, difference, (best_turn, turn))
        return similar

    def _may_end_game(self, choice: Action) -> bool:
        """Return whether a play, or a challenge that it meets, may take the last scroll (C9)."""
        state = self._turn.state
        if choice.card is None or not may_end_game(self._turn):
            return False
        open_ = [posted.challenge for posted in state.challenges if posted.by is None]
        rewards = (state.catalogue.challenges[challenge].scrolls for challenge in open_)
        effects = map(state.villager(choice.card).has, _SCROLL_EFFECTS)
        return state.supply <= max(rewards, default=0) or any(effects)

    def _after_choice(self, turn: Turn, choice: Action) -> Turn:
        return self._advance(apply_choice(turn, choice).play)

    def _advance(self, turn: Turn) -> Turn:
        """Return the turn at the asker's next decision, at the next event, or at its end."""
        while not is_end(turn):
            if isinstance(turn.task, DrawCards):
                turn = apply_draw(turn, draw_action(UNKNOWN)).play
                continue
            if isinstance(turn.task, RevealSpirit) or deciding_seat(turn) == self.asker:
                break
            answers = self._answers(turn)
            if len(answers) > 1:
                break
            turn = apply_choice(turn, answers[0][1]).play
        return replace(turn, actions=())

    def _answers(self, turn: Turn) -> list[tuple[float, Action]]:
        """Return the choices of another player with probabilities."""
        model, seat = self._evaluator.model(turn.state), deciding_seat(turn)
        if isinstance(turn.task, CollectBids) and seat != turn.state.turn:
            return bid_outcomes(turn, model)
        candidates = candidate_actions(turn, model, 1 if seat != turn.state.turn else 2)
        if len(candidates) == 1 or seat != turn.state.turn:
            return [(1.0, candidates[0])]
        # The active player chooses what gives it the largest estimated win share.
        reached = [apply_choice(turn, action).play for action in candidates]
        best = max(
            range(len(candidates)), key=lambda index: self._estimated_share(reached[index], seat)
        )
        return [(1.0, candidates[best])]

    def _estimated_share(self, turn: Turn, seat: int) -> float:
        """Return a seat's win share as if the turn ended here; an order in the last turn."""
        if ends_game(turn):
            return standing(turn.state, seat)
        return self._evaluator.shares(turn.state, next_turn(turn))[seat]

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        turn = _turn(node)
        if is_end(turn):
            return Reach([turn], [], 1, cut=False, actions=[0])
        if self._is_event(turn):
            return Reach([], [turn], 1, cut=False, actions=[0])
        if ends_game(turn):
            key = turn, max(1, events)
            if key not in self._final_reaches:
                self._final_reaches[key] = self._search(turn, _FINAL_ENDS, max(1, events))
            return self._final_reaches[key]
        return self._search(turn, ends, events)

    def _search(self, turn: Turn, ends: int, events: int) -> Reach:
        # The beam is wider if more ends are wanted.
        beam = ends + 1
        layer, before, cut, positions = [turn], {turn: 0}, False, 0
        end_nodes: list[Turn] = []
        event_nodes: list[Turn] = []
        while layer:
            following: list[Turn] = []
            last = any(map(ends_game, layer))
            for each in layer:
                promising, all_ = self._promising(each, beam)
                cut |= last and not all_
                for action in promising:
                    reached = self._after_choice(each, action)
                    positions += 1
                    if reached in before:
                        continue
                    before[reached] = before[each] + 1
                    if is_end(reached):
                        end_nodes.append(reached)
                    else:
                        (event_nodes if self._is_event(reached) else following).append(reached)
            # The evaluator does not know what the end of the game is worth.
            layer = self._best(following, _FINAL_BEAM if any(map(may_end_game, layer)) else beam)
            cut |= len(following) > len(layer)
        # If there are only events but none is wanted, keep the best one.
        best_ends = self._best(end_nodes, ends)
        best_events = self._best(event_nodes, events or not end_nodes)
        # With all hands known, the best of several final positions is known too.
        decided = all(map(is_decided, end_nodes))
        cut |= len(end_nodes) > len(best_ends) and not decided
        cut |= len(event_nodes) > len(best_events)
        actions = [before[each] for each in (*best_ends, *best_events)]
        return Reach(best_ends, best_events, positions, cut=cut, actions=actions)

    def _promising(self, turn: Turn, beam: int) -> tuple[Sequence[Action], bool]:
        """Return the choices to follow, and whether they are all that make a difference."""
        model = self._evaluator.model(turn.state)
        if ends_game(turn):
            return final_actions(turn, model)
        return candidate_actions(turn, model, beam), False

    def _is_event(self, turn: Turn) -> bool:
        return isinstance(turn.task, RevealSpirit) or deciding_seat(turn) != self.asker

    def _best(self, turns: list[Turn], limit: int) -> list[Turn]:
        if len(turns) <= limit:
            return turns
        return sorted(
            turns, key=lambda turn: self._estimated_share(turn, self.asker), reverse=True
        )[:limit]

    def outcomes(self, event: Node, limit: int) -> Sequence[tuple[float, Node]]:
        turn = _turn(event)
        if isinstance(turn.task, RevealSpirit):
            wanted = max(limit, _FINAL_OUTCOMES) if ends_game(turn) else limit
            cards = _sample(chance_outcomes(turn), wanted, turn.state)
            return [
                (share, self._advance(apply_draw(turn, draw_action(card)).play))
                for card, share in cards
            ]
        return [(share, self._after_choice(turn, action)) for share, action in self._answers(turn)]

    def evaluate_end(self, end: Node, rounds: int, determinizations: int) -> EndValue:
        turn = _turn(end)
        if ends_game(turn):
            shares = self._final_shares(turn, determinizations)
            sampled = len(shares) > 1
            return EndValue(shares, len(shares), int(sampled))
        shares = np.array([self._evaluator.shares(self._foreseen(turn), next_turn(turn))])
        return EndValue(shares, 1, 1)

    def _final_shares(self, turn: Turn, determinizations: int) -> Floats:
        key = turn, determinizations
        if key not in self._final_values:
            self._final_values[key] = final_shares(turn.state, determinizations)
        return self._final_values[key]

    def _foreseen(self, turn: Turn) -> State:
        """Return the position at the end of a turn with the claims that follow it."""
        if turn.state.solo:
            return turn.state
        return self._threats.after_claims(turn.state, next_turn(turn))

    def leaves(self, ends: Sequence[Node], rounds: int, determinizations: int) -> Leaves:
        turns = [_turn(end) for end in ends]
        over = [is_end(turn) and ends_game(turn) for turn in turns]
        states = [
            self._foreseen(turn) if is_end(turn) and not done else turn.state
            for turn, done in zip(turns, over, strict=True)
        ]
        results = np.full(len(turns), np.nan)
        for place, turn in enumerate(turns):
            if over[place]:
                shares = self._final_shares(turn, determinizations)
                results[place] = shares[:, self.asker].mean()
        by_part = terms(self._evaluator, self.asker, states, list(map(next_turn, turns)))
        return Leaves(
            ends=np.arange(len(turns)),
            probabilities=np.ones(len(turns)),
            results=results,
            terms=by_part,
            measures=measures(self.asker, states, by_part),
        )

    def estimate(self, features: Floats) -> Floats:
        solo = self._turn.state.solo
        return estimates(self._evaluator, self.asker, len(self.players), solo, features)

    def preference(self, end: Node) -> tuple[float, ...]:
        """Points, hand cards, resources, face-up villagers."""
        seat = _turn(end).state.seats[self.asker]
        villagers = sum(1 for each in seat.village if each is not None and not each.exhausted)
        points = seat.scrolls + BUILDING_POINTS.get(seat.building_count, 0)
        return (
            float(points + seat.omen - seat.omen_tokens),
            float(len(seat.hand)),
            float(sum(seat.tokens) + sum(stock.up for stock in seat.buildings)),
            float(villagers),
        )

    def go_first(self, end: Node) -> None:
        return None  # The choices of a turn always include progress (C3).


def _turn(node: Node) -> Turn:
    assert isinstance(node, Turn), "a node of this tree"
    return node


# Sampling -------------------------------------------------------------------------------------


def _sample(possible: Mapping[Card, int], limit: int, state: State) -> list[tuple[Card, float]]:
    """Return the possible cards with probabilities, or a random sample of them."""
    cards = [card for card, count in possible.items() for _ in range(count)]
    if len(cards) > limit:
        known = (state.supply, state.juniper, state.below, state.turn, sorted(possible))
        cards = _shuffled(cards, _random(repr(known)))[:limit]
    return [(card, cards.count(card) / len(cards)) for card in dict.fromkeys(cards)]


def _random(seed_text: str) -> Random:
    """Return a random generator that depends only on the text, in every process."""
    return Random(int.from_bytes(blake2b(seed_text.encode(), digest_size=8).digest()))


def _shuffled(items: Sequence[T], random: Random) -> list[T]:
    return sorted(items, key=lambda _: random.random())
