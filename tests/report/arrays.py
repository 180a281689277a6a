"""Arrays of every topology, in the sizes that are looked at."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypar_opt.instance.hardware import TOPOLOGIES, Shape, Wire, custom, machine_of

WIRE = Wire(Fraction(10**9), Fraction(0), Fraction(1, 10**9))
NAMES = (*TOPOLOGIES, "cubic-torus", "flat-mesh")
DIMS = {
    "cubic-torus": {2: (2, 2, 1), 4: (4, 2, 2), 6: (4, 4, 4)},
    "flat-mesh": {2: (2, 1, 2, 1), 4: (2, 2, 2, 2), 6: (2, 2, 4, 4)},
}


def array(name, levels):
    if name == "custom":
        return drawn(levels)
    if name in DIMS:
        return machine_of(name.partition("-")[2], Shape(levels, dims=DIMS[name][levels], wire=WIRE))
    return machine_of(name, Shape(levels, wire=WIRE))


def drawn(levels):
    """Return a random connected graph with two accelerators to spare."""
    rng = Random(levels)
    names = [f"n{i}" for i in range((1 << levels) + 2)]
    pairs = {(names[rng.randrange(i)], names[i]) for i in range(1, len(names))}
    pairs |= {tuple(sorted(rng.sample(names, 2), key=names.index)) for _ in range(len(names) // 2)}
    nodes = [{"name": name, "kind": "accelerator"} for name in names]
    return custom(nodes, [{"ends": pair} for pair in sorted(pairs)], WIRE, levels)
