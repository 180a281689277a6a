"""A plan as a Python file for JAX in which the compiler chooses the collectives: arrays are whole, and constrained.

Constraints stand on both sides of each conversion of the plan, of a tensor and of its gradient, in the shape in which
it lies: see `constraints`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import needed
from hypar_opt.evaluation.operators.plan import is_shared
from hypar_opt.export.jax.constraints import Constraints
from hypar_opt.export.jax.identifiers import identifiers
from hypar_opt.export.jax.kinds import kind_of
from hypar_opt.export.jax.parts_of_runtime import needed_functions, runtime_functions
from hypar_opt.export.jax.program import DTYPES
from hypar_opt.export.jax.site import OperatorSite
from hypar_opt.export.planned import refuse_padding, refuse_second_runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.jax.constraints import Constraint
    from hypar_opt.export.planned import PlannedStep

FILE: Final = '''"""A training step of {name} on {devices} devices, its tensors constrained as planned: {axes}.

Written by hypar-opt. Which collectives run is the compiler's choice; `export --to jax` writes those of the plan.
"""

import itertools
import os
from functools import partial

if "host_platform_device_count" not in os.environ.get("XLA_FLAGS", ""):
    os.environ["XLA_FLAGS"] = os.environ.get("XLA_FLAGS", "") + " --xla_force_host_platform_device_count={devices}"

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax import lax  # noqa: E402
from jax.sharding import PartitionSpec as P  # noqa: E402

AXES = {{}}  # operators see whole arrays
MESH = jax.sharding.Mesh(np.array(jax.devices()[:{devices}]).reshape({sizes}), {names})
DTYPE = np.dtype("{dtype}")
RATE = 0.01  # of gradient descent

# By name: whole shape, PartitionSpec, and what indices are below.
PARAMETERS = {{
{parameters}
}}
INPUTS = {{
{inputs}
}}


{runtime}


def laid(x, spec):
    """Constrain an array."""
    return lax.with_sharding_constraint(x, jax.NamedSharding(MESH, spec))


@partial(jax.custom_vjp, nondiff_argnums=(1, 2))
def to(x, spec, gradient):
    """Constrain an array, and its gradient."""
    return laid(x, spec)


to.defvjp(lambda x, spec, _: (laid(x, spec), None), lambda _, gradient, __, one: (laid(one, gradient),))


def loss_of(parameters, inputs):
    """The loss of whole arrays."""
    loss = 0.0
{lines}
    return loss


def shardings(table):
    """Those of a table's arrays."""
    return {{name: jax.NamedSharding(MESH, spec) for name, (_, spec, _) in table.items()}}


@jax.jit
def training_step(parameters, inputs):
    """Forward, backward and update."""
    loss, gradients = jax.value_and_grad(loss_of)(parameters, inputs)
    updated = {{name: one - RATE * gradients[name] for name, one in parameters.items()}}
    return {{name: laid(one, PARAMETERS[name][1]) for name, one in updated.items()}}, loss


def random_arrays(table, seed=0):
    """Arrays for a table, on the devices."""
    random, found = np.random.default_rng(seed), {{}}
    for name, (shape, spec, below) in table.items():
        fan = max(1.0, np.prod(shape[1:]) ** 0.5) if table is PARAMETERS else 1.0
        drawn = random.standard_normal(shape) / fan if below is None else random.integers(below, size=shape)
        kind = DTYPE if below is None else np.int32
        found[name] = jax.device_put(drawn.astype(kind), jax.NamedSharding(MESH, spec))
    return found


if __name__ == "__main__":
    parameters, inputs = random_arrays(PARAMETERS), random_arrays(INPUTS, seed=1)
    for number in range(3):
        parameters, loss = training_step(parameters, inputs)
        print(f"step {{number}}: loss {{loss:.6f}}")
'''

RESERVED: Final = ("jax", "jnp", "lax", "np", "P", "to", "laid", "partial", "loss", "parameters", "inputs")
"""Names that no tensor can have in a program."""


def gspmd_program(step: PlannedStep, _: str = "") -> str:
    """Return the text of a program with the constraints of a plan; raises as `jax_program` does.

    Nothing can run once more: that is refused.
    """
    refuse_second_runs(step, "jax-gspmd")
    refuse_padding(step, "jax-gspmd")
    graph = step.graph
    names = identifiers(graph.tensors, (*RESERVED, *runtime_functions()))
    layers = {number: layer for layer in step.layers for number in layer.operators}
    lines, parameters, inputs = list[str](), dict[str, str](), dict[str, str]()
    for number, operator in enumerate(graph.operators):
        lines += _operator(step, OperatorSite(graph, operator, layers[number], {}), names)
        word = step.plan.words[operator.name]
        for operand in operator.operands:
            tensor = graph.tensors[operand.tensor]
            table = {"parameter": parameters, "input": inputs}.get(tensor.role)
            below = graph.tensors[operator.operands[1].tensor].sizes[0] if operator.kind == "embedding" else None
            if table is not None:
                high = 2 if tensor.is_mask else below if tensor.role == "input" else None
                shared = is_shared(graph, tensor.name)
                lies = Constraints(step).shared(tensor.name)[0] if shared else needed(operand, word)
                table.setdefault(tensor.name, _row(step, tensor.name, tensor.sizes, lies, high))
        output = graph.tensors[operator.output.tensor]
        summed = needed(operator.output, word)
        if operator.kind == "loss":
            value = OperatorSite(graph, operator, layers[number], {}).value(0)
            classes = value.dims[value.features if layers[number].fields.over is None else
                                 value.names.index(layers[number].fields.over)].size  # fmt: skip
            inputs[f"{output.name}:classes"] = _row(step, output.name, output.sizes, summed, classes)
        if output.has_gradient and not graph.readers[output.name]:
            inputs[f"{output.name}:target"] = _row(step, output.name, output.sizes, summed, None)
            off = f'({names[output.name]} - inputs["{output.name}:target"])'
            lines.append(f"loss += 0.5 / {output.sizes[0]} * ({off} ** 2).sum()")
    text = "\n".join(f"    {line}" for line in lines)
    return FILE.format(
        name=step.name,
        devices=step.partition.leaves,
        axes=" x ".join(f"{axis.name} ({axis.size})" for axis in step.partition.axes),
        sizes=", ".join(map(str, step.sizes)),
        names=step.axes,
        dtype=DTYPES[step.element_bytes],
        parameters="\n".join(f'    "{name}": {row},' for name, row in parameters.items()),
        inputs="\n".join(f'    "{name}": {row},' for name, row in inputs.items()),
        runtime=needed_functions(text),
        lines=text,
    )


def _operator(step: PlannedStep, site: OperatorSite, names: Mapping[str, str]) -> list[str]:
    operator, graph, constraints = site.operator, site.graph, Constraints(step)
    output, lines, reads = operator.output.tensor, list[str](), list[str]()
    known: dict[tuple[str, tuple[Constraint, ...]], str] = {}
    for place, operand in enumerate(operator.operands):
        tensor = graph.tensors[operand.tensor]
        name = names[tensor.name]
        if tensor.role != "activation":
            name = f'{"inputs" if tensor.role == "input" else "parameters"}["{tensor.name}"]'
        stated = constraints.of_read(operator, operand)
        if (tensor.name, stated) not in known:  # what is read twice alike is converted once
            variable = f"{names[tensor.name]}_in_{names[output]}"
            variable += f"_{place}" if variable in known.values() else ""
            lines += _constrained(step, tensor.name, name, variable, stated)
            known[tensor.name, stated] = variable
        reads.append(known[tensor.name, stated])
    lines += kind_of(operator).whole(site, reads, names[output])
    return [*lines, *_constrained(step, output, names[output], names[output], constraints.of_written(operator))]


def _constrained(
    step: PlannedStep, tensor: str, value: str, variable: str, stated: Sequence[Constraint]
) -> Iterator[str]:
    """Yield the lines that give a variable a value under constraints, one after the other."""
    for lies, gradient in stated:
        if gradient is None:
            yield f"{variable} = laid({value}, P({_spec(step, tensor, lies)}))"
        else:
            yield f"{variable} = to({value}, P({_spec(step, tensor, lies)}), P({_spec(step, tensor, gradient)}))"
        value = variable


def _row(step: PlannedStep, name: str, sizes: tuple[int, ...], placement: Placement, below: int | None) -> str:
    return f"({sizes}, P({_spec(step, name, placement)}), {below})"


def _spec(step: PlannedStep, name: str, placement: Placement) -> str:
    """Return the entries of a PartitionSpec, the axes of a dimension in the order of its digits."""
    entries = []
    for place, order in enumerate(step.layouts.of(name, len(step.graph.tensors[name].sizes))):
        axes = [f'"{step.axes[axis]}"' for axis in order if placement[axis].position == place]
        entries.append(f"({', '.join(axes)})" if len(axes) > 1 else axes[0] if axes else "None")
    return ", ".join(entries)
