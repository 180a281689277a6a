"""Into how many parts a plan splits each dimension, and which of these splits leave something over."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.network import WorkLayer, Workload


@dataclass(frozen=True)
class Split:
    """A dimension of a layer, and the parts that a plan splits it into.

    Parameters
    ----------
    layer
        Its name.
    dimension
        `batch`, `input`, `output` or `groups`.
    size
        Elements of the dimension.
    parts
        Two for every level at which it is halved.
    """

    layer: str
    dimension: str
    size: int
    parts: int

    @property
    def is_even(self) -> bool:
        """Whether all parts are of one size."""
        return self.size % self.parts == 0

    @property
    def is_possible(self) -> bool:
        """Whether there is an element for every part."""
        return self.parts <= self.size

    def __str__(self) -> str:
        return f"{self.layer} splits its {self.dimension} of {self.size:,} into {self.parts:,} parts"


def splits_of(layer: WorkLayer, word: str, batch: int) -> Iterator[Split]:
    """Yield what a layer's word splits."""
    times = Counter(word)
    dimensions: list[tuple[str, str, tuple[int, ...]]] = [("d", "batch", (batch,))]
    dimensions += [("m", "input", layer.in_sizes), ("o", "output", layer.out_sizes)]
    if layer.groups > 1:  # whole groups go to the parts, however many channels they have
        dimensions[1:] = [("m", "groups", (layer.groups,))]
    for letter, dimension, sizes in dimensions:
        for size in sizes if times[letter] else ():
            yield Split(layer.name, dimension, size, 2 ** times[letter])


def uneven_splits(work: Workload, strategies: Mapping[str, str], batch: int) -> tuple[Split, ...]:
    """Return the splits of a plan that leave something over, in the order of the layers; each once."""
    found = (one for layer in work.layers for one in splits_of(layer, strategies[layer.name], batch))
    return tuple(dict.fromkeys(one for one in found if not one.is_even))


def unbuildable_field(splits: Sequence[Split]) -> dict[str, list[str]]:
    """Return what documents say of those of more parts than elements, a sentence each; nothing where there are none."""
    beyond = [str(one) for one in splits if not one.is_possible]
    return {"unbuildable": beyond} if beyond else {}


def unbuildable_text(splits: Sequence[Split]) -> str:
    """Return a sentence that names every split of more parts than elements, or nothing where there are none."""
    layers: dict[tuple[str, int, int], list[str]] = {}
    for one in splits:
        if not one.is_possible:
            layers.setdefault((one.dimension, one.size, one.parts), []).append(one.layer)
    if not layers:
        return ""
    which = "; ".join(
        f"the {dimension} of {size:,} is split into {parts:,} parts by {_listed(names)}"
        for (dimension, size, parts), names in layers.items()
    )
    return f"cannot be built as it stands: {which}; --splits divisible allows only plans that can"


def _listed(names: Sequence[str]) -> str:
    *others, last = names
    return f"{', '.join(others)} and {last}" if others else last
