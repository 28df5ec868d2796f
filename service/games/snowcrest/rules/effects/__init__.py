"""The effects of villagers, guardians and forest cards (C5 to C8)."""
