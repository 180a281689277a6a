"""The baselines by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from reports.benchmarks.iopddl.baselines import cbc, cp_sat, highs, toulbar2
from reports.benchmarks.iopddl.baselines.alpa import alpa
from reports.benchmarks.iopddl.baselines.products import products

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reports.benchmarks.iopddl.baselines.report import Report

SEARCHES: Final[Mapping[str, Callable[[Report], None]]] = MappingProxyType(
    {
        "cp-sat, unreduced": cp_sat.search_tables,
        "alpa, cbc": lambda report: cbc.search(alpa(report), report),
        "alpa, highs": lambda report: highs.search(alpa(report), report),
        "xla, cp-sat": lambda report: cp_sat.search(products(report), report),
        "xla, highs": lambda report: highs.search(products(report), report),
        "toulbar2": toulbar2.search_network,
    }
)
