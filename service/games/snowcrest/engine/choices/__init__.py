"""Promising choices of each decision, with the readable rules."""
