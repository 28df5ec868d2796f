"""Reviews of played games: skill, luck and predictions."""
