"""The readable rules of Snow Time: state, legality and resolution."""
