"""Response schema of headlines, for all games."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.core.advice import ADVICE_CODES, LEVEL, LOST, MISTAKES, TOLERANCES, WON
from service.core.vocabulary import POINTS, WIN
from service.games.common.fields import MapOf, OneOf, ResponseSchema, Verbatim

_THRESHOLDS: Final = (
    f"Choices are equal up to the tolerance of the solution, at least {TOLERANCES[WIN]} of the win "
    f"or {TOLERANCES[POINTS]} spaces; mistakes lose more than {MISTAKES[WIN]} or "
    f"{MISTAKES[POINTS]}. The list can grow."
)


class AdviceParams(ResponseSchema):
    """Only the parameters of the code. Choices are indices in `moves`, not in brief hints."""

    component = "AdviceParams"

    choices = fields.List(fields.Integer())
    mistakes = fields.List(fields.Integer())
    chances = fields.List(fields.Float())
    margin = fields.Float()
    spread = fields.Float()
    error = fields.Float()
    result = OneOf((WON, LOST, LEVEL))
    needs = MapOf(keys=fields.String(), values=fields.String())


class Advice(ResponseSchema):
    """The headline of a hint."""

    component = "Advice"

    code = fields.String(
        required=True,
        metadata={
            "description": "\n".join(f"- `{code}`: {text}" for code, text in ADVICE_CODES.items())
            + f"\n\n{_THRESHOLDS}"
        },
    )
    params = Verbatim(AdviceParams, required=True)
    text = fields.String(required=True)
