"""Where models come from, a record each: what names one, which options it takes, and how it is read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.importers.instance import Imported
    from hypar_opt.importers.wishes import Wishes


@dataclass(frozen=True)
class Source:
    """Where models come from.

    Parameters
    ----------
    name
        On the command line.
    model
        What names a model there.
    options
        Those of `Wishes` that it takes beside the batch and the loss.
    read
        From what names a model and wishes to the instance.
    """

    name: str
    model: str
    options: tuple[str, ...]
    read: Callable[[str, Wishes], Imported]


def _onnx(model: str, wishes: Wishes) -> Imported:
    from hypar_opt.importers.assembly import imported
    from hypar_opt.importers.onnx import read_onnx
    from hypar_opt.importers.records.onnx import RECORDS

    return imported(read_onnx(Path(model), wishes.sizes, wishes.batch), RECORDS, wishes)


def _torch(model: str, wishes: Wishes) -> Imported:
    from hypar_opt.importers.assembly import imported
    from hypar_opt.importers.records.torch import RECORDS
    from hypar_opt.importers.torch import read_torch

    return imported(read_torch(model), RECORDS, wishes)


def _jax(model: str, wishes: Wishes) -> Imported:
    from hypar_opt.importers.assembly import imported
    from hypar_opt.importers.jax import read_jax
    from hypar_opt.importers.records.jax import RECORDS

    return imported(read_jax(model), RECORDS, wishes)


def _configuration(model: str, wishes: Wishes) -> Imported:
    from hypar_opt.importers.hf import read_configuration

    return read_configuration(model, wishes)


SOURCES: Final[Mapping[str, Source]] = MappingProxyType(
    {
        one.name: one
        for one in (
            Source("onnx", "FILE", ("dim", "strict"), _onnx),
            Source("torch", "MODULE:FUNCTION", ("strict",), _torch),
            Source("jax", "MODULE:FUNCTION", ("strict",), _jax),
            Source("hf", "NAME|config.json", ("dim",), _configuration),
        )
    }
)
"""By name."""
