"""Slopecrashers: a race down the slopes, twice, with hidden gift cards."""
