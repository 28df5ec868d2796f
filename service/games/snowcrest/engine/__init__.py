"""Snowcrest on arrays: packing, evaluation, what the solver needs."""
