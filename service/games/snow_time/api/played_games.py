"""A game that was played, as a body tells it: rounds replayed, and their decisions as questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from service.core.game import Decision, follow
from service.core.hints import Question
from service.core.round_reviews import PastChoices, PastRound, PlayedRounds
from service.core.violations import GAME_OVER, Violation, pointer
from service.core.vocabulary import DEFAULT_EFFORT
from service.games.common.turn_hint_schema import DEFAULT_REVIEW_MS
from service.games.common.validation import INVALID, Document, Violations, whole
from service.games.snow_time.api.requests import RoundScript, decision_after
from service.games.snow_time.api.schema import DEFAULT_DEPTH, DEFAULT_MODEL, DEFAULT_OBJECTIVE
from service.games.snow_time.rules.legality import ParsedPosition, as_parsed, read_position
from service.games.snow_time.rules.move_legality import check_dice, read_moves, require_complete
from service.games.snow_time.rules.rules import Dice, SnowTime, winners
from service.games.snow_time.rules.state import Move, State


def read_review(document: Document, faults: list[Violation]) -> PlayedRounds[State, Move, Dice]:
    """Every round of the game, up to the first with faults, all of which are told."""
    violations = Violations(faults)
    position = read_position(document["state"], violations)
    tier, deadline_ms = document.get("tier", DEFAULT_EFFORT), document.get("deadline_ms")
    rounds: list[PastRound[State, Move, Dice]] = []
    for number, told in enumerate(document["rounds"] or ()):
        at = pointer("rounds", number)
        if position.state is not None and winners(position.state):
            violations.add(at, GAME_OVER, "The game is over before this round.")
            break
        played = None if told is INVALID else _read_round(told, position, violations, at, tier)
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
        tier=tier,
        deadline_ms=DEFAULT_REVIEW_MS if deadline_ms is None else deadline_ms,
    )


def _read_round(
    told: Document, position: ParsedPosition, violations: Violations, at: str, tier: str
) -> tuple[PastRound[State, Move, Dice], State] | None:
    """A round and where it leads; None where anything is wrong with it or its position."""
    before = len(violations.faults)
    check_dice(told["dice"], position, violations, at + "/dice")
    moves = read_moves(told["moves"], position, violations, at + "/moves", every_seat=True)
    require_complete(moves, position, violations, at + "/moves")
    state = position.state
    if state is None or len(violations.faults) > before or not whole(told):
        return None
    script = RoundScript(moves, tuple(sorted(told["dice"])), at + "/moves", at + "/dice")
    game = SnowTime()
    followed = follow(game, game.begin(state), script)
    followed.require_complete()
    first, *_ = followed.decided
    opening = _opening(first.play.state, first.node, tier)
    shown: Mapping[str, Move] = {}
    decisions = []
    for decided in followed.decided:
        asked = replace(opening, told=shown, decision=decided.node)
        shown = {**shown, **decided.choices}
        decisions.append(PastChoices(_of_players(asked, decided.choices), shown))
    return PastRound(state, script.dice or (), opening, decisions), game.rest(followed.play)


def _opening(state: State, decision: Decision[Move], tier: str) -> Question[State, Move]:
    """The card decision as the first player's question; a review asks for nothing but the hint."""
    player = state.players[0]
    return Question(
        position=state,
        told={},
        decision=decision,
        player=player,
        actors=_actors(state, decision, player),
        objective=DEFAULT_OBJECTIVE,
        model=DEFAULT_MODEL,
        weights={},
        tier=tier,
        depth=DEFAULT_DEPTH,
        deadline_ms=None,
        chosen=None,
        nonce=None,
    )


def _of_players(
    asked: Question[State, Move], chosen: Mapping[str, Move]
) -> list[Question[State, Move]]:
    """The question of each player with more than one choice at a decision."""
    questions = []
    for player in asked.position.players:
        actors = _actors(asked.position, asked.decision, player)
        if any(len(asked.decision.choices[name]) > 1 for name in actors):
            own = {name: chosen[name] for name in actors}
            questions.append(replace(asked, player=player, actors=actors, chosen=own))
    return questions


def _actors(state: State, decision: Decision[Move], player: str) -> tuple[str, ...]:
    return tuple(seat.name for seat in state.seats_of(player) if seat.name in decision.choices)


def standing(asked: Question[State, Move], told: Mapping[str, Move]) -> Question[State, Move]:
    """What the cards on the table are worth: as the watchers' question, if any has to add a card.

    Without one nobody is asked: what healers have yet to take back is what the evaluator likes
    best, as it is at the card decision.
    """
    state = asked.position
    decision = decision_after(state, told)
    if decision.name != "watcher":
        nobody: Decision[Move] = Decision("none", {})
        return replace(asked, told=told, decision=nobody, actors=(), chosen=None)
    player = state.seat(next(iter(decision.choices))).player
    actors = _actors(state, decision, player)
    return replace(asked, told=told, decision=decision, player=player, actors=actors, chosen=None)
