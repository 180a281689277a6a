"""The templates, with everything escaped that they are given."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment


def environment() -> Environment:
    """Return the templates of all pages: what an instance says is text in them, never markup."""
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup

    from hypar_opt.report.pages.cells import cell_attributes, groups, number_columns, sorts_by_number
    from hypar_opt.report.tables import displayed

    made = Environment(
        loader=PackageLoader("hypar_opt.report.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["as_data"] = lambda value: Markup(as_data(value))
    made.globals["scripts"] = ()
    made.globals.update(displayed=displayed, groups=groups)
    made.globals.update(cell_attributes=cell_attributes, sorts_by_number=sorts_by_number)
    made.globals.update(number_columns=number_columns)
    return made


def as_data(value: object) -> str:
    """Return JSON that can stand in a script element: nothing in it ends the element or begins a comment."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
