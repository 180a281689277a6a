"""Tables: one description of columns and rows, and every format that they are written in."""

from typing import TYPE_CHECKING

from hypar_opt.report.numbers import number, scaled
from hypar_opt.report.tables.data import csv_lines, csv_text, json_rows
from hypar_opt.report.tables.displayed import best_in_columns, best_in_rows, displayed, notes_lifted
from hypar_opt.report.tables.formats import TableDocument, TableFormat, files_of, formats, write_document
from hypar_opt.report.tables.markdown import markdown_grid, markdown_line, markdown_text
from hypar_opt.report.tables.table import DATA, PEOPLE, Column, Entry, Table, entry_rows, text_table
from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.report.tables.latex import latex_text, standalone

__all__ = [
    "DATA",
    "PEOPLE",
    "Column",
    "Entry",
    "Table",
    "TableDocument",
    "TableFormat",
    "best_in_columns",
    "best_in_rows",
    "csv_lines",
    "csv_text",
    "displayed",
    "entry_rows",
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

__getattr__ = lazy_names(__name__, {"latex": ("latex_text", "standalone")})
