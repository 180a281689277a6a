"""Iterations of a listing as steps, and what each waits for: derived from what is read and written where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.studies.conjugate_gradient.listing import Kernel
from hypar_opt.studies.conjugate_gradient.operations import BARRIER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.studies.conjugate_gradient.listing import Variant

Storage: TypeAlias = Literal["renamed", "in-place"]
Place: TypeAlias = tuple[str, int | None]
"""A name, and a block of it from 1; None of what is there once."""
END: Final = Kernel("end", BARRIER, ())


@dataclass(frozen=True)
class Loop:
    """Iterations that are looked at.

    Parameters
    ----------
    variant
        The listing.
    blocks
        Into how many vectors are cut.
    iterations
        How many.
    fuse
        Iterations between two barriers where the variant fuses them; None for no barrier.
    storage
        `renamed`: every iteration's vectors are others, so that only who reads waits, for who has written. `in-place`:
        there is one vector of a name, so that who writes also waits for who reads and who has written what is
        overwritten, as OpenMP's `depend` has it.
    reach
        How many blocks to either side of its own a product reads; None for all.
    """

    variant: Variant
    blocks: int
    iterations: int
    fuse: int | None = None
    storage: Storage = "renamed"
    reach: int | None = None

    @property
    def between(self) -> int:
        """Iterations from one barrier to the next; one more than there are where there is none."""
        return (self.fuse or self.iterations + 1) if self.variant.fuses else 1


@dataclass(frozen=True)
class Step:
    """A line of the listing in one iteration for one block: a task.

    Parameters
    ----------
    kernel, iteration, block
        Iterations from 0, blocks from 1; no block where it is done once.
    waits_for
        Numbers of steps, ascending: those that it reads from, or whose reads and writes it overwrites.
    """

    kernel: Kernel
    iteration: int
    block: int | None
    waits_for: tuple[int, ...]

    @property
    def name(self) -> str:
        """As in `z.0.2`: what it writes, the iteration, and the block."""
        return ".".join(map(str, (self.kernel.writes, self.iteration, *([] if self.block is None else [self.block]))))


def unroll(loop: Loop, closed: bool = False) -> tuple[Step, ...]:
    """Return all steps, each after those that it waits for.

    A barrier waits for what nothing else waits for yet, and what else would wait for nothing waits for it.

    Parameters
    ----------
    closed
        Whether there is a barrier after the last iteration too, if it is time for one.
    """
    steps: list[Step] = []
    once = {kernel.writes for kernel in loop.variant.kernels if kernel.operation.once}
    written: dict[Place, int] = {}
    readers: dict[Place, list[int]] = {}
    barrier: int | None = None
    for iteration in range(loop.iterations):
        for kernel in loop.variant.kernels:
            for block in [None] if kernel.operation.once else range(1, loop.blocks + 1):
                found = set()
                for place in _read(kernel, block, loop, once):
                    found.update([written[place]] if place in written else [])
                    readers.setdefault(place, []).append(len(steps))
                target = (kernel.writes, block)
                if loop.storage == "in-place":
                    found.update(readers.get(target, ()), [written[target]] if target in written else [])
                    readers[target] = []
                written[target] = len(steps)
                steps.append(Step(kernel, iteration, block, _since(barrier, found - {len(steps)})))
        due = (iteration + 1) % loop.between == 0
        if due and (closed or iteration + 1 < loop.iterations):
            first = 0 if barrier is None else barrier
            waited = {one for step in steps[first:] for one in step.waits_for}
            open_ends = tuple(number for number in range(first, len(steps)) if number not in waited)
            barrier = len(steps)
            steps.append(Step(END, iteration, None, open_ends))
    return tuple(steps)


def _since(barrier: int | None, found: set[int]) -> tuple[int, ...]:
    """Return what is waited for beyond a barrier, which all before it is covered by."""
    if barrier is None:
        return tuple(sorted(found))
    return tuple(sorted(one for one in found if one > barrier)) or (barrier,)


def _read(kernel: Kernel, block: int | None, loop: Loop, once: set[str]) -> Iterator[Place]:
    for name in kernel.reads:
        if name in once:
            yield name, None
            continue
        for other in range(1, loop.blocks + 1):
            near = kernel.operation.gathers and (loop.reach is None or abs(other - (block or 0)) <= loop.reach)
            if block is None or other == block or near:
                yield name, other
