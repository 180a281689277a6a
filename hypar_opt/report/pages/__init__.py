"""Reports as HTML pages that need no network."""

from hypar_opt.report.pages.folder import prepare
from hypar_opt.report.pages.writing import write_report

__all__ = ["prepare", "write_report"]
