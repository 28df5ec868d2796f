"""Load tests of the service under gunicorn."""
