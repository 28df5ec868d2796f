"""What ``scripts/dev.py`` does, with the standard library alone: nothing else is there yet."""
