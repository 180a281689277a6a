"""The scripts and styles of the pages, by name: those of reports, and our own."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

VEGA: Final = "vega.js"
TYPES: Final = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8"}
PLACES: Final = (
    ("hypar_opt.serving", "assets"),
    ("hypar_opt.report.pages", "assets"),
    ("hypar_opt.report.pages", "vendor"),
)
_WRITE: Final = "import sys, vl_convert; sys.stdout.buffer.write(vl_convert.javascript_bundle().encode())"


def assets(folder: Path) -> dict[str, bytes]:
    """Return all files that pages may ask for.

    Parameters
    ----------
    folder
        Where the bundle of Vega is kept once it was made.
    """
    found: dict[str, bytes] = {VEGA: _vega(folder)}
    for package, part in PLACES:
        for one in (files(package) / part).iterdir():
            if one.name.endswith(tuple(TYPES)):
                found.setdefault(one.name, one.read_bytes())
    return found


def _vega(folder: Path) -> bytes:
    """Return the bundle, made once for each version, in a process of its own: making it takes 150 MB of memory."""
    from importlib.metadata import version

    from hypar_opt.files import atomically

    path = folder / f"vega-{version('vl-convert-python')}.js"
    if not path.is_file():
        made = subprocess.run([sys.executable, "-P", "-c", _WRITE], capture_output=True, check=True).stdout
        with atomically(path) as stream:
            stream.write(made)
    return path.read_bytes()
