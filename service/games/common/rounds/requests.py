"""Read the request bodies of a game in rounds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from service.core.game import Choice, Decision, Event, Outcome, Play, Step
from service.core.hints import Question, Weights
from service.core.violations import NOTHING_TO_DECIDE, Violation, pointer
from service.core.vocabulary import CARD, DEFAULT_DETAIL, DEFAULT_EFFORT, FACTS, LEARNED
from service.games.common.brief_hints import check_detail
from service.games.common.fields import Document
from service.games.common.rounds.played_rounds import PlayedRoundReader
from service.games.common.rounds.reader import Parsed, State
from service.games.common.rounds.request_schema import (
    DEFAULT_DEPTH,
    DEFAULT_HINT_LEVEL,
    DEFAULT_MODEL,
    DEFAULT_OBJECTIVE,
)
from service.games.common.rounds.script import RoundScript
from service.games.common.validation import INVALID, Violations, fully_valid


class RoundRequests(PlayedRoundReader[Parsed, State, Play, Choice, Outcome, Event]):
    """Reads the bodies of all endpoints but ``new``.

    The methods take a body with :data:`~service.games.common.validation.INVALID` in place of
    every value that its schema refused, and the violations reported for them.  They raise
    :class:`~service.core.violations.Rejected` with all violations together.
    """

    def parse_legal_moves(
        self, document: Document, schema_violations: list[Violation]
    ) -> tuple[Step[Play, Event], RoundScript[Choice, Outcome]]:
        """Return the round and the revealed moves of the body of ``legal-moves``."""
        violations = Violations(schema_violations)
        position = self.read_position(document["state"], violations, over=True)
        revealed = document.get("revealed")
        moves = self.read_moves(
            revealed, position, violations, "/revealed", every_seat=bool(revealed)
        )
        state = violations.require(position.state)
        return self.begin(state, drawn=False), self.script(moves, "/revealed")

    def parse_resolve(
        self, document: Document, schema_violations: list[Violation]
    ) -> tuple[Step[Play, Event], RoundScript[Choice, Outcome]]:
        """Return the round and its script of the body of ``resolve``."""
        violations = Violations(schema_violations)
        position = self.read_position(document["state"], violations)
        drawn = self.read_drawn(document, position, violations, "")
        moves = self.read_moves(document["moves"], position, violations, "/moves", every_seat=True)
        self.require_complete(moves, position, violations, "/moves")
        state = violations.require(position.state)
        return self.begin(state, drawn=drawn is not None), self.script(moves, "/moves", drawn)

    def parse_suggest(
        self, document: Document, schema_violations: list[Violation]
    ) -> Question[State, Choice]:
        """Return the question of the body of ``suggest``.

        Raises:
            Rejected: with all violations of the body.
        """
        violations = Violations(schema_violations)
        position = self.read_position(document["state"], violations)
        player, players = document["player"], position.players
        if player is not INVALID and players is not None and player not in players:
            known = dict.fromkeys(position.owners.values())
            violations.unknown("/player", "unknown-player", "player", player, known)
        opponents: Document = document.get("opponents") or {}
        weights = self._read_weights(opponents, position, document, violations)
        history = self.read_history(opponents.get("history"), violations, "/opponents/history")
        profiles = self._read_profiles(opponents, position, document, violations)
        before = len(violations)
        revealed = document.get("revealed")
        moves = self.read_moves(
            revealed, position, violations, "/revealed", every_seat=bool(revealed)
        )
        revealed_is_legal = len(violations) == before and fully_valid(revealed or {})
        raw_chosen = document.get("chosen") or {}
        chosen = self.read_moves(raw_chosen, position, violations, "/chosen", every_seat=False)
        _check_level(document, violations)
        default_model = LEARNED if history or profiles else DEFAULT_MODEL
        _check_include(document, violations)
        check_detail(document, violations)
        state = position.state
        decision: Decision[Choice] = Decision("none", {})
        actors: tuple[str, ...] = ()
        if state is not None and player in state.players and revealed_is_legal:
            decision = self.decision_after(state, moves)
            actors = self.deciding(state, decision, player)
            if not actors:
                _refuse_idle(player, decision, violations)
            elif raw_chosen:
                self._check_chosen(raw_chosen, chosen, state, decision, actors, violations)
        return Question(
            position=violations.require(state),
            revealed=moves,
            decision=decision,
            player=player,
            actors=actors,
            objective=document.get("objective", DEFAULT_OBJECTIVE),
            model=opponents.get("model", default_model),
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
        self, question: Question[State, Choice], revealed: Mapping[str, Choice]
    ) -> Question[State, Choice] | None:
        """Return the player's next question after these moves are revealed; None if none."""
        decision = self.decision_after(question.position, revealed)
        actors = self.deciding(question.position, decision, question.player)
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

    # Parts of a question --------------------------------------------------------------------

    def _read_weights(
        self,
        opponents: Document,
        position: Parsed,
        document: Document,
        violations: Violations,
    ) -> Weights[Choice]:
        raw, at = opponents.get("weights"), "/opponents/weights"
        if raw and document.get("revealed"):
            detail = (
                "Weights are allowed at the card decision only. Remove `weights` or `revealed`."
            )
            violations.add(at, "weights-with-revealed", detail)
        return self.read_weights(raw, position, document["player"], violations, at)

    def _read_profiles(
        self,
        opponents: Document,
        position: Parsed,
        document: Document,
        violations: Violations,
    ) -> dict[str, str]:
        """Return the profiles of the other players, in compact form."""
        profiles: Document = opponents.get("profiles") or {}
        players, asker = position.players, document["player"]
        for name in profiles:
            here = "/opponents/profiles" + pointer(name)
            if players is not None and name not in players:
                known = dict.fromkeys(position.owners.values())
                violations.unknown(here, "unknown-player", "player", name, known)
            elif name == asker:
                detail = f"Remove {name}: profiles describe the other players."
                violations.add(here, "own-profile", detail)
        return {name: text for name, text in profiles.items() if text is not INVALID}

    def _check_chosen(
        self,
        raw: Document,
        chosen: Mapping[str, Choice],
        state: State,
        decision: Decision[Choice],
        actors: tuple[str, ...],
        violations: Violations,
    ) -> None:
        """Check that ``chosen`` has a legal choice for exactly the player's actors that decide."""
        for actor in self.owners(state):
            if actor in raw and actor not in actors:
                detail = f"Remove {actor}: only {', '.join(actors)} of the player decides now."
                violations.add("/chosen" + pointer(actor), "not-deciding", detail)
        for actor in actors:
            here = "/chosen" + pointer(actor)
            if actor not in raw:
                detail = f"Add the move of seat {actor}, for example {self.example_move}."
                violations.add(here, "move-missing", detail)
            elif any(violation.path.startswith(here + "/") for violation in violations):
                continue  # The move already has a violation.
            elif actor in chosen and chosen[actor] not in decision.choices[actor]:
                violations.add(here, "not-a-choice", self.not_a_choice(decision.name))


def _refuse_idle(player: str, decision: Decision[Any], violations: Violations) -> None:
    """Report that a player has nothing to decide."""
    if decision.choices:
        seats = ", ".join(decision.choices)
        open_now = f"the {decision.name} decision of {seats} is open"
    else:
        open_now = "all moves are complete, so send them to `resolve`"
    detail = f"{player} has nothing to decide now: {open_now}."
    violations.add("/player", NOTHING_TO_DECIDE, detail)


def _check_level(document: Document, violations: Violations) -> None:
    """Check that only a full hint grades a choice."""
    if document.get("hint_level") not in (None, INVALID, CARD) and document.get("chosen"):
        detail = (
            "A grade would disclose more than the hint level allows. Set `hint_level` to `card`, "
            "or remove `chosen`."
        )
        violations.add("/chosen", "hint-level", detail)


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
