"""Snowcrest: a village of nine villagers in the mountains, by turns, with hidden hands."""
