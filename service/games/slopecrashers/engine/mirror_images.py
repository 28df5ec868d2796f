"""Mirror images: left and right are equal, so a position and its mirror image share one form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Final, TypeAlias

from service.core.game import Decision
from service.core.turn_hints import CanonicalTurn, TurnQuestion
from service.games.slopecrashers.rules.course import Course
from service.games.slopecrashers.rules.state import Action, Direction, Place, Snowman, Space
from service.games.slopecrashers.rules.turn import Turn

Question: TypeAlias = TurnQuestion[Turn, Action]
_MIRRORED: Final = {Direction.LEFT: Direction.RIGHT, Direction.RIGHT: Direction.LEFT}
_NOWHERE: Final = Place(0, 0, 0)


def canonical_form(question: Question) -> CanonicalTurn[Turn, Action] | None:
    """Return the smaller one of a question and its mirror image; None if that is the question.

    If they are equal, one of each pair of equal choices is left out.
    """
    [choices] = question.decision.choices.values()
    lanes = question.play.state.course.lanes
    images = {choice: mirror_action(choice, lanes) for choice in choices}
    image = _mirror_question(question, _sorted([*images.values()]))
    own = replace(question, decision=_decision(question, _sorted(choices)))
    forms = _form(own), _form(image)
    if forms[1] < forms[0]:
        mirror = partial(mirror_action, lanes=lanes)
        return CanonicalTurn(image, form_of=mirror, restored=mirror)
    if forms[1] == forms[0]:
        return _without_pairs(own, images)
    if own == question:
        return None
    return CanonicalTurn(own, form_of=_itself, restored=_itself)


def _itself(choice: Action) -> Action:
    return choice


def mirror_action(action: Action, lanes: int) -> Action:
    """Return the mirror image of an action on a course with so many lanes."""
    if action.direction not in _MIRRORED and action.lane is None:
        return action
    return replace(
        action,
        direction=action.direction and _MIRRORED.get(action.direction, action.direction),
        lane=None if action.lane is None else lanes - 1 - action.lane,
    )


def mirror_turn(turn: Turn) -> Turn:
    """Return the mirror image of a turn."""
    state = turn.state
    lanes = state.course.lanes

    def mirrored(place: Place) -> Place:
        return place._replace(lane=lanes - 1 - place.lane)

    snowmen = (
        Snowman(Space(each.space.row, lanes - 1 - each.space.lane), each.card)
        for each in state.snowmen
    )
    return replace(
        turn,
        state=replace(
            state,
            course=_mirror_course(state.course),
            seats=tuple(
                replace(seat, place=seat.place and mirrored(seat.place)) for seat in state.seats
            ),
            snowmen=tuple(sorted(snowmen)),
        ),
        actions=tuple(mirror_action(action, lanes) for action in turn.actions),
        visited=frozenset((mirrored(place), movements) for place, movements in turn.visited),
    )


@lru_cache(maxsize=64)
def _mirror_course(course: Course) -> Course:
    return Course(
        tuple(
            replace(
                piece,
                rows=tuple(row[::-1] for row in piece.rows),
                offset=course.lanes - piece.end,
            )
            for piece in course.pieces
        )
    )


def _mirror_question(question: Question, choices: Sequence[Action]) -> Question:
    chosen = question.chosen and mirror_action(question.chosen, question.play.state.course.lanes)
    return replace(
        question,
        play=mirror_turn(question.play),
        decision=_decision(question, choices),
        chosen=chosen,
        stated=question.stated and mirror_turn(question.stated),
    )


def _without_pairs(question: Question, images: dict[Action, Action]) -> CanonicalTurn[Turn, Action]:
    """Return the form of a question that is its own mirror image.

    Args:
        question: with sorted choices.
        images: of the choices, in the order of the original question.
    """
    [listed] = question.decision.choices.values()
    first = {choice: min(choice, images[choice], key=listed.index) for choice in images}
    kept = [choice for choice in listed if first[choice] == choice]
    if len(kept) < 2:
        kept = [*listed]  # A hint compares choices.
    chosen = question.chosen and first[question.chosen]
    reduced = replace(question, decision=_decision(question, kept), chosen=chosen)
    return CanonicalTurn(reduced, form_of=first.__getitem__, restored=_itself)


def _decision(question: Question, choices: Sequence[Action]) -> Decision[Action]:
    return Decision(question.decision.name, {question.player: tuple(choices)})


def _sorted(choices: Sequence[Action]) -> list[Action]:
    """Return the choices so that those of one kind are sorted by direction and lane."""
    kinds: dict[object, int] = {}
    for choice in choices:
        kinds.setdefault(_kind(choice), len(kinds))
    return sorted(choices, key=lambda choice: (kinds[_kind(choice)], *_heading(choice)))


def _kind(choice: Action) -> object:
    return choice.type, choice.gift, choice.card, choice.row, choice.magnet


def _heading(choice: Action) -> tuple[int, int]:
    return choice.direction or 0, choice.lane or 0


def _form(question: Question) -> tuple[object, ...]:
    """Return everything that differs between mirror images, for comparisons."""
    state = question.play.state
    [choices] = question.decision.choices.values()
    return (
        state.course.rows,
        [seat.place or _NOWHERE for seat in state.seats],
        state.snowmen,
        [_heading(choice) for choice in choices],
    )
