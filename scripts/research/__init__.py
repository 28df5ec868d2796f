"""What few contributors need: leagues of players, training, tuning and measurements."""
