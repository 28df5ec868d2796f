"""Questions in canonical form: numbers in place of names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from service.core.game import Choice, Decision
from service.core.hints import Position, Question
from service.core.simultaneous import CanonicalQuestion
from service.core.vocabulary import CARD

Value = TypeVar("Value")


def renamed(
    question: Question[Position, Choice],
    actors: Sequence[str],
    owners: Mapping[str, str],
    rename: Callable[[Position, Mapping[str, str], Mapping[str, str]], Position],
    *,
    mutual: bool,
) -> CanonicalQuestion[Position, Choice]:
    """Return a question with actors and players renamed to their numbers.

    Args:
        question: the question.
        actors: in canonical order, those of one player one after another.
        owners: the player of each actor.
        rename: returns a position in this order, given the numbers of actors and of players.
        mutual: see :class:`~service.core.simultaneous.CanonicalQuestion`.
    """
    players = tuple(dict.fromkeys(owners[actor] for actor in actors))
    numbers = {player: str(number) for number, player in enumerate(players)}
    places = {actor: str(place) for place, actor in enumerate(actors)}

    def by_number(values: Mapping[str, Value]) -> dict[str, Value]:
        return {places[actor]: values[actor] for actor in actors if actor in values}

    decision = question.decision
    return CanonicalQuestion(
        question=replace(
            question,
            position=rename(question.position, places, numbers),
            revealed=by_number(question.revealed),
            decision=Decision(decision.name, by_number(decision.choices)),
            player=numbers[question.player],
            actors=tuple(places[actor] for actor in actors if actor in question.actors),
            weights=by_number(question.weights),
            deadline_ms=None,
            chosen=None,
            nonce=None,
            temperature=None,
            hint_level=CARD,
            include=frozenset(),
        ),
        players=players,
        actors=tuple(actors),
        owners={places[actor]: numbers[owners[actor]] for actor in actors},
        mutual=mutual,
    )
