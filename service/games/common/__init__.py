"""Code shared by the games: validation, schemas of turn-based games."""
