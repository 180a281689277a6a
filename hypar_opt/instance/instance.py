"""An instance: what there is to optimise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from hypar_opt.instance.barriers import BARRIERS, Barrier
from hypar_opt.instance.hardware.accelerator import OPTIMISERS, Accelerator, Optimiser
from hypar_opt.instance.objective.components import PLACED, depends_on
from hypar_opt.instance.text import cut
from hypar_opt.util.errors import InputError, MachineError

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from hypar_opt.instance.array_schema import ArraySpec
    from hypar_opt.instance.collectives_spec import CollectivesSpec
    from hypar_opt.instance.cost_schema import Accounting
    from hypar_opt.instance.hardware import Machine
    from hypar_opt.instance.hardware.mixed import MixedArray
    from hypar_opt.instance.network import Network
    from hypar_opt.instance.objective.function import ObjectiveFunction
    from hypar_opt.instance.precision_schema import PrecisionSpec
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.shares import Shares
    from hypar_opt.util.partition import Partition

T = TypeVar("T")


@dataclass(frozen=True, init=False, repr=False)
class Instance:
    """A valid instance: whoever makes one, it is checked as an instance file is.

    Parameters
    ----------
    network
        A network, or what stands under `network` in an instance file.
    array
        An array, what stands under `array`, or the name or the file of an array.
    batch
        Samples in a training step.
    name
        For messages and files.
    cost
        What stands under `cost`: accounting, choices and so on.
    objective
        Weights by component; or as the command line takes it, for example `product:time,energy`.
    subject_to
        By component the most that a plan may cost, in bytes, seconds or joules.
    fix
        Strategies that are given: a word by layer, or by a pattern of layers' names; a `.` leaves a level open.
    microbatches
        Put the layers into stages, each on a part of the array, and cut the batch into so many.
    precision
        In how many bits layers may send what they send, and the error of each choice, as a file has it.

    Raises
    ------
    InputError
        If it cannot be; names the argument, and the field of it as in a file.
    """

    spec: InstanceSpec
    """What its file says, references resolved and overrides applied."""
    network: Network
    """The network, with its shapes."""
    sha256: str
    """Of the canonical JSON before overrides: the same however and in whichever files it is written."""
    overrides: Mapping[str, object]
    """What was given to replace fields."""
    source: Path | None
    """The file that it came from, if it came from one."""
    built: Machine | None = field(default=None, repr=False, compare=False)
    """The array as a graph, where another instance has built it."""

    def __init__(
        self,
        network: Network | Mapping[str, Any],
        array: ArraySpec | Mapping[str, Any] | str | Path,
        batch: int,
        *,
        name: str = "unnamed",
        cost: Mapping[str, Any] | None = None,
        objective: Mapping[str, Any] | str | None = None,
        subject_to: Mapping[str, Any] | None = None,
        fix: Mapping[str, str] | None = None,
        microbatches: int | None = None,
        precision: Mapping[str, Any] | None = None,
    ) -> None:
        from hypar_opt.instance.network import Network
        from hypar_opt.instance.objective.function import weights_of
        from hypar_opt.instance.overrides import array_data

        document = {
            "schema": "hypar-opt/instance/1",
            "name": name,
            "batch": batch,
            "network": network.document if isinstance(network, Network) else network,
            "array": as_argument(array_data, array),
            "cost": cost,
            "objective": as_argument(weights_of, objective) if isinstance(objective, str) else objective,
            "subject_to": subject_to,
            "fix": fix,
            "microbatches": microbatches,
            "precision": precision,
        }
        made = Instance.from_dict({field: one for field, one in document.items() if one is not None})
        vars(self).update(vars(made))

    @classmethod
    def from_spec(
        cls,
        spec: InstanceSpec,
        network: Network,
        sha256: str,
        overrides: Mapping[str, object],
        source: Path | None = None,
        built: Machine | None = None,
    ) -> Instance:
        """Return the instance that fields say which were checked one by one.

        Raises
        ------
        InputError
            If they do not go together.
        """
        from hypar_opt.instance.build import check_instance, with_adds

        network = with_adds(spec, network)
        check_instance(spec, network, overrides)
        made = object.__new__(cls)
        vars(made).update(spec=spec, network=network, sha256=sha256, overrides=overrides, source=source, built=built)
        return made

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Instance:
        """Return the instance that plain data say: the fields of an instance file, everything inline.

        Raises
        ------
        InputError
            If something is wrong; names the field, as for a file.
        """
        from hypar_opt.instance.build import build
        from hypar_opt.instance.exact import fields_of
        from hypar_opt.instance.faults import field_error
        from hypar_opt.instance.overrides import Overrides

        return cls.from_spec(*build(fields_of(document), field_error, Overrides()), {})

    def to_dict(self) -> dict[str, Any]:
        """Return the instance as plain data, overrides applied, without what it would be anyway."""
        from hypar_opt.instance.data import document_of

        return document_of(self.spec)

    def to_yaml(self, *comments: str) -> str:
        """Return the text of an instance file that says the same, overrides applied, with comments on top."""
        from hypar_opt.instance.data import instance_text

        return instance_text(self.to_dict(), *comments)

    def replace(self, **overrides: Any) -> Instance:
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
        from hypar_opt.instance.overrides import overridden, override, overrides_of

        def replaced() -> Instance:
            given = overrides_of(overrides)
            return self._of(override(self.spec, given), overridden(self.overrides, given))

        return as_argument(replaced)

    def _of(self, spec: InstanceSpec, overrides: Mapping[str, object], built: Machine | None = None) -> Instance:
        """Return the same network's instance of other fields."""
        return Instance.from_spec(spec, self.network, self.sha256, overrides, self.source, built)

    def __repr__(self) -> str:
        return f"Instance({cut(self.name)!r}, batch={self.batch}, levels={self.levels}, accounting={self.accounting!r})"

    def changed(self, built: Machine | None = None, **fields: object) -> Instance:
        """Return the instance with other fields of the same network's file, checked as one that is read.

        Parameters
        ----------
        built
            The array's graph, where the fields leave that as it is.
        fields
            By name, as in `spec`; None for one that is to be left out.

        Raises
        ------
        InputError
            If there can be no such instance.
        """
        from hypar_opt.instance.build import InvalidInstance
        from hypar_opt.instance.faults import checked
        from hypar_opt.instance.schema import InstanceSpec

        known = InstanceSpec.model_fields.items()
        own = {field.alias or name: getattr(self.spec, name) for name, field in known}
        data = {name: one for name, one in (own | fields).items() if one is not None}
        return self._of(checked(InstanceSpec, data, InvalidInstance), self.overrides, built)

    @property
    def name(self) -> str:
        """The instance's name."""
        return self.spec.name

    @property
    def batch(self) -> int:
        """Samples in a training step."""
        return self.spec.batch

    @property
    def microbatches(self) -> int | None:
        """Into how many the batch is cut, where layers are put into stages; None where there are none."""
        return self.spec.microbatches

    @property
    def precision(self) -> PrecisionSpec | None:
        """In how many bits layers may send what they send; None where all is sent in full."""
        return self.spec.precision

    @property
    def full_bits(self) -> int:
        """Bits of an element that is sent in full."""
        return 8 * self.bytes_per_element

    @property
    def samples_at_once(self) -> int:
        """Samples that a split of the batch splits: those of a microbatch, where the batch is cut into some."""
        return self.batch // (self.spec.microbatches or 1)

    @property
    def levels(self) -> int:
        """H: in how many levels the array is cut."""
        return self.partition.levels

    @cached_property
    def partition(self) -> Partition:
        """How the array is cut: into the groups of every level, down to the leaves."""
        return self.spec.array.partition

    @cached_property
    def machine(self) -> Machine:
        """The array as a graph, built when it is asked for.

        Raises
        ------
        InputError
            If it is too large to be built.
        """
        from hypar_opt.instance.array import build_machine

        if self.built is not None:
            return self.built
        try:
            return build_machine(self.spec.array)
        except MachineError as error:
            raise InputError(error.message, file=self.source, field="array") from None

    @cached_property
    def accelerators(self) -> int:
        """How many the array has; the partition uses as many as it has leaves."""
        from hypar_opt.instance.array import accelerators_of

        return accelerators_of(self.spec.array)

    @property
    def mixed(self) -> MixedArray | None:
        """The array's kinds of accelerators and its unlike groups; None where all accelerators are alike."""
        return self.spec.array.mixed

    @cached_property
    def shares(self) -> Shares:
        """What decides the shares of the array's splits."""
        from hypar_opt.instance.mixed_shares import shares_of

        return shares_of(self.spec.cost.shares, () if self.mixed is None else self.mixed.splits)

    @property
    def scheduled_sums(self) -> CollectivesSpec | None:
        """By which algorithm partial sums are exchanged; None where each does so with its counterpart."""
        asked = self.spec.array.collectives
        return asked if asked is not None and asked.scheduled else None

    @property
    def barrier(self) -> Barrier:
        """Where the groups of an array of several kinds wait for each other."""
        return BARRIERS[self.spec.cost.barrier]

    @property
    def is_placed(self) -> bool:
        """Whether the objective, or what is bounded, depends on where in the array the groups stand.

        Of several kinds it does not: these stand on the leaves, and read at bandwidths of their own.
        """
        return self.mixed is None and any(depends_on(name, PLACED) for name in self.spec.components)

    @cached_property
    def placement(self) -> tuple[int, ...] | None:
        """The given placement: an accelerator's position for every leaf; None where it is to be decided."""
        given = self.spec.array.placement
        if isinstance(given, str):
            return tuple(range(self.partition.leaves)) if given == "identity" else None
        position = {name: site for site, name in enumerate(self.machine.accelerators)}
        return tuple(position[name] for name in given)

    @property
    def accounting(self) -> Accounting:
        """How tensors between layers are charged."""
        return self.spec.cost.accounting

    @property
    def choices(self) -> str:
        """The letters of the choices in the order of these, for example `dm`."""
        return self.spec.cost.letters

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
    def objective(self) -> ObjectiveFunction:
        """What the objective asks for."""
        return self.spec.objective_function

    @cached_property
    def bounds(self) -> Mapping[str, Fraction]:
        """By component the most that a plan may cost, exact."""
        from fractions import Fraction

        return {name: Fraction(most) for name, most in self.spec.subject_to.items()}

    @cached_property
    def accelerator(self) -> Accelerator | None:
        """What one accelerator can do, where the array says so."""
        from hypar_opt.instance.accelerator_schema import accelerator_of

        return accelerator_of(self.spec.array.accelerator)

    @property
    def optimiser(self) -> Optimiser:
        """What updates the weights."""
        return OPTIMISERS[self.spec.cost.optimiser]

    @property
    def fix(self) -> dict[str, str]:
        """Strategies that are given, by layer: words, with a `.` at the levels that are left open."""
        return dict(self._given_words)

    @cached_property
    def _given_words(self) -> dict[str, str]:
        from hypar_opt.instance.fix import resolved

        return resolved(self.spec.fix, self.network.decision_names)


def as_argument(make: Callable[..., T], *given: object) -> T:
    """Return what is made; an error names an argument where the command line has an option."""
    try:
        return make(*given)
    except InputError as error:
        option, _, inside = (error.field or "").removeprefix("--").partition(" ")
        name = ".".join(filter(None, (option.replace("-", "_"), inside)))
        fault = InputError(error.message, file=error.file, line=error.line, field=name or None)
    raise fault
