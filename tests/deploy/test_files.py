"""What the service is deployed with, checked by tools that know the formats."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES = DEPLOY / "kubernetes"


def tool(name: str) -> str:
    """A program beside this Python, or on the PATH."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        pytest.skip(f"there is no {name}")
    return found


def documents() -> Iterator[tuple[str, Any]]:
    """Every resource, by its file and kind."""
    for file in sorted(KUBERNETES.glob("*.yaml")):
        for document in yaml.safe_load_all(file.read_text(encoding="utf-8")):
            yield f"{file.name} {document['kind']}", document


RESOURCES = {
    name: document for name, document in documents() if document["kind"] != "Kustomization"
}
KUSTOMIZATION = yaml.safe_load((KUBERNETES / "kustomization.yaml").read_text(encoding="utf-8"))
PODS = {
    name: document["spec"]["template"]["spec"]
    for name, document in RESOURCES.items()
    if document["kind"] == "Deployment"
}


# The image --------------------------------------------------------------------------------------


def test_hadolint_finds_nothing_in_the_dockerfile() -> None:
    found = subprocess.run(
        [tool("hadolint"), str(DEPLOY / "Dockerfile")], capture_output=True, text=True, check=False
    )
    assert (found.returncode, found.stdout) == (0, "")


def test_the_image_does_not_run_as_root_and_only_takes_pinned_wheels() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    assert re.findall(r"^USER (\S+)$", text, re.MULTILINE) == ["10001:10001"]
    assert "--require-hashes" in text
    assert "--only-binary :all:" in text
    assert re.findall(r"^FROM (\S+)", text, re.MULTILINE) == ["${BASE}", "${BASE}"]


def test_the_image_holds_what_it_needs_and_nothing_else() -> None:
    """No tests, no history, no secrets: the context is a list of what goes in."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "*"
    wanted = {line[1:] for line in lines if line.startswith("!")}
    copied = re.findall(
        r"^COPY (?!--from)(.*) \S+$",
        (DEPLOY / "Dockerfile").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    assert wanted == {name for line in copied for name in line.split()}
    assert all((ROOT / name).exists() for name in wanted)


def test_the_start_script_is_plain_shell() -> None:
    script = DEPLOY / "start.sh"
    assert script.stat().st_mode & 0o111
    subprocess.run(["sh", "-n", str(script)], check=True)


# Kubernetes -------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RESOURCES)
def test_every_resource_keeps_to_its_schema_strictly(name: str) -> None:
    version = kubernetes_validate.latest_version()
    kubernetes_validate.validate(RESOURCES[name], version, strict=True)


def test_an_unknown_member_would_be_found() -> None:
    spoilt = {**RESOURCES["service.yaml Service"], "speck": {}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(spoilt, kubernetes_validate.latest_version(), strict=True)


def test_the_kustomization_lists_every_file() -> None:
    files = {file.name for file in KUBERNETES.glob("*.yaml")} - {"kustomization.yaml"}
    assert set(KUSTOMIZATION["resources"]) == files


@pytest.mark.parametrize("name", PODS)
def test_every_pod_is_restricted(name: str) -> None:
    """The restricted profile of the Pod Security Standards, and a read-only root."""
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


def test_names_and_ports_fit_together() -> None:
    labels = {
        document["metadata"]["name"]: document["spec"]["template"]["metadata"]["labels"]
        for document in RESOURCES.values()
        if document["kind"] == "Deployment"
    }
    for document in RESOURCES.values():
        if document["kind"] == "Service":
            name = document["metadata"]["name"]
            assert document["spec"]["selector"].items() <= labels[name].items()
            [pod] = [
                found["spec"]["template"]["spec"]
                for found in RESOURCES.values()
                if found["kind"] == "Deployment" and found["metadata"]["name"] == name
            ]
            ports = {port["name"] for each in pod["containers"] for port in each["ports"]}
            assert {port["targetPort"] for port in document["spec"]["ports"]} <= ports
    [scaler] = [r for r in RESOURCES.values() if r["kind"] == "HorizontalPodAutoscaler"]
    assert scaler["spec"]["scaleTargetRef"]["name"] in labels


def test_settings_are_known_to_the_service() -> None:
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    [generator] = KUSTOMIZATION["configMapGenerator"]
    for literal in generator["literals"]:
        assert f"`{literal.partition('=')[0]}`" in page


# Compose ----------------------------------------------------------------------------------------

COMPOSE = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_every_service_of_the_compose_file_is_restricted(name: str) -> None:
    service = COMPOSE["services"][name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]


def test_the_compose_file_mounts_and_sets_what_there_is() -> None:
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    for name in COMPOSE["services"]["app"]["environment"]:
        assert f"`{name}`" in page
    for mount in COMPOSE["services"]["proxy"]["volumes"]:
        assert (DEPLOY / mount.partition(":")[0]).is_file()
    assert (DEPLOY / COMPOSE["services"]["app"]["build"]["context"]).resolve() == ROOT
