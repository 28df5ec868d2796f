"""Compiled kernels of Snow Time.

``rounds`` is the compiled twin of ``rules/resolution.py``.  ``expectations`` computes expected
outcomes for one player against given strategies.  ``joint`` computes a round as a game in normal
form and looks payoffs up in the tables of ``effects``.  ``packing.py`` packs positions and moves
into the arrays of the kernels.
"""
