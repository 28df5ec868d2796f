"""The HTTP API of Slopecrashers: schemas, requests, responses and texts."""
