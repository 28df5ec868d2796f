"""Snow Time: everybody secretly picks a card, then all are revealed."""
