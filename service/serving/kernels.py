"""Compilation of all kernels before the start, on several cores."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
IMPORTS: Final = (
    "import service.games.slopecrashers.api.definition",
    "import service.games.snow_time.api.definition",
    "from service.solver.kernels import linear_program, newton, regret_matching",
)
"""Statements that import all compiled kernels between them."""


def compile_in_parallel() -> None:
    """Compile the kernels, unless some are cached or no cache is writable."""
    folder = Path(os.environ.get("NUMBA_CACHE_DIR") or ROOT / "service")
    if any(folder.glob("**/*.nbi")) or not _is_writable(folder):
        return
    print("Compiling kernels (about a minute, once) ...", file=sys.stderr, flush=True)
    processes = [
        subprocess.Popen([sys.executable, "-c", statement], cwd=ROOT) for statement in IMPORTS
    ]
    for process in processes:
        process.wait()


def _is_writable(folder: Path) -> bool:
    while not folder.exists():
        folder = folder.parent
    return os.access(folder, os.W_OK)
