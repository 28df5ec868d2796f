"""What the API does, without HTTP: one verb a file."""
