"""A league of agents: tournaments, and the training of the shipped evaluators."""
