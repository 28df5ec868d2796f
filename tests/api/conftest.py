"""The service as a WSGI application, and a client that speaks to it without a socket."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.app import create_app
from service.config import Config


@pytest.fixture(scope="session")
def app() -> Flask:
    return create_app(Config(log_level="CRITICAL"))


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()
