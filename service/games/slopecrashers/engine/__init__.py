"""The engine of Slopecrashers on arrays: packing, evaluation, turn tree."""
