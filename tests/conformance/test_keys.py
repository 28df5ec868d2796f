"""Cache keys that cannot forget: every field of a position, a move and a question changes them.

Each field is replaced by other values that it has in played games, or by a neighbouring value. A
field that changes no key must be listed with its reason, so that a new one cannot be forgotten.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any, Final

import pytest

from service.core.hints import Question
from service.core.turn_hints import TurnQuestion
from service.games.definition import Suggest, SuggestTurn
from service.games.slopecrashers.rules.attacks import Attack
from service.games.slopecrashers.rules.gifts import Gift
from service.games.snow_time.rules.state import Bonus, Kind, Track, default_track
from service.games.snowcrest.catalogue.cards import PenaltyItem
from service.games.snowcrest.catalogue.parsing import DEFAULT_CATALOGUE
from service.games.snowcrest.rules.actions import NO_PAYMENT
from service.solver.canonical import cache_key, canonicalize
from service.solver.search import turn_forms
from tests.conformance.engines import round_questions, turn_questions
from tests.conformance.test_every_game import DEFINITIONS, playouts

ENDPOINTS = {
    name: endpoint
    for name, definition in DEFINITIONS.items()
    for endpoint in definition.endpoints
    if isinstance(endpoint, Suggest | SuggestTurn)
}
MOST_QUESTIONS = 60
MOST_VALUES = 4
"""Of a field, that replace its value."""
NAMES: Final = "equal for all names"
LATER: Final = "used after the search, to draw, to stop or to render"
HISTORY: Final = "in the key of the learned strategies"
FOLLOWS: Final = "follows from the position"
BEFORE: Final = "what happened before does not matter"
IRRELEVANT: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "Question.deadline_ms", "Question.nonce", "Question.temperature", "Question.detail",
            "Question.hint_level", "Question.include", "Question.chosen",
            "TurnQuestion.deadline_ms", "TurnQuestion.detail", "TurnQuestion.include",
        ),
        LATER,
    ),
    "Question.history": HISTORY,
    "Question.profiles": HISTORY,
    "Question.actors": FOLLOWS,
    "Question.player": "one solution serves all players",
    "Question.weights": "tested by itself",
    "Decision.choices": FOLLOWS,
    "TurnQuestion.chosen": "tested by itself",
    "TurnQuestion.stated": "only with unknown own cards",
    "snow-time Seat.name": NAMES,
    "snow-time Seat.player": NAMES,
    "slopecrashers Seat.player": NAMES,
    "snowcrest Seat.player": NAMES,
    "slopecrashers State.own_pieces": "the track has those that count",
    "slopecrashers State.own_deck": "only for the response",
    "slopecrashers Decision.name": FOLLOWS,
    "snowcrest Decision.name": FOLLOWS,
    "slopecrashers Turn.actions": BEFORE,
    "slopecrashers Turn.forced": BEFORE,
    "slopecrashers Turn.visited": BEFORE,
    "snowcrest Turn.actions": BEFORE,
    "snowcrest Turn.events": BEFORE,
    "snowcrest Turn.forced": BEFORE,
}  # fmt: skip
EXAMPLES: Final[Mapping[str, Sequence[Any]]] = {
    "State.track": [
        Track(12, (Bonus(3, Kind.FRUIT, 1),)),
        replace(default_track(), optional_watcher=True),
        replace(default_track(), spared_champion=True),
    ],
    "State.winner": [0],
    "State.own_catalogue": [DEFAULT_CATALOGUE],
    "Turn.attack": [Attack(Gift.ROCKET, (1,))],
    "Turn.in_play": [(Gift.ROCKET,)],
    "CollectBids.bids": [(NO_PAYMENT,)],
    "DecideBids.returned": [(0,)],
    "DecideBids.waiting": [(0,), (1,), ()],
    "Payment.cells": [(4,)],
    "Seat.deck": ["red"],
    "Cost.items": [(PenaltyItem.CARD,)],
    "Table.cards": [("1", "2", "3")],
    "Question.revealed": [{"ada": "1"}],
    "Question.effort": ["quick", "deep"],
    "Question.objective": ["points", "lead"],
    "Question.model": ["quantal", "uniform"],
    "Question.depth": [2],
    "TurnQuestion.effort": ["standard", "deep"],
}
"""Values of fields that played games do not show."""
WITHOUT_PARTS: Final = ("Turn.actions", "Turn.events", "Turn.forced", "Turn.visited")
"""Fields that are irrelevant with all their parts."""


def questions(name: str) -> list[Any]:
    """Return decisions of played games as questions."""
    endpoint, rules = ENDPOINTS[name], DEFINITIONS[name].game
    found: list[Any] = []
    for playout in playouts(name):
        if isinstance(endpoint, Suggest):
            found += [question for question, _ in round_questions(rules, endpoint, playout)]
        else:
            found += turn_questions(playout)
    return found[:: max(1, len(found) // MOST_QUESTIONS)]


def key_of(name: str, question: Any) -> bytes:
    endpoint = ENDPOINTS[name]
    if isinstance(endpoint, Suggest):
        return cache_key(endpoint.search_game, canonicalize(endpoint.search_game, question))
    form = endpoint.search_game.canonical(question)
    return turn_forms.cache_key(endpoint.search_game, question if form is None else form.question)


def parts(value: Any) -> Iterator[tuple[str, Any, Callable[[Any], Any]]]:
    """Yield each field below a value: its name, its value, and what returns a changed copy."""
    for name, own, change in _members(value):
        if name:
            yield name, own, change
        if name not in WITHOUT_PARTS:
            for inner, old, deeper in parts(own):
                yield inner, old, lambda new, out=change, into=deeper: out(into(new))


def _members(value: Any) -> Iterator[tuple[str, Any, Callable[[Any], Any]]]:
    names, changed = list[str](), replace
    if is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in fields(value) if field.init]
    elif hasattr(value, "_replace"):
        names, changed = value._fields, type(value)._replace
    for name in names:
        label = f"{type(value).__name__}.{name}"
        yield label, getattr(value, name), lambda new, name=name: changed(value, **{name: new})
    if isinstance(value, tuple) and not names:
        for place, item in enumerate(value):
            yield "", item, lambda new, at=place: (*value[:at], new, *value[at + 1 :])


def neighbours(value: Any) -> list[Any]:
    """Return values that a field could have instead, whether or not they are legal."""
    match value:
        case bool():
            return [not value]
        case Enum():
            return [each for each in type(value) if each is not value]
        case int():
            return [value + 1]
        case str():
            return [value + "x"]
        case tuple() if type(value) is tuple and value:
            return [value[:-1]]
    return []


@pytest.mark.parametrize("name", ENDPOINTS)
def test_every_field_is_in_the_key_or_has_a_reason(name: str) -> None:
    values: dict[str, list[Any]] = defaultdict(list)
    asked = questions(name)
    for question in asked:
        for field, value, _ in parts(question):
            if len(values[field]) < 20 and value not in values[field]:
                values[field].append(value)
    changed, met = set[str](), set[str]()
    for question in asked:
        key = key_of(name, question)
        for field, value, change in parts(question):
            if is_dataclass(value) or hasattr(value, "_replace"):
                continue  # Its parts follow.
            others = [each for each in values[field] if each != value][:MOST_VALUES]
            # Each example changes the key of some question, and so does one of the other values.
            examples = {
                f"{field}: {each!r}": [each] for each in EXAMPLES.get(field, ()) if each != value
            }
            for case, alternatives in {**examples, field: [*neighbours(value), *others]}.items():
                met.add(case)
                for other in alternatives if case not in changed else ():
                    try:
                        differs = key_of(name, change(other)) != key
                    except (LookupError, StopIteration, TypeError, ValueError, AssertionError):
                        continue  # No legal position.
                    if differs:
                        changed |= {case, field}
                        break
    reasons = {key.removeprefix(f"{name} ") for key in IRRELEVANT}
    missing = {case for case in met - changed if case.split(":")[0] not in reasons}
    assert sorted(missing) == []
    assert len(changed) >= 2


@pytest.mark.parametrize("name", ["slopecrashers", "snowcrest"])
def test_the_graded_choice_of_a_turn_is_in_the_key(name: str) -> None:
    question = max(questions(name), key=lambda each: len(each.decision.choices[each.player]))
    choices = question.decision.choices[question.player]
    asked = (replace(question, chosen=choice) for choice in (None, *choices[:2]))
    assert len({key_of(name, each) for each in asked}) >= 2


def test_weights_are_in_the_key() -> None:
    name = "snow-time"
    [question] = [each for each in questions(name) if each.decision.name == "card"][:1]
    actor, choices = [*question.decision.choices.items()][-1]
    weights = [{actor: {choices[0]: 1.0}}, {actor: {choices[1]: 1.0}}, {}]
    keys = {key_of(name, replace(question, weights=own)) for own in weights}
    assert len(keys) == len(weights)


def test_every_option_of_a_question_has_an_example_or_a_reason() -> None:
    examples = {"position", "revealed", "decision", "play", "player", "chosen"}
    for kind in (Question, TurnQuestion):
        listed = {f"{kind.__name__}.{field.name}" for field in fields(kind)}
        listed -= {f"{kind.__name__}.{name}" for name in examples}
        assert listed <= {*IRRELEVANT, *EXAMPLES}
