"""Plays the games of a tournament on all cores, and writes each down when it is finished."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from tqdm import tqdm

from league.cells import Fixture
from league.games import play, start
from league.journal import Journal
from league.processes import finished
from league.records import GAMES, Record, read_records
from league.roster import agent


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
    cell = fixture.cell
    first = start(cell.seats, cell.players)
    odd = first.players[fixture.place]
    agents = {player: agent(cell.odd if player == odd else cell.rest) for player in first.players}
    began = time.process_time()
    played = play(first, agents, fixture.seed)
    return Record(
        cell=cell.name,
        group=fixture.group,
        place=fixture.place,
        seed=fixture.seed,
        share=played.shares[odd],
        rounds=len(played.positions) - 1,
        seconds=round(time.process_time() - began, 4),
    )
