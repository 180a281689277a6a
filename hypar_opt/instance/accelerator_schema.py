"""What stands under `array.accelerator:`."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, JsonValue, WithJsonSchema, model_validator

from hypar_opt.instance.exact import fraction
from hypar_opt.instance.fields import POSITIVE_SCHEMA, Given, Number, Pair, Spec, positive, refusal, where
from hypar_opt.instance.hardware.accelerator import Accelerator, Energies
from hypar_opt.instance.text import shown


def _utilisation(value: object) -> object:
    if value == "grid" or (isinstance(value, int | Decimal) and not isinstance(value, bool) and 0 < value <= 1):
        return Decimal(value) if isinstance(value, int) else value
    raise refusal(f"expected grid or a number above 0 and up to 1, got {shown(value)}")


Rate: TypeAlias = Annotated[Number, positive("rate"), POSITIVE_SCHEMA]
"""Something a second."""
Bytes: TypeAlias = Annotated[Number, positive("number of bytes"), POSITIVE_SCHEMA]
"""Bytes of a buffer or a memory."""
Utilisation: TypeAlias = Annotated[
    Literal["grid"] | Decimal,
    BeforeValidator(_utilisation),
    WithJsonSchema({"anyOf": [{"const": "grid"}, {"type": "number", "exclusiveMinimum": 0, "maximum": 1}]}),
]
"""A share of the peak, or what the mapping on the grid fills."""


class MemorySpec(Spec):
    """An accelerator's memory."""

    capacity: Annotated[Bytes | None, Given] = Field(
        None, description="bytes; plans that need more on an accelerator are not allowed; no limit unless given"
    )
    bandwidth: Annotated[Rate | None, Given] = Field(None, description="bytes a second; no limit unless given")


class EnergySpec(Spec):
    """Joules."""

    add: Number = Field(description="of an addition")
    multiply: Number = Field(description="of a multiplication")
    sram: Number = Field(description="of an access to a 32-bit word in the buffer")
    dram: Number = Field(description="of an access to a 32-bit word in the memory")


_NEEDS: list[JsonValue] = [
    {"anyOf": [{"required": ["rate"]}, {"required": ["grid", "clock"]}]},
    {"if": where(utilisation={"const": "grid"}), "then": {"required": ["grid"]}},
    {"if": where(model={"const": "row-stationary"}), "then": {"required": ["grid", "buffer"]}},
    {"if": where(model={"const": "peak"}), "then": {"not": {"required": ["energy"]}}},
]


class AcceleratorSpec(Spec):
    """What every accelerator can do, and what it spends."""

    model_config = ConfigDict(json_schema_extra={"allOf": _NEEDS})

    model: Literal["as-evaluated", "row-stationary", "peak"] = Field(
        description="how operations and accesses are counted: as the paper's figures have them, by a dataflow, or "
        "operations on output positions alone"
    )
    rate: Annotated[Rate | None, Given] = Field(
        None, description="operations a second at the peak; two for every element of the grid and tick unless given"
    )
    grid: Annotated[Pair | None, Given] = Field(None, description="rows and columns of processing elements")
    clock: Annotated[Rate | None, Given] = Field(None, description="ticks a second")
    buffer: Annotated[Bytes | None, Given] = Field(None, description="bytes on the chip")
    utilisation: Utilisation = Field(
        Decimal(1), description="share of the peak that is reached, or grid: what the mapping on the grid fills"
    )
    memory: MemorySpec = Field(default_factory=MemorySpec, description="its memory")
    energy: Annotated[EnergySpec | None, Given] = Field(None, description="joules of operations and accesses")

    @model_validator(mode="after")
    def _rate_is_known(self) -> AcceleratorSpec:
        if self.rate is None and (self.grid is None or self.clock is None):
            raise refusal("missing; expected the operations a second, or grid and clock", at="rate")
        return self

    @model_validator(mode="after")
    def _model_has_what_it_needs(self) -> AcceleratorSpec:
        if self.grid is None and (self.utilisation == "grid" or self.model == "row-stationary"):
            by = "utilisation is grid" if self.utilisation == "grid" else "the model is row-stationary"
            raise refusal(f"missing; expected the rows and columns of processing elements, for {by}", at="grid")
        if self.buffer is None and self.model == "row-stationary":
            raise refusal("missing; expected bytes, for the model is row-stationary", at="buffer")
        if self.energy is not None and self.model == "peak":
            raise refusal("expected none, for the model peak counts no accesses; as-evaluated does", at="energy")
        return self


def accelerator_of(spec: AcceleratorSpec | None) -> Accelerator | None:
    """Return the accelerator; at the peak every element of the grid multiplies and adds at every tick."""
    if spec is None:
        return None
    if spec.rate is not None:
        rate = Fraction(spec.rate)
    else:
        assert spec.grid is not None and spec.clock is not None  # the schema asks for one or the other
        rate = 2 * spec.grid[0] * spec.grid[1] * Fraction(spec.clock)
    joules = None if spec.energy is None else {name: Fraction(one) for name, one in spec.energy}
    return Accelerator(
        model=spec.model,
        rate=rate,
        grid=spec.grid,
        buffer=fraction(spec.buffer),
        utilisation=Fraction(spec.utilisation) if isinstance(spec.utilisation, Decimal) else None,
        bandwidth=fraction(spec.memory.bandwidth),
        capacity=fraction(spec.memory.capacity),
        energies=None if joules is None else Energies(**joules),
    )
