"""What pages need beside themselves: scripts, styles and licences, all in one folder."""

from __future__ import annotations

from importlib.resources import files
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

VENDOR: Final = ("datatables.min.js", "datatables.min.css", "datatables-licence.txt", "vega-licence.txt")
OWN: Final = ("report.css", "charts.js", "tables.js", "page.js", "front.js", "audit.js")
SCRIPTS: Final = ("vega.js", "datatables.min.js", "charts.js", "tables.js", "page.js")
"""Of a page with charts and tables, in the order in which they run."""
SNIPPET: Final = "window.vegaEmbed = vegaEmbed;"
"""What pages call of the bundle."""


def asset_files() -> Mapping[str, bytes]:
    """Return the files of a report's assets folder by name; Vega is the bundle that vl-convert brings."""
    from vl_convert import javascript_bundle

    here = files("hypar_opt.report.pages")
    found = {name: (here / "assets" / name).read_bytes() for name in OWN}
    found |= {name: (here / "vendor" / name).read_bytes() for name in VENDOR}
    return {**found, "vega.js": javascript_bundle(SNIPPET).encode()}
