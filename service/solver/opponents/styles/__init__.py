"""Families of styles: how people may think about a simultaneous decision, one file each."""
