"""Snowcrest: a turn-based game with hidden hands for one to four players."""
