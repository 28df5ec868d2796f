"""Evaluators of the games, as training and tuning change them."""
