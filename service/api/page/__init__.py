"""The web page: its routes, and its files, joined and with their version in the address."""
