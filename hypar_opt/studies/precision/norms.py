"""Traces of the norms of weights while a network is trained: CSV files with a row for every batch and layer."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.instance.columns import read_columns
from hypar_opt.instance.exact import decimal
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

COLUMNS: Final = ("batch", "layer", "norm")


@dataclass(frozen=True)
class NormTrace:
    """The norm of every layer's weights behind every batch.

    Parameters
    ----------
    norms
        By layer, a norm for every batch, in order; all above 0.
    """

    norms: Mapping[str, Sequence[Fraction]]

    @property
    def batches(self) -> int:
        """How many there are."""
        return len(next(iter(self.norms.values()), ()))


def read_norms(path: Path) -> NormTrace:
    """Read a trace: columns batch (from 0, one after the other), layer and norm; each batch has every layer once.

    Raises
    ------
    InputError
        If a column, a batch or a layer is missing, comes twice, or a norm is none; names file, line and column.
    """
    batches: list[dict[str, Fraction]] = []
    line = 1
    for line, row in read_columns(path, COLUMNS):
        _add(batches, row, path, line)
    if not batches:
        raise InputError("expected a row for every batch and layer, got none", file=path)
    _check_whole(batches, path, line)
    return NormTrace({layer: tuple(one[layer] for one in batches) for layer in batches[0]})


def _add(batches: list[dict[str, Fraction]], row: Mapping[str, str], path: Path, line: int) -> None:
    """Add a row to the batches before it; in the first batch layers are named, all others have these."""
    following = str(len(batches))
    if row["batch"] == following:
        _check_whole(batches, path, line)
        batches.append({})
    elif not batches or row["batch"] != str(len(batches) - 1):
        expected = following if not batches else f"{len(batches) - 1} or {following}"
        message = f"expected batch {expected}, got {shown(row['batch'])}: a trace has no gaps"
        raise InputError(message, file=path, line=line, field="batch")
    layer, known = row["layer"], batches[0]
    if layer in batches[-1]:
        raise InputError(f"{shown(layer)} comes twice in batch {row['batch']}", file=path, line=line, field="layer")
    if len(batches) > 1 and layer not in known:
        message = f"expected a layer of batch 0, got {shown(layer)}{did_you_mean(layer, known)}"
        raise InputError(message, file=path, line=line, field="layer")
    batches[-1][layer] = _norm(row["norm"], path, line)


def _norm(text: str, path: Path, line: int) -> Fraction:
    try:
        found = Fraction(decimal(text))
    except (InvalidOperation, ValueError):
        raise InputError(f"expected a norm, got {shown(text)}", file=path, line=line, field="norm") from None
    if found <= 0:
        raise InputError(f"expected a norm above 0, got {shown(text)}", file=path, line=line, field="norm")
    return found


def _check_whole(batches: Sequence[Mapping[str, Fraction]], path: Path, line: int) -> None:
    """Check that the last batch so far has every layer."""
    missing = next((name for name in batches[0] if name not in batches[-1]), None) if batches else None
    if missing is not None:
        message = f"batch {len(batches) - 1} has no norm of '{missing}': a trace has no gaps"
        raise InputError(message, file=path, line=line, field="layer")
