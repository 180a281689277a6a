"""Which rows each part of an operator reads that slides windows over what is split."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING

from hypar_opt.instance.operators.layers.windows import margins, spread
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from hypar_opt.export.jax.site import OperatorSite


@dataclass(frozen=True)
class SplitRows:
    """Of one dimension the rows that each part reads.

    Parameters
    ----------
    dimension
        The tensor's.
    name
        What the operator calls it.
    starts
        By part, the first row; below 0 and behind the last there is padding.
    length
        How many rows.
    own
        How many a part has.
    fill
        What padding is, as text.
    runs
        Where not all rows are read, first ones, counted from the start, and how many from there on are.
    rows
        How many there are in all, where the last parts are filled up.
    """

    dimension: int
    name: str
    starts: tuple[int, ...]
    length: int
    own: int
    fill: str = "0.0"
    runs: tuple[tuple[int, int], ...] = ()
    rows: int | None = None

    @property
    def behind(self) -> str:
        """What of it is not as usual, as text behind other arguments."""
        return f", {self.runs}, {self.rows}" if self.rows else f", {self.runs}" if self.runs else ""


@dataclass(frozen=True)
class SlidingWindows:
    """Windows along each of the dimensions behind the channels."""

    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilation: tuple[int, ...]
    before: tuple[int, ...]

    def seen(self, place: int, positions: int, stride: int) -> Iterator[int]:
        """Yield what so many positions see, counted from the first that they do."""
        for position in range(positions):
            yield from (position * stride + tap * self.dilation[place] for tap in range(self.kernel[place]))

    def span(self, place: int) -> int:
        """Return how many rows a window reaches over."""
        return self.dilation[place] * (self.kernel[place] - 1) + 1


def sliding(site: OperatorSite) -> SlidingWindows:
    """Return the windows of an operator that has a kernel."""
    fields, kind, count = site.fields, site.operator.kind, len(site.value(0).dims) - 2
    kernel = spread(fields.kernel, count, (kind, "kernel"))
    strides = kernel if fields.stride is None else spread(fields.stride, count, (kind, "stride"))
    dilation = spread(getattr(fields, "dilation", (1,)), count, (kind, "dilation"))
    return SlidingWindows(kernel, strides, dilation, tuple(one for one, _ in margins(fields.pad, count, (kind, "pad"))))


def split_rows(site: OperatorSite) -> Iterator[SplitRows]:
    """Yield the rows of each dimension that is split and read through windows; padding is among them."""
    operator = site.operator
    operand = operator.operands[0]
    if operator.kind == "upsample":
        yield from _rows_beside(site)
    if operator.kind not in ("conv", "pool", "transposed_conv"):
        return
    windows, value = sliding(site), site.value(0)
    shape = site.graph.tensors[operator.output.tensor].sizes[2:]
    for place, (dim, size) in enumerate(zip(value.dims[2:], shape, strict=True)):
        parts = site.parts_at(operand, dim.place)
        if parts == 1 or dim.place is None:
            continue
        name = operand.dims[dim.place]
        assert name is not None
        written, own = -(-size // parts), -(-dim.size // parts)
        span, stride, before = windows.span(place), windows.strides[place], windows.before[place]
        if operator.kind == "transposed_conv":
            first, last = (span - 1 - before) // stride, (before - 1) // stride + 1
            starts, length = tuple(part * own - first for part in range(parts)), own + first + last
            seen = (one - span + 1 + before + first * stride for one in windows.seen(place, written, 1))
            read = {one // stride for one in seen if one % stride == 0}
        else:
            starts = tuple(part * written * stride - before for part in range(parts))
            length = (written - 1) * stride + span
            read = set(windows.seen(place, written, stride))
        fill = "-np.inf" if operator.kind == "pool" and site.fields.kind == "max" else "0.0"
        found = SplitRows(dim.place, name, starts, length, own, fill, _runs(read, length))
        if size % parts or dim.size % parts:
            if dim.size != size or stride > 1 or found.runs:
                said = "parts are filled up under windows without gaps that are read at every row"
                raise Refusal(
                    f"'{operator.name}' slides over {name}, {dim.size}, which falls into no {parts} equal parts; {said}"
                )
            found = replace(found, rows=dim.size)
        yield found


def _runs(read: Collection[int], length: int) -> tuple[tuple[int, int], ...]:
    """Return the runs of rows that are read; none if all are."""
    gaps = [-1, *(row for row in range(length) if row not in read), length]
    found = tuple((one + 1, other - one - 1) for one, other in pairwise(gaps) if other > one + 1)
    return found if len(gaps) > 2 else ()


def _rows_beside(site: OperatorSite) -> Iterator[SplitRows]:
    """Yield the rows of each dimension of which linear upsampling reads one before a part and one behind it."""
    operand, value = site.operator.operands[0], site.value(0)
    factors = spread(site.fields.factor, len(value.dims) - 2, ("upsample", "factor"))
    for dim, factor in zip(value.dims[2:], factors, strict=True):
        parts = site.parts_at(operand, dim.place)
        if site.fields.kind == "linear" and factor > 1 and parts > 1 and dim.place is not None:
            name, own = operand.dims[dim.place], dim.size // parts
            assert name is not None
            yield SplitRows(dim.place, name, tuple(part * own - 1 for part in range(parts)), own + 2, own)


def padding(site: OperatorSite) -> tuple[tuple[int, int], ...]:
    """Return what is added before and after each dimension of a convolution or pool; nothing where it is split."""
    operand, value, windows = site.operator.operands[0], site.value(0), sliding(site)
    written = site.graph.tensors[site.operator.output.tensor].sizes[2:]
    found = []
    for place, dim in enumerate(value.dims[2:]):
        before = windows.before[place]
        behind = (written[place] - 1) * windows.strides[place] + windows.span(place) - dim.size - before
        is_split = site.parts_at(operand, dim.place) > 1
        found.append((0, 0) if is_split else (before, max(0, behind)))
    return tuple(found)


def transposed_padding(site: OperatorSite) -> tuple[tuple[int, int], ...]:
    """Return what is added before and after the rows of a transposed convolution, which lie a stride apart."""
    operand, value, windows = site.operator.operands[0], site.value(0), sliding(site)
    written = site.graph.tensors[site.operator.output.tensor].sizes[2:]
    found = []
    for place, dim in enumerate(value.dims[2:]):
        span, stride, before = windows.span(place), windows.strides[place], windows.before[place]
        size, made, first = dim.size, written[place], 0
        parts = site.parts_at(operand, dim.place)
        if parts > 1:
            first, last = (span - 1 - before) // stride, (before - 1) // stride + 1
            size, made = -(-dim.size // parts) + first + last, -(-made // parts)
        front = span - 1 - before - first * stride
        found.append((front, made + span - 1 - front - ((size - 1) * stride + 1)))
    return tuple(found)
