"""What pays for what (C4)."""
