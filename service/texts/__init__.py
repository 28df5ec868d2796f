"""All sentences and names that people read, in all languages, and the format of their numbers."""
