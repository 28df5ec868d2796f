"""Snow Time over HTTP: schemas, requests, responses and texts."""
