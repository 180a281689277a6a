"""An instance: what there is to optimise."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from hypar_opt.accelerator import OPTIMISERS
from hypar_opt.components import PLACED
from hypar_opt.errors import InputError, MachineError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.accelerator import Accelerator, Optimiser
    from hypar_opt.aim import Aim
    from hypar_opt.array import Machine
    from hypar_opt.instance.cost_schema import Accounting
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.network import Network

LETTERS = {"dp": "d", "mp": "m", "op": "o"}
"""The letter of each choice in a strategy, in the order in which alphabets list them."""


@dataclass(frozen=True)
class Instance:
    """A valid instance: whoever makes one, its array, given strategies and memory are checked.

    Parameters
    ----------
    spec
        What its file says, references resolved and overrides applied.
    network
        The network, with its shapes.
    sha256
        Of the canonical JSON before overrides: the same however and in whichever files it is written.
    overrides
        What was given to replace fields.
    source
        The file that it came from, if it came from one.

    Raises
    ------
    InputError
        If it cannot be; names the field.
    """

    spec: InstanceSpec
    network: Network
    sha256: str
    overrides: Mapping[str, object]
    source: Path | None = None

    def __post_init__(self) -> None:
        from hypar_opt.instance.checking import check_instance

        check_instance(self)

    def changed(self, **fields: object) -> Instance:
        """Return the instance with other fields of the same network's file, checked as one that is read.

        Parameters
        ----------
        fields
            By name, as in `spec`.

        Raises
        ------
        InputError
            If there can be no such instance.
        """
        from pydantic import ValidationError

        from hypar_opt.instance.checking import InvalidInstance
        from hypar_opt.instance.faults import first_fault
        from hypar_opt.instance.schema import InstanceSpec

        known = InstanceSpec.model_fields.items()
        data = {field.alias or name: getattr(self.spec, name) for name, field in known} | fields
        try:
            return replace(self, spec=InstanceSpec.model_validate(data))
        except ValidationError as error:
            fault = first_fault(error, InstanceSpec, data)
        raise InvalidInstance(fault)

    @property
    def name(self) -> str:
        """The instance's name."""
        return self.spec.name

    @property
    def batch(self) -> int:
        """Samples in a training step."""
        return self.spec.batch

    @property
    def levels(self) -> int:
        """H: the array has 2^H accelerators."""
        return self.spec.array.levels

    @cached_property
    def machine(self) -> Machine:
        """The array as a graph, built when it is asked for.

        Raises
        ------
        InputError
            If it is too large to be built.
        """
        from hypar_opt.instance.arrays import build_machine

        try:
            return build_machine(self.spec.array)
        except MachineError as error:
            raise InputError(error.message, file=self.source, field="array") from None

    @cached_property
    def accelerators(self) -> int:
        """How many the array has; the partition uses 2^H of them."""
        from hypar_opt.instance.arrays import accelerators_of

        return accelerators_of(self.spec.array)

    @property
    def is_placed(self) -> bool:
        """Whether the objective depends on where in the array the groups stand."""
        return not self.aim.parts.isdisjoint(PLACED)

    @cached_property
    def placement(self) -> tuple[int, ...] | None:
        """The given placement: an accelerator's position for every leaf; None where it is to be decided."""
        given = self.spec.array.placement
        if isinstance(given, str):
            return tuple(range(1 << self.levels)) if given == "identity" else None
        position = {name: site for site, name in enumerate(self.machine.accelerators)}
        return tuple(position[name] for name in given)

    @property
    def accounting(self) -> Accounting:
        """How tensors between layers are charged."""
        return self.spec.cost.accounting

    @property
    def choices(self) -> str:
        """The letters of the choices in the order d, m, o, for example `dm`."""
        return "".join(LETTERS[choice] for choice in self.spec.cost.choices)

    @property
    def bytes_per_element(self) -> int:
        """Bytes of a number, an even count."""
        return self.spec.cost.bytes_per_element

    @property
    def splits(self) -> str:
        """Whether any dimension may be split, or only a `divisible` one."""
        return self.spec.cost.splits

    @property
    def input_error(self) -> bool:
        """Whether the error of the network's input is computed and charged."""
        return self.spec.cost.input_error

    @cached_property
    def aim(self) -> Aim:
        """What the objective asks for."""
        return self.spec.aim

    @cached_property
    def accelerator(self) -> Accelerator | None:
        """What one accelerator can do, where the array says so."""
        from hypar_opt.instance.accelerators import accelerator_of

        return accelerator_of(self.spec.array.accelerator)

    @property
    def optimiser(self) -> Optimiser:
        """What updates the weights."""
        return OPTIMISERS[self.spec.cost.optimiser]

    @property
    def fix(self) -> dict[str, str]:
        """Strategies that are given, by layer."""
        return dict(self.spec.fix)
