"""What a compilation needs beside the workload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.accountings import ACCOUNTINGS

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class CostModel:
    """How a workload is charged.

    Parameters
    ----------
    batch
        Samples of one step.
    levels
        H.
    accounting
        A name of `ACCOUNTINGS`.
    choices
        Letters, in the order d, m, o.
    bytes_per_element
        An even number.
    divisible
        Whether a strategy is allowed only where every split dimension divides.
    fix
        Given strategies, by layer.
    """

    batch: int
    levels: int
    accounting: str = "published"
    choices: str = "dm"
    bytes_per_element: int = 4
    divisible: bool = False
    fix: Mapping[str, str] | None = None

    @property
    def parts(self) -> int:
        """How many units of the costs make a byte."""
        return 1 << self.levels if ACCOUNTINGS[self.accounting].by_leaves else 1
