"""Tuning of evaluators by play, by game."""
