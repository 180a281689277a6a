"""What is asked of an import."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Wishes:
    """What is asked of an import.

    Parameters
    ----------
    batch
        Samples in a step; as many as the model was traced for unless given.
    sizes
        Of dimensions that a file leaves open, by name.
    is_strict
        Whether an operator that no layer is like is an error.
    has_loss
        Whether a loss over the classes is put behind the last layer.
    """

    batch: int | None = None
    sizes: Mapping[str, int] = field(default_factory=dict)
    is_strict: bool = False
    has_loss: bool = False
