"""What the games share: validation, names and texts; ``turns`` is for the turn-based ones."""
