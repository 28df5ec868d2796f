"""Parts of ``bench.py``: the positions, the clock, what is measured, and the table."""
