"""Collectives of tests, as files would say them."""

from __future__ import annotations

from hypar_opt.instance.collective import read_collective
from hypar_opt.util.errors import InputError

SIZES = ("accelerators", "dims", "ports", "switches", "levels", "link", "graph")


def collective_document(topology="torus", collective="all-gather", **said):
    """Return what a file would say: fields of the array are told by their names, all others are the collective's."""
    array = {"topology": topology, **{name: said.pop(name) for name in SIZES if name in said}}
    return {
        "schema": "hypar-opt/collective/1",
        "name": "of-a-test",
        "array": array,
        "collective": collective,
        "bytes": 2**30,
        **said,
    }


def collective_of(topology="torus", collective="all-gather", **said):
    """Return the collective."""
    return read_collective(collective_document(topology, collective, **said), _error)


def _error(message, path=(), **_):
    return InputError(message, field=".".join(map(str, path)))
