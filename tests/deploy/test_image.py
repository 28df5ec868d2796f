"""Container image: built from the Dockerfile and run with the restrictions of the cluster.

The tests need podman and a base image: ``TEST_BASE_IMAGE`` names one, or mmdebstrap creates one
(as root).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import orjson
import pytest
import requests
from load_testing.server import ROOT, free_port

from service.games.registry import GAMES
from service.operations.dispatch import execute
from tests.api.calls import BASE, EXAMPLES
from tests.patience import PATIENCE_S

pytestmark = pytest.mark.image

DEBIAN: Final = ("bookworm", "http://deb.debian.org/debian")
# Packages are only extracted: configuring them takes four times as long, and nothing here needs it.
VARIANT: Final = "extract"
PACKAGES: Final = (
    "base-files,ca-certificates,coreutils,dash,findutils,grep,libstdc++6,python3,python3-pip"
)
CA_CERTIFICATES: Final = Path("/etc/ssl/certs/ca-certificates.crt")
"""Certificates of this machine, including those of package mirrors."""
CREATED_BASE, IMAGE = "localhost/base:test", "localhost/winter-games:test"
RUNTIMES: Final = ((), ("--runtime", "runc", "--cgroup-manager", "cgroupfs"))
"""Options for podman's default runtime, and for runc on machines with control groups version 1."""
# Explicit limits, because some machines do not let podman raise them.
LIMITS: Final = ("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096")
RESTRICTED: Final = (
    *("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--network", "host"),
    *("--security-opt", "no-new-privileges", "--user", "10001:10001"),
)
SHARED_MEMORY, MIN_FREE_BYTES = Path("/dev/shm"), 6 << 30


@dataclass(frozen=True)
class Podman:
    """The podman program with separate storage.

    Attributes:
        storage: folder of images and containers.
        runtime: options that select the container runtime.
    """

    storage: Path
    runtime: tuple[str, ...] = ()

    def __call__(self, *arguments: str) -> str:
        """Run a command and return its standard output and standard error.

        Raises:
            CalledProcessError: if the command fails.
        """
        places = ["--root", str(self.storage / "root"), "--runroot", str(self.storage / "run")]
        command = ["podman", *places, *self.runtime, *arguments]
        environment = {**os.environ, "BUILDAH_ISOLATION": "chroot"}
        result = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env=environment,
            cwd=ROOT,
        )
        if result.returncode:
            error = subprocess.CalledProcessError(result.returncode, command, result.stdout)
            error.add_note(result.stdout)
            raise error
        return result.stdout


@dataclass(frozen=True)
class Container:
    """A container that runs the service."""

    podman: Podman
    name: str
    url: str
    metrics: str


def base_image(podman: Podman, folder: Path) -> str:
    """Return the name of an image with Python and pip; create it if necessary."""
    if named := os.environ.get("TEST_BASE_IMAGE"):
        return named
    if shutil.which("mmdebstrap") is None or os.getuid() != 0:
        pytest.skip("no base image: TEST_BASE_IMAGE is not set, and mmdebstrap needs root")
    archive = folder / "base.tar"
    copy = f"copy-in {CA_CERTIFICATES} {CA_CERTIFICATES.parent}"
    options = (
        "--mode=root",
        f"--variant={VARIANT}",
        f"--include={PACKAGES}",
        f"--extract-hook={copy}",
    )
    result = subprocess.run(
        ["mmdebstrap", *options, DEBIAN[0], archive, DEBIAN[1]],
        env=os.environ | {"TMPDIR": str(folder)},
        capture_output=True,
        check=False,
    )
    if result.returncode:
        pytest.skip(f"mmdebstrap failed: {result.stderr.decode()[-1000:]}")
    podman("import", str(archive), CREATED_BASE)
    return CREATED_BASE


def with_working_runtime(podman: Podman, image: str) -> Podman:
    """Return podman with a runtime that works on this machine, or skip the test."""
    for runtime in RUNTIMES:
        candidate = Podman(podman.storage, runtime)
        try:
            candidate("run", "--rm", *LIMITS, *RESTRICTED, "--entrypoint", "true", image)
        except subprocess.CalledProcessError as error:
            reason = error.output
        else:
            return candidate
    pytest.skip(f"podman cannot run containers: {reason}")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Return a folder in memory if it has space; disks need minutes for so many small files."""
    has_space = SHARED_MEMORY.is_dir() and shutil.disk_usage(SHARED_MEMORY).free > MIN_FREE_BYTES
    with TemporaryDirectory(
        dir=SHARED_MEMORY if has_space else None, ignore_cleanup_errors=True
    ) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def container(folder: Path) -> Iterator[Container]:
    if shutil.which("podman") is None:
        pytest.skip("podman is not installed")
    podman = Podman(folder)
    image = base_image(podman, folder)
    podman = with_working_runtime(podman, image)
    try:
        podman(
            # Without an image of each step, which nothing uses.
            *("build", "--layers=false", "--format", "docker", "--network", "host"),
            *("--build-arg", f"BASE={image}", "--tag", IMAGE, "--file", "deploy/Dockerfile", "."),
        )
        port, metrics = free_port(), free_port()
        podman(
            *("run", "--detach", "--name", "service", *LIMITS, *RESTRICTED),
            *("--env", f"PORT={port}", "--env", f"METRICS_PORT={metrics}", IMAGE),
        )
        running = Container(
            podman, "service", f"http://127.0.0.1:{port}", f"http://127.0.0.1:{metrics}"
        )
        await_ready(running)
        yield running
    finally:
        podman("rm", "--all", "--force")


def await_ready(container: Container) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        try:
            if requests.get(f"{container.url}/readyz", timeout=5).status_code == 200:
                return
        except requests.ConnectionError:
            time.sleep(0.1)
    pytest.fail(container.podman("logs", container.name))


def test_it_returns_the_same_bytes_as_this_machine(container: Container) -> None:
    """The kernels of the image are compiled for a generic processor, those of the tests are not."""
    definition = GAMES["snow-time"]
    for endpoint in definition.endpoints:
        body = EXAMPLES[endpoint.name]
        response = requests.post(
            f"{container.url}{BASE}/{endpoint.name}", json=body, timeout=PATIENCE_S
        )
        assert response.content == orjson.dumps(execute(definition, endpoint, body).document)


def test_it_uses_the_kernels_of_the_image(container: Container) -> None:
    assert "compiled again" not in container.podman("logs", container.name)

    def kernels(folder: str) -> set[str]:
        listed = container.podman("exec", container.name, "find", folder, "-type", "f")
        return {line.removeprefix(folder) for line in listed.splitlines()}

    assert kernels("/tmp/kernels") == kernels("/opt/kernels") != set()


def test_it_contains_bytecode(container: Container) -> None:
    """Without it, each start takes four seconds longer."""
    command = ("exec", container.name, "python3", "-v", "-c", "import service.app")
    verbose = container.podman(*command)
    assert re.search(r"code object from '/app/service/__pycache__/app\.", verbose)


def test_it_has_no_privileges_and_can_write_only_to_tmp(container: Container) -> None:
    places = "/ /app /opt /etc"
    output = container.podman(
        *("exec", container.name, "sh", "-c"),
        "id -u; id -g; grep -E 'Cap(Eff|Bnd)|NoNewPrivs' /proc/self/status; touch /tmp/here;"
        f" for place in {places}; do touch $place/here 2>/dev/null && echo wrote; done; true",
    )
    user, group, *facts = output.splitlines()
    assert (user, group) == ("10001", "10001")
    no_capabilities = "0" * 16
    assert sorted(line.split() for line in facts) == [
        ["CapBnd:", no_capabilities],
        ["CapEff:", no_capabilities],
        ["NoNewPrivs:", "1"],
    ]


def test_it_serves_the_playground(container: Container) -> None:
    for path in ("/", "/playground/main.js", "/playground/messages/zh-Hans.json"):
        assert requests.get(container.url + path, timeout=PATIENCE_S).status_code == 200


def test_metrics_are_on_their_own_port(container: Container) -> None:
    response = requests.get(f"{container.metrics}/metrics", timeout=PATIENCE_S)
    assert "http_requests_total" in response.text
    assert requests.get(f"{container.url}/metrics", timeout=PATIENCE_S).status_code == 404


def test_traces_can_be_switched_on(container: Container) -> None:
    """``start.sh`` sets the path if the other variable is set."""
    environment = ("PYTHONPATH=/opt/tracing", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1")
    program = "import service.app as a; print(type(a.create_app().extensions['metrics']).__name__)"
    output = container.podman(
        *("exec", container.name, "env", *environment, "python3", "-c", program)
    )
    assert output.split() == ["TracedMetrics"]


def test_the_health_check_of_the_image_passes(container: Container) -> None:
    container.podman("healthcheck", "run", container.name)


def test_stop_ends_it_with_exit_code_0(container: Container) -> None:
    """This test must be the last one, because it stops the container."""
    container.podman("stop", "--time", "15", container.name)
    state = "{{.State.ExitCode}}"
    assert container.podman("inspect", "--format", state, container.name).strip() == "0"
