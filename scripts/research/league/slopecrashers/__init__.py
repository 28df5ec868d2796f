"""Slopecrashers: agents and training of the evaluator."""
