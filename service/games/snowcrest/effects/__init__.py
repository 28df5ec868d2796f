"""What villagers, guardians and forest cards do (C5 to C8)."""
