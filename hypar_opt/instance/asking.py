"""Whether there are such components, and an instance says enough of them; what reads schemas is imported when asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.components import COMPONENTS
from hypar_opt.errors import InputError, did_you_mean
from hypar_opt.instance.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hypar_opt.instance.schema import InstanceSpec
    from hypar_opt.instance.wording import FieldPath


def check_known(names: Iterable[str], field: str) -> None:
    """Raise `InputError` at the first name that is no component; the nearest one is in the message.

    Parameters
    ----------
    field
        What is to blame.
    """
    for name in names:
        if name not in COMPONENTS:
            hint = did_you_mean(name, COMPONENTS)
            raise InputError(f"expected {', '.join(COMPONENTS)}, got {shown(name)}{hint}", field=field)


def unknown_needs(spec: InstanceSpec, components: Sequence[str]) -> tuple[FieldPath, str] | None:
    """Return the field of an array that keeps it from saying what components cost, and why; or None."""
    from hypar_opt.instance.arrays import unknown_needs as of_array

    return of_array(spec, components)


def missing_for(spec: InstanceSpec, components: Sequence[str]) -> tuple[FieldPath, str] | None:
    """Return the same of all that components are compiled from: an accounting without levels cannot be weighed so."""
    from hypar_opt.instance.schema import levelled_fault

    levelled = levelled_fault(spec, components)
    if levelled is not None:
        return ("cost", "accounting"), f"{levelled}; expected another accounting"
    return unknown_needs(spec, components)
