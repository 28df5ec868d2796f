"""The commands of ``scripts/dev.py``.

  serve [--host H] [--port N]   serve the API under gunicorn (also: HOST, PORT)
  test [ARGS ...]               run pytest with these arguments
  run ARGS ...                  run the Python of .venv/ with these arguments
  lock [--upgrade]              rewrite the requirements.txt files from their requirements.in

Each sets up first what it needs.
"""

import argparse
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from types import FrameType
from typing import NoReturn

from workbench.environment import Environment
from workbench.locking import lock_all
from workbench.project import DEVELOPMENT, ROOT, RUNTIME
from workbench.reporting import SetUpError, say

COMMANDS = ("serve", "test", "run", "lock")

GUNICORN = ("-m", "gunicorn", "-c", "deploy/gunicorn.conf.py", "service.app:create_app()")


def main(arguments: Sequence[str], oldest_python: tuple[int, int]) -> int:
    """Run one command; returns the exit code, where the command does not take over the process."""
    parser = argparse.ArgumentParser(
        prog="dev.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("command", choices=COMMANDS)
    # Only the first word is for this parser: pytest and scripts have options of their own.
    command = parser.parse_args(arguments[:1]).command
    rest = arguments[1:]
    signal.signal(signal.SIGTERM, _leave)
    try:
        if command == "serve":
            serve(rest)
        elif command == "test":
            test(rest)
        elif command == "run":
            run(rest)
        else:
            lock(rest, oldest_python)
    except (SetUpError, OSError) as error:
        say(f"dev.py: {error}")
        return 1
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


def serve(arguments: Sequence[str]) -> NoReturn:
    """Become gunicorn."""
    # First the arguments: a mistyped port should not cost a set-up.
    environ = serving_environ(arguments, os.environ)
    RUNTIME.prepare()
    os.chdir(ROOT)
    _become(RUNTIME, GUNICORN, environ)


def test(arguments: Sequence[str]) -> NoReturn:
    """Become pytest."""
    DEVELOPMENT.prepare()
    os.chdir(ROOT)
    _become(DEVELOPMENT, ["-m", "pytest", *arguments], os.environ)


def run(arguments: Sequence[str]) -> NoReturn:
    """Become the environment's Python, in the caller's folder and able to import the service."""
    DEVELOPMENT.prepare()
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    _become(DEVELOPMENT, arguments, {**os.environ, "PYTHONPATH": path})


def lock(arguments: Sequence[str], oldest_python: tuple[int, int]) -> None:
    """Rewrite the requirement files."""
    parser = argparse.ArgumentParser(prog="dev.py lock")
    parser.add_argument("--upgrade", action="store_true", help="move every pin to the newest")
    lock_all(oldest_python, upgrade=parser.parse_args(arguments).upgrade)


def serving_environ(arguments: Sequence[str], environ: Mapping[str, str]) -> dict[str, str]:
    """``environ`` with HOST and PORT as the command line has them.

    The gunicorn configuration reads both, and alone knows the defaults.
    """
    parser = argparse.ArgumentParser(prog="dev.py serve")
    parser.add_argument("--host", default=environ.get("HOST"), help="default: HOST, or 127.0.0.1")
    # argparse checks a default that is text as it checks an argument.
    parser.add_argument(
        "--port", type=_port, default=environ.get("PORT") or None, help="default: PORT, or 8000"
    )
    options = parser.parse_args(arguments)
    chosen = {"HOST": options.host, "PORT": options.port}
    return {**environ, **{name: str(value) for name, value in chosen.items() if value is not None}}


def _become(
    environment: Environment, arguments: Sequence[str], environ: Mapping[str, str]
) -> NoReturn:
    # Not a child: signals and exit codes go straight to and from what the developer asked for.
    sys.stdout.flush()
    os.execve(environment.python, [str(environment.python), *arguments], environ)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port number, 0 to 65535")
    return int(text)


def _leave(signum: int, _frame: FrameType | None) -> NoReturn:
    # As an exception, so that a pip under way is stopped too.
    raise SystemExit(128 + signum)
