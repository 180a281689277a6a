"""An instance: what there is to optimise."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from hypar_opt.instance.cost_schema import Accounting
    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.network import Network

LETTERS = {"dp": "d", "mp": "m", "op": "o"}
"""The letter of each choice in a strategy, in the order in which alphabets list them."""


@dataclass(frozen=True)
class Overrides:
    """What replaces fields of an instance; None leaves the field as it is.

    Parameters
    ----------
    accounting
        Replaces `cost.accounting`.
    batch
        Replaces `batch`.
    levels
        Replaces `array.levels`.
    """

    accounting: str | None = None
    batch: int | None = None
    levels: int | None = None

    def given(self) -> dict[str, object]:
        """Return those that were given."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True)
class Instance:
    """A validated instance.

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
    """

    spec: InstanceSpec
    network: Network
    sha256: str
    overrides: Mapping[str, object]
    source: Path | None = None

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
    def objective(self) -> dict[str, Fraction]:
        """Exact weights by component of the cost."""
        return {name: Fraction(weight) for name, weight in self.spec.objective.items()}

    @property
    def fix(self) -> dict[str, str]:
        """Strategies that are given, by layer."""
        return dict(self.spec.fix)
