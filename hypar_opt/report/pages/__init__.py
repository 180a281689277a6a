"""Reports as HTML pages that need no network."""

from typing import TYPE_CHECKING

from hypar_opt.util.lazy import lazy_names

if TYPE_CHECKING:
    from hypar_opt.report.pages.write import Written, prepare, write_report

__all__ = ["Written", "prepare", "write_report"]

# tables as HTML need none of the packages that whole pages do
__getattr__ = lazy_names(__name__, {"write": ("Written", "prepare", "write_report")})
