"""Challenges that other players can claim in their next turn.

Other turns are not searched.  But a challenge that another player is about to claim is worth
nothing to anybody else, and the claim may decide the game.  Therefore each other player who moves
before the asker claims what some line of its next turn fulfils, by the rules, with the cards that
the asker knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

from service.core.frozen import replace
from service.games.snowcrest.catalogue.cards import (
    UNKNOWN,
    Build,
    Card,
    Challenge,
    Condition,
    ConditionKind,
    Copy,
    Effect,
    Gain,
    GainKind,
    PerBuilding,
    Recruit,
    Trade,
)
from service.games.snowcrest.engine.candidates import (
    candidate_actions,
    deciding_seat,
    turn_candidates,
)
from service.games.snowcrest.engine.evaluation import PhaseModel
from service.games.snowcrest.rules.actions import Action, ActionType, draw_action
from service.games.snowcrest.rules.challenges import condition_value
from service.games.snowcrest.rules.choices import turn_choices
from service.games.snowcrest.rules.progress import apply_choice, apply_draw, begin_turn
from service.games.snowcrest.rules.state import (
    BUILDING_SLOTS,
    PostedChallenge,
    State,
    exhausted_lines,
)
from service.games.snowcrest.rules.turn import (
    ApplyEffect,
    ChooseTurn,
    DrawCards,
    FillRow,
    RevealHands,
    RevealSpirit,
    Turn,
)

_EXHAUSTIBLE: Final = {ConditionKind.EXHAUSTED: 3, ConditionKind.EXHAUSTED_ROWS: 2}
"""Villagers and rows that a turn can exhaust, about."""
_MAX_REST: Final = 9
"""Resources of a kind that a rest can bring, about."""
_MOST_OF_OTHERS: Final = {
    ConditionKind.BUILDINGS: 1,
    ConditionKind.RESOURCES: 6,
    ConditionKind.SCROLLS: 3,
    ConditionKind.OMEN: 2,
    ConditionKind.VILLAGERS: 1,
    ConditionKind.HAND: 3,
}
"""What the actions of another villager can add to a count, about."""
_MAX_STEPS: Final = 60
"""Largest number of actions tried for the next turn of a player."""


class Threats:
    """The claims that the others can make before the asker's next turn.

    Args:
        asker: index of the asker's seat.
        model: returns the prices that choose payments and answers in a position.
    """

    def __init__(self, asker: int, model: Callable[[State], PhaseModel]) -> None:
        self._asker, self._model = asker, model
        self._claimable_at: dict[object, tuple[int, ...]] = {}
        self._claims: dict[object, tuple[int, ...]] = {}
        self._gains: dict[tuple[Card, Condition], int] = {}

    def after_claims(self, state: State, next_seat: int) -> State:
        """Return a position at the end of a turn with the others' next claims.

        Only the challenges and their scrolls change.

        Args:
            state: the position.
            next_seat: index of the seat with the next turn; ``len(seats)`` if a new round begins.
        """
        if all(posted.by is not None for posted in state.challenges):
            return state
        for index in self._seats_to_move(state, next_seat):
            for place in self._claimable(state, index):
                if state.challenges[place].by is None:
                    state = _claim(state, index, place)
        return state

    def _seats_to_move(self, state: State, next_seat: int) -> Iterator[int]:
        """Yield the others that move before the asker or the end of the game."""
        count = len(state.seats)
        for index in range(next_seat, next_seat + count):
            if index % count == self._asker or (state.ending and index >= count):
                return
            yield index % count

    def _claimable(self, state: State, index: int) -> tuple[int, ...]:
        """Return the challenges that a seat can claim, by place; all in one line of its turn."""
        position = (index, state.seats[index], state.row, state.challenges)
        if position not in self._claimable_at:
            self._claimable_at[position] = self._find_claimable(state, index)
        return self._claimable_at[position]

    def _find_claimable(self, state: State, index: int) -> tuple[int, ...]:
        near = [
            place
            for place, posted in enumerate(state.challenges)
            if posted.by is None
            and all(
                self._is_in_reach(state, index, condition)
                for condition in _challenge(state, posted).conditions
            )
        ]
        if not near:
            return ()
        unmet = [
            condition
            for place in near
            for condition in _challenge(state, state.challenges[place]).conditions
            if not _is_met(state, index, condition)
        ]
        # Other cards of the row make no difference.
        useful = tuple(
            card
            for card in state.row
            if any(self._added(state, card, condition) for condition in unmet)
        )
        key = (index, state.seats[index], useful, tuple(near))
        if key not in self._claims:
            self._claims[key] = self._best_claims(state, index, near, unmet)
        return self._claims[key]

    def _is_in_reach(self, state: State, index: int, condition: Condition) -> bool:
        """Return whether a turn of a seat may meet a condition, by what its villagers can do."""
        seat = state.seats[index]
        missing = condition.at_least - condition_value(state.catalogue, seat, condition)
        if missing <= 0:
            return True
        if condition.kind in _EXHAUSTIBLE:
            return missing <= _EXHAUSTIBLE[condition.kind]
        if exhausted_lines(seat.village):
            return condition.kind is ConditionKind.RESOURCES and missing <= _MAX_REST
        acting = (each.card for each in seat.village if each is not None and not each.exhausted)
        playable = (*state.row, *(card for card in seat.hand if card != UNKNOWN))
        return any(missing <= self._most(state, card, condition) for card in acting) or any(
            missing <= self._added(state, card, condition) for card in playable
        )

    def _added(self, state: State, card: Card, condition: Condition) -> int:
        """Return what a villager who is played can add to a count at most."""
        return self._most(state, card, condition) + _enters(state, card, condition)

    def _most(self, state: State, card: Card, condition: Condition) -> int:
        """Return what the actions of a villager can add to a count at most."""
        key = card, condition
        if key not in self._gains:
            effects = (effect for each in state.villager(card).actions for effect in each.effects)
            self._gains[key] = sum(_most_added(effect, condition) for effect in effects)
        return self._gains[key]

    def _best_claims(
        self, state: State, index: int, near: Sequence[int], unmet: Sequence[Condition]
    ) -> tuple[int, ...]:
        model = self._model(state)
        open_ = [begin_turn(replace(state, turn=index)).play]
        best: tuple[int, ...] = ()
        steps = 0
        while open_ and steps < _MAX_STEPS:
            turn = open_.pop()
            claimed = tuple(place for place in near if turn.state.challenges[place].by is not None)
            best = max(best, claimed, key=len)
            if len(best) == len(near):
                break
            following = list(_following(turn, index, model, unmet))
            steps += len(following)
            open_ += reversed(following)
        return best


def _challenge(state: State, posted: PostedChallenge) -> Challenge:
    return state.catalogue.challenges[posted.challenge]


def _is_met(state: State, index: int, condition: Condition) -> bool:
    return condition_value(state.catalogue, state.seats[index], condition) >= condition.at_least


def _enters(state: State, card: Card, condition: Condition) -> int:
    """Return what a villager adds to a count by entering the village."""
    counts = condition.kind is ConditionKind.VILLAGERS
    return int(counts and condition.of in (None, state.villager(card).kind))


def _most_added(effect: Effect, condition: Condition) -> int:
    """Return what an effect can add to a count at most."""
    match effect:
        case Build():
            fits = effect.building is None or condition.of in (None, effect.building)
            return int(condition.kind is ConditionKind.BUILDINGS and fits)
        case Gain(what=what, count=count):
            return count * _gain_serves(what, condition)
        case PerBuilding(gain=gain):
            return BUILDING_SLOTS * gain.count * _gain_serves(gain.what, condition)
        case Trade(sets=sets):
            return max(each.count * _gain_serves(each.what, condition) for each in sets)
        case Copy() | Recruit():
            return _MOST_OF_OTHERS.get(condition.kind, 0)
    return 0


def _claim(state: State, index: int, place: int) -> State:
    posted = state.challenges[place]
    count = _challenge(state, posted).scrolls
    supply = max(0, state.supply - count)
    seat = state.seats[index]
    claimed = replace(
        state,
        supply=supply,
        ending=state.ending or not supply,
        challenges=(
            *state.challenges[:place],
            PostedChallenge(posted.challenge, index),
            *state.challenges[place + 1 :],
        ),
    )
    return claimed.with_seat(index, replace(seat, scrolls=seat.scrolls + count))


# Lines of a turn ------------------------------------------------------------------------------


def _following(
    turn: Turn, index: int, model: PhaseModel, conditions: Sequence[Condition]
) -> Iterator[Turn]:
    """Yield the positions after the promising choices of a position, or after its draw."""
    if not turn.tasks or isinstance(turn.task, FillRow | RevealHands | RevealSpirit):
        return
    if isinstance(turn.task, DrawCards):
        yield apply_draw(turn, draw_action(UNKNOWN)).play
        return
    for action in _choices(turn, index, model, conditions):
        yield replace(apply_choice(turn, action).play, actions=())


def _choices(
    turn: Turn, index: int, model: PhaseModel, conditions: Sequence[Condition]
) -> Sequence[Action]:
    state = turn.state
    if deciding_seat(turn) != index:
        return candidate_actions(turn, model, 1)[:1]
    if not isinstance(turn.task, ChooseTurn):
        builds = isinstance(turn.task, ApplyEffect) and isinstance(turn.task.effect, Build)
        return candidate_actions(turn, model, 3 if builds else 2)
    return [
        action
        for action in turn_candidates(state, model, turn_choices(state))
        if any(_serves(state, action, condition) for condition in conditions)
    ]


def _serves(state: State, action: Action, condition: Condition) -> bool:
    """Return whether the turn that an action begins may bring a condition nearer."""
    if action.type is ActionType.REST or condition.kind in _EXHAUSTIBLE:
        return True
    card = _acting_card(state, action)
    if card is None:
        return False
    plays = action.type is ActionType.PLAY and _enters(state, card, condition)
    effects = (effect for each in state.villager(card).actions for effect in each.effects)
    return bool(plays) or any(_most_added(effect, condition) for effect in effects)


def _acting_card(state: State, action: Action) -> Card | None:
    if action.type is ActionType.PLAY:
        return action.card
    resident = None if action.cell is None else state.mover.village[action.cell]
    return None if resident is None else resident.card


def _gain_serves(what: GainKind, condition: Condition) -> bool:
    match condition.kind:
        case ConditionKind.RESOURCES:
            return what <= GainKind.ANY and (
                condition.of is None or what in (GainKind.ANY, GainKind(condition.of))
            )
        case ConditionKind.SCROLLS:
            return what is GainKind.SCROLL
        case ConditionKind.OMEN:
            return what is GainKind.LESS_OMEN
        case ConditionKind.HAND:
            return what is GainKind.CARD
    return False
