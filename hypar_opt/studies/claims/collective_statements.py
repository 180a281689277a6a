"""What a claim can state of collectives: quantities of a schedule, fewest steps, and one algorithm beside another."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

from pydantic import AfterValidator, Field, model_validator

from hypar_opt.formulation.registry import load_formulation
from hypar_opt.instance.byte_sizes import byte_sizes
from hypar_opt.instance.collective import CollectiveInstance, read_collective
from hypar_opt.instance.collective.schema import SCHEMA, CollectiveName, Messages
from hypar_opt.instance.fields import Given, Name, Size, refusal
from hypar_opt.studies.claims.collective_quantities import EXPRESSIONS, QUANTITIES
from hypar_opt.studies.claims.printed import Figure, Printed, PrintedNumber
from hypar_opt.studies.claims.statement_parts import Numeric, Statement
from hypar_opt.util.errors import InputError

MOST_ARRAYS: Final = 64
_ANY_BYTES: Final = 2**40
"""Of the collectives whose schedules are found."""
LINK: Final[Mapping[str, Any]] = {"bandwidth": 16_000_000_000, "latency": Decimal("0.00000015")}
"""Of arrays that say none: 16 bytes a cycle and 150 cycles a message, at 1 GHz."""


def _known(name: str) -> str:
    try:
        load_formulation(name)
    except InputError as error:
        raise refusal(error.message) from None
    return name


def _sizes(text: str) -> str:
    try:
        byte_sizes(text)
    except ValueError as error:
        raise refusal(str(error)) from None
    return text


Algorithm: TypeAlias = Annotated[Name, AfterValidator(_known)]
"""A formulation's name."""
Sizes: TypeAlias = Annotated[str, AfterValidator(_sizes)]
"""Bytes, as `compare --bytes` takes them."""
if TYPE_CHECKING:
    Quantity: TypeAlias = str
    Expression: TypeAlias = str
else:
    Quantity = Literal[tuple(QUANTITIES)]
    Expression = Literal[tuple(EXPRESSIONS)]


class OnArrays(Statement):
    """Something of a collective on one or more arrays."""

    of_instances: ClassVar[bool] = False
    collective: CollectiveName = Field("all-reduce", description="what all have to have in the end")
    arrays: Annotated[tuple[dict[str, Any], ...], Field(strict=False, min_length=1, max_length=MOST_ARRAYS)] = Field(
        description="each as it stands under `array:`; a link that is not said carries 16 GB/s after 150 ns"
    )
    group: Annotated[Annotated[tuple[Name, ...], Field(strict=False)] | None, Given] = Field(
        None, description="accelerators that take part; without it all"
    )
    chunks: Size = Field(1, description="of what one accelerator gives, or gets")
    objective: Literal["steps", "time"] = Field(
        "steps", description="synchronous steps in lockstep, or each send as soon as can be, of every size anew"
    )
    messages: Messages = Field("single", description="in time: chunks each by itself, or joined on the same way")
    bytes_: Sizes = Field("1GiB", alias="bytes", description="of all chunks together: 64MiB, or 1KiB-1GiB")

    @property
    def sizes(self) -> tuple[int, ...]:
        """In bytes, ascending."""
        return byte_sizes(self.bytes_)

    @cached_property
    def collectives(self) -> tuple[CollectiveInstance, ...]:
        """On every array; of synchronous steps of one size, as schedules are the same whatever the size."""
        return tuple(self._on(array) for array in self.arrays)

    @property
    def arrays_asked(self) -> frozenset[str]:
        """The collective on every array."""
        return frozenset(one.sha256 for one in self.collectives)

    def _on(self, array: Mapping[str, Any]) -> CollectiveInstance:
        optional = {} if self.group is None else {"group": list(self.group)}
        said = optional | {
            "schema": SCHEMA,
            "name": _name_of(array),
            "array": {"link": dict(LINK), **array},
            "collective": self.collective,
            "chunks": self.chunks,
            "bytes": _ANY_BYTES,
            "objective": self.objective,
            "messages": self.messages,
        }
        return read_collective(said, _error)

    @model_validator(mode="after")
    def _there_are_arrays(self) -> Self:
        for place, array in enumerate(self.arrays):
            try:
                found = self._on(array)
            except InputError as error:
                raise refusal(f"array {place + 1}: {error}", at="arrays") from None
            if self.sizes[0] < len(found.chunks):
                raise refusal(f"expected at least a byte for each of {len(found.chunks):,} chunks", at="bytes")
            if not found.is_timed:
                raise refusal(f"array {place + 1}: expected a bandwidth for every link", at="arrays")
        return self


def _name_of(array: Mapping[str, Any]) -> str:
    """Return a name in which an array is told from others: torus 8x8."""
    dims, counts = array.get("dims"), [array.get(name) for name in ("accelerators", "ports", "levels")]
    size = "x".join(map(str, dims)) if isinstance(dims, list | tuple) else next((str(one) for one in counts if one), "")
    return f"{array.get('topology', 'array')} {size}".strip()


def _error(message: str, path: object = (), **_: object) -> InputError:
    where = path if isinstance(path, tuple) else (path,)
    return InputError(message, field=".".join(map(str, where)))


class OfCollective(OnArrays):
    """A quantity of an algorithm's schedule is what is stated, on every array with every size."""

    formulation: Algorithm = Field(description="whose schedule")
    quantity: Quantity = Field(description="what of it")
    equals: Annotated[Expression | None, Given] = Field(None, description="of P accelerators, N bytes, alpha and beta")
    value: Annotated[Printed | None, Given] = Field(None, description="or a number, as printed")
    off: Annotated[int, Field(ge=0)] = Field(0, description="how far from the number it may be")

    @property
    def says(self) -> str:
        """The quantity, and what it is said to be."""
        said = self.equals if self.value is None else self.value.text
        return f"{self.quantity} of {self.formulation}: {said}"

    @model_validator(mode="after")
    def _one_relation(self) -> Self:
        if (self.equals is None) == (self.value is None):
            raise refusal(f"expected one of equals, value, got {'none' if self.value is None else 'both'}")
        return self


class FewestSteps(OnArrays):
    """No schedule takes fewer synchronous steps."""

    steps: Size = Field(description="as printed")

    @property
    def says(self) -> str:
        """The number."""
        return f"{self.steps:,} steps, no fewer"


class CollectiveGain(OnArrays, Numeric):
    """How many times as long one algorithm takes as another, in lockstep."""

    formulation: Algorithm = Field(description="the faster one")
    over: Algorithm = Field(description="what it is compared with")
    value: Annotated[Figure | None, Given] = Field(None, description="as printed")
    of: Literal["each", "some", "mean", "gmean"] = Field(
        "each", description="every array and size, one of them at least, or the arithmetic or geometric mean of all"
    )
    faster: bool = Field(False, description="in place of a number: that it is faster on every array at every size")
    over_bytes: Annotated[Printed, Given] = Field(
        PrintedNumber("1"), description="bytes on links of the other one for each byte, with heads of packets: 1.0625"
    )

    @property
    def printed(self) -> PrintedNumber:
        """The number, with its digits."""
        return PrintedNumber("1") if self.value is None else self.value

    @property
    def says(self) -> str:
        """The number and of what it is."""
        return f"faster than {self.over}" if self.value is None else f"{self.value.text} ({self.of})"

    @property
    def heads(self) -> Fraction:
        """Bytes on links of the other one for each byte."""
        return Fraction(self.over_bytes)

    @model_validator(mode="after")
    def _one_relation(self) -> Self:
        if (self.value is None) != self.faster:
            raise refusal(f"expected one of value, faster, got {'none' if self.value is None else 'both'}")
        return self
