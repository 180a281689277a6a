"""Arrays made in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hypar_opt.instance.array_schema import ArraySpec
from hypar_opt.instance.arrays import own_fault
from hypar_opt.instance.faults import validated
from hypar_opt.instance.text import dotted
from hypar_opt.util.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Array(ArraySpec):
    """An array of accelerators, made in Python: the arguments are the fields of `array` in an instance file.

    Parameters
    ----------
    topology
        How the accelerators are connected.
    levels
        H: 2^H accelerators are used.
    accelerators, dims, ports, switches
        Sizes of the topologies that have them.
    link, accelerator
        What every link and every accelerator can do, by field.
    routing, placement, graph
        As in a file.

    Raises
    ------
    InputError
        If there can be no such array; names the argument.
    """

    def __init__(
        self,
        topology: str,
        levels: int,
        *,
        accelerators: int | None = None,
        dims: Sequence[int] | None = None,
        ports: int | None = None,
        switches: int | None = None,
        link: Mapping[str, Any] | None = None,
        accelerator: Mapping[str, Any] | None = None,
        routing: str | None = None,
        placement: str | Sequence[str] | None = None,
        graph: Mapping[str, Any] | None = None,
    ) -> None:
        given = {
            "topology": topology, "levels": levels, "accelerators": accelerators, "dims": dims, "ports": ports,
            "switches": switches, "link": link, "accelerator": accelerator, "routing": routing, "placement": placement,
            "graph": graph,
        }  # fmt: skip
        spec = validated(ArraySpec, {name: value for name, value in given.items() if value is not None})
        wrong = own_fault(spec)
        if wrong is not None:
            raise InputError(wrong[1], field=dotted(wrong[0][1:]))
        super().__init__(**{name: getattr(spec, name) for name in spec.model_fields_set})

    def __repr__(self) -> str:
        return f"Array({self.topology!r}, levels={self.levels})"

    __str__ = __repr__
