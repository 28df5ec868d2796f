"""Hints for one player from a solution."""
