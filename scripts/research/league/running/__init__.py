"""Run games in parallel processes and save the results."""
