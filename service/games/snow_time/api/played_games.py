"""Parse a played game: replay its rounds and turn its decisions into questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import zip_longest

from service.core.game import Decision, follow
from service.core.hints import Question
from service.core.reviews import PastChoices, PastRound, PlayedRounds
from service.core.violations import GAME_OVER, Violation, pointer
from service.core.vocabulary import DEFAULT_EFFORT
from service.games.common.fields import Document
from service.games.common.rounds.request_schema import (
    DEFAULT_DEPTH,
    DEFAULT_MODEL,
    DEFAULT_OBJECTIVE,
)
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.snow_time.api.round_script import RoundScript, decision_after
from service.games.snow_time.rules.legality import ParsedPosition, as_parsed, read_position
from service.games.snow_time.rules.move_legality import check_dice, read_moves, require_complete
from service.games.snow_time.rules.rules import Dice, SnowTime, dice_rolled, grow, winners
from service.games.snow_time.rules.state import Move, State


def parse_review(
    document: Document, schema_violations: list[Violation], check: Callable[[], None]
) -> PlayedRounds[State, Move, Dice]:
    """Parse the rounds of a game, up to the first round with violations.

    Args:
        document: the body.
        schema_violations: reported for it.
        check: called before each round; may raise an exception to stop.

    Raises:
        Rejected: with all violations up to that round.
    """
    violations = Violations(schema_violations)
    position = read_position(document["state"], violations)
    effort = document.get("effort", DEFAULT_EFFORT)
    rounds: list[PastRound[State, Move, Dice]] = []
    for number, raw in enumerate(document["rounds"] or ()):
        check()
        at = pointer("rounds", number)
        if position.state is not None and winners(position.state):
            violations.add(
                at,
                GAME_OVER,
                "The game is over before this round. Remove this round and those after it.",
            )
            break
        played = None if raw is INVALID else _read_round(raw, position, violations, at, effort)
        if played is None:
            break
        past, after = played
        rounds.append(past)
        position = as_parsed(after)
    last = violations.require(position.state)
    won = winners(last)
    return PlayedRounds(
        players=last.players,
        rounds=rounds,
        last=last,
        over=bool(won),
        winners=won,
        effort=effort,
    )


def _read_round(
    document: Document, position: ParsedPosition, violations: Violations, at: str, effort: str
) -> tuple[PastRound[State, Move, Dice], State] | None:
    """Return a round and the state after it; None if it or its position has a violation."""
    before = len(violations)
    dice = _read_dice(document, position, violations, at)
    moves = read_moves(document["moves"], position, violations, at + "/moves", every_seat=True)
    require_complete(moves, position, violations, at + "/moves")
    state = position.state
    if state is None or dice is None or len(violations) > before or not fully_valid(document):
        return None
    script = RoundScript(moves, dice, at + "/moves", at + "/dice")
    game = SnowTime()
    followed = follow(game, game.begin(state), script)
    followed.require_complete()
    first, *_ = followed.decided
    opening = _opening(first.play.state, first.node, effort)
    revealed: Mapping[str, Move] = {}
    decisions = []
    for decided in followed.decided:
        question = replace(opening, revealed=revealed, decision=decided.node)
        revealed = {**revealed, **decided.choices}
        decisions.append(PastChoices(_questions_of(question, decided.choices), revealed))
    return PastRound(state, script.dice or (), opening, decisions), game.rest(followed.play)


def _read_dice(
    document: Document, position: ParsedPosition, violations: Violations, at: str
) -> Dice | None:
    """Return the dice of a round: as given, or those that lead to its position."""
    given = document.get("dice")
    if "state" not in document:
        if given is None:
            detail = "Add the `dice` of growth, or the `state` after it."
            violations.add(at + "/dice", "missing", detail)
        check_dice(given, position, violations, at + "/dice")
        return None if given is None or not fully_valid(given) else tuple(sorted(given))
    grown = read_position(document["state"], violations, at + "/state").state
    before = position.state
    if grown is None or before is None or not fully_valid(given):
        return None
    added = (new - old for new, old in zip(grown.fruit, before.fruit, strict=True))
    dice = tuple(level for level, count in enumerate(added, 1) for _ in range(count))
    wrong = _difference(before, grown, dice)
    if wrong is None and given is not None and tuple(sorted(given)) != dice:
        wrong = "`dice`"
    if wrong is not None:
        detail = f"The position is not the one after the round before and growth: compare {wrong}."
        violations.add(at + "/state", "wrong-position", detail)
    return dice


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


def _opening(state: State, decision: Decision[Move], effort: str) -> Question[State, Move]:
    """Return the card decision as the first player's question, without any options."""
    player = state.players[0]
    return Question(
        position=state,
        revealed={},
        decision=decision,
        player=player,
        actors=_actors(state, decision, player),
        objective=DEFAULT_OBJECTIVE,
        model=DEFAULT_MODEL,
        weights={},
        effort=effort,
        depth=DEFAULT_DEPTH,
        deadline_ms=None,
        chosen=None,
        nonce=None,
    )


def _questions_of(
    question: Question[State, Move], chosen: Mapping[str, Move]
) -> list[Question[State, Move]]:
    """Return the question of each player with more than one choice at a decision."""
    questions = []
    for player in question.position.players:
        actors = _actors(question.position, question.decision, player)
        if any(len(question.decision.choices[name]) > 1 for name in actors):
            own = {name: chosen[name] for name in actors}
            questions.append(replace(question, player=player, actors=actors, chosen=own))
    return questions


def _actors(state: State, decision: Decision[Move], player: str) -> tuple[str, ...]:
    return tuple(seat.name for seat in state.seats_of(player) if seat.name in decision.choices)


def value_question(
    question: Question[State, Move], revealed: Mapping[str, Move]
) -> Question[State, Move]:
    """Return the question that values the revealed cards: the watcher decision, if there is one.

    Otherwise the question has no decision.  The evaluator then chooses the recoveries of healers,
    as it does at the card decision.
    """
    state = question.position
    decision = decision_after(state, revealed)
    if decision.name != "watcher":
        none: Decision[Move] = Decision("none", {})
        return replace(question, revealed=revealed, decision=none, actors=(), chosen=None)
    player = state.seat(next(iter(decision.choices))).player
    return replace(
        question,
        revealed=revealed,
        decision=decision,
        player=player,
        actors=_actors(state, decision, player),
        chosen=None,
    )
