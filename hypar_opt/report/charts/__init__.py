"""Charts: what is drawn on pages and printed in papers, each with its numbers and a text alternative."""

from hypar_opt.report.charts.figure import Figure

__all__ = ["Figure"]
