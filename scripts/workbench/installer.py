"""Running the developer's own pip on an environment that has none.

A bare Debian has no ensurepip, so the environment is made without pip and filled from
outside (``pip --python``).  That works for an externally managed Python too (PEP 668):
nothing is installed into it.
"""

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from workbench.reporting import SetUpError, say

OLDEST_PIP = (22, 3)  # the first with --python
SECONDS_BETWEEN_SIGNS_OF_LIFE = 10

# How to reach an index is the developer's business; where and what to install is not
# (PIP_USER, PIP_TARGET or PIP_NO_DEPS would break the set-up), so other settings are hidden.
_KEPT_PIP_SETTINGS = frozenset(
    "PIP_" + name
    for name in (
        "CACHE_DIR",
        "CERT",
        "CLIENT_CERT",
        "CONFIG_FILE",
        "DEFAULT_TIMEOUT",
        "EXTRA_INDEX_URL",
        "FIND_LINKS",
        "INDEX_URL",
        "KEYRING_PROVIDER",
        "NO_CACHE_DIR",
        "NO_INDEX",
        "PROXY",
        "RETRIES",
        "TIMEOUT",
        "TRUSTED_HOST",
        "USE_FEATURE",
    )
)


def require_pip(python: Path) -> None:
    """Raise SetUpError unless ``python`` has a pip that can fill another environment."""
    version = _pip_version(python)
    if version is None:
        raise SetUpError(
            f"{python} has no pip: install it (on Debian and Ubuntu: apt-get install python3-pip)."
        )
    if version < OLDEST_PIP:
        raise SetUpError(
            f"pip {version[0]}.{version[1]} of {python} is too old: "
            f"version {OLDEST_PIP[0]}.{OLDEST_PIP[1]} or newer is needed "
            "(python3 -m pip install --upgrade pip)."
        )


def install(python: Path, target: Path, requirements: Sequence[Path], lock: int) -> None:
    """Install locked requirement files with the pip of ``python`` into that of ``target``.

    The descriptor ``lock`` is handed to pip: should this process be killed, the lock is held
    until pip too has ended.
    """
    command = [
        str(python), "-m", "pip", "--python", str(target), "install",
        "--quiet", "--disable-pip-version-check", "--no-input",
        "--require-hashes", "--only-binary", ":all:",
    ]  # fmt: skip
    for file in requirements:
        command += ["--requirement", str(file)]
    # What pip says matters only where it fails; then all of it does.
    with tempfile.TemporaryFile("w+", errors="replace") as words:
        pip = subprocess.Popen(
            command,
            env=pip_environ(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=words,
            stderr=subprocess.STDOUT,
            pass_fds=(lock,),
            # pip runs a second pip inside the target; as one group, both can be stopped.
            start_new_session=True,
        )
        try:
            status = _wait_aloud(pip)
        except BaseException:
            os.killpg(pip.pid, signal.SIGTERM)
            pip.wait()
            raise
        if status != 0:
            words.seek(0)
            sys.stderr.write(words.read())
            raise SetUpError("pip could not install the requirements; its own words are above.")


def pip_environ(environ: Mapping[str, str]) -> dict[str, str]:
    """``environ`` without the settings that would change what pip installs, or where."""
    return {
        name: value
        for name, value in environ.items()
        if not name.startswith("PIP_") or name in _KEPT_PIP_SETTINGS
    }


def _pip_version(python: Path) -> tuple[int, int] | None:
    answer = subprocess.run(
        [str(python), "-m", "pip", "--version"],
        env=pip_environ(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    version = re.match(r"pip (\d+)\.(\d+)", answer.stdout)
    return (int(version[1]), int(version[2])) if version else None


def _wait_aloud(process: "subprocess.Popen[bytes]") -> int:
    seconds = 0
    while True:
        try:
            return process.wait(timeout=SECONDS_BETWEEN_SIGNS_OF_LIFE)
        except subprocess.TimeoutExpired:
            seconds += SECONDS_BETWEEN_SIGNS_OF_LIFE
            say(f"... still installing after {seconds} s")
