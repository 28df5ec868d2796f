"""What the API does, without HTTP: play, suggest, review, batch."""
