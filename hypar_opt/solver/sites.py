"""Accelerators by their names: where leaves, or devices, stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypar_opt.util.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Sequence


def sites_named(names: Sequence[str], accelerators: Sequence[str], count: int, each: str) -> tuple[int, ...]:
    """Return the positions of accelerators.

    Parameters
    ----------
    names
        Which.
    accelerators
        All of the array, in order.
    count, each
        How many are needed, and what each is for: `leaf`, or `device`.

    Raises
    ------
    InputError
        If a name is none, or there are more or fewer.
    """
    position = {name: site for site, name in enumerate(accelerators)}
    if len(names) != count:
        raise InputError(f"expected {count} accelerators, one for every {each}, got {len(names)}", field="placement")
    for number, name in enumerate(names):
        if name not in position:
            hint = did_you_mean(name, accelerators)
            raise InputError(f"the array has no accelerator '{name}'{hint}", field=f"placement[{number}]")
    return tuple(position[name] for name in names)
