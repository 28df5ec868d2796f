"""Plays the games of a tournament on all cores, and writes each down when it is finished."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from tqdm import tqdm

from league.roster import agent
from league.running.cells import SLOPECRASHERS, SNOW_TIME, SNOWCREST, Fixture
from league.running.journal import Journal
from league.running.processes import finished
from league.running.records import GAMES, Record, read_records
from league.slopecrashers import play as slopes_games
from league.snow_time.play import play, start
from league.snowcrest import play as crest_games


def play_all(fixtures: Sequence[Fixture], folder: Path, jobs: int) -> int:
    """Plays what a folder does not hold yet; the number of games played.

    Args:
        fixtures: all games, in the order in which they are begun.
        folder: of the run, see ``records``.
        jobs: processes; with one, everything happens in this one.
    """
    held = read_records(folder)
    due = [fixture for fixture in fixtures if fixture.key not in held]
    bar = tqdm(total=len(fixtures), initial=len(fixtures) - len(due), unit="game", smoothing=0.02)
    with Journal(folder / GAMES) as journal, bar, finished(play_one, due, jobs) as records:
        for record in records:
            journal.add(asdict(record))
            bar.set_postfix_str(record.cell, refresh=False)
            bar.update()
    return len(due)


def play_one(fixture: Fixture) -> Record:
    """Plays one game; what comes out depends on the fixture alone."""
    began = time.process_time()
    share, rounds = _PLAY[fixture.cell.game](fixture)
    return Record(
        cell=fixture.cell.name,
        group=fixture.group,
        place=fixture.place,
        seed=fixture.seed,
        share=share,
        rounds=rounds,
        seconds=round(time.process_time() - began, 4),
    )


def _snow_time(fixture: Fixture) -> tuple[float, int]:
    """The share of the win of the odd one, and how many rounds it took."""
    first = start(fixture.cell.seats, fixture.cell.players)
    played = play(first, _seated(fixture, first.players), fixture.seed)
    return played.shares[first.players[fixture.place]], len(played.positions) - 1


def _slopecrashers(fixture: Fixture) -> tuple[float, int]:
    """The same; a round is a turn of everybody."""
    first = slopes_games.start(fixture.cell.players, fixture.seed)
    raced = slopes_games.race(first, _seated(fixture, first.players), fixture.seed)
    return float(raced.winner == fixture.place), raced.turns // fixture.cell.players


def _snowcrest(fixture: Fixture) -> tuple[float, int]:
    """The same; alone, whether a difficulty was won."""
    cell = fixture.cell
    level = int(cell.rest.rpartition("-")[2]) if cell.players == 1 else 1
    first = crest_games.start(cell.players, fixture.seed, difficulty=level)
    lived = crest_games.live(first, _seated(fixture, first.players), fixture.seed)
    return lived.shares[first.players[fixture.place]], lived.turns // cell.players


def _seated(fixture: Fixture, players: Sequence[str]) -> dict[str, Any]:
    cell, odd = fixture.cell, players[fixture.place]
    return {
        player: agent(cell.odd if player == odd else cell.rest, cell.game) for player in players
    }


_PLAY: Final = {SNOW_TIME: _snow_time, SLOPECRASHERS: _slopecrashers, SNOWCREST: _snowcrest}
