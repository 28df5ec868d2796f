"""TLS in front of a local server, because the Redis server of the tests has none."""

from __future__ import annotations

import select
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

CHUNK = 65_536


@dataclass(frozen=True)
class Certificate:
    """A certificate that signs itself, so it is also the file of the CA."""

    file: Path
    key: Path


def new_certificate(folder: Path, name: str = "DNS:localhost,IP:127.0.0.1") -> Certificate:
    """Create a certificate for a subject with a name."""
    folder.mkdir(exist_ok=True)
    certificate = Certificate(folder / "certificate.pem", folder / "key.pem")
    command = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    options = ["-keyout", certificate.key, "-out", certificate.file, "-subj", "/CN=test"]
    subprocess.run(
        [*command.split(), *options, "-addext", f"subjectAltName={name}"],
        check=True,
        capture_output=True,
    )
    return certificate


def tls_url(port: int, authority: Certificate, user: str = "") -> str:
    """Return the URL of a local port for clients that trust only one authority."""
    return f"rediss://{user}localhost:{port}/0?ssl_ca_certs={authority.file}"


@contextmanager
def tls_relay(upstream: int, certificate: Certificate) -> Iterator[int]:
    """Accept TLS and forward it to a local port, until the end of the block; yield the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate.file, certificate.key)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=_accept, args=(listener, context, upstream), daemon=True).start()
        yield listener.getsockname()[1]


def _accept(listener: socket.socket, context: ssl.SSLContext, upstream: int) -> None:
    with suppress(OSError):
        while True:
            client, _ = listener.accept()
            Thread(target=_serve, args=(client, context, upstream), daemon=True).start()


def _serve(plain: socket.socket, context: ssl.SSLContext, upstream: int) -> None:
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with (
        suppress(OSError),
        context.wrap_socket(plain, server_side=True) as client,
        socket.create_connection(("127.0.0.1", upstream)) as server,
    ):
        # One thread for both directions: two must not use a TLS connection at the same time.
        while True:
            ready = [client] if client.pending() else select.select([client, server], [], [])[0]
            source, target = (client, server) if client in ready else (server, client)
            part = source.recv(CHUNK)
            if not part:
                return
            target.sendall(part)
