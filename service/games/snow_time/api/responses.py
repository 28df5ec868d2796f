"""Render results as response bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from service.core.game import Decision, FollowResult
from service.core.reviews import JudgedChoice, LearnedPlayer, PlayedRounds, RoundsReview
from service.games.common.display_names import DisplayNames
from service.games.common.fields import Document
from service.games.common.habits import FINE, habits
from service.games.common.review_schema import render_account
from service.games.snow_time.api import response_schema, review_schema
from service.games.snow_time.api.hint_responses import render_reasons
from service.games.snow_time.api.profile_messages import render_profile
from service.games.snow_time.api.reasons.consequences import Reasons
from service.games.snow_time.rules.resolution import Event
from service.games.snow_time.rules.rules import Dice, Round, winners
from service.games.snow_time.rules.state import Move, State

_NEW = response_schema.NewResponse()
_GROW = response_schema.GrowResponse()
_LEGAL_MOVES = response_schema.LegalMovesResponse()
_RESOLVE = response_schema.ResolveResponse()
_REVIEW = review_schema.ReviewResponse()
_RESULTS: Final = (
    "best_value", "value", "loss", "probability", "realized_value", "realized_best_value",
)  # fmt: skip
"""Numbers of a graded choice."""


def render_new(state: State) -> Document:
    """Return the response of ``new``."""
    return _dump(_NEW, {"state": state})


def render_grow(play: Round, dice: Dice) -> Document:
    """Return the response of ``grow``."""
    return _dump(_GROW, {"state": play.state, "dice": dice})


def render_legal_moves(followed: FollowResult[Round, Move, Dice, Event]) -> Document:
    """Return the response of ``legal-moves``."""
    node = followed.open
    decision = node if isinstance(node, Decision) else Decision("none", {})
    return _dump(
        _LEGAL_MOVES,
        {
            "decision": decision.name,
            "moves": decision.choices,
            "game_over": bool(winners(followed.play.state)),
        },
    )


def render_resolve(play: Round, events: Sequence[Event]) -> Document:
    """Return the response of ``resolve``."""
    resolution = play.resolution
    assert resolution is not None, "the round must be complete"
    state = resolution.state
    won = winners(state)
    return _dump(
        _RESOLVE,
        {
            "state": state,
            "events": [_event(event) for event in events],
            "points": {
                seat.name: points
                for seat, points in zip(state.seats, resolution.points, strict=True)
            },
            "game_over": bool(won),
            "winners": won,
            "winning_seats": [
                seat.name for seat in state.seats if seat.score == state.board.length
            ],
        },
    )


def _event(event: Event) -> Document:
    """Return the document of an event; empty fields are None, and the schema omits them."""
    return {
        "type": event.type,
        "step": event.step,
        "rule": event.rule,
        "level": event.level,
        "seats": event.seats or None,
        "fallen": event.fallen or None,
        "cards": dict(event.cards) or None,
        "awards": event.awards or None,
        "dice": event.dice or None,
    }


def _dump(answer: Any, members: Document) -> Document:
    dumped: Document = answer.dump(members)
    return dumped


def render_review(
    played: PlayedRounds[State, Move, Dice],
    review: RoundsReview[State, Move, Dice],
    language: str,
    names: DisplayNames,
) -> Document:
    """Return the response of ``review`` with texts in the given language."""
    decisions = [_judged(choice, language, names) for choice in review.decisions]
    response: Document = {
        "progress": review.progress,
        "decisions": decisions,
        "rounds": review.rounds,
        "players": {
            player: render_account(own)
            | _learned(review.learned.get(player), language)
            | habits(player, decisions, language)
            for player, own in review.accounts.items()
        },
        "game_over": played.over,
        "winners": played.winners,
        "search": {
            "method": review.method,
            "effort": played.effort,
            "complete": review.progress.complete,
            "nodes": review.nodes,
            "evaluator": review.evaluator,
            "epsilon": review.epsilon,
        },
    }
    return _dump(_REVIEW, response)


def _judged(choice: JudgedChoice[State, Move], language: str, names: DisplayNames) -> Document:
    """Return a graded choice; after an error, with what went wrong and what the best one does."""
    document: Document = {
        name: getattr(choice, name)
        for name in (*_RESULTS, "round", "decision", "player", "move", "best", "class_")
    }
    if choice.class_ in FINE:
        return document
    question, hint = choice.question, choice.hint
    reasons, of_seat = Reasons(question, hint), len(question.actors) > 1
    for name, move in (("reasons", choice.move), ("best_reasons", choice.best)):
        row = next(row for row in hint.moves if row.move == move)
        document[name] = render_reasons(reasons.of(row), language, names, of_seat=of_seat)
    return document


def _learned(learned: LearnedPlayer | None, language: str) -> Document:
    if learned is None:
        return {}
    document: Document = {"prediction_gain": learned.prediction_gain}
    if learned.profile.rounds:
        document["profile"] = render_profile(learned.profile, language)
    return document
