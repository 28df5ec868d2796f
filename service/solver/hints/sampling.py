"""Draws from a strategy that are equal for equal position, player and nonce."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from service.core.rounding import UNITS, apportion
from service.solver.kernels.logit import exponential


def draw_index(
    probabilities: Sequence[float], position: bytes, player: str, nonce: str | None
) -> int:
    """Return an index drawn with the given rounded probabilities, which sum to 1.

    The draw is a hash of its inputs.  Without a nonce other players can compute it.  Players who
    ask about the same position get independent draws.
    """
    parts = [position, player.encode(), (nonce or "").encode()]
    digest_input = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    ticket = int.from_bytes(sha256(digest_input).digest(), "big") % UNITS
    for index, probability in enumerate(probabilities):
        ticket -= round(probability * UNITS)
        if ticket < 0:
            return index
    raise ValueError("the probabilities do not sum to 1")


def softmax_of_losses(losses: Sequence[float], temperature: float) -> list[float]:
    """Return rounded probabilities proportional to exp(-loss / temperature).

    Args:
        losses: of all moves, rounded.
        temperature: above 0, in the unit of the losses.
    """
    return apportion(exponential(-loss / temperature) for loss in losses)
