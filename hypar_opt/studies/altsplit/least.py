"""The least that a chain of linear layers moves, leaf by leaf, on any number of levels: a programme over counts.

Costs are the same whichever levels letters stand at, so that of all plans in front of a layer only the number of its
letters matters: (H + 1)(H + 2) / 2 states a layer in place of 3^H words. Exact, and no limit on H but patience.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias

from hypar_opt.instance.network import Linear
from hypar_opt.studies.altsplit.levels import LETTERS, Counts, Pairs, counts, passages
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.instance.network import WorkLayer, Workload

Allowed: TypeAlias = Callable[["WorkLayer", Counts], bool]
"""Whether a layer may have so many of each letter."""


@dataclass(frozen=True)
class ChainSetting:
    """What the bytes of a chain depend on beside its layers.

    Parameters
    ----------
    batch, levels, bytes_per_element, input_error
        As in an instance.
    """

    batch: int
    levels: int
    bytes_per_element: int = 4
    input_error: bool = True


@dataclass(frozen=True)
class LeastPlan:
    """A plan than which none moves less.

    Parameters
    ----------
    strategies
        By layer, a word.
    bytes_
        What it moves, as the programme has it.
    """

    strategies: Mapping[str, str]
    bytes_: Fraction


def summed(layer: WorkLayer, count: Counts, setting: ChainSetting) -> int:
    """Return the bytes of all partial sums of a layer: 2 (2^n - 1) tensors a letter (docs/model.md, Levels)."""
    read = 0 if layer.reads_input and not setting.input_error else setting.batch * layer.in_sizes[0]
    tensors = layer.weight, setting.batch * layer.out_sizes[0], read
    each = (size * ((1 << times) - 1) for size, times in zip(tensors, count, strict=True))
    return 2 * setting.bytes_per_element * sum(each)


def divides(setting: ChainSetting) -> Allowed:
    """Return whether every part is as large as the next."""

    def even(layer: WorkLayer, count: Counts) -> bool:
        sizes = setting.batch, layer.in_sizes[0], layer.out_sizes[0]
        return all(size % (1 << times) == 0 for size, times in zip(sizes, count, strict=True))

    return even


def _any(layer: WorkLayer, count: Counts) -> bool:
    return True


def least_of_chain(work: Workload, setting: ChainSetting, allowed: Allowed = _any) -> LeastPlan:
    """Return the optimum over all words of d, m and o.

    Parameters
    ----------
    work
        Linear layers, one behind the other.
    allowed
        Which counts a layer may have; all unless told.

    Raises
    ------
    InputError
        If layers are of another kind or not in a row, or one may have no word.
    """
    layers = work.layers
    if not work.is_chain or any(layer.kind != Linear.layer_kind for layer in layers):
        raise InputError("expected linear layers, one behind the other")
    cheapest = passages(setting.levels)
    own = [_own(layer, setting, allowed) for layer in layers]
    best = {count: Fraction(value) for count, value in own[0].items()}
    came: list[dict[Counts, Counts]] = []
    for layer, values in zip(layers[1:], own[1:], strict=True):
        scale = setting.bytes_per_element * setting.batch * layer.in_sizes[0]
        reached, sources = {}, {}
        for behind, value in values.items():
            ways = ((cost + scale * cheapest[before, behind].share, before) for before, cost in best.items())
            reached[behind], sources[behind] = min(ways)
            reached[behind] += value
        best = reached
        came.append(sources)
    last = min(best, key=lambda count: (best[count], count))
    path = [last]
    for sources in reversed(came):
        path.append(sources[path[-1]])
    words = _words(path[::-1], [cheapest[pair].pairs for pair in zip(path[:0:-1], path[-2::-1], strict=True)])
    return LeastPlan({layer.name: word for layer, word in zip(layers, words, strict=True)}, best[last])


def _own(layer: WorkLayer, setting: ChainSetting, allowed: Allowed) -> dict[Counts, int]:
    found = {count: summed(layer, count, setting) for count in counts(setting.levels) if allowed(layer, count)}
    if not found:
        raise InputError(f"no word of {setting.levels} letters is allowed for layer '{layer.name}'")
    return found


def _words(path: Sequence[Counts], paired: Sequence[Pairs]) -> list[str]:
    """Return words with such counts, and such pairs at each boundary."""
    words = ["".join(letter * times for letter, times in zip(LETTERS, path[0], strict=True))]
    for pairs in paired:
        supply = {
            letter: iter("".join(other * times for other, times in zip(LETTERS, row, strict=True)))
            for letter, row in zip(LETTERS, pairs, strict=True)
        }
        words.append("".join(next(supply[letter]) for letter in words[-1]))
    return words
