"""The readable rules of Snowcrest: state, legality, resolution."""
