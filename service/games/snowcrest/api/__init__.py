"""The HTTP API of Snowcrest: schemas, requests, responses and texts."""
