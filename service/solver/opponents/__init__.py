"""Models of the other players."""
