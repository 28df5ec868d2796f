"""Winter board games as a stateless service: rules, legal moves and hints."""
