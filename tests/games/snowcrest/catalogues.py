"""Random catalogues of Snowcrest, parsed, for comparisons of the rules."""

from __future__ import annotations

from random import Random

from expensive import catalogues

from service.games.common.validation import Violations, validate_shape
from service.games.snowcrest.catalogue.cards import Catalogue
from service.games.snowcrest.catalogue.parsing import parse_catalogue
from service.games.snowcrest.catalogue.schema import CatalogueSchema


def random_catalogue(random: Random, players: int) -> Catalogue:
    """Return a legal catalogue for a number of players with random cards of all kinds."""
    document = catalogues.random_catalogue(random, players)
    shaped, faults = validate_shape(CatalogueSchema(), document)
    violations = Violations(faults)
    return violations.require(parse_catalogue(shaped, violations, ""))
