"""Parse request bodies to plays, scripts and questions, and report all violations together.

Each reader takes the document of the schema check, with ``INVALID`` in place of misshapen values,
and the violations of that check.  It adds the violations of the rules and rejects the request with
all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from service.core.game import Decision, Step
from service.core.hints import Question, Weights
from service.core.violations import (
    NOTHING_TO_DECIDE,
    Violation,
    pointer,
)
from service.core.vocabulary import CARD, DEFAULT_DETAIL, DEFAULT_EFFORT, FACTS, LEARNED
from service.games.common.brief_hints import check_detail
from service.games.common.fields import Document
from service.games.common.rounds.request_schema import (
    DEFAULT_DEPTH,
    DEFAULT_HINT_LEVEL,
    DEFAULT_MODEL,
    DEFAULT_OBJECTIVE,
)
from service.games.common.validation import INVALID, Violations, fully_valid
from service.games.snow_time.api.history import read_history
from service.games.snow_time.api.round_script import RoundScript, decision_after
from service.games.snow_time.rules.legality import ParsedPosition, new_state, read_position
from service.games.snow_time.rules.move_legality import (
    EXAMPLE_MOVE,
    check_dice,
    read_moves,
    read_weights,
    require_complete,
)
from service.games.snow_time.rules.resolution import Event
from service.games.snow_time.rules.rules import Dice, Round
from service.games.snow_time.rules.state import Move, State


def parse_new(document: Document, schema_violations: list[Violation]) -> State:
    """Return the start position of the body of ``new``."""
    violations = Violations(schema_violations)
    return violations.require(new_state(document, violations))


def parse_grow(
    document: Document, schema_violations: list[Violation]
) -> tuple[Round, Dice | None, int | None]:
    """Return the round before its growth, and either the dice or the seed for the dice."""
    violations = Violations(schema_violations)
    position = read_position(document["state"], violations)
    check_dice(document.get("dice"), position, violations, "/dice")
    if ("dice" in document) == ("seed" in document):
        violations.add(
            "",
            "dice-or-seed",
            "Send either `dice` with the numbers rolled, or `seed` to let the service roll.",
        )
    state = violations.require(position.state)
    return Round(state, grown=False), _sorted_dice(document), document.get("seed")


def parse_legal_moves(
    document: Document, schema_violations: list[Violation]
) -> tuple[Step[Round, Event], RoundScript]:
    """Return the round and the revealed moves of the body of ``legal-moves``."""
    violations = Violations(schema_violations)
    position = read_position(document["state"], violations, over=True)
    revealed = document.get("revealed")
    moves = read_moves(revealed, position, violations, "/revealed", every_seat=bool(revealed))
    return Step(Round(violations.require(position.state))), RoundScript(moves, None, "/revealed")


def parse_resolve(
    document: Document, schema_violations: list[Violation]
) -> tuple[Step[Round, Event], RoundScript]:
    """Return the round and its script of the body of ``resolve``."""
    violations = Violations(schema_violations)
    position = read_position(document["state"], violations)
    check_dice(document.get("dice"), position, violations, "/dice")
    moves = read_moves(document["moves"], position, violations, "/moves", every_seat=True)
    require_complete(moves, position, violations, "/moves")
    state = violations.require(position.state)
    dice = _sorted_dice(document)
    return Step(Round(state, grown=dice is None)), RoundScript(moves, dice, "/moves")


def parse_suggest(document: Document, schema_violations: list[Violation]) -> Question[State, Move]:
    """Return the question of the body of ``suggest``.

    Raises:
        Rejected: with all violations of the body.
    """
    violations = Violations(schema_violations)
    position = read_position(document["state"], violations)
    player = document["player"]
    players = position.players
    if player is not INVALID and players is not None and player not in players:
        known = dict.fromkeys(position.owners.values())
        violations.unknown("/player", "unknown-player", "player", player, known)
    opponents = document.get("opponents", {})
    weights = _read_weights(opponents or {}, position, document, violations)
    history = read_history((opponents or {}).get("history"), violations, "/opponents/history")
    profiles = _read_profiles(opponents or {}, position, player, violations)
    before = len(violations)
    revealed = document.get("revealed")
    moves = read_moves(revealed, position, violations, "/revealed", every_seat=bool(revealed))
    revealed_is_legal = len(violations) == before and fully_valid(revealed or {})
    raw_chosen = document.get("chosen") or {}
    chosen = read_moves(raw_chosen, position, violations, "/chosen", every_seat=False)
    if document.get("hint_level") not in (None, INVALID, CARD) and document.get("chosen"):
        detail = (
            "A grade would disclose more than the hint level allows. Set `hint_level` to `card`, "
            "or remove `chosen`."
        )
        violations.add("/chosen", "hint-level", detail)
    default_model = LEARNED if history or profiles else DEFAULT_MODEL
    model = (opponents or {}).get("model", default_model)
    _check_include(document, violations)
    check_detail(document, violations)
    state = position.state
    decision: Decision[Move] = Decision("none", {})
    actors: tuple[str, ...] = ()
    if state is not None and player in state.players and revealed_is_legal:
        decision = decision_after(state, moves)
        own = (seat.name for seat in state.seats_of(player))
        actors = tuple(name for name in own if name in decision.choices)
        if not actors:
            if decision.choices:
                seats = ", ".join(decision.choices)
                open_now = f"the {decision.name} decision of {seats} is open"
            else:
                open_now = "all moves are complete, so send them to `resolve`"
            detail = f"{player} has nothing to decide now: {open_now}."
            violations.add("/player", NOTHING_TO_DECIDE, detail)
        elif raw_chosen:
            _check_chosen(raw_chosen, chosen, state, decision, actors, violations)
    return Question(
        position=violations.require(state),
        revealed=moves,
        decision=decision,
        player=player,
        actors=actors,
        objective=document.get("objective", DEFAULT_OBJECTIVE),
        model=model,
        weights=weights,
        effort=document.get("effort", DEFAULT_EFFORT),
        depth=document.get("depth", DEFAULT_DEPTH),
        deadline_ms=document.get("deadline_ms"),
        chosen=chosen or None,
        nonce=document.get("nonce"),
        temperature=document.get("temperature"),
        hint_level=document.get("hint_level", DEFAULT_HINT_LEVEL),
        detail=document.get("detail", DEFAULT_DETAIL),
        include=frozenset(document.get("include") or ()),
        history=history,
        profiles=profiles,
    )


def question_after(
    question: Question[State, Move], revealed: Mapping[str, Move]
) -> Question[State, Move] | None:
    """Return the player's next question after these cards are revealed; None if there is none."""
    decision = decision_after(question.position, revealed)
    own = (seat.name for seat in question.position.seats_of(question.player))
    actors = tuple(name for name in own if name in decision.choices)
    if not actors:
        return None
    return replace(
        question,
        revealed=revealed,
        decision=decision,
        actors=actors,
        weights={},
        chosen=None,
        include=frozenset(),
    )


def _check_include(document: Document, violations: Violations) -> None:
    """Check that what-ifs come with the card decision, depth 1 and the full hint only.

    Facts cost nothing and need only the full hint.
    """
    include = document.get("include")
    if not include or not fully_valid(include):
        return
    if len(set(include)) < len(include):
        violations.add("/include", "duplicate-what-if", "List each what-if once.")
    if document.get("hint_level") not in (None, INVALID, CARD):
        detail = (
            "What-ifs would disclose more than the hint level allows. Set `hint_level` to `card`, "
            "or remove `include`."
        )
        violations.add("/include", "hint-level", detail)
    if set(include) == {FACTS}:
        return
    if document.get("revealed"):
        detail = "What-ifs are available at the card decision only. Remove `include` or `revealed`."
        violations.add("/include", "include-with-revealed", detail)
    if document.get("depth") not in (None, INVALID, 1):
        detail = "What-ifs are available at depth 1 only. Remove `include`, or set `depth` to 1."
        violations.add("/include", "include-with-depth", detail)


def _read_weights(
    opponents: Document, position: ParsedPosition, document: Document, violations: Violations
) -> Weights[Move]:
    raw, at = opponents.get("weights"), "/opponents/weights"
    if raw and document.get("revealed"):
        detail = "Weights are allowed at the card decision only. Remove `weights` or `revealed`."
        violations.add(at, "weights-with-revealed", detail)
    return read_weights(raw, position, document["player"], violations, at)


def _read_profiles(
    opponents: Document, position: ParsedPosition, player: Any, violations: Violations
) -> dict[str, str]:
    """Return the profiles of the other players, in compact form."""
    profiles: Document = opponents.get("profiles") or {}
    for name in profiles:
        here = "/opponents/profiles" + pointer(name)
        if position.players is not None and name not in position.players:
            known = dict.fromkeys(position.owners.values())
            violations.unknown(here, "unknown-player", "player", name, known)
        elif name == player:
            detail = f"Remove {name}: profiles describe the other players."
            violations.add(here, "own-profile", detail)
    return {name: text for name, text in profiles.items() if text is not INVALID}


def _check_chosen(
    raw: Document,
    chosen: Mapping[str, Move],
    state: State,
    decision: Decision[Move],
    actors: tuple[str, ...],
    violations: Violations,
) -> None:
    """Check that ``chosen`` has a legal choice for exactly the player's seats that decide now."""
    for seat in state.seats:
        if seat.name in raw and seat.name not in actors:
            detail = f"Remove {seat.name}: only {', '.join(actors)} of the player decides now."
            violations.add("/chosen" + pointer(seat.name), "not-deciding", detail)
    for name in actors:
        here = "/chosen" + pointer(name)
        if name not in raw:
            violations.add(
                here, "move-missing", f"Add the move of seat {name}, for example {EXAMPLE_MOVE}."
            )
        elif any(violation.path.startswith(here + "/") for violation in violations):
            continue  # The move already has a violation.
        elif name in chosen and chosen[name] not in decision.choices[name]:
            detail = (
                f"The move is not legal at the {decision.name} decision; `legal-moves` lists the "
                "legal ones."
            )
            if decision.name == "card":
                detail = "Send the card alone: `then` and `recover` are decided after the reveal."
            violations.add(here, "not-a-choice", detail)


def _sorted_dice(document: Document) -> Dice | None:
    return None if "dice" not in document else tuple(sorted(document["dice"]))
