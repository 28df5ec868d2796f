"""Ends of turns and of games: when they are reached, and what they are worth exactly."""
