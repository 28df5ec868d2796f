"""How gunicorn serves as deployed, but that each worker imports the service for itself."""

from pathlib import Path

exec(Path("deploy/gunicorn.conf.py").read_text(encoding="utf-8"))
preload_app = False
