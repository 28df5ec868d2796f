"""The simultaneous decision of all players as a game in normal form."""
