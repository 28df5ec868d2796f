"""The image, built from its Dockerfile and run as restricted as in the cluster.

Needs podman, and a base: ``TEST_BASE_IMAGE`` names one, or else debootstrap makes one (as root).
"""

from __future__ import annotations

import os
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
from service.operations.dispatch import answer
from tests.api.calls import BASE, EXAMPLES

pytestmark = pytest.mark.image

DEBIAN: Final = ("bookworm", "http://deb.debian.org/debian")
PACKAGES: Final = "python3,python3-pip,ca-certificates"
TRUSTED: Final = Path("/etc/ssl/certs/ca-certificates.crt")
"""What this machine trusts, its mirrors of packages included."""
MADE_BASE, IMAGE = "localhost/base:test", "localhost/winter-games:test"
RUNTIMES: Final = ((), ("--runtime", "runc", "--cgroup-manager", "cgroupfs"))
"""Podman's own choice, and what works where control groups are those of old (version 1)."""
# Limits are said because not every machine lets podman raise its own.
LIMITS: Final = ("--ulimit", "nofile=4096:4096", "--ulimit", "nproc=4096:4096")
RESTRICTED: Final = (
    *("--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--network", "host"),
    *("--security-opt", "no-new-privileges", "--user", "10001:10001"),
)
SHARED, ROOM_BYTES = Path("/dev/shm"), 6 << 30
PATIENCE_S: Final = 60


@dataclass(frozen=True)
class Podman:
    """The program, with images and containers of its own.

    Attributes:
        storage: where they are.
        runtime: options that name what runs containers.
    """

    storage: Path
    runtime: tuple[str, ...] = ()

    def __call__(self, *arguments: str) -> str:
        """What it prints, to either output.

        Raises:
            CalledProcessError: if it fails.
        """
        places = ["--root", str(self.storage / "root"), "--runroot", str(self.storage / "run")]
        command = ["podman", *places, *self.runtime, *arguments]
        environment = {**os.environ, "BUILDAH_ISOLATION": "chroot"}
        told = subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            env=environment,
            cwd=ROOT,
        )
        if told.returncode:
            raise subprocess.CalledProcessError(told.returncode, command, told.stdout)
        return told.stdout


@dataclass(frozen=True)
class Container:
    """One that runs the service."""

    podman: Podman
    name: str
    url: str
    metrics: str


def base(podman: Podman, folder: Path) -> str:
    """The name of an image with Python and pip."""
    if named := os.environ.get("TEST_BASE_IMAGE"):
        return named
    if shutil.which("debootstrap") is None or os.getuid() != 0:
        pytest.skip("there is no base: no TEST_BASE_IMAGE, and no debootstrap for root")
    root = folder / "base"
    made = subprocess.run(
        ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", DEBIAN[0], root, DEBIAN[1]],
        capture_output=True,
        check=False,
    )
    if made.returncode:
        pytest.skip("debootstrap could make no base here")
    shutil.copy(TRUSTED, root / TRUSTED.relative_to("/"))
    archive = folder / "base.tar"
    subprocess.run(["tar", "-C", root, "-cf", archive, "."], check=True)
    podman("import", str(archive), MADE_BASE)
    return MADE_BASE


def able(podman: Podman, image: str) -> Podman:
    """The same with a runtime that works here."""
    for runtime in RUNTIMES:
        tried = Podman(podman.storage, runtime)
        try:
            tried("run", "--rm", *LIMITS, *RESTRICTED, "--entrypoint", "true", image)
        except subprocess.CalledProcessError as error:
            why = error.output
        else:
            return tried
    pytest.skip(f"podman runs no containers here: {why}")


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """In memory where there is room: disks take minutes for so many small files."""
    roomy = SHARED.is_dir() and shutil.disk_usage(SHARED).free > ROOM_BYTES
    with TemporaryDirectory(dir=SHARED if roomy else None, ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture(scope="module")
def container(folder: Path) -> Iterator[Container]:
    if shutil.which("podman") is None:
        pytest.skip("there is no podman")
    podman = Podman(folder)
    image = base(podman, folder)
    podman = able(podman, image)
    try:
        podman(
            *("build", "--format", "docker", "--network", "host", "--build-arg", f"BASE={image}"),
            *("--tag", IMAGE, "--file", "deploy/Dockerfile", "."),
        )
        port, metrics = free_port(), free_port()
        podman(
            *("run", "--detach", "--name", "service", *LIMITS, *RESTRICTED),
            *("--env", f"PORT={port}", "--env", f"METRICS_PORT={metrics}", IMAGE),
        )
        found = Container(
            podman, "service", f"http://127.0.0.1:{port}", f"http://127.0.0.1:{metrics}"
        )
        await_ready(found)
        yield found
    finally:
        podman("rm", "--all", "--force")


def await_ready(container: Container) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while time.monotonic() < give_up:
        try:
            if requests.get(f"{container.url}/readyz", timeout=5).status_code == 200:
                return
        except requests.ConnectionError:
            time.sleep(0.1)
    pytest.fail(container.podman("logs", container.name))


def test_it_answers_with_the_bytes_that_any_machine_gives(container: Container) -> None:
    """Kernels in the image are compiled for a plain processor, those of the tests for this one."""
    entry = GAMES["snow-time"]
    for verb in entry.verbs:
        body = EXAMPLES[verb.name]
        told = requests.post(f"{container.url}{BASE}/{verb.name}", json=body, timeout=PATIENCE_S)
        assert told.content == orjson.dumps(
            answer(entry, verb, body, (), time.monotonic()).document
        )


def test_kernels_are_those_of_the_image(container: Container) -> None:
    assert "compiled again" not in container.podman("logs", container.name)

    def kernels(folder: str) -> set[str]:
        listed = container.podman("exec", container.name, "find", folder, "-type", "f")
        return {line.removeprefix(folder) for line in listed.splitlines()}

    assert kernels("/tmp/kernels") == kernels("/opt/kernels") != set()


def test_it_is_nobody_and_can_write_nowhere_but_in_tmp(container: Container) -> None:
    places = "/ /app /opt /etc"
    told = container.podman(
        *("exec", container.name, "sh", "-c"),
        "id -u; id -g; grep -E 'Cap(Eff|Bnd)|NoNewPrivs' /proc/self/status; touch /tmp/here;"
        f" for place in {places}; do touch $place/here 2>/dev/null && echo wrote; done; true",
    )
    user, group, *facts = told.splitlines()
    assert (user, group) == ("10001", "10001")
    nothing = "0" * 16
    assert sorted(line.split() for line in facts) == [
        ["CapBnd:", nothing],
        ["CapEff:", nothing],
        ["NoNewPrivs:", "1"],
    ]


def test_the_page_is_in_it(container: Container) -> None:
    for path in ("/", "/playground/main.js", "/playground/messages/zh.json"):
        assert requests.get(container.url + path, timeout=PATIENCE_S).status_code == 200


def test_metrics_are_on_their_own_port(container: Container) -> None:
    told = requests.get(f"{container.metrics}/metrics", timeout=PATIENCE_S)
    assert "http_requests_total" in told.text
    assert requests.get(f"{container.url}/metrics", timeout=PATIENCE_S).status_code == 404


def test_its_own_health_check_passes(container: Container) -> None:
    container.podman("healthcheck", "run", container.name)


def test_it_ends_when_it_is_told_to(container: Container) -> None:
    """The last test here."""
    container.podman("stop", "--time", "15", container.name)
    state = "{{.State.ExitCode}}"
    assert container.podman("inspect", "--format", state, container.name).strip() == "0"
