"""Documentation site under ``/docs``: HTML from the Markdown files in the repository."""
