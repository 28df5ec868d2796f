"""From the bodies of the routes to plays, scripts and questions, all faults at once.

Each reader takes a document that the route's schema has judged, with holes, and the faults of
shape found so far; it adds what the rules have to say and refuses the whole with everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from service.core.faults import (
    MODEL_NOT_AVAILABLE,
    MODEL_REQUIRED,
    NOTHING_TO_DECIDE,
    Fault,
    Rejected,
    pointer,
)
from service.core.hint import Question, Weights
from service.core.play import Chance, Decision, follow
from service.games.reading import HOLE, Document
from service.games.snow_time.legality import (
    Findings,
    judge_dice,
    new_state,
    read_moves,
    read_state,
    require_complete,
    whole,
)
from service.games.snow_time.rules import Dice, Round, SnowTime
from service.games.snow_time.schema import DEFAULT_DEPTH, DEFAULT_OBJECTIVE, DEFAULT_TIER
from service.games.snow_time.state import CARD_BY_LABEL, Move, State

AVAILABLE_MODELS = ("uniform",)


@dataclass(frozen=True, slots=True)
class RoundScript:
    """The moves and dice of one round as a body tells them."""

    moves: Mapping[str, Move]
    dice: Dice | None
    at: str

    def choices(self, node: Decision[Any], index: int) -> Mapping[str, Move]:
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

    def outcome(self, node: Chance[Any], index: int) -> Dice | None:
        return self.dice

    def where(self, index: int, actor: str | None) -> str:
        return "/dice" if actor is None else self.at + pointer(actor)


def read_new(document: Document, faults: list[Fault]) -> State:
    findings = Findings(faults)
    return _read(new_state(document, findings), findings)


def read_grow(document: Document, faults: list[Fault]) -> tuple[Round, Dice | None, int | None]:
    """The round before its growth, and either the dice or the seed to roll them with."""
    findings = Findings(faults)
    state = read_state(document["state"], findings)
    judge_dice(document.get("dice"), state, findings)
    if ("dice" in document) == ("seed" in document):
        findings.add("", "dice-or-seed", "Either dice or a seed is due, not both.")
    state = _read(state, findings)
    dice = None if "dice" not in document else tuple(sorted(document["dice"]))
    return Round(state, grown=False), dice, document.get("seed")


def read_legal_moves(document: Document, faults: list[Fault]) -> tuple[Round, RoundScript]:
    findings = Findings(faults)
    state = read_state(document["state"], findings, over=True)
    revealed = document.get("revealed")
    moves = read_moves(revealed, state, findings, "/revealed", everybody=bool(revealed))
    return Round(_read(state, findings)), RoundScript(moves, None, "/revealed")


def read_resolve(document: Document, faults: list[Fault]) -> tuple[Round, RoundScript]:
    findings = Findings(faults)
    state = read_state(document["state"], findings)
    judge_dice(document.get("dice"), state, findings)
    moves = read_moves(document["moves"], state, findings, "/moves", everybody=True)
    if state is not None:
        require_complete(moves, state, findings, "/moves")
    state = _read(state, findings)
    dice = None if "dice" not in document else tuple(sorted(document["dice"]))
    return Round(state, grown=dice is None), RoundScript(moves, dice, "/moves")


def read_suggest(document: Document, faults: list[Fault]) -> Question[State, Move]:
    findings = Findings(faults)
    opponents = document.get("opponents") or {}
    _judge_model(opponents, document.get("opponents") is not HOLE, findings)
    state = read_state(document["state"], findings)
    player = document["player"]
    revealed = document.get("revealed")
    told = read_moves(revealed, state, findings, "/revealed", everybody=bool(revealed))
    if state is None or player is HOLE:
        raise Rejected(findings.faults)
    if player not in state.players:
        findings.add("/player", "unknown-player", f"No seat belongs to {player}.")
        raise Rejected(findings.faults)
    weights = _read_weights(opponents.get("weights"), state, player, bool(revealed), findings)
    if not whole(revealed or {}) or any(
        fault.path.startswith("/revealed") for fault in findings.faults
    ):
        raise Rejected(findings.faults)

    script = RoundScript(told, None, "/revealed")
    node = follow(SnowTime(), Round(state), script).open
    decision = node if isinstance(node, Decision) else Decision("none", {})
    own = (seat.name for seat in state.seats_of(player))
    actors = tuple(name for name in own if name in decision.choices)
    if not actors:
        detail = f"{player} has nothing to decide now; the decision is {decision.name}."
        findings.add("/player", NOTHING_TO_DECIDE, detail)
        raise Rejected(findings.faults)
    chosen = _read_chosen(document.get("chosen"), state, decision, actors, findings)
    if findings.faults:
        raise Rejected(findings.faults)
    return Question(
        position=state,
        told=told,
        decision=decision,
        player=player,
        actors=actors,
        objective=document.get("objective", DEFAULT_OBJECTIVE),
        model=opponents["model"],
        weights=weights,
        tier=document.get("tier", DEFAULT_TIER),
        depth=document.get("depth", DEFAULT_DEPTH),
        deadline_ms=document.get("deadline_ms"),
        chosen=chosen or None,
        nonce=document.get("nonce"),
    )


def _judge_model(opponents: Document, readable: bool, findings: Findings) -> None:
    model = opponents.get("model")
    if model is None and readable:
        detail = f"The default model is not there yet; name one of {', '.join(AVAILABLE_MODELS)}."
        findings.add("/opponents/model", MODEL_REQUIRED, detail)
    elif model and model not in AVAILABLE_MODELS:
        detail = f"The model {model} is not there yet."
        findings.add("/opponents/model", MODEL_NOT_AVAILABLE, detail)


def _read_weights(
    raw: Any, state: State, player: str, revealed: bool, findings: Findings
) -> Weights[Move]:
    at = "/opponents/weights"
    if raw and revealed:
        detail = "Weights are for the card decision; with revealed cards there are none."
        findings.add(at, "weights-with-revealed", detail)
        return {}
    weights: dict[str, dict[Move, float]] = {}
    for name, given in (raw or {}).items():
        here = at + pointer(name)
        if all(seat.name != name for seat in state.seats):
            findings.add(here, "unknown-seat", f"There is no seat {name}.")
            continue
        seat = state.seat(name)
        if seat.player == player:
            findings.add(here, "own-seat", f"{name} is {player}'s own seat.")
        if given is HOLE:
            continue
        for label in given:
            if label in CARD_BY_LABEL and CARD_BY_LABEL[label] not in seat.hand:
                detail = f"{name} does not hold the card {label}."
                findings.add(here + pointer(label), "card-not-in-hand", detail)
        if not whole(given):
            continue
        total = sum(given.values())
        if not total:
            findings.add(here, "all-zero-weights", "At least one weight has to be positive.")
            continue
        # Normalised here, before anything is multiplied: the tiniest weights must not vanish.
        weights[name] = {
            Move(CARD_BY_LABEL[card]): weight / total for card, weight in given.items()
        }
    return weights


def _read_chosen(
    raw: Any,
    state: State,
    decision: Decision[Move],
    actors: tuple[str, ...],
    findings: Findings,
) -> dict[str, Move]:
    """The asker's choice, for exactly the own seats that decide now."""
    if not raw:
        return {}
    chosen = read_moves(raw, state, findings, "/chosen", everybody=False)
    for name in raw:
        if name not in actors and any(name == seat.name for seat in state.seats):
            detail = f"{name} is not a seat of the asker that has to decide now."
            findings.add("/chosen" + pointer(name), "not-deciding", detail)
    for name in actors:
        here = "/chosen" + pointer(name)
        if name not in raw:
            findings.add(here, "move-missing", f"A move of {name} is due here.")
        elif name in chosen and chosen[name] not in decision.choices[name]:
            detail = f"This is not a legal move at the {decision.name} decision."
            findings.add(here, "not-a-choice", detail)
    return chosen


def _read(state: State | None, findings: Findings) -> State:
    if findings.faults or state is None:
        raise Rejected(findings.faults)
    return state
