"""The roster: agents by specification, such as ``service:effort=deep`` or ``greedy``.

To add a kind of agent or a setting, enter it in the roster of its game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final

from research.league.slopecrashers import agents as slopecrashers
from research.league.slopecrashers import mcts as slopecrashers_mcts
from research.league.snow_time import agents as snow_time
from research.league.snow_time import human_agents as snow_time_people
from research.league.snow_time import mcts as snow_time_mcts
from research.league.snow_time.exploiter import Exploiter
from research.league.snow_time.learned_agent import LearnedAgent
from research.league.snow_time.round_solver import CardWorth, RoundSolver
from research.league.snowcrest import agents as snowcrest
from service.core.vocabulary import EFFORTS
from service.games.snowcrest.rules.solo import DIFFICULTIES


@dataclass(frozen=True)
class Kind:
    """A kind of agent.

    Attributes:
        build: returns an agent; every setting is an optional keyword argument.
        settings: parser of each setting.
    """

    build: Callable[..., Any]
    settings: Mapping[str, Callable[[str], object]] = field(default_factory=dict)


def _effort(word: str) -> str:
    if word not in EFFORTS:
        raise ValueError(f"unknown effort {word!r}; expected one of {', '.join(EFFORTS)}")
    return word


def _boolean(word: str) -> bool:
    return {"yes": True, "no": False}[word]


def _round_solver(**worth: float) -> RoundSolver:
    return RoundSolver(CardWorth(**worth))


def _pretender(rounds: int = 5, **worth: float) -> Exploiter:
    return Exploiter(pretends=_round_solver(**worth), rounds=rounds)


WORTH: Final = {"champion": float, "watcher": float, "blizzard": float}
"""Settings: worth of a card in hand, in spaces."""

SNOW_TIME_ROSTER: Final = {
    "service": Kind(
        snow_time.ServiceAgent,
        {"effort": _effort, "objective": str, "random_move_rate": float, "evaluator": str},
    ),
    "random": Kind(snow_time.RandomAgent),
    "greedy": Kind(snow_time.GreedyAgent),
    "level-1": Kind(partial(snow_time.ServiceAgent, model="level-1"), {"effort": _effort}),
    "quantal": Kind(partial(snow_time.ServiceAgent, model="quantal"), {"effort": _effort}),
    "round-solver": Kind(_round_solver, WORTH),
    "minimax-regret": Kind(snow_time_people.MinimaxRegretAgent, WORTH),
    "habitual": Kind(
        snow_time_people.HabitualAgent, {"precision": float, "random_move_rate": float, **WORTH}
    ),
    "tree": Kind(
        snow_time_mcts.TreeSearchAgent,
        {"iterations": int, "mixed": _boolean, "exploration": float, "rollout": int},
    ),
    "exploiter": Kind(Exploiter, {"effort": _effort}),
    "learned": Kind(LearnedAgent, {"rounds": int, "safe": _boolean}),
    "pretender": Kind(_pretender, {"rounds": int, **WORTH}),
}

SLOPECRASHERS_ROSTER: Final = {
    "service": Kind(slopecrashers.ServiceAgent, {"effort": _effort, "evaluator": str}),
    "random": Kind(slopecrashers.RandomAgent),
    "greedy": Kind(slopecrashers.GreedyAgent),
    "tree": Kind(slopecrashers_mcts.TreeSearchAgent, {"iterations": int, "exploration": float}),
}

SNOWCREST_ROSTER: Final = {
    "service": Kind(snowcrest.ServiceAgent, {"effort": _effort, "evaluator": str}),
    "own-turn": Kind(snowcrest.OwnTurnAgent, {"effort": _effort, "evaluator": str}),
    "random": Kind(snowcrest.RandomAgent),
    "greedy": Kind(snowcrest.GreedyAgent),
    # The opponent of a solo game: it never chooses.
    **{f"difficulty-{level}": Kind(snowcrest.RandomAgent) for level in DIFFICULTIES},
}

ROSTERS: Final = {
    "snow-time": SNOW_TIME_ROSTER,
    "slopecrashers": SLOPECRASHERS_ROSTER,
    "snowcrest": SNOWCREST_ROSTER,
}
"""Kinds of agents by game."""


@lru_cache(maxsize=64)
def agent(spec: str, game: str = "snow-time") -> Any:
    """Return the agent of this process for a specification; all its seats share one object.

    Args:
        spec: a kind with optional settings: ``kind:setting=value,setting=value``.
        game: that it plays.

    Returns:
        an object that meets the protocol ``Agent`` of the game.

    Raises:
        ValueError: for an unknown game, kind or setting, or a wrong value.
    """
    if game not in ROSTERS:
        raise ValueError(f"unknown game {game!r}; expected one of {', '.join(ROSTERS)}")
    roster = ROSTERS[game]
    name, _, rest = spec.partition(":")
    if name not in roster:
        raise ValueError(f"unknown agent {name!r}; expected one of {', '.join(roster)}")
    kind = roster[name]
    settings: dict[str, object] = {}
    for part in rest.split(",") if rest else []:
        setting, _, value = part.partition("=")
        if setting not in kind.settings:
            allowed = ", ".join(kind.settings) or "none"
            raise ValueError(f"{name} has no setting {setting!r}; allowed: {allowed}")
        try:
            settings[setting] = kind.settings[setting](value)
        except (KeyError, ValueError) as error:
            raise ValueError(f"{name}: invalid value {setting}={value} ({error})") from None
    return kind.build(**settings)
