"""Tables: one description of columns and rows, and every format that they are written in."""

from typing import TYPE_CHECKING

from hypar_opt.report.numbers import number, scaled
from hypar_opt.report.tables.displayed import Displayed, Heading, Shown, displayed
from hypar_opt.report.tables.formats import Document, TableFormat, files_of, formats, write_document
from hypar_opt.report.tables.table import DATA, PEOPLE, Column, Entry, Table, text_table
from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.report.tables.data import csv_lines, csv_text, json_rows
    from hypar_opt.report.tables.latex import latex_text, standalone
    from hypar_opt.report.tables.markdown import markdown_grid, markdown_line, markdown_text
    from hypar_opt.report.tables.marks import best_in_columns, best_in_rows, notes_lifted

__all__ = [
    "DATA",
    "PEOPLE",
    "Column",
    "Displayed",
    "Document",
    "Entry",
    "Heading",
    "Shown",
    "Table",
    "TableFormat",
    "best_in_columns",
    "best_in_rows",
    "csv_lines",
    "csv_text",
    "displayed",
    "files_of",
    "formats",
    "json_rows",
    "latex_text",
    "markdown_grid",
    "markdown_line",
    "markdown_text",
    "notes_lifted",
    "number",
    "scaled",
    "standalone",
    "text_table",
    "write_document",
]

__getattr__ = lazy_names(
    __name__,
    {
        "data": ("csv_lines", "csv_text", "json_rows"),
        "latex": ("latex_text", "standalone"),
        "markdown": ("markdown_grid", "markdown_line", "markdown_text"),
        "marks": ("best_in_columns", "best_in_rows", "notes_lifted"),
    },
)
