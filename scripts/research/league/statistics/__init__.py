"""Confidence intervals, standings and the calibration of search effort."""
