"""Games between players of different strength: for the tournament, and to train the evaluator."""
