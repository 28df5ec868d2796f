"""The solver compiled, a file for each set of kernels.

``mixed`` knows what moves are worth against mixed strategies, and how to improve these;
``equations`` are those of Newton's method.
"""
