"""A plan as a Python file that runs by itself: mesh, PartitionSpecs, and the step inside of one shard_map."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax.parts_of_runtime import needed_functions, runtime_functions
from hypar_opt.export.jax.step import StepWriter
from hypar_opt.export.jax.writer import Writer
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.export.jax.tables import Row
    from hypar_opt.export.planned import PlannedStep

DTYPES: Final = {2: "bfloat16", 4: "float32", 8: "float64"}
"""By bytes of a number."""

FILE: Final = '''"""A training step of {name} on {devices} devices, as planned: {axes}.

Written by hypar-opt. `python {file}` runs a few steps on devices of the host; `training_step(parameters, inputs)` is
what a program of your own would call. Inside of it every array is the part that one device has.
"""

import itertools
import os

if "host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count={devices}"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax import named_scope as scope  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

AXES = {sizes}
MESH = jax.sharding.Mesh(np.array(jax.devices()[:{devices}]).reshape(*AXES.values()), tuple(AXES))
DTYPE = np.dtype("{dtype}")
RATE = 0.01  # of gradient descent

# By name: source, whole shape, PartitionSpec, the axes' digits of its dimensions, what indices are below, and the
# rows of neighbours that inputs are loaded with.
PARAMETERS = {{
{parameters}
}}
INPUTS = {{
{inputs}
}}


{runtime}


{functions}


def step(parameters, inputs):
    """Forward, backward and update of what one device has."""
{lines}


def specs(table):
    """The PartitionSpecs of a table."""
    return {{name: row[2] for name, row in table.items()}}


training_step = jax.jit(
    jax.shard_map(
        step,
        mesh=MESH,
        in_specs=(specs(PARAMETERS), specs(INPUTS)),
        out_specs=(specs(PARAMETERS), P(tuple(AXES))),
        check_vma=False,
    )
)


def placed(table, sources):
    """Whole arrays, put on the devices as a table says."""
    return {{
        name: jax.device_put(laid(sources[source], cuts, windows), jax.NamedSharding(MESH, spec))
        for name, (source, _, spec, cuts, _, windows) in table.items()
    }}


def random_arrays(table, seed=0):
    """Whole arrays for a table."""
    random, found = np.random.default_rng(seed), {{}}
    for source, shape, _, _, below, _ in table.values():
        if source not in found:
            fan = max(1.0, np.prod(shape[1:]) ** 0.5) if table is PARAMETERS else 1.0
            drawn = random.standard_normal(shape) / fan if below is None else random.integers(below, size=shape)
            found[source] = drawn.astype(DTYPE if below is None else np.int32)
    return found


if __name__ == "__main__":
    parameters = placed(PARAMETERS, random_arrays(PARAMETERS))
    inputs = placed(INPUTS, random_arrays(INPUTS, seed=1))
    for number in range(3):
        parameters, loss = training_step(parameters, inputs)
        print(f"step {{number}}: loss {{loss.sum():.6f}}")
'''


@dataclass(frozen=True)
class Program:
    """A program of a plan.

    Parameters
    ----------
    text
        Of the file.
    sources
        By what it calls them, its conversions: of which tensor, in which phase, for which operator.
    reasons
        Why one moves something else than it is said to, where that is so.
    """

    text: str
    sources: Mapping[str, tuple[str, str, str | None]]
    reasons: Mapping[tuple[str, str, str | None], str]


def jax_program(step: PlannedStep, file: str = "step.py") -> Program:
    """Return a program that does a training step as planned.

    Parameters
    ----------
    step
        What is planned.
    file
        What it will be called.

    Raises
    ------
    Refusal
        If the plan cannot be carried out with equal parts, or an operator is of a kind that is not exported.
    """
    if step.element_bytes not in DTYPES:
        raise Refusal(f"programs have numbers of 2, 4 or 8 bytes, and the instance's take {step.element_bytes}")
    writer = Writer(step, tuple(runtime_functions(deals=True)))
    StepWriter(writer).write()
    lines = "\n".join(writer.lines)
    functions = "\n\n\n".join(
        f"def {name}({arguments}):\n    return {body}" for (arguments, body), name in writer.functions.items()
    )
    axes = " x ".join(f"{axis.name} ({axis.size})" for axis in step.partition.axes)
    text = FILE.format(
        name=step.name,
        devices=step.partition.leaves,
        axes=axes,
        file=file,
        sizes="{" + ", ".join(f'"{axis.name}": {axis.size}' for axis in step.partition.axes) + "}",
        dtype=DTYPES[step.element_bytes],
        parameters=_table(writer, writer.kept),
        inputs=_table(writer, writer.given),
        runtime=needed_functions(f"{lines} {functions} laid restored", deals=bool(step.layouts.dealt)),
        functions=functions,
        lines=lines.strip("\n"),
    )
    return Program(text, dict(writer.sources), dict(writer.reasons))


def _table(writer: Writer, rows: dict[str, Row]) -> str:
    return "\n".join(f'    "{name}": {_row(writer, row)},' for name, row in rows.items())


def _row(writer: Writer, row: Row) -> str:
    step = writer.step
    cuts = row.cuts(step.sizes)
    entries = []
    for place in range(len(row.shape)):
        axes = [step.axes[cut.axis] for cut in cuts if cut.dimension == place]
        several = f"({', '.join(map(_quoted, axes))})"
        entries.append(several if len(axes) > 1 else _quoted(axes[0]) if axes else "None")
    windows = ", ".join(f"({dimension}, {text})" for dimension, text in row.windows)
    digits = f"[{writer.cuts(cuts)}]"
    return f'("{row.source}", {row.shape}, P({", ".join(entries)}), {digits}, {row.high}, [{windows}])'


def _quoted(text: str) -> str:
    return f'"{text}"'
