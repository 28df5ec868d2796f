"""Reviews of played games: skill and luck."""
