"""The games, each in one folder; none knows another or the solver."""
