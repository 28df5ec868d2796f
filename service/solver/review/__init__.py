"""What a played game came to: skill and luck."""
