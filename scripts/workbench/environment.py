"""A virtual environment that holds what its requirement files say.

It is trusted by its stamp alone.  The stamp names the Python and the digest of every
requirement file, is removed before the first change and written after the last one: a set-up
that was interrupted, or made for other requirements or another Python, is done again.
"""

import fcntl
import hashlib
import json
import os
import re
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from workbench.installer import install, require_pip
from workbench.reporting import say

Contents = dict[str, str]


@dataclass(frozen=True)
class Environment:
    """A virtual environment at ``path``, filled from locked ``requirements`` files in order."""

    path: Path
    requirements: tuple[Path, ...]

    @property
    def python(self) -> Path:
        """The interpreter inside."""
        return self.path / "bin" / "python"

    def prepare(self) -> None:
        """Install what is missing; next to nothing where all is there.

        Raises:
            SetUpError: pip is missing, too old, or could not install.
        """
        wanted = self._wanted()
        if _holds(self._present(), wanted):
            return
        with self._locked() as lock:
            # Another process may have done the work while this one waited for the lock.
            if not _holds(self._present(), wanted):
                self._build(wanted, lock)

    def _build(self, wanted: Contents, lock: int) -> None:
        pip_python = _python_outside(self.path)
        require_pip(pip_python)
        present = self._present()
        self._stamp.unlink(missing_ok=True)
        # A part of what is wanted can be added to; anything else could leave old packages.
        if not present or not _holds(wanted, present):
            present = {}
            say(f"Creating {self.path.name} ...")
            venv.EnvBuilder(clear=True, symlinks=True).create(self.path)
        missing = [file for file in self.requirements if file.as_posix() not in present]
        names = " and ".join(f"{file.parent.name}/{file.name}" for file in missing)
        say(f"Installing {names}: {_pins(missing)} pinned, up to a minute ...")
        install(pip_python, self.python, missing, lock)
        fresh = self._stamp.with_suffix(".new")
        fresh.write_text(json.dumps(wanted, indent=1), encoding="utf-8")
        fresh.replace(self._stamp)
        say(f"{self.path.name} is ready.")

    def _wanted(self) -> Contents:
        digests = {
            file.as_posix(): hashlib.sha256(file.read_bytes()).hexdigest()
            for file in self.requirements
        }
        # One checkout may be mounted into several machines, and a machine has several Pythons.
        python = f"{sys.version} {os.uname().machine} {sys.base_prefix}"
        return {"python": python, **digests}

    def _present(self) -> Contents:
        """What the stamp says is installed; nothing without a stamp or a living interpreter."""
        if not self.python.exists():
            return {}
        try:
            present: Contents = json.loads(self._stamp.read_text(encoding="utf-8"))
        except (FileNotFoundError, ValueError):
            return {}
        return present

    @property
    def _stamp(self) -> Path:
        return self.path / "installed.json"

    @contextmanager
    def _locked(self) -> Iterator[int]:
        # Beside the environment, not in it: a rebuild empties the folder.  A flock belongs to
        # the open file, so it lasts until every process that inherited the descriptor ends.
        file = self.path.with_name(self.path.name + ".lock")
        lock = os.open(file, os.O_CREAT | os.O_RDWR, 0o666)
        try:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say(f"Waiting for another set-up of {self.path.name} ...")
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield lock
        finally:
            os.close(lock)


def _holds(present: Contents, wanted: Contents) -> bool:
    return wanted.items() <= present.items()


def _python_outside(path: Path) -> Path:
    # The environment's own interpreter has no pip, and its folder may be about to be emptied.
    if Path(sys.prefix).resolve() == path.resolve():
        return Path(sys.base_prefix, "bin", "python{}.{}".format(*sys.version_info))
    return Path(sys.executable)


def _pins(files: list[Path]) -> int:
    return sum(len(re.findall(r"^\w\S*==", file.read_text(), re.MULTILINE)) for file in files)
