"""The rules of Slopecrashers: states, legal actions, effects."""
