"""What published formulae say that training moves, by process, and what a plan of operators moves in their terms.

The formulae charge a latency alpha for each message and a time beta for each number; here both are counted. Batch,
model and integrated parallelism are those of Gholami et al., arXiv:1712.04432, as lectures repeat them, domain
parallelism likewise; a ring's collectives take a message for every other process. What is printed otherwise:

* of gradients of what layers read, layer i's has d of the layer before it;
* windows of an odd size k reach floor(k / 2) rows over the border: of size 1 none;
* a sum over all processes by a tree takes log P messages, by a ring 2 (P - 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.evaluation.operators import Movement
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True)
class Sent:
    """What a process sends in a step, as often as it receives it.

    Parameters
    ----------
    messages
        How many: the factor of alpha.
    numbers
        How many in all of them: the factor of beta.
    """

    messages: int = 0
    numbers: Fraction = Fraction(0)

    def __add__(self, other: Sent) -> Sent:
        return Sent(self.messages + other.messages, self.numbers + other.numbers)

    def __mul__(self, times: int) -> Sent:
        return Sent(self.messages * times, self.numbers * times)


def all_gather(processes: int, size: int | Fraction) -> Sent:
    """Return what a ring takes to give every process all of a tensor's numbers; a reduce-scatter takes as much."""
    return Sent(processes - 1, Fraction(processes - 1, processes) * size)


def all_reduce(processes: int, size: int | Fraction) -> Sent:
    """Return what a ring takes to add up a tensor of so many numbers for every process."""
    return all_gather(processes, size) * 2


def integrated(rows: int, columns: int, batch: int, widths: Sequence[int]) -> Sent:
    """Return what linear layers move on a grid of processes: weights in parts by rows, the batch by columns.

        sum over i = 1..L of all-gather(P_r, B / P_c d_i) + sum over i = 2..L of all-reduce(P_r, B / P_c d_(i-1))
            + sum over i = 1..L of all-reduce(P_c, |W_i| / P_r)

    Batch parallelism is the case of one row, model parallelism that of one column.

    Parameters
    ----------
    rows, columns
        P_r and P_c of the grid.
    batch
        B, samples in a step.
    widths
        Features of the input, d_0, and of what each layer writes.
    """
    share = Fraction(batch, columns)
    total = Sent()
    for layer in range(1, len(widths)):
        total += all_gather(rows, share * widths[layer])
        if layer > 1:
            total += all_reduce(rows, share * widths[layer - 1])
        total += all_reduce(columns, Fraction(widths[layer - 1] * widths[layer], rows))
    return total


def not_needed(rows: int, columns: int, batch: int, widths: Sequence[int]) -> Sent:
    """Return what integrated parallelism's formula charges beyond what the plan needs.

    Nobody needs the last layer's output whole; and of the errors between layers every process needs its own features
    only, so that a reduce-scatter is enough where the formula has an all-reduce.
    """
    share = Fraction(batch, columns)
    total = all_gather(rows, share * widths[-1])
    for width in widths[1:-1]:
        total += all_gather(rows, share * width)
    return total


def domain(processes: int, batch: int, maps: Sequence[tuple[int, int, int]], weights: Iterable[int]) -> Sent:
    """Return what convolutions move whose maps are cut into strips.

        sum over i of (1, B X_W X_C floor(k / 2)) forward, and the same backward, + sum over i of all-reduce(P, |W_i|)

    Parameters
    ----------
    processes
        P.
    batch
        B.
    maps
        Of each map that is read over borders: its width X_W, its channels X_C and the window's size k, which is odd.
    weights
        Of every layer, how many.
    """
    total = Sent()
    for width, channels, kernel in maps:
        reach = kernel // 2
        total += Sent(int(reach > 0), Fraction(batch * width * channels * reach)) * 2
    for size in weights:
        total += all_reduce(processes, size)
    return total


def two_sided(processes: int, batch: int, maps: Sequence[tuple[int, int, int]]) -> Fraction:
    """Return how many numbers more, for all processes together, domain parallelism takes than its formula says.

    The formula has one side of a strip: all but the outermost two have both, 2 (P - 1) where it says P.
    """
    sides = 2 * (processes - 1) - processes
    return Fraction(sum(2 * sides * batch * width * channels * (kernel // 2) for width, channels, kernel in maps))


def megatron_block(devices: int, batch: int, sequence: int, width: int) -> Sent:
    """Return what Megatron's plan moves in a transformer block: two all-reduces forward, two backward.

    Shoeybi et al., arXiv:1909.08053, section 3: each of batch x sequence x width numbers.
    """
    return all_reduce(devices, batch * sequence * width) * 4


def sent_by(moved: Iterable[Movement], partition: Partition, element_bytes: int) -> Sent:
    """Return what a plan's conversions are by process, each as a ring.

    Parameters
    ----------
    moved
        As of `movements`.
    partition
        How the array is cut.
    element_bytes
        Of one number.
    """
    sizes = {axis.name: axis.size for axis in partition.axes}
    total = Sent()
    for one in moved:
        steps = {"all-reduce": 2 * (sizes[one.axis] - 1), "halo": 1}.get(one.kind, sizes[one.axis] - 1)
        numbers = one.bytes / (element_bytes * partition.leaves)
        total += Sent(one.collectives * steps, numbers)
    return total
