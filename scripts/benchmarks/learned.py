"""Benchmarks of hints that learn how the others play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any, Final

from research.league.roster import agent
from research.league.running.recording import RecordingAgent
from research.league.snow_time.agents import SOLVER_GAME
from research.league.snow_time.play import initial_state, play

from benchmarks.rows import MS, Row, Sample
from benchmarks.timing import TimingBudget, measure_time
from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.single_flight import SingleFlight, WaitList
from service.core.hints import Hint, Question
from service.core.vocabulary import EQUILIBRIUM, LEARNED
from service.games.registry import GAMES
from service.games.snow_time.rules.state import Move, State
from service.operations.learned_hint import Learner
from service.operations.solution_cache import UNCACHED, SolutionCache, Solutions
from service.solver.hints.hint import compute_hint

PLAYERS: Final = 4
SEEDS: Final = (1, 2)
EVERY: Final = 3
"""Of the rounds of a game, every third one is measured."""
OPPONENT: Final = "round-solver"
ENTRIES: Final = 25
CACHE_BYTES: Final = 2**26
COLD_TARGET_MS: Final = 1500.0
"""For a history of 25 rounds without a cache (issue 23)."""
CASES: Final = ("equilibrium", "learned, earlier rounds cached", f"learned, {ENTRIES} rounds anew")

SNOW_TIME: Final = GAMES["snow-time"]
SUGGEST: Final[Any] = {endpoint.name: endpoint for endpoint in SNOW_TIME.endpoints}["suggest"]


class LayeredMemory(Memory):
    """A cache that can return to its state at the first :meth:`mark`: repetitions are alike."""

    def __init__(self) -> None:
        super().__init__(CACHE_BYTES)
        self._new: Memory | None = None

    def mark(self) -> None:
        """Keep what was stored before the first mark, and forget everything else."""
        self._new = Memory(CACHE_BYTES)

    def get(self, key: bytes) -> bytes | None:
        value = super().get(key)
        return value if value is not None or self._new is None else self._new.get(key)

    def put(self, key: bytes, value: bytes) -> None:
        if self._new is None:
            super().put(key, value)
        else:
            self._new.put(key, value)


@lru_cache(maxsize=1)
def questions() -> tuple[Question[State, Move], ...]:
    """Return card decisions of one player, with the rounds before them."""
    asked: list[Question[State, Move]] = []
    for seed in SEEDS:
        recorder: Any = RecordingAgent(agent("service"))
        others = dict.fromkeys("bcd", agent(OPPONENT))
        play(initial_state(PLAYERS, PLAYERS), {"a": recorder, **others}, seed)
        cards = [own for own in recorder.questions if own.decision.name == "card"]
        asked += cards[1::EVERY]
    return tuple(replace(own, model=LEARNED) for own in asked)


def learned_hints(name: str, budget: TimingBudget, case: str) -> Row:
    """Measure hints at positions of games, without HTTP."""
    samples = [
        Sample(f"game {number}", True, measure_time(ask, budget), MS, {})
        for number, ask in enumerate(_calls(case))
    ]
    target = COLD_TARGET_MS if case == CASES[2] else None
    return Row(name, "ms", samples, {"players": PLAYERS, "case": case}, target)


def _calls(case: str) -> Iterator[Callable[[], Hint[Move]]]:
    if case == CASES[0]:
        for own in questions():
            asked = replace(own, model=EQUILIBRIUM, history=())
            yield partial(compute_hint, SOLVER_GAME, asked, SUGGEST.owners(own.position))
    elif case == CASES[1]:
        for own in questions():
            memory = LayeredMemory()
            solutions = Solutions(SolutionCache(SingleFlight(Cache(memory), WaitList(1))))
            before = own.history[-1][0]
            _hint(
                replace(
                    own,
                    history=own.history[:-1],
                    position=before.position,
                    decision=before.decision,
                ),
                solutions,
            )
            yield partial(_hint_anew, own, solutions, memory)
    else:
        past = tuple(past for own in questions() for past in own.history[-EVERY:])
        yield partial(_hint, replace(questions()[0], history=past[-ENTRIES:]), UNCACHED)


def _hint_anew(
    question: Question[State, Move], solutions: Solutions, memory: LayeredMemory
) -> Hint[Move]:
    memory.mark()
    return _hint(question, solutions)


def _hint(question: Question[State, Move], solutions: Solutions) -> Hint[Move]:
    learner: Learner[State, Move] = Learner(SNOW_TIME, SUGGEST, solutions, None)
    return learner.hint(question)
