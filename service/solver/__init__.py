"""Hints for any game that keeps the contracts in ``core``; knows no game by name."""
