"""What a compilation needs beside the workload."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hypar_opt.accountings import ACCOUNTINGS
from hypar_opt.cost.layout import Tensor

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.network import WorkLayer


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
    input_error
        Whether the error of the network's input is computed and summed, which no weights are updated by.
    """

    batch: int
    levels: int
    accounting: str = "published"
    choices: str = "dm"
    bytes_per_element: int = 4
    divisible: bool = False
    fix: Mapping[str, str] | None = None
    input_error: bool = True

    @property
    def parts(self) -> int:
        """How many units of the costs make a byte."""
        return 1 << self.levels if ACCOUNTINGS[self.accounting].by_leaves else 1

    def summed(self, layer: WorkLayer) -> Mapping[Tensor, int]:
        """Return the elements of what the phases of a layer end in where the dimension that they sum over is split."""
        out = layer.written if ACCOUNTINGS[self.accounting].by_leaves else layer.feature_out
        has_error = self.input_error or not layer.reads_input
        return {
            Tensor.F_IN: self.batch * layer.feature_in if has_error else 0,
            Tensor.WEIGHT: layer.weight,
            Tensor.F_OUT: self.batch * out,
        }
