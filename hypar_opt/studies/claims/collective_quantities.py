"""What of a collective's schedule claims can be about, and expressions of it: each a record by its spelling in files.

Of P accelerators that all-reduce N bytes, alpha is what a message takes besides its bytes, and beta what a byte takes
on the slowest link.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypar_opt.evaluation.collective import JudgedCollective


@dataclass(frozen=True)
class CollectiveCase:
    """A schedule in synchronous steps, with so many bytes.

    Parameters
    ----------
    judged
        The schedule, recounted.
    bytes_
        Of all chunks together.
    """

    judged: JudgedCollective
    bytes_: int

    @property
    def chunk_bytes(self) -> Fraction:
        """Of one chunk."""
        return Fraction(self.bytes_, len(self.judged.instance.chunks))

    @property
    def seconds(self) -> Fraction:
        """In lockstep, or of a schedule in seconds, which is of one size."""
        return self.with_bytes(self.chunk_bytes)

    def with_bytes(self, chunk_bytes: Fraction) -> Fraction:
        """Return the same with chunks of so many bytes on links; a schedule in seconds stays as it is."""
        lockstep, seconds = self.judged.lockstep, self.judged.seconds
        assert seconds is not None  # every link has a bandwidth
        return seconds if lockstep is None else lockstep.seconds(chunk_bytes)

    @property
    def accelerators(self) -> int:
        """Of the group: P."""
        return len(self.judged.instance.group)

    @property
    def alpha(self) -> Fraction:
        """The most that a send takes besides its bytes."""
        routes = {one.route for one in self.judged.schedule.sends}
        return max(self.judged.use.latency(route) for route in routes)

    @property
    def beta(self) -> Fraction:
        """Seconds a byte, of the slowest link."""
        machine = self.judged.instance.machine
        return max(1 / link.bandwidth for link in machine.links if link.bandwidth)


@dataclass(frozen=True)
class CollectiveQuantity:
    """Something of a schedule.

    Parameters
    ----------
    name, summary
        As it is spelt, and what it is.
    unit
        Of its values.
    of
        Its value.
    """

    name: str
    summary: str
    unit: str
    of: Callable[[CollectiveCase], Fraction]


def _sent(case: CollectiveCase) -> Fraction:
    return len(case.judged.schedule.sends) * case.chunk_bytes


def _received(case: CollectiveCase) -> Fraction:
    into = Counter(one.route[-1] for one in case.judged.schedule.sends)
    return max(into.values()) * case.chunk_bytes


def _busiest(case: CollectiveCase) -> Fraction:
    carried = Counter(hop for one in case.judged.schedule.sends for hop in pairwise(one.route))
    return max(carried.values()) * case.chunk_bytes


_QUANTITIES: Final = (
    CollectiveQuantity("steps", "synchronous steps", "", lambda case: Fraction(case.judged.steps or 0)),
    CollectiveQuantity("seconds", "the time", "s", lambda case: case.seconds),
    CollectiveQuantity("sent", "what all send together", "B", _sent),
    CollectiveQuantity("received", "the most that one accelerator takes in", "B", _received),
    CollectiveQuantity("busiest", "what the busiest direction of a link carries", "B", _busiest),
)
QUANTITIES: Final[Mapping[str, CollectiveQuantity]] = MappingProxyType({one.name: one for one in _QUANTITIES})
"""By name."""

EXPRESSIONS: Final[Mapping[str, Callable[[CollectiveCase], Fraction]]] = MappingProxyType(
    {
        "P - 1": lambda case: Fraction(case.accelerators - 1),
        "2 (P - 1)": lambda case: Fraction(2 * (case.accelerators - 1)),
        "P N": lambda case: Fraction(case.accelerators * case.bytes_),
        "(P - 1) N": lambda case: Fraction((case.accelerators - 1) * case.bytes_),
        "2 (P - 1) N": lambda case: Fraction(2 * (case.accelerators - 1) * case.bytes_),
        "2 (P - 1) / P N": lambda case: 2 * _part(case),
        "alpha + P N beta": lambda case: case.alpha + case.accelerators * case.bytes_ * case.beta,
        "2 alpha + P N beta": lambda case: 2 * case.alpha + case.accelerators * case.bytes_ * case.beta,
        "2 (alpha + (P - 1) N beta)": lambda case: 2 * (case.alpha + (case.accelerators - 1) * case.bytes_ * case.beta),
        "2 ((P - 1) alpha + (P - 1) / P N beta)": lambda case: (
            2 * ((case.accelerators - 1) * case.alpha + _part(case) * case.beta)
        ),
    }
)
"""What a value may be said to be."""


def _part(case: CollectiveCase) -> Fraction:
    """Return (P - 1) / P N."""
    return Fraction((case.accelerators - 1) * case.bytes_, case.accelerators)
