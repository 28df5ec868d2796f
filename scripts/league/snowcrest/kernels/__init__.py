"""Compiled rules of Snowcrest for self-play: a packed twin of the readable rules."""
