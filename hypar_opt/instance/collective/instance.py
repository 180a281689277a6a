"""A collective as read: its array, its chunks, and what is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.collective.chunks import Chunk, chunks_of
from hypar_opt.instance.data import sha256_of_fields
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.objective.function import ObjectiveFunction
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from hypar_opt.instance.collective.schema import CollectiveName, CollectiveSpec, Goal, Messages
    from hypar_opt.instance.hardware import Machine


@dataclass(frozen=True, repr=False)
class CollectiveInstance:
    """A valid collective.

    Parameters
    ----------
    name, sha256, overrides, source
        What it is called, its digest, what was given to replace fields, and its file.
    machine
        The array, whose links have the latency of a message.
    collective
        What every accelerator of the group has to have at the end.
    group, root
        Positions of those that take part, and of the one that has what is broadcast.
    chunks_each
        Into how many what one accelerator gives, or gets, is cut.
    bytes_
        Of all chunks together.
    goal
        What is to be least.
    steps
        How many there may be, where rounds are to be least.
    messages
        In time, whether each chunk is a message of its own, or chunks with the same route, begin and end are one.
    """

    name: str
    sha256: str
    machine: Machine
    collective: CollectiveName
    group: tuple[int, ...]
    bytes_: int
    root: int | None = None
    chunks_each: int = 1
    goal: Goal = "steps"
    steps: int | None = None
    messages: Messages = "single"
    source: Path | None = None
    overrides: Mapping[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"CollectiveInstance({cut(self.name)!r}, {self.collective} of {len(self.group):,} accelerators)"

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """Whatever is moved as a whole."""
        return chunks_of(self.collective, self.machine.accelerators, self.group, self.root, self.chunks_each)

    @property
    def chunk_bytes(self) -> Fraction:
        """Of one chunk; all are alike."""
        return Fraction(self.bytes_, len(self.chunks))

    @property
    def is_timed(self) -> bool:
        """Whether every link has a bandwidth, so that seconds are known."""
        return all(link.bandwidth is not None for link in self.machine.links)

    @property
    def objective(self) -> ObjectiveFunction:
        """Seconds, or a number of steps or rounds."""
        what = TIME if self.goal == "bandwidth" else self.goal
        return ObjectiveFunction("sum", {what: Fraction(1)})

    @property
    def bounds(self) -> Mapping[str, Fraction]:
        """Nothing: what a schedule may take at most is not said."""
        return MappingProxyType({})

    @property
    def fix(self) -> Mapping[str, str]:
        """Nothing: no send is given."""
        return MappingProxyType({})

    @classmethod
    def from_spec(cls, spec: CollectiveSpec, sha256: str, source: Path | None = None) -> CollectiveInstance:
        """Return the collective that a checked file says."""
        from hypar_opt.instance.array import build_machine

        machine = build_machine(spec.array)
        if spec.latency is not None:
            latency = Fraction(spec.latency)
            machine = replace(machine, links=tuple(replace(link, latency=latency) for link in machine.links))
        position = {name: place for place, name in enumerate(machine.accelerators)}
        group = tuple(position[name] for name in spec.group or machine.accelerators)
        root = None if spec.root is None else position[spec.root]
        return cls(
            spec.name, sha256, machine, spec.collective, group, spec.bytes_, root, spec.chunks, spec.objective,
            spec.steps, spec.messages, source,
        )  # fmt: skip


def read_collective(
    data: Mapping[str, Any], error: Callable[..., InputError], source: Path | None = None
) -> CollectiveInstance:
    """Return the collective that fields of a file say.

    Parameters
    ----------
    error
        From a message and a field's path to the error that says where it is.

    Raises
    ------
    InputError
        If something is wrong; names the field.
    """
    from hypar_opt.instance.collective.faults import misfit
    from hypar_opt.instance.collective.schema import CollectiveSpec
    from hypar_opt.instance.faults import fitting

    spec = fitting(CollectiveSpec, data, misfit, error)
    return CollectiveInstance.from_spec(spec, sha256_of_fields(spec), source)
