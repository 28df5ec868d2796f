"""Create an API key: the key for its owner, and the line for API_KEYS with its hash.

    python3 scripts/new_key.py OWNER

It needs only the standard library.
"""

from __future__ import annotations

import re
import secrets
import sys
from collections.abc import Sequence
from hashlib import sha256
from typing import Final

KEY_BYTES: Final = 32
OWNER: Final = re.compile(r"[A-Za-z0-9._-]{1,64}")


def main(arguments: Sequence[str]) -> int:
    """Print the key and its line; return the exit code."""
    if len(arguments) != 1 or not OWNER.fullmatch(arguments[0]):
        print(__doc__, file=sys.stderr)
        return 2
    key = secrets.token_urlsafe(KEY_BYTES)
    print(f"key:  {key}")
    print(f"line: {arguments[0]}:{sha256(key.encode()).hexdigest()}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
