"""Games of a population from which an evaluator learns, written down as they finish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from tqdm import tqdm

from league.roster import agent
from league.running.journal import Journal, read_lines
from league.running.processes import finished
from league.snow_time.fitting import Sample
from league.snow_time.play import play, start
from service.games.snow_time.engine.packing import hand_bits
from service.games.snow_time.rules.state import Bonus, Kind, Track, default_track

RASH: Final = 0.03
"""The chance of any legal move, of those in the population who play so.  Much rasher ones waste
what they hold, and from them hands are learned to be worth little."""
CHAMPION, WATCHER, BLIZZARD = (0.35, 1.05), (0.5, 2.5), (1.0, 3.0)
"""What a card kept may be worth to a round solver of the population, in spaces."""
ALL_ALIKE: Final = 0.5
"""The share of tables at which everybody is the newest service."""


@dataclass(frozen=True)
class Table:
    """One game to be played.

    Attributes:
        number: of the game in its file, and its seed.
        players: 2 (with two seats each) to 5.
        agents: by player, what it is called in the roster.
        length: of the track.
    """

    number: int
    players: int
    agents: tuple[str, ...]
    length: int = default_track().length


KINDS: Final = ("service", "rash service", "round-solver")
"""Players of unlike strength, which is told apart from what they hold."""


def tables(players: int, games: int, evaluators: Sequence[str], seed: int) -> list[Table]:
    """Who plays: services with these evaluators, the newest last, some rashly, and round solvers.

    Half of the mixed tables have one odd player among others who are alike.
    """
    found = []
    for number in range(games):
        random = Random(f"{seed} {players} {number}")
        newest = f"service:tier=quick,evaluator={evaluators[-1]}"
        if random.random() < ALL_ALIKE:
            agents = [newest] * players
        else:
            drawn = [_somebody(evaluators, random) for _ in range(players)]
            agents = drawn if random.random() < 0.5 else [*drawn[:1], *[drawn[1]] * (players - 1)]
            random.shuffle(agents)
        found.append(Table(seed + number, players, tuple(agents)))
    return found


def _somebody(evaluators: Sequence[str], random: Random) -> str:
    if random.random() < 0.5:
        worth = [random.uniform(*bounds) for bounds in (CHAMPION, WATCHER, BLIZZARD)]
        told = zip(("champion", "watcher", "blizzard"), worth, strict=True)
        return "round-solver:" + ",".join(f"{name}={value:.2f}" for name, value in told)
    rash = random.choice((0.0, RASH))
    return f"service:tier=quick,evaluator={random.choice(evaluators)},rash={rash}"


def play_tables(due: Sequence[Table], path: Path, jobs: int) -> None:
    """Plays what a file does not hold yet."""
    held = {game["number"] for game in read_lines(path)}
    left = [table for table in due if table.number not in held]
    bar = tqdm(total=len(due), initial=len(due) - len(left), unit="game", desc=path.stem)
    with Journal(path) as journal, bar, finished(play_table, left, jobs) as games:
        for game in games:
            journal.add(game)
            bar.update()


def play_table(table: Table) -> dict[str, Any]:
    """A game to be written down: positions before each round, and shares of the win by player."""
    seats = 4 if table.players == 2 else table.players
    first = start(seats, table.players, track_of(table.length))
    agents = {player: agent(spec) for player, spec in zip(first.players, table.agents, strict=True)}
    played = play(first, agents, table.number)
    return {
        "number": table.number,
        "agents": list(table.agents),
        "positions": [
            [
                [seat.score for seat in state.seats],
                [hand_bits(seat.hand) for seat in state.seats],
            ]
            for state in played.positions[:-1]
        ],
        "shares": [played.shares[player] for player in first.players],
    }


def track_of(length: int) -> Track:
    """A track of that length; but for the default track with a small bonus on each fourth space."""
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


def sample_of(paths: Sequence[Path], players: int, length: int = default_track().length) -> Sample:
    """The positions of all games in some files as a sample.

    Raises:
        ValueError: if they hold no game.
    """
    told = {game["number"]: game for path in paths for game in read_lines(path)}
    if not told:
        raise ValueError(f"no games of {players} players")
    # In the order of their numbers, whatever the order in which they were finished.
    games = [game for _, game in sorted(told.items())]
    rows = [
        (which, *position) for which, game in enumerate(games) for position in game["positions"]
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
    return 0 if spec.endswith("rash=0.0") or "rash" not in spec else 1
