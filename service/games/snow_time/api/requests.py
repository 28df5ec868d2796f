"""Read the request bodies of Snow Time."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from service.core.game import Decision, Step
from service.core.violations import Violation
from service.games.common.fields import Document
from service.games.common.rounds.requests import RoundRequests
from service.games.common.validation import Violations, fully_valid
from service.games.snow_time.rules import legality, move_legality
from service.games.snow_time.rules.legality import ParsedPosition
from service.games.snow_time.rules.resolution import Event
from service.games.snow_time.rules.rules import Dice, Round, SnowTime, dice_rolled, grow
from service.games.snow_time.rules.state import Move, State


def parse_new(document: Document, schema_violations: list[Violation]) -> State:
    """Return the start position of the body of ``new``."""
    violations = Violations(schema_violations)
    return violations.require(legality.new_state(document, violations))


def parse_grow(
    document: Document, schema_violations: list[Violation]
) -> tuple[Round, Dice | None, int | None]:
    """Return the round before its growth, and either the dice or the seed for the dice."""
    violations = Violations(schema_violations)
    position = legality.read_position(document["state"], violations)
    move_legality.check_dice(document.get("dice"), position, violations, "/dice")
    if ("dice" in document) == ("seed" in document):
        violations.add(
            "",
            "dice-or-seed",
            "Send either `dice` with the numbers rolled, or `seed` to let the service roll.",
        )
    state = violations.require(position.state)
    return Round(state, grown=False), _sorted_dice(document), document.get("seed")


class SnowTimeRequests(RoundRequests[ParsedPosition, State, Round, Move, Dice, Event]):
    """Reads positions, moves and dice; a seat may belong to a player with two seats."""

    game = SnowTime()
    example_move = move_legality.EXAMPLE_MOVE
    read_position = staticmethod(legality.read_position)
    read_moves = staticmethod(move_legality.read_moves)
    require_complete = staticmethod(move_legality.require_complete)
    as_parsed = staticmethod(legality.as_parsed)
    read_weights = staticmethod(move_legality.read_weights)

    def owners(self, state: State) -> Mapping[str, str]:
        return {seat.name: seat.player for seat in state.seats}

    def part(self, move: Move, decision: str) -> Move | None:
        return move.at(decision)

    def begin(self, state: State, *, drawn: bool) -> Step[Round, Event]:
        return Step(Round(state, grown=not drawn))

    def grown(self, state: State, drawn: Dice) -> State:
        return grow(state, drawn)

    def read_drawn(
        self, document: Document, position: ParsedPosition, violations: Violations, at: str
    ) -> Dice | None:
        move_legality.check_dice(document.get("dice"), position, violations, at + "/dice")
        return _sorted_dice(document) if fully_valid(document.get("dice")) else None

    def read_past_drawn(
        self, document: Document, position: ParsedPosition, violations: Violations, at: str
    ) -> Dice | None:
        """Return the dice of a round: as given, or those that lead to its position."""
        given = document.get("dice")
        if "state" not in document:
            if given is None:
                detail = "Add the `dice` of growth, or the `state` after it."
                violations.add(at + "/dice", "missing", detail)
            return self.read_drawn(document, position, violations, at)
        grown = legality.read_position(document["state"], violations, at + "/state").state
        before = position.state
        if grown is None or before is None or not fully_valid(given):
            return None
        added = (new - old for new, old in zip(grown.fruit, before.fruit, strict=True))
        dice = tuple(level for level, count in enumerate(added, 1) for _ in range(count))
        wrong = _difference(before, grown, dice)
        if wrong is None and given is not None and tuple(sorted(given)) != dice:
            wrong = "`dice`"
        if wrong is not None:
            detail = (
                f"The position is not the one after the round before and growth: compare {wrong}."
            )
            violations.add(at + "/state", "wrong-position", detail)
        return dice

    def not_a_choice(self, decision: str) -> str:
        if decision == "card":
            return "Send the card alone: `then` and `recover` are decided after the reveal."
        return super().not_a_choice(decision)

    def decides_value(self, decision: Decision[Move]) -> bool:
        """Watchers do; the evaluator chooses the recoveries of healers, as at the card decision."""
        return decision.name == "watcher"


def _difference(before: State, grown: State, dice: Dice) -> str | None:
    """Return what shows that growth with the dice does not lead to a position; None if nothing."""
    for old, new in zip_longest(before.seats, grown.seats):
        if old != new:
            return f"seat {(old or new).name}"
    if before.board != grown.board:
        return "`track`"
    expected = grow(before, dice)
    is_possible = len(dice) == dice_rolled(before.supply)
    return None if is_possible and expected.fruit == grown.fruit else "`fruit`"


def _sorted_dice(document: Document) -> Dice | None:
    return None if document.get("dice") is None else tuple(sorted(document["dice"]))
