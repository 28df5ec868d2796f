"""The contracts between games, solver and service; standard library only."""
