"""The readable rules of Slopecrashers: state, legality, resolution."""
