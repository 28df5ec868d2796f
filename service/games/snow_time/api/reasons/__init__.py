"""Why a move is better or worse than another: facts, dangers, arguments, and their sentences."""
