"""What the analytic model needs beside the network and the plan."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypar_opt.accelerator import Accelerator, Optimiser


@dataclass(frozen=True)
class Setting:
    """The machine and the training.

    Parameters
    ----------
    accelerator, optimiser
        Every accelerator is alike.
    batch, levels, bytes_per_element, input_error
        As in the instance.
    """

    accelerator: Accelerator
    optimiser: Optimiser
    batch: int
    levels: int
    bytes_per_element: int
    input_error: bool = True
