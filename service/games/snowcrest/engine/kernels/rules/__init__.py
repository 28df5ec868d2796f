"""The compiled rules: positions, tasks of a turn, choices and cards."""
