"""A turn of Snowcrest as the solver wants it: the plain rules, and few choices of each decision.

Own decisions are followed by a beam; cards that the player draws stay unknown, which an evaluator
that adds up what cards are worth values as their mean; guardians and forest cards are turned up
one by one, or a sample of them; whatever others decide, they do by what it gives up.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from random import Random
from typing import Final, TypeVar

import numpy as np

from service.core.frozen import replace
from service.core.sequential import Breadth, Like, Node, Reach, Settled, TurnBudget, TurnQuestion
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card
from service.games.snowcrest.engine.candidates import bid_outcomes, candidate_actions, deciding_seat
from service.games.snowcrest.engine.evaluation import Evaluator, default_evaluator
from service.games.snowcrest.rules.actions import Action, ActionType, draw_action
from service.games.snowcrest.rules.progress import apply_choice, apply_draw, chance_outcomes
from service.games.snowcrest.rules.scoring import winners
from service.games.snowcrest.rules.state import Phase, State, unseen_deck
from service.games.snowcrest.rules.turn import (
    CollectBids,
    DrawCards,
    FillRow,
    RevealHands,
    RevealSpirit,
    Turn,
)

_QUICK: Final = Breadth((1,), (1,), worlds=8, outcomes=3)
_STANDARD: Final = Breadth((2, 1), (2, 1), worlds=32, outcomes=6)
_DEEP: Final = Breadth((6, 2), (4, 2, 1), worlds=128, outcomes=60)
TURN_BUDGETS: Final[Mapping[str, TurnBudget]] = {
    "quick": TurnBudget((_QUICK,), rounds=0, positions=0),
    "standard": TurnBudget((_QUICK, _STANDARD), rounds=0, positions=2_500),
    "deep": TurnBudget((_QUICK, _STANDARD, _DEEP), rounds=0, positions=12_000),
}
MAX_CELLS_PER_CARD: Final = {"quick": 1, "standard": 2, "deep": 4}
"""Into how many cells playing a card is looked at; the others are taken to be like the best."""

T = TypeVar("T")


class SnowcrestTurns:
    """The game as the service's :class:`~service.core.sequential.TurnGame`.

    Args:
        evaluator: that it works with; the one of this version if none is given.
    """

    efforts = TURN_BUDGETS

    def __init__(self, evaluator: Evaluator | None = None) -> None:
        self._evaluator = evaluator or default_evaluator()

    @property
    def evaluator(self) -> str:
        return self._evaluator.version

    def tree(self, question: TurnQuestion[Turn, Action]) -> _TurnTree:
        return _TurnTree(question, self._evaluator)

    def key(self, question: TurnQuestion[Turn, Action]) -> bytes:
        turn, state = question.play, question.play.state
        places = {player: str(place) for place, player in enumerate(state.players)}
        seats = tuple(replace(seat, player=places[seat.player]) for seat in state.seats)
        own = state.own_catalogue
        cards = own and (own.villagers, own.guardians, own.forest, own.challenges)
        [choices] = question.decision.choices.values()
        told = [
            replace(choice, player=None, owner=choice.owner and places[choice.owner])
            for choice in choices
        ]
        asker = places[question.player]
        table = replace(state, seats=seats, own_catalogue=None)
        return repr((table, cards, turn.tasks, turn.acting_cell, asker, told)).encode()


class _TurnTree:
    """See :class:`~service.core.sequential.TurnTree`."""

    def __init__(self, question: TurnQuestion[Turn, Action], evaluator: Evaluator) -> None:
        self._turn = replace(question.play, actions=())
        self.players = question.play.state.players
        self.asker = self.players.index(question.player)
        self._evaluator = evaluator
        self._cells = MAX_CELLS_PER_CARD[question.tier]
        [choices] = question.decision.choices.values()
        self._equivalents = self._group_plays(choices)

    def after(self, choice: Action) -> Node | Like:
        like = self._equivalents.get(choice)
        if like is None:
            return self._after_choice(self._turn, choice)
        other, shares = like
        return Like(self._after_choice(self._turn, other), shares)

    def _group_plays(
        self, choices: Sequence[Action]
    ) -> dict[Action, tuple[Action, tuple[float, ...]]]:
        """Cells that are not looked at for a card: which one they are like, and how much worse.

        Whoever is played does the same in every cell; they differ in who is replaced, and in which
        rows come to be full.
        """
        by_card: dict[Card | None, list[tuple[float, Action, list[float]]]] = {}
        for choice in choices:
            if choice.type is ActionType.PLAY:
                turn = apply_choice(self._turn, choice).play
                shares = self._evaluator.shares(turn.state, turn.state.turn + 1)
                rated = shares[self.asker], choice, shares
                by_card.setdefault(choice.card, []).append(rated)
        alike = {}
        for rated_choices in by_card.values():
            rated_choices.sort(key=lambda rated: -rated[0])
            _, best, shares = rated_choices[0]
            for _, choice, others in rated_choices[self._cells :]:
                worse = tuple(other - share for other, share in zip(others, shares, strict=True))
                alike[choice] = best, worse
        return alike

    def _after_choice(self, turn: Turn, choice: Action) -> Turn:
        return self._advance(apply_choice(turn, choice).play)

    def _advance(self, turn: Turn) -> Turn:
        """To the next decision of the asker, event, or end of the turn."""
        while not _is_end(turn):
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
        """What somebody else decides, with probabilities."""
        model, seat = self._evaluator.model(turn.state), deciding_seat(turn)
        if isinstance(turn.task, CollectBids) and seat != turn.state.turn:
            return bid_outcomes(turn, model)
        found = candidate_actions(turn, model, 1 if seat != turn.state.turn else 2)
        if len(found) == 1 or seat != turn.state.turn:
            return [(1.0, found[0])]
        # Who is in turn goes on as it looks best to them.
        reached = [apply_choice(turn, action).play for action in found]
        best = max(range(len(found)), key=lambda place: self._estimated_share(reached[place], seat))
        return [(1.0, found[best])]

    def _estimated_share(self, turn: Turn, seat: int) -> float:
        """A seat's share as if the turn were over."""
        return self._evaluator.shares(turn.state, _next_turn(turn))[seat]

    def reach(self, node: Node, ends: int, events: int) -> Reach:
        turn = _turn(node)
        if _is_end(turn):
            return Reach([turn], [], 1, cut=False)
        if self._is_event(turn):
            return Reach([], [turn], 1, cut=False)
        # Where more ends are wanted, more ways are followed.
        beam = ends + 1
        layer, seen, cut, positions = [turn], {turn}, False, 0
        over: list[Turn] = []
        met: list[Turn] = []
        while layer:
            following: list[Turn] = []
            for each in layer:
                model = self._evaluator.model(each.state)
                for action in candidate_actions(each, model, beam):
                    reached = self._after_choice(each, action)
                    positions += 1
                    if reached in seen:
                        continue
                    seen.add(reached)
                    if _is_end(reached):
                        over.append(reached)
                    else:
                        (met if self._is_event(reached) else following).append(reached)
            layer = self._best(following, beam)
            cut |= len(following) > len(layer)
        # Where no event is to be followed but nothing else is there, the best one is.
        kept = self._best(over, ends), self._best(met, events or not over)
        cut |= len(over) + len(met) > len(kept[0]) + len(kept[1])
        return Reach(*kept, positions, cut=cut)

    def _is_event(self, turn: Turn) -> bool:
        return isinstance(turn.task, RevealSpirit) or deciding_seat(turn) != self.asker

    def _best(self, turns: list[Turn], most: int) -> list[Turn]:
        if len(turns) <= most:
            return turns
        return sorted(
            turns, key=lambda turn: self._estimated_share(turn, self.asker), reverse=True
        )[:most]

    def outcomes(self, event: Node, most: int) -> Sequence[tuple[float, Node]]:
        turn = _turn(event)
        if isinstance(turn.task, RevealSpirit):
            cards = _sample(chance_outcomes(turn), most, turn.state)
            return [
                (share, self._advance(apply_draw(turn, draw_action(card)).play))
                for card, share in cards
            ]
        return [(share, self._after_choice(turn, action)) for share, action in self._answers(turn)]

    def settle(self, end: Node, rounds: int, worlds: int) -> Settled:
        turn = _turn(end)
        state, following = turn.state, _next_turn(turn)
        if state.phase is Phase.OVER or (state.ending and following == len(state.seats)):
            shares = list(_final_shares(state, worlds))
            return Settled(np.array(shares), len(shares), 0)
        return Settled(np.array([self._evaluator.shares(state, following)]), 1, 1)


def _is_end(turn: Turn) -> bool:
    """Whether nobody decides any more, and nothing comes but villagers turned up."""
    return not turn.tasks or isinstance(turn.task, (FillRow, RevealHands))


def _next_turn(turn: Turn) -> int:
    """Whose turn is next; one more than the last one where a round is over."""
    state = turn.state
    if turn.tasks:
        return state.turn + 1
    return state.turn or len(state.seats)


def _turn(node: Node) -> Turn:
    assert isinstance(node, Turn), "a node of this tree"
    return node


# Samples --------------------------------------------------------------------------------------


def _sample(possible: Mapping[Card, int], most: int, state: State) -> list[tuple[Card, float]]:
    """All cards that may come with probabilities, or so many of them that none is favoured."""
    cards = [card for card, count in possible.items() for _ in range(count)]
    if len(cards) > most:
        known = (state.supply, state.juniper, state.below, state.turn, sorted(possible))
        cards = _shuffled(cards, _random(repr(known)))[:most]
    return [(card, cards.count(card) / len(cards)) for card in dict.fromkeys(cards)]


def _final_shares(state: State, worlds: int) -> Iterator[list[float]]:
    """Who has won, in each of several deals of the hands that are unknown (C11, C12)."""
    if not any(seat.unknown_count for seat in state.seats):
        yield _won(state)
        return
    random = _random(repr([(seat.scrolls, seat.tokens, seat.village) for seat in state.seats]))
    pools = [list(unseen_deck(state, index).elements()) for index in range(len(state.seats))]
    for _ in range(worlds):
        seats = []
        for seat, unseen in zip(state.seats, pools, strict=True):
            known = tuple(card for card in seat.hand if card != UNKNOWN)
            dealt = _shuffled(unseen, random)[: seat.unknown_count] if seat.unknown_count else []
            seats.append(replace(seat, hand=(*known, *dealt)))
        yield _won(replace(state, seats=tuple(seats)))


def _won(state: State) -> list[float]:
    names = winners(state)
    return [(player in names) / max(1, len(names)) for player in state.players]


def _random(told: str) -> Random:
    """The same for the same position in every process."""
    return Random(int.from_bytes(blake2b(told.encode(), digest_size=8).digest()))


def _shuffled(items: Sequence[T], random: Random) -> list[T]:
    return sorted(items, key=lambda _: random.random())
