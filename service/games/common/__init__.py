"""What games share: validation of bodies, schemas of turn-based games, wording."""
