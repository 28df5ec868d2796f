"""Questions for the tests of the solver, by hand and at random, in a short notation.

A card is one letter (``1`` to ``7``, ``h``ealer, ``w``atcher, ``b``lizzard) and a hand is a word
of them.  Seats are called red, blue, green, black and white; with ``owners`` two players share
the first four.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import prod
from random import Random
from typing import Any

from service.core.game import Decision
from service.core.hints import Hint, Question, WhatIfs
from service.games.common.display_names import NO_NAMES
from service.games.registry import GAMES
from service.games.snow_time.rules.rules import Round, recoverable
from service.games.snow_time.rules.state import DECK, Bonus, Card, Kind, Move, Seat, State, Track
from service.solver.hints.hint import compute_hint
from tests.solver.search.reference_expectimax import GAME, Outcome, Reference, is_revealed, part

ENDPOINTS = {verb.name: verb for verb in GAMES["snow-time"].endpoints}
SUGGEST = ENDPOINTS["suggest"]
NAMES = ("red", "blue", "green", "black", "white")
LETTERS = dict(zip("1234567hwb", DECK, strict=True))
OBJECTIVES = ("win", "points", "lead")
BARE = Track(30, ())


def hand(word: str) -> tuple[Card, ...]:
    return tuple(sorted(LETTERS[letter] for letter in word))


def position(
    *hands: str,
    scores: tuple[int, ...] = (),
    fruit: tuple[int, ...] = (0,) * 6,
    track: Track | None = BARE,
    owners: str = "",
    names: Sequence[str] = NAMES,
) -> State:
    """A position; ``owners`` has a letter for each seat, else every seat is its own player."""
    seats = tuple(
        Seat(
            name=names[place],
            player=owners[place] if owners else names[place],
            score=scores[place] if scores else 0,
            hand=hand(word),
        )
        for place, word in enumerate(hands)
    )
    return State(seats, fruit, track)


def first(letter: str) -> Move:
    return Move(LETTERS[letter])


@dataclass(frozen=True)
class Scenario:
    """A question for the solver and for the reference code."""

    state: State
    player: str
    objective: str
    depth: int = 1
    revealed: Mapping[str, Move] = field(default_factory=dict)
    weights: Mapping[str, Mapping[Move, float]] = field(default_factory=dict)
    effort: str = "deep"
    chosen: Mapping[str, Move] | None = None
    model: str = "uniform"

    @property
    def decision(self) -> Decision[Move]:
        """The first decision without all choices, reduced to the seats without a revealed one."""
        play = Round(self.state)
        while isinstance(node := GAME.pending(play), Decision):
            undecided = {
                seat: legal
                for seat, legal in node.choices.items()
                if not is_revealed(self.revealed.get(seat), node.name)
            }
            if undecided:
                return Decision(node.name, undecided)
            choices = {seat: part(self.revealed[seat], node.name) for seat in node.choices}
            play = GAME.choose(play, choices).play
        return Decision("none", {})

    @property
    def question(self) -> Question[State, Move]:
        decision = self.decision
        own = [seat.name for seat in self.state.seats_of(self.player)]
        return Question(
            position=self.state,
            revealed=self.revealed,
            decision=decision,
            player=self.player,
            actors=tuple(name for name in own if name in decision.choices),
            objective=self.objective,
            model=self.model,
            weights=self.weights,
            effort=self.effort,
            depth=self.depth,
            deadline_ms=None,
            chosen=self.chosen,
            nonce=None,
            include=frozenset({"facts"}),
        )


def owners_of(state: State) -> dict[str, str]:
    return {seat.name: seat.player for seat in state.seats}


def hint(scenario: Scenario, stop_at: float | None = None) -> Hint[Move]:
    question = scenario.question
    return compute_hint(SUGGEST.search_game, question, owners_of(scenario.state), stop_at)


def rendered_hint(scenario: Scenario) -> dict[str, Any]:
    """Return the rendered hint, with ``moves`` by key, the best first."""
    document = SUGGEST.render(scenario.question, hint(scenario), WhatIfs(), "en", NO_NAMES)
    return document | {"moves": {move_key(row["move"]): row for row in document["moves"]}}


def best_row(document: dict[str, Any]) -> dict[str, Any]:
    """Return the row of the move with the highest value, the first of equals."""
    rows: dict[str, dict[str, Any]] = document["moves"]
    return max(rows.values(), key=lambda row: row["value"])


def reference_outcomes(scenario: Scenario) -> dict[str, Outcome]:
    """Return the outcomes by the reference code, by key of the move, in deck order."""
    reference = Reference(scenario.player, scenario.objective)
    shape = SUGGEST.response_schema().fields["pick"]
    return {
        move_key(shape.serialize("pick", {"pick": move})): outcome
        for move, outcome in reference.moves(
            scenario.state, scenario.revealed, scenario.weights, scenario.depth
        )
    }


def move_key(moves: Mapping[str, Any]) -> str:
    """Return a rendered joint move as one word, independent of the order of seats."""

    def word(move: Mapping[str, Any]) -> str:
        revealed = move["card"]
        if "then" in move:
            revealed += "+" + word(move["then"])
        return revealed + (":" + ",".join(move["recover"]) if "recover" in move else "")

    return " ".join(f"{seat}={word(moves[seat])}" for seat in sorted(moves))


# At random ----------------------------------------------------------------------------------


def lines(seat: Seat) -> int:
    """Return the number of complete moves of a seat."""
    once = len([card for card in seat.hand if card not in (Card.HEALER, Card.WATCHER)])
    once += len(recoverable(seat))
    return once * (2 if Card.WATCHER in seat.hand else 1)


def random_track(random: Random) -> Track | None:
    if random.random() < 0.3:
        return None
    length = random.randint(5, 24)
    spaces = random.sample(range(1, length), k=random.randint(0, min(8, length - 1)))
    # From other random numbers, so that every seed keeps its hands and scores.
    more = Random(f"{length} {spaces}")
    return Track(
        length,
        tuple(
            Bonus(space, random.choice(list(Kind)), random.randint(1, 3))
            for space in sorted(spaces)
        ),
        optional_watcher=more.random() < 0.3,
        spared_champion=more.random() < 0.3,
    )


def random_fruit(random: Random, tokens: int) -> tuple[int, ...]:
    levels = [random.randrange(6) for _ in range(tokens)]
    return tuple(levels.count(level) for level in range(6))


def random_scores(random: Random, seats: int, track: Track | None) -> tuple[int, ...]:
    length = track.length if track else 30
    low = max(0, length - 4) if random.random() < 0.5 else 0
    return tuple(random.randint(low, length - 1) for _ in range(seats))


def random_state(random: Random, most_lines: int) -> State:
    """Three to five players, or two with two seats each, with few enough joint moves."""
    owners = random.choice(("", "", "", "aabb", "abab", "abba"))
    seats = 4 if owners else random.randint(3, 5)
    while True:
        words = []
        for _ in range(seats):
            champions = random.sample("1234567", k=random.choice((0, 0, 1, 2, 3, 5, 6, 7)))
            words.append("".join([*champions, "h", *random.sample("wb", k=random.randint(0, 2))]))
        track = random_track(random)
        state = position(
            *words,
            scores=random_scores(random, seats, track),
            fruit=random_fruit(random, random.randint(0, 15)),
            track=track,
            owners=owners,
        )
        if most_lines / 20 < prod(lines(seat) for seat in state.seats) < most_lines:
            return state


def random_revealed(random: Random, state: State, decision: str) -> dict[str, Move]:
    """Return revealed choices that lead to a decision; sometimes one more choice is revealed."""
    play, revealed = Round(state), {}
    while isinstance(node := GAME.pending(play), Decision) and node.name != decision:
        choices = {seat: random.choice(legal) for seat, legal in node.choices.items()}
        revealed |= choices
        play = GAME.choose(play, choices).play
    if isinstance(node, Decision) and len(node.choices) > 1 and random.random() < 0.4:
        seat = random.choice(list(node.choices))
        revealed[seat] = random.choice(node.choices[seat])
    return revealed


def random_weights(random: Random, state: State, player: str) -> dict[str, dict[Move, float]]:
    weights = {}
    for seat in state.seats:
        if seat.player != player and random.random() < 0.5:
            given = {Move(card): random.choice((0.0, 1.0, 2.5, 7.0)) for card in seat.hand}
            weights[seat.name] = given | {Move(random.choice(seat.hand)): 1.5}
    return weights


@cache
def random_scenario(seed: int, most_lines: int = 2500) -> Scenario:
    """One round from a random position, at a random decision, for a random objective."""
    random = Random(seed)
    decision = random.choice(("card", "card", "watcher", "healer"))
    while True:
        state = random_state(random, most_lines)
        player = random.choice(state.players)
        revealed, weights = {}, {}
        if decision != "card":
            revealed = random_revealed(random, state, decision)
        elif random.random() < 0.5:
            weights = random_weights(random, state, player)
        scenario = Scenario(state, player, OBJECTIVES[seed % 3], 1, revealed, weights)
        if scenario.decision.name == decision and scenario.question.actors:
            return scenario
