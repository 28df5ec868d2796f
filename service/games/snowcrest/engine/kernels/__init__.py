"""Compiled rules and search of Snowcrest: a packed twin of the readable ones."""
