"""From a solution to the hint of one player."""
