"""The templates, with everything escaped that they are given, and the files that all pages load."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from itertools import groupby
from typing import TYPE_CHECKING, Final

from hypar_opt.report.tables.formats import TableFormat

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jinja2 import Environment
    from markupsafe import Markup

    from hypar_opt.report.tables import TableDocument
    from hypar_opt.report.tables.displayed import Displayed, DisplayedCell, Heading

VENDOR: Final = ("datatables.min.js", "datatables.min.css", "datatables-licence.txt", "vega-licence.txt")
OWN: Final = ("report.css", "charts.js", "tables.js", "page.js", "front.js", "audit.js")
SCRIPTS: Final = ("vega.js", "datatables.min.js", "charts.js", "tables.js", "page.js")
"""Of a page with charts and tables, in the order in which they run."""
SNIPPET: Final = "window.vegaEmbed = vegaEmbed;"
"""What pages call of the bundle."""


@cache
def asset_files() -> Mapping[str, bytes]:
    """Return the files of a report's assets folder by name; Vega is the bundle that vl-convert makes, in a second."""
    from vl_convert import javascript_bundle

    here = files("hypar_opt.report.pages")
    found = {name: (here / "assets" / name).read_bytes() for name in OWN}
    found |= {name: (here / "vendor" / name).read_bytes() for name in VENDOR}
    return {**found, "vega.js": javascript_bundle(SNIPPET).encode()}


def environment() -> Environment:
    """Return the templates of all pages: what an instance says is text in them, never markup."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from hypar_opt.report.tables import displayed

    made = Environment(
        loader=PackageLoader("hypar_opt.report.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["as_data"] = lambda value: Markup(as_data(value))
    made.globals.update(scripts=(), displayed=displayed, groups=groups, cell_attributes=cell_attributes)
    made.globals.update(sorts_by_number=sorts_by_number, number_columns=number_columns)
    return made


def as_data(value: object) -> str:
    """Return JSON that can stand in a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


LONG: Final = 60
"""Characters from which on a text gets a column's width, and breaks."""
LAST: Final = "1e999"
"""What sorts behind every number."""


def groups(table: Displayed) -> list[tuple[str, int]]:
    """Return the headings above the headings, each with how many columns it stands over; none where there is none."""
    found = [(name, len(list(headings))) for name, headings in groupby(table.headings, key=lambda one: one.group)]
    return found if any(name for name, _ in found) else []


def cell_attributes(heading: Heading, cell: DisplayedCell, rich: bool) -> Markup:
    """Return a cell's classes and, where it can be sorted and filtered, by what.

    What is unknown stands behind all numbers; marks and notes are not searched.
    """
    from markupsafe import Markup

    known = isinstance(cell.sort, float)
    marks = (("number", rich and (heading.numeric or known)), ("best", cell.best), ("long", len(cell.text) > LONG))
    classes = [name for name, holds in marks if holds]
    found = Markup(' class="{}"').format(" ".join(classes)) if classes else Markup("")
    if rich and (known or cell.sort is None):
        found += Markup(' data-order="{}"').format(repr(cell.sort) if known else LAST)
    if rich and (cell.notes or cell.best or cell.mark):
        found += Markup(' data-search="{}"').format(cell.text)
    return found


def sorts_by_number(table: Displayed, at: int) -> bool:
    """Return whether a column is sorted by numbers: all that is known in it is one."""
    known = [row[at].sort for row in table.rows if row[at].sort is not None]
    return bool(known) and all(isinstance(one, float) for one in known)


def number_columns(table: Displayed) -> str:
    """Return a class for every column of numbers: a class for every cell would be half of a page."""
    return " ".join(f"n{at + 1}" for at in range(len(table.headings)) if sorts_by_number(table, at))


def _page(document: TableDocument) -> str:
    """Return tables as HTML, as they stand on pages."""
    macros = environment().get_template("macros.html").module
    return "\n".join(str(macros.table(table, caption=True)) for table in document.tables)  # type: ignore[attr-defined]


FORMAT: Final = TableFormat("page", "", _page)
