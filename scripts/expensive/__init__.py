"""The search for requests that cost much CPU time."""
