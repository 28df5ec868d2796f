"""Evaluation and turn search of Snowcrest."""
