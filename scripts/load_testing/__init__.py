"""Load on the service under gunicorn, and what became of it."""
