"""What games in rounds share: all players choose at once, and then all is revealed."""
