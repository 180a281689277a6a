"""What a format of pipelines is, what is wished where a file leaves it open, and numbers of such files."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from hypar_opt.importers.pipelines.blocks import in_blocks
from hypar_opt.instance.exact import decimal
from hypar_opt.instance.text import shown
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.importers.pipelines.made import MadePipeline
    from hypar_opt.instance.formats.format import File

FEMTOSECOND: Final = Decimal("1e-15")
"""To which times are rounded: sums of a hundred thousand operators still fit 64 bits."""
MILLISECOND: Final = Decimal("1e-3")


@dataclass(frozen=True)
class PipelineWishes:
    """What is wished of a pipeline where its file leaves it open.

    Parameters
    ----------
    devices
        How many there are.
    bandwidth, memory
        Of each, in bytes a second and bytes.
    straight
        Whether a stage is on one device, and on no replicas.
    stages
        How many there may be; a file of any format leaves that open.
    blocks
        Whether branches that join again are blocks that no cut divides; of any format, too.
    """

    devices: int | None = None
    bandwidth: Decimal | None = None
    memory: Decimal | None = None
    straight: bool = False
    stages: int | None = None
    blocks: bool = False

    @property
    def given(self) -> tuple[str, ...]:
        """The names of what is wished."""
        return tuple(one.name for one in fields(self) if getattr(self, one.name) not in (None, False))

    def met_by(self, made: MadePipeline) -> MadePipeline:
        """Return a pipeline with what a file of any format leaves open: the most stages, and blocks."""
        found = dict(made.fields) if self.stages is None else {**made.fields, "stages": self.stages}
        if self.blocks:
            found["operators"] = in_blocks(found["operators"])
        return replace(made, fields=found)

    @property
    def count(self) -> int:
        """How many devices.

        Raises
        ------
        InputError
            If that is not said.
        """
        if self.devices is None:
            raise InputError("the file does not say how many devices there are; expected --devices N", field="devices")
        return self.devices


@dataclass(frozen=True)
class PipelineFormat:
    """A format of pipelines.

    Parameters
    ----------
    name, about
        As messages have it, and what tells it.
    recognises
        Whether a text is in the format.
    read
        From a file to the pipeline.
    options
        Which wishes it takes.
    rank
        When it is asked; the first that recognises a file reads it.
    """

    name: str
    about: str
    recognises: Callable[[str], bool]
    read: Callable[[File, PipelineWishes], MadePipeline]
    options: tuple[str, ...] = ()
    rank: int = 500

    def check(self, wishes: PipelineWishes) -> None:
        """Refuse what a file of the format says itself.

        Raises
        ------
        InputError
            If such is wished.
        """
        other = next((one for one in wishes.given if one not in (*self.options, "stages", "blocks")), None)
        if other is not None:
            raise InputError(f"a file of {self.name} says that itself, or has none", field=f"--{other}")


def rounded(seconds: Decimal) -> Decimal:
    """Return a time in whole femtoseconds, without zeros at its end: shorter decimals are as they were."""
    if abs(seconds) < FEMTOSECOND * 10**27:
        seconds = seconds.quantize(FEMTOSECOND)
    short = seconds.normalize()
    return short.quantize(Decimal(1)) if short == short.to_integral_value() and abs(short) < 10**27 else short


def in_femtoseconds(seconds: Fraction) -> Decimal:
    """Return an exact time as `rounded` has it."""
    return rounded(Decimal(round(seconds / Fraction(FEMTOSECOND))) * FEMTOSECOND)


def number_of(text: str, what: str) -> Decimal:
    """Return the number that a text of a file spells.

    Raises
    ------
    InputError
        If it spells none, or one below 0; without a place.
    """
    try:
        found = decimal(text.strip())
    except (InvalidOperation, ValueError):
        found = None
    if found is None or found < 0:
        raise InputError(f"{what}: expected a number of at least 0, got {shown(text.strip())}")
    return found
