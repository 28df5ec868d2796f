"""Changed copies of documents."""

from __future__ import annotations

import copy
from functools import reduce
from operator import getitem
from typing import Any


def changed(document: Any, *changes: tuple[str, Any]) -> Any:
    """Return a copy with values set at paths of words and numbers; ``...`` removes a member."""
    document = copy.deepcopy(document)
    for path, value in changes:
        *way, last = (int(step) if step.isdigit() else step for step in path.split())
        node = reduce(getitem, way, document)
        if value is ...:
            del node[last]
        elif isinstance(node, list):
            node[last : last + 1] = [value]
        else:
            node[last] = value
    return document
