"""The move drawn from a strategy: the same for the same position, player and nonce."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from service.core.rounding import UNITS, apportion
from service.solver.kernels.regret_matching import exponential


def draw(probabilities: Sequence[float], position: bytes, player: str, nonce: str | None) -> int:
    """The place of the move drawn from printed probabilities, which sum to 1.

    A hash of what is known to whoever asks, so no secret but the nonce: without one everybody can
    compute the pick.  Players who ask about the same position draw independently.
    """
    told = [position, player.encode(), (nonce or "").encode()]
    material = b"".join(len(part).to_bytes(4, "big") + part for part in told)
    ticket = int.from_bytes(sha256(material).digest(), "big") % UNITS
    for place, probability in enumerate(probabilities):
        ticket -= round(probability * UNITS)
        if ticket < 0:
            return place
    raise ValueError("these probabilities do not sum to 1")


def softmax_of_losses(losses: Sequence[float], temperature: float) -> list[float]:
    """Printed probabilities of somebody who errs: proportional to exp(-loss / temperature).

    Args:
        losses: of all moves, as printed.
        temperature: above 0, in the unit of the losses.
    """
    return apportion(exponential(-loss / temperature) for loss in losses)
