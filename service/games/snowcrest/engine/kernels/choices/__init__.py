"""Compiled evaluation, and the promising choices of each decision."""
