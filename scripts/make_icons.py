"""Draw the icons of the installed page from ``icon.svg``, in Chromium.

    python3 scripts/dev.py run scripts/make_icons.py

Icons that the device cuts to its own shape (maskable ones, and that of Apple devices) fill the
square, with the drawing in the middle four fifths.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from chromium import launched

FOLDER: Final = Path(__file__).resolve().parents[1] / "service/playground"
ICONS: Final = {
    "192": (192, False),
    "512": (512, False),
    "180": (180, True),
    "maskable-512": (512, True),
}
"""Name -> width in pixels, and whether the device cuts the icon."""
SAFE: Final = 0.8


def main() -> int:
    """Write the icons; return the exit code."""
    drawing = (FOLDER / "icon.svg").read_text(encoding="utf-8")
    [ground] = re.findall(r'<rect [^>]*fill="(#\w+)"', drawing)
    with launched() as browser:
        for name, (width, is_cut) in ICONS.items():
            page = browser.new_page(viewport={"width": width, "height": width})
            inner = width * SAFE if is_cut else width
            page.set_content(
                f"<style>body {{ margin: {(width - inner) / 2}px;"
                f" background: {ground if is_cut else 'transparent'} }}"
                f" svg {{ display: block; width: {inner}px }}</style>{drawing}"
            )
            path = FOLDER / "icons" / f"{name}.png"
            path.parent.mkdir(exist_ok=True)
            page.screenshot(path=path, omit_background=not is_cut)
            page.close()
            print(path.relative_to(FOLDER), path.stat().st_size)
    return 0


if __name__ == "__main__":
    sys.exit(main())
