"""Compiles one small program a conversion, in a process of its own, for what XLA's partitioner makes of two placements.

Run as a file, by the path of a JSON file with the axes' sizes and a list of ways, and by the path of what is written:
JSON with the framework's version and, for each way, its collectives' lines of the optimised module. A way is where a
tensor lies, where it is told to lie behind the reduction of its partial sums, and where it is needed. Each is an entry
an axis: the digit of a dimension, R for whole or P for partial sums. It needs JAX and nothing else.
"""

from __future__ import annotations

import json
import sys
from math import prod
from pathlib import Path
from typing import Any

PARTIAL = "P"
CALLS = ("all-reduce", "reduce-scatter", "all-gather", "all-to-all", "collective-permute")


def main(jobs: str, output: str) -> None:
    """Compile all programs."""
    job = json.loads(Path(jobs).read_text(encoding="utf-8"))
    found = [_lines(job["axes"], *way) for way in job["ways"]]
    Path(output).write_text(json.dumps({"version": _jax().__version__, "found": found}), encoding="utf-8")


def _jax() -> Any:
    """Return the framework, whose functions have no annotations."""
    import jax

    return jax


def _lines(axes: list[int], have: str, reduced: str, need: str) -> list[str]:
    """Return the lines of the collectives by which a tensor comes from where it lies to where it is needed.

    It has a dimension for each that is split on either side, and each of these as many numbers as there are devices.
    What lies in partial sums is written by a product over a dimension that is split on their axes.
    """
    import jax.numpy as jnp
    import numpy as np

    jax = _jax()
    names = tuple(f"a{axis}" for axis in range(len(axes)))
    mesh = jax.sharding.Mesh(np.array(jax.devices()[: prod(axes)]).reshape(axes), names)
    dims = 1 + max((int(one) for one in (*have, *need) if one.isdigit()), default=0)

    def along(placement: str, letter: str) -> tuple[str, ...] | None:
        return tuple(name for name, one in zip(names, placement, strict=True) if one == letter) or None

    def sharding(*spec: Any) -> Any:
        return jax.NamedSharding(mesh, jax.sharding.PartitionSpec(*spec))

    def shape(*spec: Any) -> Any:
        return jax.ShapeDtypeStruct((prod(axes),) * len(spec), np.float32, sharding=sharding(*spec))

    def laid(tensor: Any, placement: str) -> Any:
        return jax.lax.with_sharding_constraint(tensor, sharding(*spec(placement)))

    def spec(placement: str) -> list[tuple[str, ...] | None]:
        return [along(placement, str(dim)) for dim in range(dims)]

    def whole(tensor: Any) -> Any:
        return jnp.tanh(laid(laid(jnp.tanh(tensor), reduced), need))

    def product(tensor: Any, weights: Any) -> Any:
        return jnp.tanh(laid(laid(jnp.tensordot(weights, tensor, axes=1), reduced), need))

    there, summed = spec(have), along(have, PARTIAL)
    step, shapes = (whole, (shape(*there),)) if summed is None else (product, (shape(summed, *there), shape(summed)))
    text: str = jax.jit(step, out_shardings=sharding(*spec(need))).lower(*shapes).compile().as_text()
    jax.clear_caches()
    return [line.strip() for line in text.splitlines() if any(f" {call}" in line for call in CALLS)]


if __name__ == "__main__":
    main(*sys.argv[1:])
