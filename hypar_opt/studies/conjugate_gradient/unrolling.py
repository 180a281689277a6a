"""Iterations of a listing as steps, and what each waits for: derived from what is read and written where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from hypar_opt.studies.conjugate_gradient.listing import ListingLine, dot, product
from hypar_opt.studies.conjugate_gradient.operations import BARRIER

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hypar_opt.studies.conjugate_gradient.listing import Variant

Storage: TypeAlias = Literal["renamed", "in-place"]
Place: TypeAlias = tuple[str, int | None]
"""A name, and a block of it from 1; None of what is there once."""
END: Final = ListingLine("end", BARRIER, ())
CHECK: Final = (product("Ax", "x"), dot("residual", "Ax"))
"""Of the residual as it is, not as it was updated; its right-hand side is always there."""


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
    check
        Whether A x, and its distance from the right-hand side, is computed before every barrier, where the variant
        fuses iterations; the others look at the residual that they have updated.
    """

    variant: Variant
    blocks: int
    iterations: int
    fuse: int | None = None
    storage: Storage = "renamed"
    reach: int | None = None
    check: bool = False

    @property
    def between(self) -> int:
        """Iterations from one barrier to the next; one more than there are where there is none."""
        return (self.fuse or self.iterations + 1) if self.variant.fuses else 1


@dataclass(frozen=True)
class LoopStep:
    """A line of the listing in one iteration for one block: a task.

    Parameters
    ----------
    kernel, iteration, block
        Iterations from 0, blocks from 1; no block where it is done once.
    waits_for
        Numbers of steps, ascending: those that it reads from, or whose reads and writes it overwrites.
    """

    kernel: ListingLine
    iteration: int
    block: int | None
    waits_for: tuple[int, ...]

    @property
    def name(self) -> str:
        """As in `z.0.2`: what it writes, the iteration, and the block."""
        return ".".join(map(str, (self.kernel.writes, self.iteration, *([] if self.block is None else [self.block]))))


def unroll(loop: Loop, closed: bool = False) -> tuple[LoopStep, ...]:
    """Return all steps, each after those that it waits for.

    A barrier waits for what nothing else waits for yet, and what else would wait for nothing waits for it.

    Parameters
    ----------
    closed
        Whether there is a barrier after the last iteration too, if it is time for one.
    """
    made = _Made(loop, {kernel.writes for kernel in loop.variant.kernels if kernel.operation.once})
    for iteration in range(loop.iterations):
        for kernel in loop.variant.kernels:
            made.add(kernel, iteration)
        if (iteration + 1) % loop.between == 0 and (closed or iteration + 1 < loop.iterations):
            for kernel in CHECK if loop.check and loop.variant.fuses else ():
                made.add(kernel, iteration)
            made.close(iteration)
    return tuple(made.steps)


@dataclass
class _Made:
    """Steps that there are so far, and who has written and read what last."""

    loop: Loop
    once: set[str]
    steps: list[LoopStep] = field(default_factory=list)
    written: dict[Place, int] = field(default_factory=dict)
    readers: dict[Place, list[int]] = field(default_factory=dict)
    barrier: int | None = None

    def add(self, kernel: ListingLine, iteration: int) -> None:
        """Add the steps of a line."""
        for block in [None] if kernel.operation.once else range(1, self.loop.blocks + 1):
            found = set()
            for place in _read(kernel, block, self.loop, self.once):
                found.update([self.written[place]] if place in self.written else [])
                self.readers.setdefault(place, []).append(len(self.steps))
            target = (kernel.writes, block)
            if self.loop.storage == "in-place":
                found.update(self.readers.get(target, ()), [self.written[target]] if target in self.written else [])
                self.readers[target] = []
            self.written[target] = len(self.steps)
            self.steps.append(LoopStep(kernel, iteration, block, _since(self.barrier, found - {len(self.steps)})))

    def close(self, iteration: int) -> None:
        """Add a barrier: it waits for what nothing waits for yet."""
        first = self.barrier or 0
        waited = {one for step in self.steps[first:] for one in step.waits_for}
        ends = tuple(number for number in range(first, len(self.steps)) if number not in waited)
        self.barrier = len(self.steps)
        self.steps.append(LoopStep(END, iteration, None, ends))


def _since(barrier: int | None, found: set[int]) -> tuple[int, ...]:
    """Return what is waited for beyond a barrier, which all before it is covered by."""
    if barrier is None:
        return tuple(sorted(found))
    return tuple(sorted(one for one in found if one > barrier)) or (barrier,)


def _read(kernel: ListingLine, block: int | None, loop: Loop, once: set[str]) -> Iterator[Place]:
    """Yield what a line reads for a block: its own, those that a product reaches, or all where it is done once."""
    first, last = 1, loop.blocks
    if block is not None and not kernel.operation.gathers:
        first = last = block
    elif block is not None and loop.reach is not None:
        first, last = max(1, block - loop.reach), min(loop.blocks, block + loop.reach)
    for name in kernel.reads:
        if name in once:
            yield name, None
        else:
            yield from ((name, other) for other in range(first, last + 1))
