"""The files of the web page, joined and with addresses that contain their version.

A browser loads one style sheet, one script, and others when they are needed: for the front door,
for each game, and for the picture of a finished game. The few lines that set the theme before the
first paint are part of the page, without a request.
Every address in the page ends with the version of all files, so that browsers store them for good
and never mix files of two versions.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import quote

import orjson

from service.api.assets import Asset, asset_of
from service.api.page.bundle import join_scripts, join_styles, stripped
from service.core.languages import LANGUAGES
from service.texts.catalogue import Forms, texts

FOLDER: Final = Path(__file__).resolve().parents[2] / "playground"
PREFIX: Final = "/playground/"
"""What the addresses of the files begin with."""
SOURCE: Final = "index.html"
ENTRY: Final = "main.js"
COPIED: Final = "turns/"
"""The folder of the games of turns: a visit of another game does not need it."""
PAGE, SCRIPT, STYLE = "page.html", "page.js", "page.css"
WORKER: Final = "service-worker.js"
THEME: Final = "theme.js"
SHELL: Final = (PAGE, SCRIPT, STYLE, "manifest.webmanifest")
"""What the service worker stores at once."""
MESSAGES: Final = "messages/"
"""What the names of the files with texts begin with."""
TEXTS: Final = "page."
"""What the ids of the page's texts begin with."""
SHARED_TEXTS: Final = "snowcrest.amount."
"""What the ids of texts begin with that the page shares with the service."""
ICON: Final = "icon.svg"
"""It is small, and so part of the page itself; the manifest names the file."""
MEDIA_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
"""Only files with these suffixes are served."""
_ADDRESS: Final = re.compile(rf'(?<="){PREFIX}[^"?]+(?=")')
_STYLES: Final = re.compile(rf'(?:<link rel="stylesheet" href="{PREFIX}[^"]+">\n)+')


@dataclass(frozen=True, slots=True)
class PageFiles:
    """The page with everything that it loads.

    Attributes:
        version: digest of all files.
        inline: hash of the script in the page, as a source of the security policy.
        assets: the files by the rest of their address, after the prefix.
    """

    version: str
    inline: str
    assets: Mapping[str, Asset]


@cache
def read_files(folder: Path = FOLDER) -> PageFiles:
    """Return the files of a folder, the joined files, and the texts of the page by language."""
    files = {
        file.relative_to(folder).as_posix(): file.read_bytes()
        for file in sorted(folder.rglob("*"))
        if file.suffix in MEDIA_TYPES and file.is_file()
    }
    for language in LANGUAGES:
        files[f"{MESSAGES}{language}.json"] = orjson.dumps(messages(language))
    digest = sha256()
    for name, content in files.items():
        digest.update(b"%s %d " % (name.encode(), len(content)) + content)
    version = digest.hexdigest()[:16]
    files |= _joined(files, version)
    assets = {name: asset_of(files[name], MEDIA_TYPES[Path(name).suffix]) for name in files}
    del assets[SOURCE]
    theme = sha256(stripped(files[THEME].decode()).encode()).digest()
    return PageFiles(version, f"'sha256-{b64encode(theme).decode()}'", assets)


def messages(language: str) -> dict[str, str | Forms]:
    """Return the texts of the page by key; those with plural forms by category."""
    return {
        text_id.removeprefix(TEXTS): forms if len(forms) > 1 else forms["other"]
        for text_id, forms in texts(language).items()
        if text_id.startswith((TEXTS, SHARED_TEXTS))
    }


def _is_text(name: str) -> bool:
    return name.startswith(MESSAGES)


def _joined(files: Mapping[str, bytes], version: str) -> dict[str, bytes]:
    """Return the page with joined files, the joined files, and the service worker with its list."""
    page = files[SOURCE].decode()
    scripts = {name: files[name].decode() for name in files if name.endswith(".js")}
    query = f"?v={version}"
    joined = {}
    for name, script in join_scripts(
        scripts, ENTRY, name=SCRIPT, query=query, copied=COPIED
    ).items():
        joined[name] = f"{script.text}//# sourceMappingURL={name}.map{query}\n"
        joined[f"{name}.map"] = script.source_map
    [styles] = _STYLES.findall(page)
    sheets = [address.removeprefix(PREFIX) for address in _ADDRESS.findall(styles)]
    style = join_styles(files[name].decode() for name in sheets)
    page = page.replace(styles, f'<link rel="stylesheet" href="{PREFIX}{STYLE}">\n')
    page = page.replace(f"{PREFIX}{ENTRY}", f"{PREFIX}{SCRIPT}")
    theme = f"<script>{stripped(files[THEME].decode())}</script>"
    page = page.replace(f'<script src="{PREFIX}{THEME}"></script>', theme)
    page = page.replace(f"{PREFIX}{ICON}", f"data:image/svg+xml,{quote(files[ICON])}")
    shell = [f"{PREFIX}{name}{query}" for name in SHELL]
    parts = [name for name in joined if name.endswith(".js") and name != SCRIPT]
    optional = [PREFIX + name for name in (*parts, *filter(_is_text, files))]
    constants = {"VERSION": version, "SHELL": shell, "OPTIONAL": optional}
    joined |= {
        PAGE: _ADDRESS.sub(rf"\g<0>{query}", page),
        STYLE: style,
        WORKER: "".join(
            f"const {name} = {orjson.dumps(value).decode()};\n" for name, value in constants.items()
        )
        + stripped(scripts[WORKER]),
    }
    return {name: text.encode() for name, text in joined.items()}
