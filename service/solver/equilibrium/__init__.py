"""Strategies that nobody gains much by leaving, and which of them to choose."""
