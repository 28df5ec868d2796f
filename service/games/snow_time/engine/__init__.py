"""Snow Time on arrays: packing, evaluation and the models of the solver."""
