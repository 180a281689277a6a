"""An instance of operators: a network of operators with named dimensions, on an array of axes."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from hypar_opt.instance.hardware.accelerator import OPTIMISERS, Accelerator, Optimiser
from hypar_opt.instance.objective.components import PLACED, depends_on
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.instance.hardware.machine import Machine
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.instance.operators.conversion_tables import ConversionTable
    from hypar_opt.instance.operators.device import Device, TimesFile
    from hypar_opt.instance.operators.graph import Operator, OperatorGraph
    from hypar_opt.instance.operators.links import AxisLink
    from hypar_opt.instance.operators.schema import OperatorInstanceSpec, Recompute
    from hypar_opt.instance.operators.standing import Standing
    from hypar_opt.instance.overrides import Overrides
    from hypar_opt.util.partition import Partition


@dataclass(frozen=True, repr=False)
class OperatorInstance:
    """A valid instance of operators, read by `load` or made by `from_dict`.

    Parameters
    ----------
    spec
        What its file says, references resolved and overrides applied.
    graph
        The operators that its layers are, and the tensors between them.
    sha256
        Before overrides: the same however and in whichever files it is written.
    overrides
        What was given to replace fields.
    source
        The file that it came from, if it came from one.
    """

    spec: OperatorInstanceSpec
    graph: OperatorGraph
    sha256: str
    overrides: Mapping[str, object]
    source: Path | None = None

    @classmethod
    def read(
        cls,
        data: Mapping[str, Any],
        error: Callable[..., InputError],
        overrides: Overrides,
        source: Path | None = None,
    ) -> OperatorInstance:
        """Return the instance that fields of a file say.

        Parameters
        ----------
        data
            Everything inline.
        error
            From a message, a field's path and whether its key is to blame to the error that says where it is.
        overrides
            Replace what the data say.
        source
            The file.

        Raises
        ------
        InputError
            If something is wrong; names the field, or the override.
        """
        from hypar_opt.instance.operators.build import build

        spec, graph, digest = build(data, error, overrides)
        return cls(spec, graph, digest, overrides.given(), source)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> OperatorInstance:
        """Return the instance that plain data say: the fields of an instance file, everything inline.

        Raises
        ------
        InputError
            If something is wrong; names the field, as for a file.
        """
        from hypar_opt.instance.exact import fields_of
        from hypar_opt.instance.faults import field_error
        from hypar_opt.instance.overrides import Overrides

        return cls.read(fields_of(document), field_error, Overrides())

    def to_dict(self) -> dict[str, Any]:
        """Return the instance as plain data, overrides applied, without what it would be anyway."""
        from hypar_opt.instance.operators.data import operators_document

        return operators_document(self.spec)

    def to_yaml(self, *comments: str) -> str:
        """Return the text of an instance file that says the same, overrides applied, with comments on top."""
        from hypar_opt.instance.data import instance_text

        return instance_text(self.to_dict(), *comments)

    def replace(self, **overrides: Any) -> OperatorInstance:
        """Return the instance with fields replaced, as `load` replaces those of a file.

        Parameters
        ----------
        overrides
            As `load` takes them.

        Raises
        ------
        InputError
            If there can be no such instance; names the override.
        """
        from hypar_opt.instance.faults import field_error
        from hypar_opt.instance.instance import as_argument
        from hypar_opt.instance.operators.build import check
        from hypar_opt.instance.operators.overrides import override
        from hypar_opt.instance.overrides import overridden, overrides_of

        def replaced() -> OperatorInstance:
            given = overrides_of(overrides)
            spec = override(self.spec, given)
            graph = check(spec, field_error, given)
            return OperatorInstance(spec, graph, self.sha256, overridden(self.overrides, given), self.source)

        return as_argument(replaced)

    def __repr__(self) -> str:
        axes = ", ".join(f"{axis.name}={axis.size}" for axis in self.partition.axes)
        return f"OperatorInstance({self.name!r}, batch={self.batch}, axes=({axes}))"

    @property
    def name(self) -> str:
        """The instance's name."""
        return self.spec.name

    @property
    def batch(self) -> int:
        """Samples in a training step."""
        return self.spec.batch

    @cached_property
    def partition(self) -> Partition:
        """How the array is cut, axis by axis."""
        return self.spec.array.partition

    @property
    def devices(self) -> int:
        """How many there are."""
        return self.partition.leaves

    @property
    def levels(self) -> int:
        """How many axes there are."""
        return self.partition.levels

    @property
    def accounting(self) -> str:
        """How tensors are charged."""
        return self.spec.cost.accounting

    @cached_property
    def conversions(self) -> ConversionTable | None:
        """What a partitioner moves from one placement to another, where that is charged; else None."""
        from hypar_opt.instance.accountings import GSPMD
        from hypar_opt.instance.operators.conversion_tables import shipped_table

        if self.accounting != GSPMD:
            return None
        given = self.spec.cost.conversions
        return given or shipped_table(tuple(axis.size for axis in self.partition.axes))

    @property
    def bytes_per_element(self) -> int:
        """Bytes of a number."""
        return self.spec.cost.bytes_per_element

    @property
    def splits(self) -> str:
        """Whether any dimension may be split, padded or in fractions, or only a `divisible` one."""
        return self.spec.cost.splits

    @property
    def storages(self) -> tuple[str, ...]:
        """How parameters may be kept on the axes that do not split them."""
        return self.spec.cost.storage

    @property
    def recompute(self) -> Recompute:
        """What runs once more for the backward phase, for its maps are not kept."""
        return self.spec.cost.recompute

    @property
    def choices(self) -> tuple[str, ...] | None:
        """The names of the dimensions that may be split, and none; None where all are offered."""
        return self.spec.cost.choices

    def choices_of(self, operator: Operator) -> tuple[str, ...]:
        """Return what an operator may choose on an axis."""
        from hypar_opt.instance.operators.words import offered

        return offered(operator, self.choices)

    @cached_property
    def objective(self) -> ObjectiveFunction:
        """What the objective asks for."""
        return self.spec.objective_function

    @cached_property
    def accelerator(self) -> Accelerator | None:
        """What one device can do, where the array says so."""
        from hypar_opt.instance.accelerator_schema import accelerator_of

        return accelerator_of(self.spec.array.accelerator)

    @cached_property
    def device(self) -> Device | None:
        """What one device can do, where the array says enough to time operators."""
        from hypar_opt.instance.operators.device_schema import device_of

        return device_of(self.spec.array.accelerator, self._times_file)

    def _times_file(self) -> TimesFile | None:
        """Return the file that has the array's measured times, if the instance's file refers to one."""
        from hypar_opt.instance.sources import times_file

        return None if self.source is None or "array" in self.overrides else times_file(self.source)

    @cached_property
    def links(self) -> tuple[AxisLink, ...]:
        """What a device's link along each axis can do."""
        return self.spec.array.links

    @cached_property
    def machine(self) -> Machine | None:
        """The graph that the devices stand on, built when it is asked for; None where the array has no topology.

        Raises
        ------
        InputError
            If it is too large to be built.
        """
        from hypar_opt.instance.operators.standing import machine_of_axes
        from hypar_opt.util.errors import MachineError

        try:
            return machine_of_axes(self.spec.array)
        except MachineError as error:
            raise InputError(error.message, file=self.source, field="array") from None

    @cached_property
    def standing(self) -> Standing | None:
        """Where the devices stand; None where they have no graph, or that is to be decided."""
        from hypar_opt.instance.operators.standing import Standing

        given, machine = self.spec.array.placement, self.machine
        if machine is None or given == "free":
            return None
        if given == "identity":
            return Standing(machine, tuple(range(self.devices)))
        position = {name: site for site, name in enumerate(machine.accelerators)}
        return Standing(machine, tuple(position[name] for name in given))

    @property
    def is_placed(self) -> bool:
        """Whether the objective, or what is bounded, depends on where on a graph the devices stand."""
        on_graph = self.spec.array.topology is not None
        return on_graph and any(depends_on(name, PLACED) for name in self.spec.components)

    @cached_property
    def bounds(self) -> Mapping[str, Fraction]:
        """What components may come to at most."""
        return {name: Fraction(most) for name, most in self.spec.subject_to.items()}

    @property
    def optimiser(self) -> Optimiser:
        """What updates the weights."""
        return OPTIMISERS[self.spec.cost.optimiser]

    @cached_property
    def fix(self) -> Mapping[str, tuple[str | None, ...]]:
        """Strategies that are given, by operator: words, with None at the axes that are left open."""
        from hypar_opt.instance.operators.build import given_words

        return given_words(self.spec, self.graph)

    def without_fix(self) -> OperatorInstance:
        """Return the same instance in which no strategy is given."""
        return self._of(self.spec.model_copy(update={"fix": {}}), self.graph)

    def minimising(self, component: str, bounded: Collection[str]) -> OperatorInstance:
        """Return the instance with a component as its objective, and bounds on some of those that have one."""
        kept = {name: most for name, most in self.spec.subject_to.items() if name in bounded}
        return self._of(
            self.spec.model_copy(update={"objective": {component: Decimal(1)}, "subject_to": kept}), self.graph
        )

    def placed(self, names: Sequence[str] | str) -> OperatorInstance:
        """Return the instance with its devices on accelerators, a name each, or `identity`; not checked again."""
        given = names if isinstance(names, str) else tuple(names)
        array = self.spec.array.model_copy(update={"placement": given})
        other = self._of(self.spec.model_copy(update={"array": array}), self.graph)
        if "machine" in vars(self):
            vars(other)["machine"] = self.machine  # which is built once
        return other

    def changed(self, batch: int | None = None, **cost: object) -> OperatorInstance:
        """Return the instance with another batch, or other fields of its cost, which are not checked again.

        Parameters
        ----------
        batch
            Samples in a step; as many as now unless told.
        cost
            By name, as in a file.

        Raises
        ------
        NetworkError
            If layers do not go together with that batch.
        """
        from hypar_opt.instance.operators.network import compile_network

        spec = self.spec.model_copy(
            update={"cost": self.spec.cost.model_copy(update=cost), "batch": batch or self.batch}
        )
        same = batch is None
        graph = self.graph if same else compile_network(spec.network, spec.batch, spec.cost.bytes_per_element)
        return self._of(spec, graph)

    def _of(self, spec: OperatorInstanceSpec, graph: OperatorGraph) -> OperatorInstance:
        return OperatorInstance(spec, graph, self.sha256, self.overrides, self.source)
