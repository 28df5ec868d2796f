"""The only place that wires things together."""

from __future__ import annotations

from flask import Flask

from service.api import games, headers, ops, problems
from service.api.answers import Answers
from service.cache.buckets import Quota
from service.cache.cache import Cache
from service.cache.memory import Memory
from service.cache.once import Once, Room
from service.cache.redis import Remote
from service.config import MIB, Config
from service.operations.slot import Slot
from service.operations.solves import Solves
from service.operations.watch import Watch


def create_app(config: Config | None = None) -> Flask:
    """The service as a WSGI application."""
    config = config or Config.from_environment()
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False
    app.logger.setLevel(config.log_level)
    quota = _quota(config)
    headers.register(app, quota)
    problems.register(app)
    app.register_blueprint(games.blueprint(_answers(config, quota)))
    app.register_blueprint(ops.blueprint())
    app.register_blueprint(ops.docs())
    return app


def _quota(config: Config) -> Quota | None:
    if not config.quota_units:
        return None
    return Quota(config.quota_units, config.quota_window_s)


def _answers(config: Config, quota: Quota | None) -> Answers:
    watch = Watch()
    remote = None
    if config.redis_url:
        remote = Remote(config.redis_url, config.cache_ttl_s, config.cache_key.encode())
    cache = Cache(Memory(config.cache_mib * MIB), remote, quota)
    slot = Slot(config.solve_queue, watch=watch)
    return Answers(cache, Solves(Once(cache, Room(config.solve_room)), slot, watch), watch)
