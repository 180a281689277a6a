"""Convolutions, pooling and maps made larger."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypar_opt.importers.arrangement import arranged, restored
from hypar_opt.importers.draft import Sketch, Unreadable
from hypar_opt.importers.held import BATCH_ATOM, Viewed, Weight
from hypar_opt.instance.operators.network_schema import SHAPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypar_opt.instance.operators.layers.value import Value


@dataclass(frozen=True)
class Kernel:
    """What slides along a map, a number for each of its dimensions.

    Parameters
    ----------
    pads
        All beginnings before all ends.
    """

    kernel: Sequence[int]
    stride: Sequence[int]
    pads: Sequence[int]
    dilation: Sequence[int]

    @property
    def fields(self) -> dict[str, Any]:
        """As instance files have them, without what it is anyway."""
        half = len(self.pads) // 2
        pads = self.pads[:half] if list(self.pads[:half]) == list(self.pads[half:]) else self.pads
        said = {"kernel": short(self.kernel), "stride": short(self.stride), "pad": short(pads)}
        return said | {"dilation": short(self.dilation)} if set(self.dilation) != {1} else said


def short(numbers: Sequence[int]) -> int | list[int]:
    """Return one number where all are equal."""
    return numbers[0] if len(set(numbers)) == 1 else list(numbers)


def as_map(draft: Sketch, x: Viewed) -> tuple[str, Value]:
    """Return a tensor as [channels, height, width] or the like.

    Raises
    ------
    Unreadable
        If samples do not stand along its first axis alone, or it has other than one to three axes behind the channels.
    """
    if len(x.axes) - 1 not in SHAPES or len(x.axes) < 3:
        raise Unreadable(f"expected channels and one to three dimensions, got {list(x.sizes)}")
    check_first(x)
    return arranged(draft, x, [x.rest(i) for i in range(1, len(x.axes))], SHAPES[len(x.axes) - 1])


def check_first(x: Viewed) -> None:
    """Raise `Unreadable` where samples do not stand along the first axis, which has nothing else."""
    if not x.axes or x.axes[0] != (BATCH_ATOM,):
        raise Unreadable(f"expected samples along the first axis alone of {list(x.sizes)}")


def convolution(
    draft: Sketch,
    x: Viewed,
    weight: Weight,
    bias: Weight | None,
    window: Kernel,
    filters: int,
    groups: int,
) -> Viewed:
    """Return a convolution."""
    fields = {"filters": filters, **window.fields} | ({"groups": groups} if groups > 1 else {})
    return _written(draft, "conv", fields, x, weight, bias)


def transposed_convolution(
    draft: Sketch, x: Viewed, weight: Weight, bias: Weight | None, window: Kernel, filters: int, groups: int,
    more: Sequence[int],
) -> Viewed:  # fmt: skip
    """Return a transposed convolution; `more` is added at the end of its output."""
    fields = {"filters": filters, **window.fields, "output_pad": short(more)}
    return _written(draft, "transposed_conv", fields | ({"groups": groups} if groups > 1 else {}), x, weight, bias)


def _written(
    draft: Sketch, kind: str, fields: dict[str, Any], x: Viewed, weight: Weight, bias: Weight | None
) -> Viewed:
    weights = {"weight": weight} | ({"bias": bias} if bias is not None else {})
    fields |= {"bias": True} if bias is not None else {}
    return draft.add(kind, fields, [as_map(draft, x)], weights)


def pool(draft: Sketch, x: Viewed, kind: str, window: Kernel, *, ceil: bool) -> Viewed:
    """Return pooling, `max` or `avg`."""
    if set(window.dilation) != {1}:
        raise Unreadable("its windows have gaps")
    fields = {**window.fields, "kind": kind} | ({"ceil": True} if ceil else {})
    return draft.add("pool", fields, [as_map(draft, x)])


def whole_pool(draft: Sketch, x: Viewed, kind: str) -> Viewed:
    """Return pooling over the whole map, whose axes are left with a size of 1."""
    made = draft.add("global_pool", {"kind": kind}, [as_map(draft, x)], what="pool")
    return restored(made, [0, 1, *(0,) * (len(x.axes) - 2)], (0, 0))


def pooled_to(draft: Sketch, x: Viewed, kind: str, sizes: Sequence[int]) -> Viewed:
    """Return pooling to a map of a given size.

    Raises
    ------
    Unreadable
        If its size does not divide that of the map.
    """
    own = x.sizes[-len(sizes) :]
    if set(sizes) == {1}:
        return whole_pool(draft, x, kind)
    if tuple(sizes) == own:
        return x
    if any(size % one for size, one in zip(own, sizes, strict=True)):
        raise Unreadable(f"it pools {list(own)} to {list(sizes)}, which does not divide")
    kernel = [size // one for size, one in zip(own, sizes, strict=True)]
    return pool(draft, x, kind, Kernel(kernel, kernel, [0] * 2 * len(kernel), [1] * len(kernel)), ceil=False)


def upsample(draft: Sketch, x: Viewed, kind: str, sizes: Sequence[int]) -> Viewed:
    """Return a map made larger by whole factors, `nearest` or `linear`."""
    own = x.sizes[2:]
    if x.sizes[:2] != tuple(sizes[:2]) or any(size % one for size, one in zip(sizes[2:], own, strict=True)):
        raise Unreadable(f"it makes {list(x.sizes)} {list(sizes)}, which is no whole factor")
    factors = [size // one for size, one in zip(sizes[2:], own, strict=True)]
    return draft.add("upsample", {"factor": short(factors), "kind": kind}, [as_map(draft, x)])


def padded(draft: Sketch, x: Viewed, pads: Sequence[int]) -> Viewed:
    """Return a map with a margin: an average over windows of one place each, some of them in the margin.

    Parameters
    ----------
    pads
        Of all axes, all beginnings before all ends.
    """
    count = len(x.axes)
    if any(pads[i] or pads[count + i] for i in (0, 1)) or min(pads) < 0:
        raise Unreadable("it pads other axes than those of a map, or cuts them")
    ones = [1] * (count - 2)
    return pool(draft, x, "avg", Kernel(ones, ones, [*pads[2:count], *pads[count + 2 :]], ones), ceil=False)
