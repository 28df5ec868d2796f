"""The application factory, which creates and connects all parts."""

from __future__ import annotations

from pathlib import Path

from flask import Flask
from flask_cors import CORS
from werkzeug.middleware.proxy_fix import ProxyFix

from service.api import auth, batch, documents, games, limits, log, ops, problems, request_hooks
from service.api.compression import CompressedAnswers
from service.api.metrics import Metrics
from service.api.page import routes as page
from service.api.responses import Responses
from service.cache.breaker import Breaker
from service.cache.layered import Cache
from service.cache.memory import Memory
from service.cache.rate_limit import Quota
from service.cache.redis import OnFault, Remote
from service.cache.single_flight import SingleFlight, WaitList
from service.config import MIB, Config
from service.docs import routes as docs
from service.operations.solution_cache import SolutionCache
from service.operations.solve_queue import SolveQueue
from service.serving.early_answers import EarlyAnswers


def create_app(config: Config | None = None) -> Flask:
    """Return the service as a WSGI application."""
    config = config or Config.from_environment()
    log.configure(config.log_level)
    app = Flask(__name__, static_folder=None)
    app.url_map.merge_slashes = False
    quota = Quota(config.quota_units, config.quota_window_s) if config.quota_units else None
    app.extensions["metrics"] = metrics = _metrics(config)
    request_hooks.register(app, quota, metrics)
    keys = _keys(config)
    auth.register(app, keys)
    problems.register(app, metrics)
    limits.register(app)
    queue = SolveQueue(config.solve_queue, observer=metrics, max_per_client=config.solve_client)
    app.extensions["solve_queue"] = queue
    responses = _responses(config, quota, metrics, queue)
    app.register_blueprint(games.blueprint(responses, metrics))
    constants = documents.read_documents(quota)
    app.register_blueprint(documents.blueprint(constants))
    app.register_blueprint(batch.blueprint(responses, constants, metrics))
    app.register_blueprint(ops.blueprint())
    app.register_blueprint(page.blueprint())
    app.register_blueprint(docs.blueprint())
    if config.cors_origins:
        CORS(
            app,
            origins=config.cors_origins.split(),
            methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type", "X-Request-Id"],
            expose_headers=request_hooks.HEADERS,
            max_age=3600,
        )
    has_cors = bool(config.cors_origins)
    early = EarlyAnswers(app.wsgi_app, responses, metrics, quota, keys, has_cors=has_cors)
    app.wsgi_app = CompressedAnswers(early)  # type: ignore[method-assign]
    if config.proxy_hops:
        app.wsgi_app = ProxyFix(  # type: ignore[method-assign]
            app.wsgi_app, x_for=config.proxy_hops, x_proto=0, x_host=0, x_port=0, x_prefix=0
        )
    return app


def _metrics(config: Config) -> Metrics:
    endpoint = config.otel_exporter_otlp_endpoint
    if not endpoint:
        return Metrics()
    # An optional dependency, which takes memory and time at the start.
    try:
        from service.api import tracing
    except ModuleNotFoundError as error:
        hint = "OTEL_EXPORTER_OTLP_ENDPOINT needs the packages of deploy/tracing.txt"
        raise ValueError(hint) from error
    return tracing.TracedMetrics(tracing.exporter(endpoint))


def _keys(config: Config) -> auth.Keys:
    lines = config.api_keys.split()
    if config.api_keys_file:
        lines += Path(config.api_keys_file).read_text(encoding="utf-8").splitlines()
    keys = auth.read_keys(lines)
    if config.api_keys_file and not keys:
        raise ValueError(f"{config.api_keys_file} (API_KEYS_FILE) contains no key")
    return keys


def _responses(
    config: Config, quota: Quota | None, metrics: Metrics, queue: SolveQueue
) -> Responses:
    def on_fault(fault: str, detail: str) -> None:
        metrics.redis_failed(fault)
        log.logger().warning("redis-fault", fault=fault, detail=detail)

    remote = _remote(config, metrics, on_fault) if config.redis_url else None
    cache = Cache(Memory(config.cache_mib * MIB), remote, quota, on_fault)
    solutions = SolutionCache(SingleFlight(cache, WaitList(config.solve_room)), queue, metrics)
    return Responses(cache, solutions, metrics)


def _remote(config: Config, metrics: Metrics, on_fault: OnFault) -> Remote:
    def on_change(is_open: bool) -> None:
        metrics.breaker_changed(is_open=is_open)
        log.logger().warning("redis-breaker-opened" if is_open else "redis-breaker-closed")

    if not config.cache_key:
        log.logger().warning("cache-key-missing", detail="Clients of Redis can forge answers.")
    secret = config.cache_key.encode()
    breaker = Breaker(on_change=on_change)
    return Remote(
        config.redis_url, config.cache_ttl_s, secret, on_fault, breaker, metrics.redis_replied
    )
