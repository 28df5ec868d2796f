"""Documents that depend on no request, served by GET below ``/v1``."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Blueprint, Response

from service.api.assets import HOUR, REVALIDATE, Asset, json_asset, send
from service.api.limits import limits
from service.cache.rate_limit import Quota
from service.operations import catalogue

_AT_ONCE = ("/v1/version", "/v1/limits")
"""Clients read these to notice a change, so they are not cached."""


def read_documents(quota: Quota | None) -> dict[str, Asset]:
    """Return the answers to the GET requests below ``/v1``, by path, encoded once.

    Args:
        quota: the rate limit that ``/v1/limits`` states; None if there is none.
    """
    documents = catalogue.documents() | {"/v1/limits": limits(quota)}
    return {path: json_asset(document) for path, document in documents.items()}


def blueprint(documents: Mapping[str, Asset]) -> Blueprint:
    """Return the routes of the documents."""
    routes = Blueprint("documents", __name__)
    for path, asset in documents.items():
        headers = REVALIDATE if path in _AT_ONCE else HOUR
        routes.add_url_rule(path, path.strip("/").replace("/", "-"), _view(asset, headers))
    return routes


def _view(asset: Asset, headers: Mapping[str, str]) -> Callable[[], Response]:
    return lambda: send(asset, headers)
