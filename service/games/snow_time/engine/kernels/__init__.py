"""Snow Time compiled, a file for each set of kernels.

``rounds`` is the fast twin of ``resolution.py``; ``expectations`` weighs what given strategies
lead to, from the view of one asker; ``joint`` makes a round a game in normal form, with what
everybody gets looked up by ``effects``.  Arrays have a layout of their own, described in
``packing.py``; packing in and out happens there.
"""
