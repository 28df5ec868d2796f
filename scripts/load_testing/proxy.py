"""nginx with the deployed configuration, in front of instances on this machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from load_testing.server import ROOT, free_port, listening

DEPLOYED: Final = ROOT / "deploy" / "nginx"


def executable() -> str | None:
    """Return the path of nginx, from the PATH or from /usr/sbin, or None."""
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


@contextmanager
def proxy(
    nginx: str,
    addresses: Sequence[str],
    connections: int = 100,
    rate: int = 300,
    upstream_file: str = "upstream.conf",
    trusted: str = "",
) -> Iterator[str]:
    """Run nginx and yield its address.

    It uses the deployed files with other ports, folders and instances.

    Args:
        nginx: path of the program.
        addresses: of the instances, host:port.
        connections: limit per client.
        rate: limit of a client's requests per second, and of those at once.
        upstream_file: the deployed file that lists the instances.
        trusted: network whose addresses may state that of a client; none by default.

    Raises:
        CalledProcessError: if nginx rejects its configuration.
    """
    port = free_port()
    with TemporaryDirectory() as name:
        folder = Path(name)
        text = (DEPLOYED / "nginx.conf").read_text(encoding="utf-8")
        text = text.replace("listen 8080;", f"listen 127.0.0.1:{port};")
        text = text.replace("        listen [::]:8080;\n", "").replace("/tmp/", f"{folder}/")
        most = f"limit_conn connections {connections};"
        text = text.replace("limit_conn connections 100;", most)
        text = text.replace("rate=300r/s", f"rate={rate}r/s").replace("burst=300", f"burst={rate}")
        (folder / "nginx.conf").write_text(text, encoding="utf-8")
        upstream = (DEPLOYED / upstream_file).read_text(encoding="utf-8")
        [line] = re.findall(r"^ +server \S+ .*$", upstream, re.MULTILINE)
        servers = "\n".join(re.sub(r"\S+:8000", address, line) for address in addresses)
        (folder / "upstream.conf").write_text(upstream.replace(line, servers), encoding="utf-8")
        if trusted:
            text = (DEPLOYED / "trusted.conf").read_text(encoding="utf-8")
            text = text.replace("# set_real_ip_from 10.1.2.0/24", f"set_real_ip_from {trusted}")
            (folder / "trusted.conf").write_text(text, encoding="utf-8")
        command = [nginx, "-c", str(folder / "nginx.conf"), "-e", "stderr"]
        subprocess.run([*command, "-t"], check=True, capture_output=True)
        with listening([*command, "-g", "daemon off;"], port):
            yield f"127.0.0.1:{port}"
