"""Compiled: turns on packed positions, and the search through them."""
