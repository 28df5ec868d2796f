"""Words for the developer; on stderr, so that a script's own output stays clean."""

import sys


class SetUpError(Exception):
    """The set-up cannot go on; the message is the one sentence to show."""


def say(words: str) -> None:
    """Say at once what is going on; ASCII only, for consoles of any encoding."""
    print(words, file=sys.stderr, flush=True)
