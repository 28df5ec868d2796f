"""Endgames against exact values, by game."""
