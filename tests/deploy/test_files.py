"""Deployment files: Dockerfile, Kubernetes and Compose, checked by their own tools."""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from service.api.problems import problem_document
from service.core.vocabulary import MAX_DEADLINE_MS
from service.operations.versions import API_VERSION
from tests.loops import for_each

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"
START = DEPLOY / "start.sh"
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]


def executable(name: str) -> str:
    """Return the path of a program next to this Python or on the PATH, or skip the test."""
    installed = Path(sys.executable).with_name(name)
    path = str(installed) if installed.exists() else shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def documents() -> Iterator[tuple[str, Any]]:
    """Yield every resource with the name of its file and kind."""
    for file in sorted(KUBERNETES.glob("*.yaml")):
        for document in yaml.safe_load_all(file.read_text(encoding="utf-8")):
            yield f"{file.name} {document['kind']}", document


RESOURCES = dict(documents())
PAGE = (DEPLOY / "README.md").read_text(encoding="utf-8")
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
NGINX = (DEPLOY / "nginx" / "nginx.conf").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
KUSTOMIZATION = yaml.safe_load((DEPLOY / "kustomization.yaml").read_text(encoding="utf-8"))
TEMPLATES = {
    document["metadata"]["name"]: document["spec"]["template"]
    for document in RESOURCES.values()
    if document["kind"] == "Deployment"
}
PODS = {name: template["spec"] for name, template in TEMPLATES.items()}
CONTAINERS = [container for pod in PODS.values() for container in pod["containers"]]
APP = PODS["winter-games"]["containers"][0]
PORTS = {
    name: {port["name"] for container in pod["containers"] for port in container["ports"]}
    for name, pod in PODS.items()
}


# The image --------------------------------------------------------------------------------------


def test_the_dockerfile_passes_hadolint() -> None:
    result = subprocess.run(
        [executable("hadolint"), str(DEPLOY / "Dockerfile")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, result.stdout) == (0, "")


def test_the_image_runs_as_a_user_and_installs_only_pinned_wheels() -> None:
    assert re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE) == ["10001:10001"]
    assert "--require-hashes" in DOCKERFILE
    assert "--only-binary :all:" in DOCKERFILE
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${BASE}", "${BASE}"]


def test_the_build_context_contains_only_the_copied_files() -> None:
    """The context is an allow list, so tests, history and secrets stay outside."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "*"
    allowed = {line[1:] for line in lines if line.startswith("!")}
    copied = re.findall(r"^COPY (?!--from)(.*) \S+$", DOCKERFILE, re.MULTILINE)
    assert allowed == {name for line in copied for name in line.split()}
    assert all((ROOT / name).exists() for name in allowed)


def named_images() -> set[str]:
    """Return every image that a file in deploy/ names; in Compose, the default."""
    named = re.findall(r"^ARG BASE=(\S+)", DOCKERFILE, re.MULTILINE)
    named += [container["image"] for container in CONTAINERS]
    for service in COMPOSE["services"].values():
        named += [service["image"], *service.get("build", {}).get("args", {}).values()]
    return {re.sub(r"^\$\{\w+:-(.+)\}$", r"\1", image) for image in named}


def test_images_of_others_have_an_exact_version_and_one_digest() -> None:
    others = {image for image in named_images() if not image.startswith("winter-games")}
    exact = r"docker\.io(/[\w-]+)+:\d+\.\d+\.\d+-[\w-]+@sha256:[0-9a-f]{64}"
    assert [image for image in others if not re.fullmatch(exact, image)] == []
    assert len({image.partition(":")[0] for image in others}) == len(others) == 3


def test_the_image_of_the_project_has_its_version() -> None:
    assert API_VERSION == VERSION
    own = {image for image in named_images() if image.startswith("winter-games")}
    # Kustomize adds the tag to the name.
    assert own == {"winter-games", f"winter-games:{VERSION}"}
    assert KUSTOMIZATION["images"] == [{"name": "winter-games", "newTag": VERSION}]
    assert f'org.opencontainers.image.version="{VERSION}"' in DOCKERFILE


def test_the_sbom_lists_every_pinned_package_of_the_image() -> None:
    sbom = json.loads((DEPLOY / "sbom.cdx.json").read_text(encoding="utf-8"))
    locked = "".join((DEPLOY / name).read_text() for name in ("requirements.txt", "tracing.txt"))
    pins = set(re.findall(r"^([\w.-]+)==([\w.+]+)", locked, re.MULTILINE))
    assert {(each["name"], each["version"]) for each in sbom["components"]} == pins
    assert all(each["externalReferences"][0]["hashes"] for each in sbom["components"])
    assert (sbom["bomFormat"], sbom["metadata"]["component"]["version"]) == ("CycloneDX", VERSION)


def test_the_start_script_is_executable_and_valid_shell() -> None:
    assert START.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", str(START)], check=True)


@pytest.mark.parametrize(("endpoint", "path"), [("", ""), ("http://collector", "/opt/tracing")])
def test_the_packages_of_traces_are_visible_only_if_they_are_on(
    endpoint: str, path: str, tmp_path: Path
) -> None:
    """One that is installed is imported: redis-py looks for it."""
    gunicorn = tmp_path / "gunicorn"
    gunicorn.write_text('#!/bin/sh\necho "${PYTHONPATH-}"\n')
    gunicorn.chmod(0o755)
    environment = {
        "PATH": f"{tmp_path}:{os.environ['PATH']}",
        "NUMBA_CACHE_DIR": str(tmp_path),
        "OTEL_EXPORTER_OTLP_ENDPOINT": endpoint,
    }
    output = subprocess.run(
        ["sh", str(START)], env=environment, capture_output=True, check=True, text=True
    ).stdout
    assert output.strip() == path
    assert "--target /opt/tracing" in DOCKERFILE


# Kubernetes -------------------------------------------------------------------------------------


@for_each("name", RESOURCES)
def test_every_resource_matches_its_schema(name: str) -> None:
    version = kubernetes_validate.latest_version()
    kubernetes_validate.validate(RESOURCES[name], version, strict=True)


def test_the_schema_rejects_an_unknown_field() -> None:
    invalid = {**RESOURCES["service.yaml Service"], "speck": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(invalid, kubernetes_validate.latest_version(), strict=True)


def test_the_kustomization_lists_every_file() -> None:
    files = {f"kubernetes/{file.name}" for file in KUBERNETES.glob("*.yaml")}
    assert set(KUSTOMIZATION["resources"]) == files
    for generator in KUSTOMIZATION["configMapGenerator"]:
        for file in generator.get("files", []):
            assert (DEPLOY / file.rpartition("=")[2]).is_file()


@for_each("name", PODS)
def test_every_pod_uses_the_restricted_profile(name: str) -> None:
    """Restricted profile of the Pod Security Standards, and a read-only root file system."""
    pod = PODS[name]
    assert pod["securityContext"]["runAsNonRoot"] is True
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    for container in pod["containers"]:
        assert container["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert container["resources"]["limits"]["memory"]
        assert container["readinessProbe"]
        assert container["livenessProbe"]


def test_services_and_autoscaler_refer_to_existing_names_and_ports() -> None:
    for document in RESOURCES.values():
        if document["kind"] == "Service":
            name, spec = document["metadata"]["name"], document["spec"]
            assert spec["selector"].items() <= TEMPLATES[name]["metadata"]["labels"].items()
            assert {port["targetPort"] for port in spec["ports"]} <= PORTS[name]
    [scaler] = [r for r in RESOURCES.values() if r["kind"] == "HorizontalPodAutoscaler"]
    assert scaler["spec"]["scaleTargetRef"]["name"] in TEMPLATES


def test_every_setting_of_the_config_map_is_documented() -> None:
    [generator] = [
        each for each in KUSTOMIZATION["configMapGenerator"] if each["name"] == "winter-games"
    ]
    for literal in generator["literals"]:
        assert f"`{literal.partition('=')[0]}`" in PAGE


def new_secrets() -> dict[str, str]:
    script = DEPLOY / "new_secrets.sh"
    printed = subprocess.run(["sh", str(script)], capture_output=True, check=True).stdout
    return dict(line.split("=") for line in printed.decode().splitlines())


def test_new_secrets_differ_and_are_those_that_the_deployment_needs() -> None:
    secrets = new_secrets()
    for value in secrets.values():
        assert re.fullmatch("[0-9a-f]{64}", value)
    assert len({*secrets.values(), *new_secrets().values()}) == 4
    compose = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"\$\{(\w+):\?", compose)) == set(secrets)
    [generator] = KUSTOMIZATION["secretGenerator"]
    assert generator == {"name": "winter-games", "envs": [".env"]}
    used = {
        variable["valueFrom"]["secretKeyRef"]["key"]
        for container in CONTAINERS
        for variable in container.get("env", [])
        if "valueFrom" in variable
    }
    assert used == {"CACHE_PASSWORD"}
    assert {"secretRef": {"name": "winter-games"}} in APP["envFrom"]
    # They are not committed.
    assert "/deploy/.env" in (ROOT / ".gitignore").read_text(encoding="utf-8").split()


def test_network_policies_name_existing_pods_and_ports() -> None:
    """Only the proxy and the metrics of the service are open, and only the service has a cache."""
    opened = {}
    for name, document in RESOURCES.items():
        if document["kind"] == "NetworkPolicy":
            target = document["spec"]["podSelector"]["matchLabels"]["app.kubernetes.io/name"]
            ports = {p["port"] for rule in document["spec"]["ingress"] for p in rule["ports"]}
            assert ports <= PORTS[target], name
            assert document["spec"]["policyTypes"] == ["Ingress", "Egress"]
            opened[target] = ports
    assert opened == {"winter-games": {"proxy", "metrics"}, "winter-games-cache": {"redis"}}


def test_a_container_is_killed_only_after_the_last_request_may_have_ended() -> None:
    settings = runpy.run_path(str(DEPLOY / "gunicorn.conf.py"))
    pod = PODS["winter-games"]
    asleep = int(APP["lifecycle"]["preStop"]["exec"]["command"][1])
    assert settings["graceful_timeout"] * 1000 > MAX_DEADLINE_MS
    assert pod["terminationGracePeriodSeconds"] > asleep + settings["graceful_timeout"]
    compose_s = int(COMPOSE["services"]["app"]["stop_grace_period"].removesuffix("s"))
    assert compose_s > settings["graceful_timeout"]


def test_a_busy_pod_leaves_the_load_balancer_long_before_it_is_restarted() -> None:
    for container in CONTAINERS:
        until_unready, until_killed = (
            container[probe].get("periodSeconds", 10) * container[probe].get("failureThreshold", 3)
            for probe in ("readinessProbe", "livenessProbe")
        )
        assert until_killed >= 2 * until_unready


# Compose ----------------------------------------------------------------------------------------


@for_each("name", COMPOSE["services"])
def test_every_compose_service_is_restricted(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_compose_file_uses_documented_settings_and_existing_files() -> None:
    for name in COMPOSE["services"]["app"]["environment"]:
        assert f"`{name}`" in PAGE
    for mount in COMPOSE["services"]["proxy"]["volumes"]:
        assert (DEPLOY / mount.partition(":")[0]).is_file()
    assert (DEPLOY / COMPOSE["services"]["app"]["build"]["context"]).resolve() == ROOT


# The proxy --------------------------------------------------------------------------------------


def test_only_the_proxy_reaches_the_service() -> None:
    """By default it listens on 127.0.0.1, in the image too."""
    assert not re.search(r"^ENV[^#]*\bHOST=", DOCKERFILE.replace("METRICS_HOST", ""), re.MULTILINE)
    assert re.findall(r"^EXPOSE (.*)$", DOCKERFILE, re.MULTILINE) == ["9100"]
    published = {name for name, each in COMPOSE["services"].items() if "ports" in each}
    assert published == {"proxy"}
    assert "HOST" not in {variable["name"] for variable in APP["env"]}
    assert [port["name"] for port in APP["ports"]] == ["metrics"]


def test_the_shipped_proxy_trusts_nobody() -> None:
    text = (DEPLOY / "nginx" / "trusted.conf").read_text(encoding="utf-8")
    assert re.findall("^set_real_ip_from", text, re.MULTILINE) == []
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in NGINX
    literals = KUSTOMIZATION["configMapGenerator"][0]["literals"]
    assert "PROXY_HOPS=1" in literals
    assert COMPOSE["services"]["app"]["environment"]["PROXY_HOPS"] == "1"


def test_the_problems_of_the_proxy_are_like_those_of_the_service() -> None:
    returned = re.findall(r"return (\d{3}) '(\{.*\})';", NGINX)
    assert {int(status) for status, _ in returned} == {400, 413, 429, 503}

    for status, text in returned:
        document = json.loads(text)
        code, detail, request_id = (document[name] for name in ("code", "detail", "request_id"))
        assert document == problem_document(int(status), code, detail, request_id)
