"""One player's best response, by resolving the rounds against the others' strategies."""
