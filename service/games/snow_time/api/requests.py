"""From the bodies of the routes to plays, scripts and questions, all faults at once.

Each reader takes a document that the route's schema has judged, with holes, and the faults of
shape found so far; it adds what the rules have to say and refuses the whole with everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from service.core.game import Chance, Decision, Step, follow
from service.core.hints import Question, Weights
from service.core.violations import (
    NOTHING_TO_DECIDE,
    Violation,
    pointer,
)
from service.core.vocabulary import CARD, DEFAULT_EFFORT
from service.games.common.validation import INVALID, Document, Violations, whole
from service.games.snow_time.api.schema import (
    DEFAULT_DEPTH,
    DEFAULT_HINT_LEVEL,
    DEFAULT_MODEL,
    DEFAULT_OBJECTIVE,
)
from service.games.snow_time.rules.legality import ParsedPosition, new_state, read_position
from service.games.snow_time.rules.move_legality import (
    check_dice,
    read_moves,
    read_weights,
    require_complete,
)
from service.games.snow_time.rules.resolution import Event
from service.games.snow_time.rules.rules import Dice, Round, SnowTime
from service.games.snow_time.rules.state import Move, State


@dataclass(frozen=True, slots=True)
class RoundScript:
    """The moves and dice of one round as a body tells them.

    Attributes:
        moves: by seat.
        dice: ascending, if they are told.
        at: JSON pointer to the moves.
        dice_at: to the dice.
    """

    moves: Mapping[str, Move]
    dice: Dice | None
    at: str
    dice_at: str = "/dice"

    def choices(self, node: Decision[Any]) -> Mapping[str, Move]:
        told = {actor: self.moves[actor] for actor in node.choices if actor in self.moves}
        if node.name == "card":
            return {actor: Move(move.card) for actor, move in told.items()}
        if node.name == "watcher":
            return {
                actor: Move(move.card, Move(move.then.card))
                for actor, move in told.items()
                if move.then
            }
        return {actor: move for actor, move in told.items() if not move.awaits_recovery}

    def outcome(self, node: Chance[Any]) -> Dice | None:
        return self.dice

    def where(self, actor: str | None) -> str:
        return self.dice_at if actor is None else self.at + pointer(actor)

    def surplus(self) -> tuple[Violation, ...]:
        """Nothing: what belongs to no decision is told by the move itself, see legality."""
        return ()


def read_new(document: Document, faults: list[Violation]) -> State:
    violations = Violations(faults)
    return violations.require(new_state(document, violations))


def read_grow(document: Document, faults: list[Violation]) -> tuple[Round, Dice | None, int | None]:
    """The round before its growth, and either the dice or the seed to roll them with."""
    violations = Violations(faults)
    position = read_position(document["state"], violations)
    check_dice(document.get("dice"), position, violations, "/dice")
    if ("dice" in document) == ("seed" in document):
        violations.add("", "dice-or-seed", "Either dice or a seed is due, not both.")
    state = violations.require(position.state)
    return Round(state, grown=False), _sorted_dice(document), document.get("seed")


def read_legal_moves(
    document: Document, faults: list[Violation]
) -> tuple[Step[Round, Event], RoundScript]:
    violations = Violations(faults)
    position = read_position(document["state"], violations, over=True)
    revealed = document.get("revealed")
    moves = read_moves(revealed, position, violations, "/revealed", every_seat=bool(revealed))
    return Step(Round(violations.require(position.state))), RoundScript(moves, None, "/revealed")


def read_resolve(
    document: Document, faults: list[Violation]
) -> tuple[Step[Round, Event], RoundScript]:
    violations = Violations(faults)
    position = read_position(document["state"], violations)
    check_dice(document.get("dice"), position, violations, "/dice")
    moves = read_moves(document["moves"], position, violations, "/moves", every_seat=True)
    require_complete(moves, position, violations, "/moves")
    state = violations.require(position.state)
    dice = _sorted_dice(document)
    return Step(Round(state, grown=dice is None)), RoundScript(moves, dice, "/moves")


def read_suggest(document: Document, faults: list[Violation]) -> Question[State, Move]:
    violations = Violations(faults)
    position = read_position(document["state"], violations)
    player = document["player"]
    players = position.players
    if player is not INVALID and players is not None and player not in players:
        violations.add("/player", "unknown-player", f"No seat belongs to {player}.")
    opponents = document.get("opponents", {})
    weights = _read_weights(opponents or {}, position, document, violations)
    before = len(violations.faults)
    revealed = document.get("revealed")
    told = read_moves(revealed, position, violations, "/revealed", every_seat=bool(revealed))
    readable = len(violations.faults) == before and whole(revealed or {})
    raw_chosen = document.get("chosen") or {}
    chosen = read_moves(raw_chosen, position, violations, "/chosen", every_seat=False)
    if document.get("hint_level") not in (None, INVALID, CARD) and document.get("chosen"):
        detail = "A grade would tell what this hint level keeps back."
        violations.add("/chosen", "hint-level", detail)
    _check_include(document, violations)
    state = position.state
    decision: Decision[Move] = Decision("none", {})
    actors: tuple[str, ...] = ()
    if state is not None and player in state.players and readable:
        decision = decision_after(state, told)
        own = (seat.name for seat in state.seats_of(player))
        actors = tuple(name for name in own if name in decision.choices)
        if not actors:
            detail = f"{player} has nothing to decide now; the decision is {decision.name}."
            violations.add("/player", NOTHING_TO_DECIDE, detail)
        elif raw_chosen:
            _check_chosen(raw_chosen, chosen, state, decision, actors, violations)
    return Question(
        position=violations.require(state),
        told=told,
        decision=decision,
        player=player,
        actors=actors,
        objective=document.get("objective", DEFAULT_OBJECTIVE),
        model=(opponents or {}).get("model", DEFAULT_MODEL),
        weights=weights,
        tier=document.get("tier", DEFAULT_EFFORT),
        depth=document.get("depth", DEFAULT_DEPTH),
        deadline_ms=document.get("deadline_ms"),
        chosen=chosen or None,
        nonce=document.get("nonce"),
        temperature=document.get("temperature"),
        hint_level=document.get("hint_level", DEFAULT_HINT_LEVEL),
        include=frozenset(document.get("include") or ()),
    )


def question_after(
    question: Question[State, Move], revealed: Mapping[str, Move]
) -> Question[State, Move] | None:
    """What a player has to decide once all seats have shown these; None if nothing."""
    decision = decision_after(question.position, revealed)
    own = (seat.name for seat in question.position.seats_of(question.player))
    actors = tuple(name for name in own if name in decision.choices)
    if not actors:
        return None
    return replace(
        question,
        told=revealed,
        decision=decision,
        actors=actors,
        weights={},
        chosen=None,
        include=frozenset(),
    )


def decision_after(state: State, told: Mapping[str, Move]) -> Decision[Move]:
    """What is to be decided after what is told, with everybody who has to."""
    node = follow(SnowTime(), Step(Round(state)), RoundScript(told, None, "/revealed")).open
    return node if isinstance(node, Decision) else Decision("none", {})


def _check_include(document: Document, violations: Violations) -> None:
    """What-ifs are about the card decision of this round, and tell everything."""
    include = document.get("include")
    if not include or not whole(include):
        return
    if len(set(include)) < len(include):
        violations.add("/include", "duplicate-what-if", "A what-if is asked for once.")
    if document.get("hint_level") not in (None, INVALID, CARD):
        detail = "What-ifs would tell what this hint level keeps back."
        violations.add("/include", "hint-level", detail)
    if document.get("revealed"):
        detail = "What-ifs are for the card decision; with revealed cards there are none."
        violations.add("/include", "include-with-revealed", detail)
    if document.get("depth") not in (None, INVALID, 1):
        violations.add("/include", "include-with-depth", "What-ifs look one round ahead.")


def _read_weights(
    opponents: Document, position: ParsedPosition, document: Document, violations: Violations
) -> Weights[Move]:
    raw, at = opponents.get("weights"), "/opponents/weights"
    if raw and document.get("revealed"):
        detail = "Weights are for the card decision; with revealed cards there are none."
        violations.add(at, "weights-with-revealed", detail)
    return read_weights(raw, position, document["player"], violations, at)


def _check_chosen(
    raw: Document,
    chosen: Mapping[str, Move],
    state: State,
    decision: Decision[Move],
    actors: tuple[str, ...],
    violations: Violations,
) -> None:
    """The asker's choice is one for exactly the own seats that decide now."""
    for seat in state.seats:
        if seat.name in raw and seat.name not in actors:
            detail = f"{seat.name} is not a seat of the asker that has to decide now."
            violations.add("/chosen" + pointer(seat.name), "not-deciding", detail)
    for name in actors:
        here = "/chosen" + pointer(name)
        if name not in raw:
            violations.add(here, "move-missing", f"A move of {name} is due here.")
        elif any(fault.path.startswith(here + "/") for fault in violations.faults):
            continue  # What is wrong with it has been said.
        elif name in chosen and chosen[name] not in decision.choices[name]:
            detail = f"This is not a legal move at the {decision.name} decision."
            violations.add(here, "not-a-choice", detail)


def _sorted_dice(document: Document) -> Dice | None:
    return None if "dice" not in document else tuple(sorted(document["dice"]))
