"""Reports as HTML pages that need no network."""

from hypar_opt.report.pages.folder import prepare
from hypar_opt.report.pages.writing import Written, write_report

__all__ = ["Written", "prepare", "write_report"]
