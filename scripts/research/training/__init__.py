"""Training of evaluators by self-play, by game."""
