"""Compiled kernels: turns on packed positions, and their search."""
