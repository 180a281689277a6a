"""Tables: one description of columns and rows, and every format that they are written in."""

from hypar_opt.report.tables.table import Column, Entry, Table

__all__ = ["Column", "Entry", "Table"]
