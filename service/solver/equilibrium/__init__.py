"""Approximate equilibria of games in normal form, and selection among them."""
