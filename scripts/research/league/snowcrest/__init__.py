"""Snowcrest: agents and training of the evaluator."""
