"""Expectimax over rounds and over turns."""
