"""Which components of their cost plans of operators have, and what an array of axes has to say for each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.instance.objective.components import (
    COMPONENTS,
    EXCHANGES,
    HOP_BYTES,
    ROUNDING,
    SRAM_ENERGY,
    links_lack,
    needs_of,
)
from hypar_opt.instance.operators.device_schema import device_fault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from hypar_opt.instance.operators.axes_schema import AxesArraySpec
    from hypar_opt.instance.text import FieldPath

UNKNOWN: Final = (SRAM_ENERGY, *EXCHANGES, ROUNDING)
"""Components that plans of operators have not: of buffers nothing is counted, nor parts of exchanges, nor bits."""
KNOWN: Final = tuple(name for name in COMPONENTS if name not in UNKNOWN)


def lacking(array: AxesArraySpec, components: Iterable[str]) -> tuple[FieldPath, str] | None:
    """Return the field of an array that keeps it from saying what components cost, and why; or None."""
    for component in components:
        if component == HOP_BYTES and array.topology is None:
            return ("array", "topology"), f"missing, and {component} needs it: links that bytes cross"
        needs = needs_of(component)
        for field in sorted(one.partition(".")[2] for one in needs if one.startswith("link.")):
            fault = _links_lack(array, field, component)
            if fault is not None:
                return fault
        if any(one.startswith("accelerator") for one in needs):
            if array.accelerator is None:
                return ("array", "accelerator"), f"missing, and {component} needs it"
            wrong = device_fault(array.accelerator, component)
            if wrong is not None:
                return ("array", "accelerator", wrong[0]), wrong[1]
    return None


def _links_lack(array: AxesArraySpec, field: str, component: str) -> tuple[FieldPath, str] | None:
    if array.topology is not None:
        return links_lack(array, "link", field, component)
    if array.axes is None:
        return ("array", "levels"), f"expected axes with links, and {component} needs the {field} of each"
    for number, axis in enumerate(array.axes):
        if axis.link is None:
            return (
                "array",
                "axes",
                number,
                "link",
            ), f"missing of axis '{axis.name}', and {component} needs its {field}"
        if getattr(axis.link, field) is None:
            return ("array", "axes", number, "link", field), f"missing of axis '{axis.name}', and {component} needs it"
    return None
