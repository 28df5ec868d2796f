"""Slopecrashers: a race of two laps down the slopes, with hidden gift cards."""
