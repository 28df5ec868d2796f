"""Cards as data: reading, writing and the JSON shape of a catalogue (C1, C2)."""
