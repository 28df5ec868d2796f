"""What the turn-based games share over HTTP: requests, responses, schemas and reasons."""
