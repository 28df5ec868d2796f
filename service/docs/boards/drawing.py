"""Draw the position in a fenced block of a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from service.docs.boards import slopecrashers, snow_time, snowcrest

Drawing = Callable[[dict[str, Any], str], str]
"""Returns the picture of a position, with its words in a language."""

_DRAWINGS: Final[dict[str, Drawing]] = {
    "snow-time": snow_time.tree,
    "snow-time-track": snow_time.track,
    "slopecrashers": slopecrashers.course,
    "snowcrest": snowcrest.village,
    "snowcrest-card": snowcrest.card,
    "snowcrest-amounts": snowcrest.amounts,
    "snowcrest-legend": snowcrest.legend,
}
_FENCE: Final = "board "


def is_board(fence: str) -> bool:
    """Return whether the first line of a fenced block announces a picture: ``board snow-time``."""
    return fence.startswith(_FENCE)


def draw(fence: str, source: str, language: str) -> str:
    """Return the HTML of a picture.

    Args:
        fence: the first line of the block.
        source: the position, a JSON object; its ``title`` is the caption.
        language: language of the title and of the names.

    Raises:
        KeyError: if there is no such picture, or a name in the position is unknown.
        ValueError: if the source is not JSON.
    """
    return _DRAWINGS[fence.removeprefix(_FENCE).strip()](json.loads(source), language)
