"""Models of how the other players choose."""
