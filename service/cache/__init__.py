"""Caches of bytes by key, single flight and rate limits; values are opaque here."""
