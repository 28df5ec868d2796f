"""Snow Time over HTTP: shapes of requests and responses, names and texts."""
