"""Self-play games of a population of agents, from which an evaluator is fitted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from research.league.roster import agent
from research.league.running.engine import Engine
from research.league.running.journal import read_json_lines, saved_results
from research.league.snow_time.fitting import Sample
from research.league.snow_time.play import initial_state, play
from service.games.snow_time.engine.packing import hand_bits
from service.games.snow_time.rules.state import Bonus, Kind, Track, default_track

RANDOM_MOVE_RATE: Final = 0.03
"""Probability of a random move, for some agents of the population.

With a much higher rate agents waste their cards, and the fit takes hands to be worth little.
"""
CHAMPION, WATCHER, BLIZZARD = (0.35, 1.05), (0.5, 2.5), (1.0, 3.0)
"""Ranges of the worth of a card in hand for the round solvers of the population, in spaces."""
UNIFORM_TABLES: Final = 0.5
"""Fraction of the tables where all players are the newest service."""


@dataclass(frozen=True)
class SelfPlayGame:
    """One game to play.

    Attributes:
        number: of the game in its file, and its seed.
        players: 2 (with two seats each) to 5.
        agents: specification of each player's agent, see ``roster.agent``.
        length: of the track.
    """

    number: int
    players: int
    agents: tuple[str, ...]
    length: int = default_track().length


KINDS: Final = ("service", "service with random moves", "round-solver")
"""Kinds of agents of different strength, see ``fitting``."""


def self_play_games(
    players: int, games: int, evaluators: Sequence[str], seed: int
) -> list[SelfPlayGame]:
    """Return the games of a population: services, some with random moves, and round solvers.

    Half of the mixed tables have one odd player among others who are alike.

    Args:
        players: of each game.
        games: number of games.
        evaluators: paths of the services' evaluators, the newest last.
        seed: of the population and the games.
    """
    selected = []
    for number in range(games):
        random = Random(f"{seed} {players} {number}")
        newest = f"service:effort=quick,evaluator={evaluators[-1]}"
        if random.random() < UNIFORM_TABLES:
            agents = [newest] * players
        else:
            drawn = [_random_agent(evaluators, random) for _ in range(players)]
            agents = drawn if random.random() < 0.5 else [*drawn[:1], *[drawn[1]] * (players - 1)]
            random.shuffle(agents)
        selected.append(SelfPlayGame(seed + number, players, tuple(agents)))
    return selected


def _random_agent(evaluators: Sequence[str], random: Random) -> str:
    if random.random() < 0.5:
        worth = [random.uniform(*bounds) for bounds in (CHAMPION, WATCHER, BLIZZARD)]
        settings = zip(("champion", "watcher", "blizzard"), worth, strict=True)
        return "round-solver:" + ",".join(f"{name}={value:.2f}" for name, value in settings)
    rate = random.choice((0.0, RANDOM_MOVE_RATE))
    evaluator = random.choice(evaluators)
    return f"service:effort=quick,evaluator={evaluator},random_move_rate={rate}"


def play_games(games: Sequence[SelfPlayGame], path: Path, engine: Engine) -> None:
    """Play the games that a file does not have yet, and append them."""
    cases = {game.number: game for game in games}
    saved_results(path, itemgetter("number"), play_game, cases, engine, path.stem)


def play_game(game: SelfPlayGame) -> dict[str, Any]:
    """Play a game; return its positions before each round and the win shares as a document."""
    seats = 4 if game.players == 2 else game.players
    first = initial_state(seats, game.players, track_of(game.length))
    agents = {player: agent(spec) for player, spec in zip(first.players, game.agents, strict=True)}
    finished = play(first, agents, game.number)
    return {
        "number": game.number,
        "agents": list(game.agents),
        "positions": [
            [
                [seat.score for seat in state.seats],
                [hand_bits(seat.hand) for seat in state.seats],
            ]
            for state in finished.positions[:-1]
        ],
        "shares": [finished.shares[player] for player in first.players],
    }


def track_of(length: int) -> Track:
    """Return the default track, or a track of that length with a small bonus every fourth space."""
    default = default_track()
    if length == default.length:
        return default
    kinds = (Kind.FIGHT, Kind.FRUIT, Kind.MANA)
    return Track(
        length,
        tuple(
            Bonus(space=space, kind=kinds[space // 4 % 3], advance=1)
            for space in range(4, length, 4)
        ),
    )


def load_sample(
    paths: Sequence[Path], players: int, length: int = default_track().length
) -> Sample:
    """Return the positions of all games in some files.

    Raises:
        ValueError: if the files have no game.
    """
    by_number = {game["number"]: game for path in paths for game in read_json_lines(path)}
    if not by_number:
        raise ValueError(f"no games of {players} players")
    # Games finish in any order; the sample is in the order of their numbers.
    games = [game for _, game in sorted(by_number.items())]
    rows = [
        (index, *position) for index, game in enumerate(games) for position in game["positions"]
    ]
    numbers = np.array([row[0] for row in rows])
    owners = np.array([0, 0, 1, 1]) if players == 2 else np.arange(players)
    kinds = np.array([[_kind(spec) for spec in game["agents"]] for game in games])[:, owners]
    return Sample(
        scores=np.array([row[1] for row in rows]),
        hands=np.array([row[2] for row in rows]),
        kinds=kinds[numbers],
        owners=owners,
        shares=np.array([game["shares"] for game in games])[numbers],
        games=np.array([game["number"] for game in games])[numbers],
        length=length,
    )


def _kind(spec: str) -> int:
    if spec.startswith(KINDS[2]):
        return 2
    return 0 if spec.endswith("random_move_rate=0.0") or "random_move_rate" not in spec else 1
