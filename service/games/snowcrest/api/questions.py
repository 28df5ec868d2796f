"""Questions for hints: of the turn under way, and of every decision of a game that was played.

A question holds no more than its player can see (C12).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from service.core.frozen import replace
from service.core.game import Decision, Followed, follow
from service.core.sequential import TurnQuestion
from service.core.turn_reviews import PastDecision, PlayedTurns
from service.core.violations import GAME_OVER, NOTHING_TO_DECIDE, Violation, pointer
from service.core.vocabulary import DEFAULT_EFFORT
from service.games.common.turn_hint_schema import DEFAULT_REVIEW_MS
from service.games.common.validation import INVALID, Document, Violations
from service.games.snowcrest.api.requests import TurnScript, read_atoms
from service.games.snowcrest.catalogue.cards import UNKNOWN, Card
from service.games.snowcrest.rules.actions import Action, ActionType
from service.games.snowcrest.rules.choices import normalized
from service.games.snowcrest.rules.legality import parse_state
from service.games.snowcrest.rules.record import Event
from service.games.snowcrest.rules.rules import Snowcrest
from service.games.snowcrest.rules.state import State, observed
from service.games.snowcrest.rules.turn import Turn

GAME: Final = Snowcrest()


def read_suggest(document: Document, faults: list[Violation]) -> TurnQuestion[Turn, Action]:
    """The question, as far as the asker can see: two that look alike to the asker are equal."""
    findings = Violations(faults)
    state = parse_state(document["state"], findings)
    player = document["player"]
    if state is not None and player is not INVALID and player not in state.players:
        findings.add("/player", "unknown-player", f"No seat belongs to {player}.")
    so_far = read_atoms(document.get("so_far"), state, findings, "/so_far")
    chosen: tuple[Action, ...] = ()
    if "chosen" in document:
        chosen = _read_chosen(document, state, findings)
    state = findings.require(state)
    seen = _seen_by(player, _followed(state, so_far))
    node = GAME.pending(seen)
    if not isinstance(node, Decision) or player not in node.choices:
        findings.add("/player", NOTHING_TO_DECIDE, f"{player} has nothing to decide now.")
        return findings.require(None)
    told = _judged(chosen, seen, node, findings)
    return TurnQuestion(
        play=seen,
        decision=_with(told, node),
        player=player,
        tier=document.get("tier", DEFAULT_EFFORT),
        deadline_ms=document.get("deadline_ms"),
        chosen=told,
    )


def _read_chosen(
    document: Document, state: State | None, findings: Violations
) -> tuple[Action, ...]:
    """What was chosen; its faults are told as those of a list of one, which it is not."""
    inner = Violations()
    atoms = read_atoms([document["chosen"]], state, inner, "")
    findings.faults += [
        Violation("/chosen" + fault.path.removeprefix("/0"), fault.code, fault.detail, fault.rule)
        for fault in inner.faults
    ]
    return atoms


def _followed(state: State, so_far: tuple[Action, ...]) -> Turn:
    """The turn as far as it is told, judged by all that is told."""
    script = TurnScript(so_far, "/so_far", None)
    return follow(GAME, GAME.begin(state), script).play


def _seen_by(player: str, play: Turn) -> Turn:
    """The turn without what the player cannot see: others' hands, and what others draw (C12)."""
    deck = play.state.catalogue.deck
    atoms = play.actions
    if play.mover.player != player:
        atoms = tuple(
            replace(atom, card=UNKNOWN)
            if atom.type is ActionType.DRAW and atom.card in deck
            else atom
            for atom in atoms
        )
    return replace(play, state=observed(play.state, player), actions=atoms)


def _judged(
    chosen: tuple[Action, ...], play: Turn, node: Decision[Action], findings: Violations
) -> Action | None:
    """What was chosen, which has to be legal, listed or not (C4)."""
    if not chosen:
        return None
    [player] = node.choices
    told = chosen[0]
    if told.player not in (None, player):
        findings.add("/chosen/player", "not-deciding", f"{told.player} does not decide now.")
        return findings.require(None)
    refused = GAME.refusal(play, player, told)
    if refused:
        findings.faults += [fault.under("/chosen") for fault in refused]
        return findings.require(None)
    return _as_listed(told)


def _as_listed(atom: Action) -> Action:
    return normalized(replace(atom, player=None))


def _with(chosen: Action | None, node: Decision[Action]) -> Decision[Action]:
    """The decision, with what was chosen among its choices."""
    [(player, choices)] = node.choices.items()
    if chosen is None or chosen in choices:
        return node
    return Decision(node.name, {player: (*choices, chosen)})


# A game that was played -----------------------------------------------------------------------


def read_review(document: Document, faults: list[Violation]) -> PlayedTurns[Turn, Action]:
    """Every decision of the game with more than one choice."""
    findings = Violations(faults)
    state = parse_state(document["state"], findings)
    turns = [
        read_atoms(told, state, findings, "/turns" + pointer(number))
        for number, told in enumerate(document["turns"] or ())
    ]
    state = findings.require(state)
    tier, deadline_ms = document.get("tier", DEFAULT_EFFORT), document.get("deadline_ms")
    decisions: list[PastDecision[Turn, Action]] = []
    for number, atoms in enumerate(turns):
        at = "/turns" + pointer(number)
        if GAME.over(state):
            findings.add(at, GAME_OVER, "The game is over before this turn.", "C9")
            return findings.require(None)
        followed = follow(GAME, GAME.begin(state), TurnScript(atoms, at, None))
        followed.require_complete()
        decisions += _past(number, followed, tier)
        state = followed.play.state
    return PlayedTurns(
        players=state.players,
        decisions=decisions,
        turns=len(turns),
        chances=_chances(followed.play),
        last=followed.play,
        over=GAME.over(state),
        winners=GAME.winners(state),
        tier=tier,
        deadline_ms=DEFAULT_REVIEW_MS if deadline_ms is None else deadline_ms,
    )


def _past(
    number: int, followed: Followed[Turn, Action, Card, Event], tier: str
) -> Iterator[PastDecision[Turn, Action]]:
    """The decisions of one turn, each as a question that its player could have asked."""
    for decided in followed.decided:
        [(player, told)] = decided.choices.items()
        seen = _seen_by(player, decided.play)
        node = GAME.pending(seen)
        assert isinstance(node, Decision), "what others hold does not change who decides"
        chosen = _as_listed(told)
        node = _with(chosen, node)
        if len(node.choices[player]) > 1:
            yield PastDecision(
                turn=number,
                atom=decided.before,
                mover=decided.play.mover.player,
                chances=_chances(decided.play),
                question=TurnQuestion(seen, node, player, tier, None, chosen),
            )


def _chances(play: Turn) -> int:
    """How many draws and decisions of others there were in a turn."""
    mover = play.actions[0].player if play.actions else None
    return sum(atom.type is ActionType.DRAW or atom.player != mover for atom in play.actions)
