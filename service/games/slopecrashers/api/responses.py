"""Render the responses of Slopecrashers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from service.core.calibration import evaluator_name
from service.core.game import Chance, Decision, FollowResult
from service.core.reviews import PlayedTurns, TurnsReview
from service.core.turn_hints import TurnHint, TurnPlan, TurnQuestion
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.turns import responses as turn_responses
from service.games.common.turns.responses import without_none
from service.games.slopecrashers.api.reasons import EXPLAINER
from service.games.slopecrashers.engine.evaluation import default_evaluator
from service.games.slopecrashers.rules.course import DEFAULT_PIECES, Piece
from service.games.slopecrashers.rules.gifts import DEFAULT_DECK, Card, Deck, card_label
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.state import Action, Place, Seat, Snowman, Space, State
from service.games.slopecrashers.rules.turn import Turn

_EVALUATOR: Final = evaluator_name(default_evaluator())


def render_new(state: State) -> Document:
    """Return the response with the first position."""
    return {"state": _state(state)}


def render_legal_moves(followed: FollowResult[Turn, Action, Card, Event]) -> Document:
    """Return who decides or what is drawn after some actions, and the position then."""
    return _render_open(followed.play, followed.open)


def _render_open(turn: Turn, node: Decision[Action] | Chance[Card] | None) -> Document:
    state = turn.state
    document = turn_responses.render_open(node, turn.mover.player, render_action, card_label)
    if node is not None:
        document["movements"] = turn.movements
    if turn.attack is not None:
        waiting = [state.players[seat] for seat in turn.attack.waiting]
        document |= {"gift": turn.attack.gift.label, "waiting": waiting}
    return document | {"position": _state(state), "game_over": state.winner is not None}


def render_resolve(turn: Turn, events: Sequence[Event]) -> Document:
    """Return the position after a complete turn, with its events and actions."""
    state = turn.state
    over = state.winner is not None
    return {
        "state": _state(state),
        "events": [_event(event) for event in events],
        "moves": [render_action(action) for action in turn.actions],
        "game_over": over,
        "winners": [] if state.winner is None else [state.players[state.winner]],
    }


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
        _state(question.play.state),
        _render_open(plans[0].play, plans[0].open),
        render_action,
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
        render_action,
        _EVALUATOR,
        EXPLAINER,
        language,
        names,
    )


def render_action(action: Action) -> Document:
    """Return an action as a document, with the fields of its type."""
    return without_none(
        type=action.type.label,
        player=action.player,
        direction=None if action.direction is None else action.direction.label,
        gift=None if action.gift is None else action.gift.label,
        card=None if action.card is None else card_label(action.card),
        row=action.row,
        lane=action.lane,
        magnet=action.magnet,
    )


def _event(event: Event) -> Document:
    return without_none(
        type=event.type,
        rule=event.rule,
        player=event.player,
        start=_place(event.start),
        end=_place(event.end),
        space=_place(event.space),
        card=None if event.card is None else card_label(event.card),
        gift=None if event.gift is None else event.gift.label,
        movements=event.movements,
        targets=None if event.targets is None else list(event.targets),
    )


def _place(place: Place | Space | None) -> Document | None:
    return None if place is None else place._asdict()


# States ---------------------------------------------------------------------------------------


def _state(state: State) -> Document:
    winner = None if state.winner is None else state.players[state.winner]
    return without_none(
        seats=[_seat(seat) for seat in state.seats],
        turn=state.mover.player,
        course=[piece.name for piece in state.course.pieces],
        reversed=[piece.name for piece in state.course.pieces if piece.is_reversed] or None,
        offsets={piece.name: piece.offset for piece in state.course.pieces if piece.offset} or None,
        pieces=None if state.own_pieces is None else _pieces(state.own_pieces),
        deck=_deck(state.deck) if state.own_deck else None,
        discards=[card_label(card) for card in state.discards],
        snowmen=[_snowman(snowman) for snowman in state.snowmen],
        winner=winner,
    )


def _seat(seat: Seat) -> Document:
    place = {} if seat.place is None else seat.place._asdict()
    return {
        "player": seat.player,
        **place,
        "gifts": [card_label(card) for card in seat.gifts],
        "misses_turn": seat.misses_turn,
        "stung": seat.stung,
    }


def _snowman(snowman: Snowman) -> Document:
    return {**snowman.space._asdict(), "card": card_label(snowman.card)}


def _pieces(pieces: Sequence[Piece]) -> Document:
    return {piece.name: [[field.label for field in row] for row in piece.rows] for piece in pieces}


def _deck(deck: Deck) -> Document:
    return {card_label(card): count for card, count in deck.counts}


def default_set() -> Document:
    """Return the default pieces, track and deck (S1)."""
    return {
        "default_pieces": _pieces(DEFAULT_PIECES),
        "default_course": [piece.name for piece in DEFAULT_PIECES],
        "default_deck": _deck(DEFAULT_DECK),
    }
