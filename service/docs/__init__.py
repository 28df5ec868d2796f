"""The documentation under ``/docs``: Markdown that lies beside the code it explains, as HTML."""
