"""The smallest chain of linear layers on which the greedy search misses the optimum, by looking at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.instance.choices import HYPAR
from hypar_opt.studies.random_instances.generator import Document, RandomChain
from hypar_opt.studies.random_instances.measurement import Keeps, missed
from hypar_opt.studies.random_instances.reduction import Shrunk

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def smallest(
    accounting: str,
    *,
    layers: int = 2,
    levels: int = 2,
    most: int = 12,
    choices: Sequence[str] = HYPAR,
    keeps: Keeps = missed,
) -> Shrunk | None:
    """Look at all chains of so many linear layers and levels, by their sum of sizes, until one shows a gap.

    Parameters
    ----------
    most
        The largest sum of the batch, the input's features and every layer's features that is looked at.
    keeps
        As in `shrink`.

    Returns
    -------
    The first with a gap; of one sum the first in the order of batch, input and features. None if there is none.

    Raises
    ------
    InputError
        If there is no such accounting, or one of the numbers cannot be.
    """
    for tries, document in enumerate(_documents(accounting, layers, levels, most, tuple(choices)), start=1):
        both = keeps(document)
        if both is not None:
            return Shrunk(document, *both, tries, finished=True)
    return None


def _documents(accounting: str, layers: int, levels: int, most: int, choices: tuple[str, ...]) -> Iterator[Document]:
    for total in range(layers + 2, most + 1):
        for batch, first, *features in _sums(total, layers + 2):
            named = [{"name": f"fc{i}", "linear": {"features": size}} for i, size in enumerate(features, start=1)]
            network = {"input": [first], "layers": named}
            yield RandomChain(f"greedy-{accounting}", batch, levels, choices, network).document(accounting)


def _sums(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield all ways to write a number as an ordered sum of so many numbers of at least 1."""
    if parts == 1:
        yield (total,)
        return
    for first in range(1, total - parts + 2):
        yield from ((first, *rest) for rest in _sums(total - first, parts - 1))
