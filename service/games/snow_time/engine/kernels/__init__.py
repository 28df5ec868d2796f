"""Compiled kernels of Snow Time.

``rounds`` is the compiled twin of ``rules/resolution.py``.  ``expectations`` computes expected
outcomes for one player against given strategies, line by line; ``contractions`` does the same for
large rounds.  ``joint`` computes a round as a game in normal form, and ``heuristics`` its payoffs
for players who do not look ahead.  All look payoffs up in the tables of ``effects``.
``packing.py`` packs positions and moves into the arrays of the kernels.
"""
