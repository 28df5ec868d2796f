"""Apply choices and draws to a turn, and run the tasks that need neither."""

from __future__ import annotations

from service.core.frozen import replace
from service.core.game import Step
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card, GainKind
from service.games.snowcrest.catalogue.schema import ROW_SIZE
from service.games.snowcrest.rules.actions import (
    NO_PAYMENT,
    Action,
    ActionType,
    Payment,
    draw_action,
)
from service.games.snowcrest.rules.effects.effects import (
    apply_effect,
    draw_cards,
    perform_action,
    receive_gain,
)
from service.games.snowcrest.rules.effects.meditation import (
    apply_bid,
    apply_return,
    compare_bids,
    resolve_meditation,
)
from service.games.snowcrest.rules.effects.options import (
    apply_effect_choice,
    apply_gain_choice,
    place_villager,
    queue_entry_actions,
    recruit,
    return_copied_common,
)
from service.games.snowcrest.rules.effects.paid_effects import give_item
from service.games.snowcrest.rules.effects.penalties import (
    apply_penalty_choice,
    return_spirit,
    reveal_spirit,
)
from service.games.snowcrest.rules.payments.payments import barley_cost
from service.games.snowcrest.rules.payments.resources import NOTHING, ONE, Resource, plus
from service.games.snowcrest.rules.payments.sources import apply_payment, with_exhausted
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.solo import lost_by_resting
from service.games.snowcrest.rules.state import (
    CENTRE,
    Phase,
    Resident,
    Seat,
    State,
    known_after_draw,
    top_candidates,
    unseen_commons,
    unseen_deck,
    unseen_forest,
    unseen_guardians,
)
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    ApplyEffect,
    ChooseTurn,
    CollectBids,
    DecideBids,
    DrawCards,
    EndTurn,
    ExhaustVillager,
    FillRow,
    GiveItems,
    PayCost,
    PerformAction,
    PlaceFirstVillager,
    PlaceRecruit,
    ReceiveGain,
    ReturnCopiedCommon,
    ReturnSpirit,
    RevealHands,
    RevealSpirit,
    TakeOmen,
    Task,
    Turn,
    TurnUpVillagers,
    claim_challenges,
    remove_resident,
    skip,
    take_omen,
)

TurnStep = Step[Turn, Event]


def begin_turn(state: State) -> TurnStep:
    """Return the next turn of a state, up to its first choice."""
    match state.phase:
        case Phase.OVER:
            return Step(Turn(state))
        case Phase.SET_UP:
            return _advance(Turn(state, (PlaceFirstVillager(), EndTurn())))
    return _advance(Turn(state, (ChooseTurn(), FillRow(), EndTurn())))


def apply_choice(turn: Turn, action: Action) -> TurnStep:
    """Return the turn after a legal choice or answer."""
    extended = replace(turn, actions=(*turn.actions, action))
    return _advance(_apply(extended, turn.task, action), turn.mover)


def apply_draw(turn: Turn, action: Action) -> TurnStep:
    """Return the turn after a card has been drawn or revealed."""
    assert action.card is not None, "a draw has a card"
    extended = replace(turn, actions=(*turn.actions, action))
    return _advance(_apply_card(extended.popped, turn.task, action.card), turn.mover)


def _advance(turn: Turn, checked: Seat | None = None) -> TurnStep:
    """Run tasks until one needs a choice or a card, or the turn is complete.

    Args:
        turn: the turn.
        checked: the active player's seat for which challenges have been claimed, if any.
    """
    player = turn.mover.player
    while turn.tasks:
        # A card and its payment count as one action, and no challenge is claimed after the last
        # turn.  If the seat has not changed since the last check, no new condition can be met.
        if turn.mover is not checked and not (
            _is_part_of_action(turn.task) or isinstance(turn.task, RevealHands)
        ):
            turn = claim_challenges(turn)
            checked = turn.mover
        following = _run_task(turn.popped, turn.task)
        if following is None:
            break
        turn = following
    forced = tuple((player, choice) for choice in turn.forced)
    return Step(replace(turn, events=(), forced=()), turn.events, forced)


def _is_part_of_action(task: Task) -> bool:
    return isinstance(task, GiveItems) or (isinstance(task, PayCost) and task.chosen)


# Tasks that need no choice --------------------------------------------------------------------


def _run_task(turn: Turn, task: Task) -> Turn | None:
    """Run a task that has been popped; None if it needs a choice or a card."""
    match task:
        case PerformAction(action=action):
            return perform_action(turn, action)
        case ApplyEffect(effect=effect):
            return apply_effect(turn, effect)
        case ReceiveGain(what=what, count=count):
            return receive_gain(turn, what, count)
        case DrawCards(count=count):
            return draw_cards(turn, count)
        case TakeOmen(seat=seat, count=count):
            return take_omen(turn, seat, count, "C7")
        case AnswerPenalty(items=()):
            return turn
        case ReturnSpirit(card=card, forest=forest):
            return return_spirit(turn, card, forest=forest)
        case CollectBids(waiting=()):
            return compare_bids(turn, task)
        case DecideBids(waiting=()):
            return resolve_meditation(turn, task)
        case ReturnCopiedCommon(card=card):
            return return_copied_common(turn, card)
        case ExhaustVillager(cell=cell):
            return _exhaust_villager(turn, cell)
        case TurnUpVillagers():
            return _turn_up_villagers(turn)
        case FillRow():
            short = len(turn.state.row) < ROW_SIZE
            return None if short and top_commons(turn.state) else turn
        case EndTurn():
            return _end_turn(turn)
        case RevealHands() if not any(seat.unknown_count for seat in turn.state.seats):
            return _end_game(turn).with_forced(*_reveals(turn))
    return None


def _reveals(turn: Turn) -> tuple[Action, ...]:
    """Return the draws that another view needs to know the final hands (C11)."""
    return tuple(draw_action(card) for seat in turn.state.seats for card in seat.hand)


def _exhaust_villager(turn: Turn, cell: int) -> Turn:
    turn = replace(turn, acting_cell=None)
    resident = turn.mover.village[cell]
    assert resident is not None, "the acting villager stays in the village"
    event = Event("exhaust", "C5", player=turn.mover.player, card=resident.card, cell=cell)
    return turn.with_mover(with_exhausted(turn.mover, cell), event)


def _turn_up_villagers(turn: Turn) -> Turn:
    village = tuple(
        None if resident is None else Resident(resident.card) for resident in turn.mover.village
    )
    event = Event("awake", "C16", player=turn.mover.player)
    return turn.with_mover(replace(turn.mover, village=village), event)


def _end_turn(turn: Turn) -> Turn:
    state = turn.state
    following = (state.turn + 1) % len(state.seats)
    if following:
        return turn.with_state(replace(state, turn=following))
    if state.phase is Phase.SET_UP:
        return turn.with_state(replace(state, turn=0, phase=Phase.TURNS), Event("start", "C20"))
    turn = turn.with_state(replace(state, turn=0))
    if not state.ending:
        return turn
    return _end_game(turn) if state.solo else turn.push(RevealHands())


def _end_game(turn: Turn) -> Turn:
    state = replace(turn.state, phase=Phase.OVER)
    return replace(turn.with_state(state, Event("end", "C11")), tasks=())


# Choices --------------------------------------------------------------------------------------


def _apply(turn: Turn, task: Task, action: Action) -> Turn:
    left = turn.popped
    match task:
        case PlaceFirstVillager():
            return _place_first(left, action)
        case ChooseTurn():
            return _begin_chosen_turn(left, action)
        case PayCost():
            return _pay(left, task, action)
        case ApplyEffect(effect=effect):
            return apply_effect_choice(left, effect, action)
        case ReceiveGain(count=count):
            assert action.resource is not None, "a kind is chosen"
            return apply_gain_choice(left, count, action.resource)
        case GiveItems():
            return give_item(left, task, action)
        case AnswerPenalty():
            return apply_penalty_choice(left, task, action)
        case CollectBids():
            return apply_bid(left, task, action)
        case DecideBids():
            return apply_return(left, task, action)
        case PlaceRecruit(cell=cell):
            assert action.card is not None, "a card is recruited"
            return recruit(left, cell, action.card)
    raise AssertionError(f"{task} needs no choice")


def _place_first(turn: Turn, action: Action) -> Turn:
    """Pay with barley tokens, and take omen for each one missing (C20; only at the set-up)."""
    assert action.card is not None, "a villager is put into the centre"
    cost = turn.state.villager(action.card).cost
    spent = min(cost, turn.mover.tokens[Resource.BARLEY])
    tokens = plus(turn.mover.tokens, ONE[Resource.BARLEY], -spent)
    event = Event(
        "found", "C20", player=turn.mover.player, card=action.card, cell=CENTRE, count=spent
    )
    turn = place_villager(turn, action.card, CENTRE)
    turn = turn.with_mover(replace(turn.mover, tokens=tokens), event)
    return replace(take_omen(turn, turn.state.turn, cost - spent, "C20"), acting_cell=None)


def _begin_chosen_turn(turn: Turn, action: Action) -> Turn:
    player = turn.mover.player
    match action.type:
        case ActionType.ACTIVATE:
            return _activate(turn, action)
        case ActionType.PLAY:
            return _play(turn, action)
        case ActionType.REST:
            return _rest(turn)
    return turn.with_events(Event("pass", "C3", player=player))


def _activate(turn: Turn, action: Action) -> Turn:
    assert action.cell is not None, "a villager is activated"
    resident = turn.mover.village[action.cell]
    assert resident is not None, "a villager is activated"
    event = Event("activate", player=turn.mover.player, card=resident.card, cell=action.cell)
    tasks = map(PerformAction, turn.state.villager(resident.card).actions)
    turn = replace(turn, acting_cell=action.cell).with_events(event)
    return turn.push(*tasks, ExhaustVillager(action.cell))


def _play(turn: Turn, action: Action) -> Turn:
    """Play a villager into a cell, replacing another one if necessary, and pay for it (C3, C4)."""
    assert action.card is not None, "a villager is played"
    assert action.cell is not None, "a villager is played into a cell"
    player, replaced = turn.mover.player, turn.mover.village[action.cell]
    turn = turn.with_events(Event("play", "C3", player=player, card=action.card, cell=action.cell))
    if replaced is not None:
        event = Event("replace", "C3", player=player, card=replaced.card, cell=action.cell)
        turn = remove_resident(turn.with_events(event), turn.state.turn, action.cell)
    turn = queue_entry_actions(
        place_villager(turn, action.card, action.cell).push(ExhaustVillager(action.cell)),
        action.card,
    )
    cost = turn.state.villager(action.card).cost
    if not cost:
        return turn.with_forced(Action(ActionType.PAY, payment=NO_PAYMENT))
    unpaid = turn.push(PayCost(barley_cost(cost), chosen=True))
    if action.payment is None:
        return unpaid
    return _pay(
        unpaid.popped,
        PayCost(barley_cost(cost), chosen=True),
        Action(ActionType.PAY, payment=action.payment),
    )


def _rest(turn: Turn) -> Turn:
    """Count the visible icons when the rest begins, and gain them with juniper last (C16)."""
    state, seat = turn.state, turn.mover
    if state.solo:
        state = replace(state, rests=state.rests + 1)
        turn = turn.with_state(state, Event("rest", "C13", player=seat.player, count=state.rests))
        if lost_by_resting(state):
            return _end_game(turn.with_events(Event("lost", "C13", player=seat.player)))
    else:
        turn = turn.with_events(Event("rest", "C16", player=seat.player))
    visible, chosen, less_omen = NOTHING, 0, 0
    for resident in seat.village:
        if resident is not None:
            villager = state.villager(resident.card)
            visible = plus(visible, villager.back_icons if resident.exhausted else villager.icons)
            chosen += 0 if resident.exhausted else villager.any_icons
            less_omen += 0 if resident.exhausted else villager.less_omen
    visible = plus(visible, ONE[Resource.GOLD], -chosen)
    order = sorted(Resource, key=lambda resource: resource is Resource.JUNIPER)
    *gains, juniper = (ReceiveGain(GainKind(resource), visible[resource]) for resource in order)
    more = ReceiveGain(GainKind.LESS_OMEN, less_omen), ReceiveGain(GainKind.ANY, chosen)
    return turn.push(*gains, *more, juniper, TurnUpVillagers())


def _pay(turn: Turn, task: PayCost, action: Action) -> Turn:
    if action.type is ActionType.SKIP:
        return skip(turn, "pay")
    payment = action.payment or Payment()
    items = task.cost.items
    if not items or payment != NO_PAYMENT:
        turn = turn.with_events(Event("pay", "C4", player=turn.mover.player, payment=payment))
    turn = turn.with_state(apply_payment(turn.state, turn.state.turn, payment))
    if items:
        return turn.push(GiveItems(task, items, Payment(buildings=payment.buildings)))
    return turn.push(*map(ApplyEffect, task.effects))


# Draws ----------------------------------------------------------------------------------------


def top_commons(state: State) -> dict[Card, int]:
    """Return the possible top cards of the pile of commons with their weights."""
    return top_candidates(unseen_commons(state), state.below.commons)


def chance_outcomes(turn: Turn) -> dict[Card, int]:
    """Return the cards that may come next with their numbers of unseen copies (C12)."""
    state = turn.state
    match turn.task:
        case DrawCards():
            return unseen_deck(state, state.turn)
        case RevealSpirit(forest=True):
            return top_candidates(unseen_forest(state), state.below.forest)
        case RevealSpirit():
            return top_candidates(unseen_guardians(state), state.below.guardians)
        case FillRow():
            return top_commons(state)
        case RevealHands():
            return unseen_deck(state, _first_seat_with_unknown_cards(state))
    raise AssertionError(f"{turn.task} needs no card")


def drawing_seat(turn: Turn) -> Seat:
    """Return the seat that draws, or whose hand is revealed at the end of the game."""
    if turn.tasks and isinstance(turn.task, RevealHands):
        return turn.state.seats[_first_seat_with_unknown_cards(turn.state)]
    return turn.mover


def _first_seat_with_unknown_cards(state: State) -> int:
    """Return the index of the first seat with unknown cards in hand."""
    return next(index for index, seat in enumerate(state.seats) if seat.unknown_count)


def _apply_card(turn: Turn, task: Task, card: Card) -> Turn:
    match task:
        case DrawCards(count=count):
            event = Event("draw", player=turn.mover.player, card=card)
            return turn.with_mover(turn.mover.with_card(card), event).push(DrawCards(count - 1))
        case RevealSpirit(forest=forest):
            return reveal_spirit(turn, card, forest=forest)
        case FillRow():
            return _fill_row(turn, card)
    return _reveal_hand_card(turn, card)


def _fill_row(turn: Turn, card: Card) -> Turn:
    state = turn.state
    below = known_after_draw(unseen_commons(state), state.below.commons)
    state = replace(state, row=(*state.row, card), below=replace(state.below, commons=below))
    return turn.with_state(state, Event("row", "C18", card=card)).push(FillRow())


def _reveal_hand_card(turn: Turn, card: Card) -> Turn:
    index = _first_seat_with_unknown_cards(turn.state)
    seat = turn.state.seats[index]
    hand = list(seat.hand)
    hand[hand.index(UNKNOWN)] = card
    state = turn.state.with_seat(index, replace(seat, hand=tuple(sorted(hand))))
    event = Event("reveal", "C11", player=seat.player, card=card)
    return turn.with_state(state, event).push(RevealHands())
