"""Plays the games of a tournament on all cores, and writes each down when it is finished."""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from league.cells import Fixture
from league.games import play, start
from league.records import Journal, Record, read_records
from league.roster import agent


def play_all(fixtures: Sequence[Fixture], folder: Path, jobs: int) -> int:
    """Plays what a folder does not hold yet; the number of games played.

    Args:
        fixtures: all games, in the order in which they are begun.
        folder: of the run, see ``records``.
        jobs: processes; with one, everything happens in this one.
    """
    finished = read_records(folder)
    due = [fixture for fixture in fixtures if fixture.key not in finished]
    bar = tqdm(total=len(fixtures), initial=len(fixtures) - len(due), unit="game", smoothing=0.02)
    with Journal(folder) as journal, bar, _played(due, jobs) as records:
        for record in records:
            journal.add(record)
            bar.set_postfix_str(record.cell, refresh=False)
            bar.update()
    return len(due)


@contextmanager
def _played(due: Sequence[Fixture], jobs: int) -> Iterator[Iterator[Record]]:
    """The games as they finish; on leaving early, those under way are the last."""
    if jobs == 1 or len(due) < 2:
        yield map(play_one, due)
        return
    # Not forked: compiled code and threads of this process are not for others.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, spawn, _ignore_interrupts) as pool:
        games = [pool.submit(play_one, fixture) for fixture in due]
        try:
            yield (game.result() for game in as_completed(games))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _ignore_interrupts() -> None:
    # The parent hears them, and lets its processes finish their games.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


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
