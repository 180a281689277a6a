"""What is asked of models that are imported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hypar_opt.cli.options import Integer, IntegerRange, together
from hypar_opt.instance.limits import LARGEST_SIZE

if TYPE_CHECKING:
    from collections.abc import Sequence


def _sizes(_: click.Context, __: click.Parameter, values: Sequence[str]) -> dict[str, int]:
    """Return sizes by names."""
    found: dict[str, int] = {}
    for text in values:
        name, equal, size = text.rpartition("=")
        if not equal or not name:
            raise click.BadParameter(f"expected NAME=SIZE, as in seq=128, got '{text}'")
        found[name] = Integer().convert(size, None, None)
        if not 1 <= found[name] <= LARGEST_SIZE:
            raise click.BadParameter(f"expected a size of 1 to 2^40, got {size}")
    return found


def _wishes(batch: int | None, dim: dict[str, int], strict: bool, loss: bool, **others: Any) -> dict[str, Any]:
    from hypar_opt.importers.wishes import Wishes

    return {**others, "wishes": Wishes(batch, dim, strict, loss)}


model_options = together(
    click.option("--batch", type=IntegerRange(1, LARGEST_SIZE), metavar="N",
                 help="Samples in a step; as in the model unless given."),
    click.option("--dim", multiple=True, metavar="NAME=SIZE", callback=_sizes,
                 help="The size of a dimension that the model leaves open; again for another."),
    click.option("--strict", is_flag=True, help="Refuse operators that no layer is like."),
    click.option("--loss", is_flag=True, help="Put a loss over the classes behind the last layer."),
    into=_wishes,
)  # fmt: skip
"""Become `wishes`."""
