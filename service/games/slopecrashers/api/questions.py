"""Questions for hints: of the turn under way, and of every decision of a game that was played.

A question holds no more than its player can see (S15).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from service.core.game import Decision, Followed, follow
from service.core.sequential import TurnQuestion
from service.core.turn_reviews import PastDecision, PlayedTurns
from service.core.violations import GAME_OVER, NOTHING_TO_DECIDE, Violation, pointer
from service.core.vocabulary import DEFAULT_EFFORT
from service.games.common.turn_hint_schema import DEFAULT_REVIEW_MS
from service.games.common.validation import INVALID, Document, Violations
from service.games.slopecrashers.api.requests import TurnScript, read_atoms
from service.games.slopecrashers.rules.choices import completed
from service.games.slopecrashers.rules.gifts import UNKNOWN, Card
from service.games.slopecrashers.rules.legality import read_state
from service.games.slopecrashers.rules.record import Event
from service.games.slopecrashers.rules.rules import Slopecrashers
from service.games.slopecrashers.rules.state import Act, Atom, State, drawn, observed
from service.games.slopecrashers.rules.turn import Turn

GAME: Final = Slopecrashers()


def read_suggest(document: Document, faults: list[Violation]) -> TurnQuestion[Turn, Atom]:
    """The question, as far as the asker can see: two that look alike to the asker are equal."""
    findings = Violations(faults)
    state = read_state(document["state"], findings)
    player = document["player"]
    if state is not None and player is not INVALID and player not in state.players:
        findings.add("/player", "unknown-player", f"No seat belongs to {player}.")
    so_far = read_atoms(document.get("so_far"), findings, "/so_far")
    chosen = read_atoms([document["chosen"]], findings, "") if "chosen" in document else ()
    state = findings.require(state)
    seen = _seen_by(player, _followed(state, so_far))
    decision = GAME.pending(seen)
    if not isinstance(decision, Decision) or player not in decision.choices:
        detail = f"{player} has nothing to decide now."
        findings.add("/player", NOTHING_TO_DECIDE, detail)
        return findings.require(None)
    return TurnQuestion(
        play=seen,
        decision=decision,
        player=player,
        tier=document.get("tier", DEFAULT_EFFORT),
        deadline_ms=document.get("deadline_ms"),
        chosen=_judged(chosen, seen, decision, findings),
    )


def _followed(state: State, so_far: tuple[Atom, ...]) -> Turn:
    """The turn as far as it is told, judged by all that is told."""
    script = TurnScript(so_far, "/so_far", None)
    return follow(GAME, GAME.begin(state), script).play


def _seen_by(player: str, play: Turn) -> Turn:
    """The turn without what the player cannot see: others' gifts, and what others draw (S15)."""
    own = play.mover.player == player
    atoms = play.atoms
    if not own:
        atoms = tuple(drawn(UNKNOWN) if atom.act is Act.DRAW else atom for atom in atoms)
    return replace(play, state=observed(play.state, player), atoms=atoms)


def _judged(
    chosen: tuple[Atom, ...], play: Turn, decision: Decision[Atom], findings: Violations
) -> Atom | None:
    """What was chosen, which has to be one of the choices."""
    if not chosen:
        return None
    [choices] = decision.choices.values()
    [player] = decision.choices
    told = completed(play, chosen[0])
    if told.act is Act.ANSWER and told.player is None:
        told = replace(told, player=player)
    if told.player not in (None, player):
        findings.add("/chosen/player", "not-deciding", f"{told.player} does not decide now.")
        return findings.require(None)
    if told not in choices:
        refused = GAME.refusal(play, player, told)
        findings.faults += [fault.under("/chosen") for fault in refused]
        return findings.require(None)
    return told


# A game that was played -----------------------------------------------------------------------


def read_review(document: Document, faults: list[Violation]) -> PlayedTurns[Turn, Atom]:
    """Every decision of the game with more than one choice."""
    findings = Violations(faults)
    state = read_state(document["state"], findings)
    turns = [
        read_atoms(told, findings, "/turns" + pointer(number))
        for number, told in enumerate(document["turns"] or ())
    ]
    state = findings.require(state)
    tier, deadline_ms = document.get("tier", DEFAULT_EFFORT), document.get("deadline_ms")
    decisions: list[PastDecision[Turn, Atom]] = []
    for number, atoms in enumerate(turns):
        at = "/turns" + pointer(number)
        if state.winner is not None:
            findings.add(at, GAME_OVER, "The game is over before this turn.", "S16")
            return findings.require(None)
        followed = follow(GAME, GAME.begin(state), TurnScript(atoms, at, None))
        followed.require_complete()
        decisions += _past(number, followed, tier)
        state = followed.play.state
    return PlayedTurns(
        players=state.players,
        decisions=decisions,
        turns=len(turns),
        chances=_chances(followed.play.atoms),
        last=followed.play,
        over=GAME.over(state),
        winners=GAME.winners(state),
        tier=tier,
        deadline_ms=DEFAULT_REVIEW_MS if deadline_ms is None else deadline_ms,
    )


def _past(
    number: int, followed: Followed[Turn, Atom, Card, Event], tier: str
) -> Iterator[PastDecision[Turn, Atom]]:
    """The decisions of one turn, each as a question that its player could have asked."""
    for decided in followed.decided:
        [(player, told)] = decided.choices.items()
        seen = _seen_by(player, decided.play)
        node = GAME.pending(seen)
        assert isinstance(node, Decision), "what others hold does not change who decides"
        [choices] = node.choices.values()
        if len(choices) > 1:
            chosen = completed(seen, told)
            question = TurnQuestion(seen, node, player, tier, None, chosen)
            yield PastDecision(
                turn=number,
                atom=decided.before,
                mover=decided.play.mover.player,
                chances=_chances(decided.play.atoms),
                question=question,
            )


def _chances(atoms: tuple[Atom, ...]) -> int:
    """How many draws and answers there were."""
    return sum(atom.act in (Act.DRAW, Act.ANSWER) for atom in atoms)
