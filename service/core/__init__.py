"""Contracts between the games, the solver and the service."""
