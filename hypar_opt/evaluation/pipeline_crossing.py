"""Bytes that a stage of a pipeline reads from others and sends to others, recounted operator by operator."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.pipeline import OperatorWay, PipelineOperator


def crossing_bytes(
    own: Sequence[PipelineOperator],
    ways: Mapping[str, OperatorWay],
    outsiders: Sequence[PipelineOperator],
    sizes: Mapping[str, Fraction],
) -> tuple[Fraction, Fraction]:
    """Return the bytes that a stage reads, and that it sends.

    An output is moved once however many read it, but for readers that have bytes of their own.

    Parameters
    ----------
    own, ways
        Operators of the stage, and how each is done.
    outsiders, sizes
        All other operators, and by operator the bytes of what it makes.
    """
    names = {one.name for one in own}
    reads = [(one.name, name) for one in own for name in one.reads if name not in names]
    alone = sum((ways[one].read_bytes[name] for one, name in reads if name in _said(ways, one)), start=Fraction(0))
    read = alone + sum(sizes[name] for name in {name for one, name in reads if name not in _said(ways, one)})
    wanted = [(one, name) for one in outsiders for name in one.reads if name in names]
    sent = Fraction(sum(sizes[name] for name in {name for one, name in wanted if name not in one.read_bytes}))
    for reader, name in wanted:
        if name in reader.read_bytes and name in ways:
            sent += ways[name].sent_bytes.get(reader.name, reader.read_bytes[name])
    return read, sent


def _said(ways: Mapping[str, OperatorWay], name: str) -> Mapping[str, Fraction]:
    """Return by what an operator reads the bytes that it alone has of it."""
    return ways[name].read_bytes if name in ways else {}
