"""Array types of the solver contracts, and arrays without elements."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Bools: TypeAlias = NDArray[np.bool_]
Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Ints32: TypeAlias = NDArray[np.int32]

NO_PLACES: Final[Ints] = np.zeros(0, np.int64)


def no_numbers(rows: int) -> Floats:
    """Return float64[rows, 0]."""
    return np.zeros((rows, 0))
