"""Tables: one description of columns and rows, and every format that they are written in."""

from hypar_opt.report.tables.as_data import csv_lines, csv_text, json_rows
from hypar_opt.report.tables.as_latex import latex_text, standalone
from hypar_opt.report.tables.as_markdown import markdown_line, markdown_text
from hypar_opt.report.tables.displayed import Displayed, Heading, Shown, displayed
from hypar_opt.report.tables.formatting import number, scaled
from hypar_opt.report.tables.marking import best_in_columns, best_in_rows, notes_lifted
from hypar_opt.report.tables.table import DATA, PEOPLE, Column, Entry, Table

__all__ = [
    "DATA",
    "PEOPLE",
    "Column",
    "Displayed",
    "Entry",
    "Heading",
    "Shown",
    "Table",
    "best_in_columns",
    "best_in_rows",
    "csv_lines",
    "csv_text",
    "displayed",
    "json_rows",
    "latex_text",
    "markdown_line",
    "markdown_text",
    "notes_lifted",
    "number",
    "scaled",
    "standalone",
]
