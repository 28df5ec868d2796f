"""Cards as data: types, parsing, rendering and the JSON schema of a catalogue (C1, C2)."""
