"""Who can play: agents by what they are called, as in ``service:tier=deep`` or ``greedy``.

To let another kind of agent play, or another setting of one, enter it in :data:`ROSTER`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, Final

from league.slopecrashers.agents import GreedyRacer, RandomRacer, SolvingRacer, TreeRacer
from league.snow_time.agents import Exploiter, GreedyAgent, RandomAgent, SolvingAgent
from league.snow_time.mcts import TreeSearcher
from league.snow_time.round_solver import RoundSolver, Worth
from league.snowcrest.agents import GreedyVillager, RandomVillager, SolvingVillager
from service.core.vocabulary import EFFORTS
from service.games.snowcrest.rules.solo import DIFFICULTIES


@dataclass(frozen=True)
class Kind:
    """A kind of agent.

    Attributes:
        build: makes one from its settings, each of which may be left out.
        settings: how each of them is read.
    """

    build: Callable[..., Any]
    settings: Mapping[str, Callable[[str], object]] = field(default_factory=dict)


def _tier(word: str) -> str:
    if word not in EFFORTS:
        raise ValueError(f"there is no tier {word!r}, only {', '.join(EFFORTS)}")
    return word


def _yes(word: str) -> bool:
    return {"yes": True, "no": False}[word]


def _round_solver(**worth: float) -> RoundSolver:
    return RoundSolver(Worth(**worth))


ROSTER: Final = {
    "service": Kind(
        SolvingAgent, {"tier": _tier, "objective": str, "rash": float, "evaluator": str}
    ),
    "random": Kind(RandomAgent),
    "greedy": Kind(GreedyAgent),
    "level-1": Kind(partial(SolvingAgent, model="level-1"), {"tier": _tier}),
    "quantal": Kind(partial(SolvingAgent, model="quantal"), {"tier": _tier}),
    "round-solver": Kind(_round_solver, {"champion": float, "watcher": float, "blizzard": float}),
    "tree": Kind(
        TreeSearcher,
        {"iterations": int, "mixed": _yes, "exploration": float, "rollout": int},
    ),
    "exploiter": Kind(Exploiter, {"tier": _tier}),
}

RACERS: Final = {
    "service": Kind(SolvingRacer, {"tier": _tier, "evaluator": str}),
    "random": Kind(RandomRacer),
    "greedy": Kind(GreedyRacer),
    "tree": Kind(TreeRacer, {"iterations": int, "exploration": float}),
}

VILLAGERS: Final = {
    "service": Kind(SolvingVillager, {"tier": _tier, "evaluator": str}),
    "random": Kind(RandomVillager),
    "greedy": Kind(GreedyVillager),
    # Whom a game of one is played against does nothing.
    **{f"difficulty-{level}": Kind(RandomVillager) for level in DIFFICULTIES},
}

ROSTERS: Final = {"snow-time": ROSTER, "slopecrashers": RACERS, "snowcrest": VILLAGERS}
"""Who can play which game."""


@lru_cache(maxsize=64)
def agent(spec: str, game: str = "snow-time") -> Any:
    """The agent of a process that goes by a name, one for all its seats: what it keeps is shared.

    Args:
        spec: a kind, and perhaps settings: ``kind:setting=value,setting=value``.
        game: that it plays.

    Returns:
        an ``Agent``, a ``Racer`` or a ``Villager``, as the game wants.

    Raises:
        ValueError: if there is no such game, kind, setting or value.
    """
    if game not in ROSTERS:
        raise ValueError(f"there is no game {game!r}, only {', '.join(ROSTERS)}")
    roster = ROSTERS[game]
    name, _, rest = spec.partition(":")
    if name not in roster:
        raise ValueError(f"there is no agent {name!r}, only {', '.join(roster)}")
    kind = roster[name]
    settings: dict[str, object] = {}
    for told in rest.split(",") if rest else []:
        setting, _, value = told.partition("=")
        if setting not in kind.settings:
            known = ", ".join(kind.settings) or "none at all"
            raise ValueError(f"{name} has no setting {setting!r}, only {known}")
        try:
            settings[setting] = kind.settings[setting](value)
        except (KeyError, ValueError) as error:
            raise ValueError(f"{name}: {setting}={value} is no good ({error})") from None
    return kind.build(**settings)
