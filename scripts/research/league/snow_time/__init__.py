"""Snow Time: agents, tree search and round solver, training and tuning of the evaluator."""
