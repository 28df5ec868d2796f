"""The rules of Snowcrest: state, turns, legal actions, scoring and validation."""
