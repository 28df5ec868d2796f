"""Golden games: whole games with all their answers, which tests replay."""
