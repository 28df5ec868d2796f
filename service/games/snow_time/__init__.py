"""Snow Time: all seats choose a card in secret, then reveal their cards together."""
