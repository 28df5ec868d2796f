"""What was computed before, kept as bytes by key; knows nothing of what the bytes mean."""
