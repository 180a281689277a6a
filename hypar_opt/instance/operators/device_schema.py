"""What stands under `array.accelerator:` where an array is a product of axes."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final, Literal

from pydantic import AfterValidator, Field

from hypar_opt.instance.accelerator_schema import AcceleratorSpec, accelerator_of
from hypar_opt.instance.fields import Given, Name, Number, Spec, refusal
from hypar_opt.instance.operators.device import Device, Shape
from hypar_opt.instance.text import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypar_opt.instance.operators.device import TimesFile

ROOFLINE: Final = "roofline"
"""The model by which operators are timed."""
MOST_SIZE_DIGITS: Final = 13
"""Of a dimension's size in a table of measured times."""


def shape_of(text: str) -> Shape:
    """Return the local sizes that a table of measured times has, as `batch=4 in=64`.

    Raises
    ------
    ValueError
        If it is not of that form.
    """
    found: dict[str, int] = {}
    for part in text.split():
        name, equals, size = part.partition("=")
        if not name or not equals or not size.isascii() or not size.isdigit() or len(size) > MOST_SIZE_DIGITS:
            raise ValueError(f"expected NAME=SIZE with spaces between, for example batch=4 in=64, got {shown(part)}")
        if name in found:
            raise ValueError(f"expected each dimension once, got {shown(name)} twice")
        found[name] = int(size)
    return tuple(sorted(found.items()))


def _shape(text: str) -> str:
    try:
        shape_of(text)
    except ValueError as error:
        raise refusal(str(error)) from None
    return text


class TimeSpec(Spec):
    """What an operator of a local shape was measured to take."""

    operator: Name = Field(description="its kind, as linear")
    shape: Annotated[str, AfterValidator(_shape)] = Field(
        description="its dimensions with their sizes on one device, as batch=4 in=64, in any order"
    )
    forward: Number = Field(description="seconds of the forward phase")
    backward: Number = Field(description="seconds of the backward phase: of all gradients together")


class DeviceSpec(AcceleratorSpec):
    """What every device can do, and what it spends."""

    model: Literal["roofline", "as-evaluated", "row-stationary"] = Field(  # type: ignore[assignment]
        ROOFLINE, description="how operators are timed: only roofline does; others are of layers split in halves"
    )
    times: Annotated[tuple[TimeSpec, ...] | None, Field(strict=False, min_length=1), Given] = Field(
        None, description="measured times, which stand for the roofline; in a file of their own, CSV, as {file: PATH}"
    )


def device_fault(spec: DeviceSpec, component: str) -> tuple[str, str] | None:
    """Return the field of a device that keeps it from saying what a component costs, and why; or None."""
    if spec.model != ROOFLINE and spec.times is None:
        return "model", f"expected {ROOFLINE}, by which {component} of operators is told, got {spec.model}"
    if spec.utilisation == "grid":
        return "utilisation", f"expected a share of the peak, for {component} of operators is told by it, got grid"
    if component.endswith("energy") and spec.energy is None:
        return "energy", f"missing, and {component} needs it"
    return None


def device_of(spec: DeviceSpec | None, source: Callable[[], TimesFile | None] | None = None) -> Device | None:
    """Return what a device can do, or None where not enough is said to time operators.

    Parameters
    ----------
    spec
        What an array says.
    source
        Returns the file that has its measured times, if there is one.
    """
    accelerator = accelerator_of(spec)
    if spec is None or accelerator is None or device_fault(spec, "compute-time") is not None:
        return None
    assert accelerator.utilisation is not None  # which is not that of a grid
    times = None
    if spec.times is not None:
        times = {
            (one.operator, shape_of(one.shape)): (Fraction(one.forward), Fraction(one.backward)) for one in spec.times
        }
    rate = accelerator.rate * accelerator.utilisation
    return Device(rate, accelerator.bandwidth, accelerator.energies, times, source)
