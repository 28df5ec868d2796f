"""Golden games and perft counts, game by game."""
