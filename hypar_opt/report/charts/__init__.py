"""Charts: what is drawn on pages and printed in papers, each with its numbers and a text alternative."""

from hypar_opt.report.charts.theme import Figure
from hypar_opt.util.extras import require

__all__ = ["Figure"]

require("report")
