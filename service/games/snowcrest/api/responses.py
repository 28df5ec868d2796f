"""Render the responses of Snowcrest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from service.core.calibration import evaluator_name
from service.core.game import Chance, Decision, FollowResult
from service.core.reviews import PlayedTurns, TurnsReview
from service.core.turn_hints import TurnHint, TurnPlan, TurnQuestion
from service.core.violations import Rejected, Violation
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.turns import responses as turn_responses
from service.games.common.turns.responses import without_none
from service.games.snowcrest.api.reasons import EXPLAINER
from service.games.snowcrest.api.schema import MAX_TOKENS
from service.games.snowcrest.catalogue.cards import Card, Catalogue
from service.games.snowcrest.catalogue.rendering import (
    render_amounts,
    render_catalogue,
    render_cost,
)
from service.games.snowcrest.engine.evaluation import default_evaluator
from service.games.snowcrest.rules.actions import Action, ActionType, Payment
from service.games.snowcrest.rules.choices import is_truncated
from service.games.snowcrest.rules.effects.meditation import bid_size
from service.games.snowcrest.rules.payments.resources import Building
from service.games.snowcrest.rules.progress import drawing_seat
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.scoring import Score, scores, winners
from service.games.snowcrest.rules.solo import grade, is_won
from service.games.snowcrest.rules.state import Below, Phase, Resident, Seat, State
from service.games.snowcrest.rules.turn import (
    AnswerPenalty,
    CollectBids,
    DecideBids,
    GiveItems,
    PayCost,
    ReceiveGain,
    Turn,
)

_EVALUATOR: Final = evaluator_name(default_evaluator())


def render_new(state: State) -> Document:
    """Return the response with the first position."""
    return {"state": render_state(state)}


def render_legal_moves(followed: FollowResult[Turn, Action, Card, Event]) -> Document:
    """Return who decides or what is drawn after some actions, and the position then."""
    return _render_open(followed.play, followed.open)


def _render_open(turn: Turn, node: Decision[Action] | Chance[Card] | None) -> Document:
    state = turn.state
    document = turn_responses.render_open(
        node, drawing_seat(turn).player, _action_renderer(turn), state.catalogue.id
    )
    if isinstance(node, Decision):
        document |= _decision_details(turn)
    elif isinstance(node, Chance):
        document["pile"] = node.name
    return document | {"position": render_state(state), "game_over": state.phase is Phase.OVER}


def _decision_details(turn: Turn) -> Document:
    """Return the details of the pending decision."""
    details = _details_by_task(turn)
    return details | {"truncated": True} if is_truncated(turn) else details


def _details_by_task(turn: Turn) -> Document:
    match turn.task:
        case PayCost(cost=cost):
            return {"cost": render_cost(cost)}
        case AnswerPenalty(items=items) | GiveItems(items=items):
            return {"items": [item.label for item in items]}
        case ReceiveGain(count=count):
            return {"count": count}
        case CollectBids(bids=bids) | DecideBids(bids=bids):
            mover = turn.state.turn
            seats = (mover, *turn.state.seats_after(mover))
            return {
                "bids": {
                    turn.state.players[seat]: bid_size(turn, seat, bid)
                    for seat, bid in zip(seats, bids, strict=False)
                }
            }
    return {}


def render_resolve(turn: Turn, events: Sequence[Event]) -> Document:
    """Return the response of ``resolve``.

    Raises:
        Rejected: if the service would refuse the position: a player has too many tokens.
    """
    state, catalogue = turn.state, turn.state.catalogue
    _require_limits(state)
    over = state.phase is Phase.OVER
    document: Document = {
        "state": render_state(state),
        "events": [_event(event, catalogue) for event in events],
        "moves": [render_action(action, catalogue) for action in turn.actions],
        "game_over": over,
        "winners": list(winners(state)) if over else [],
    }
    return document | (_result(state) if over else {})


def _require_limits(state: State) -> None:
    for seat in state.seats:
        amounts = {
            **render_amounts(seat.tokens),
            "scrolls": seat.scrolls,
            "omen_tokens": seat.omen_tokens,
        }
        for what, amount in amounts.items():
            if amount > MAX_TOKENS:
                detail = (
                    f"After this turn {seat.player} has {amount} {what}; a state has at most "
                    f"{MAX_TOKENS}. Send a state with fewer."
                )
                raise Rejected([Violation("/state", "out-of-range", detail)])


def render_suggest(
    question: TurnQuestion[Turn, Action],
    hint: TurnHint[Action],
    plans: Sequence[TurnPlan[Turn, Action]],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the response of ``suggest``, see ``turns.responses.render_hint``."""
    return turn_responses.render_hint(
        question,
        hint,
        plans,
        render_state(question.play.state),
        _render_open(plans[0].play, plans[0].open),
        _action_renderer(question.play),
        _EVALUATOR,
        EXPLAINER,
        language,
        names,
    )


def render_review(
    played: PlayedTurns[Turn, Action],
    review: TurnsReview[Turn, Action],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the response with all graded decisions and the accounts of the players."""
    return turn_responses.render_review(
        played,
        review,
        _action_renderer(played.last),
        _EVALUATOR,
        EXPLAINER,
        language,
        names,
    )


def _action_renderer(play: Turn) -> Callable[[Action], Document]:
    return partial(render_action, catalogue=play.state.catalogue)


def _result(state: State) -> Document:
    table = scores(state)
    result: Document = {"scores": {score.player: _score(score) for score in table}}
    if state.solo:
        points = table[0].points
        won = is_won(state, points)
        result["solo"] = without_none(won=won, grade=grade(points) if state.ending else None)
    return result


def _score(score: Score) -> Document:
    return {
        "points": score.points,
        "scrolls": score.scrolls,
        "buildings": score.buildings,
        "omen": score.omen,
        "omen_tokens": score.omen_tokens,
        "majorities": render_amounts(score.majorities),
        "resources": render_amounts(score.resources),
    }


# Actions and events ---------------------------------------------------------------------------


def render_action(action: Action, catalogue: Catalogue) -> Document:
    """Return an action as a document, with the fields of its type."""
    returned = action.returned
    return without_none(
        type=action.type.label,
        player=None if action.type is ActionType.DRAW else action.player,
        card=None if action.card is None else catalogue.id(action.card),
        cell=action.cell,
        owner=action.owner,
        payment=None if action.payment is None else _payment(action.payment, catalogue),
        cards=None if action.cards is None else _ids(action.cards, catalogue),
        item=_label(action.item),
        settles=_label(action.settles),
        resource=_label(action.resource),
        building=_label(action.building),
        spent=action.spent,
        returned=(
            None
            if returned is None
            else {"building": returned.building.label, "spent": returned.spent}
        ),
        give=_label(action.give),
        get=_label(action.get),
    )


def _event(event: Event, catalogue: Catalogue) -> Document:
    challenge = event.challenge
    return without_none(
        type=event.type,
        rule=event.rule,
        player=event.player,
        card=None if event.card is None else catalogue.id(event.card),
        cell=event.cell,
        owner=event.owner,
        what=_label(event.what),
        count=event.count,
        omen=event.omen,
        building=_label(event.building),
        payment=None if event.payment is None else _payment(event.payment, catalogue),
        items=None if event.items is None else [item.label for item in event.items],
        challenge=None if challenge is None else catalogue.challenges[challenge].id,
        action=event.action,
    )


def _label(value: Any) -> str | None:
    return None if value is None else value.label


def _payment(payment: Payment, catalogue: Catalogue) -> Document:
    buildings = {kind.label: payment.buildings[kind] for kind in Building}
    return _without_empty(
        tokens=render_amounts(payment.tokens),
        buildings={name: count for name, count in buildings.items() if count},
        hand=_ids(payment.hand, catalogue),
        village=list(payment.cells),
    )


def _ids(cards: Sequence[Card], catalogue: Catalogue) -> list[str]:
    return [catalogue.id(card) for card in cards]


def _without_empty(**members: Any) -> Document:
    """Return the members that are not empty."""
    return {name: value for name, value in members.items() if value}


# States ---------------------------------------------------------------------------------------


def render_state(state: State) -> Document:
    """Return the state as a document that a request may contain."""
    catalogue, own = state.catalogue, state.own_catalogue
    return without_none(
        seats=[_seat(seat, catalogue) for seat in state.seats],
        turn=state.mover.player,
        phase=state.phase.label,
        supply=state.supply,
        ending=state.ending,
        juniper=state.juniper,
        row=_ids(state.row, catalogue),
        below=_below(state.below, catalogue),
        challenges=[
            without_none(
                challenge=catalogue.challenges[posed.challenge].id,
                by=None if posed.by is None else state.players[posed.by],
            )
            for posed in state.challenges
        ],
        starter_variant=state.starter_variant or None,
        difficulty=state.difficulty if state.solo else None,
        rests=state.rests if state.solo else None,
        catalogue=None if own is None else render_catalogue(own),
    )


def _seat(seat: Seat, catalogue: Catalogue) -> Document:
    return {
        "player": seat.player,
        "tokens": render_amounts(seat.tokens),
        "scrolls": seat.scrolls,
        "omen": seat.omen,
        "omen_tokens": seat.omen_tokens,
        "village": [
            _resident(cell, resident, catalogue)
            for cell, resident in enumerate(seat.village)
            if resident is not None
        ],
        "buildings": {
            kind.label: {"up": seat.buildings[kind].up, "spent": seat.buildings[kind].spent}
            for kind in Building
        },
        "hand": _ids(seat.hand, catalogue),
        "discards": _ids(seat.discards, catalogue),
        **({} if seat.deck is None else {"deck": seat.deck}),
    }


def _resident(cell: int, resident: Resident, catalogue: Catalogue) -> Document:
    card = catalogue.id(resident.card)
    return {"cell": cell, "card": card, "exhausted": resident.exhausted}


def _below(below: Below, catalogue: Catalogue) -> Document | None:
    document = _without_empty(
        commons=_ids(below.commons, catalogue),
        guardians=_ids(below.guardians, catalogue),
        forest=_ids(below.forest, catalogue),
    )
    return document or None
