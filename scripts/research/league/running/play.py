"""Play the games of a tournament, and save each one when it finishes."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from research.league.roster import agent
from research.league.running.cells import SLOPECRASHERS, SNOW_TIME, ScheduledGame
from research.league.running.engine import Engine
from research.league.running.journal import append_json_lines
from research.league.running.records import GAMES, GameRecord, read_records
from research.league.slopecrashers import play as slopecrashers
from research.league.snow_time import play as snow_time
from research.league.snow_time.exploiter import Exploiter
from research.league.snowcrest import play as snowcrest


def play_all(games: Sequence[ScheduledGame], folder: Path, engine: Engine) -> int:
    """Play the games that a folder does not have yet; return how many were played.

    Args:
        games: all games, in the order in which they start.
        folder: of the run, see ``records``.
        engine: that plays them.
    """
    records = read_records(folder)
    missing = [game for game in games if game.key not in records]
    played = engine.run(play_one, missing, finished=len(games) - len(missing))
    append_json_lines(folder / GAMES, (asdict(record) for _, record in played))
    return len(missing)


def play_one(game: ScheduledGame) -> GameRecord:
    """Play one game; apart from the time, the result depends on the argument alone."""
    # Of this thread: a worker has others, for the network.
    start = time.thread_time()
    share, rounds = (_snow_time if game.cell.game == SNOW_TIME else _turns)(game)
    return GameRecord(
        cell=game.cell.name,
        group=game.group,
        place=game.place,
        seed=game.seed,
        share=share,
        rounds=rounds,
        seconds=round(time.thread_time() - start, 4),
    )


def _snow_time(game: ScheduledGame) -> tuple[float, int]:
    """Return the odd player's share of the win, and the number of rounds."""
    first = snow_time.initial_state(game.cell.seats, game.cell.players)
    finished = snow_time.play(first, _agents(game, first.players), game.seed)
    return finished.shares[first.players[game.place]], len(finished.positions) - 1


def _turns(game: ScheduledGame) -> tuple[float, int]:
    """Return the same; a round is one turn of every player.

    In a solo game the share says whether the player beat the difficulty.
    """
    cell = game.cell
    rules: Any = slopecrashers if cell.game == SLOPECRASHERS else snowcrest
    level = {"difficulty": int(cell.rest.rpartition("-")[2])} if cell.players == 1 else {}
    first = rules.initial_state(cell.players, game.seed, **level)
    finished = rules.play(first, _agents(game, first.players), game.seed)
    return finished.shares[first.players[game.place]], finished.turns // cell.players


def _agents(game: ScheduledGame, players: Sequence[str]) -> dict[str, Any]:
    table = {
        player: agent(spec, game.cell.game)
        for player, spec in zip(players, game.specs, strict=True)
    }
    return {player: _seated(own, player, table) for player, own in table.items()}


def _seated(own: Any, player: str, table: Mapping[str, Any]) -> Any:
    """Return an agent for one game; some need to know the other players."""
    if not isinstance(own, Exploiter):
        return own
    return own.at_table({other: agent for other, agent in table.items() if other != player})
