"""The same step on one device, to compare with: a loss of whole arrays, whose gradients JAX finds by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax.identifiers import identifiers
from hypar_opt.export.jax.kinds import kind_of
from hypar_opt.export.jax.parts_of_runtime import needed_functions, runtime_functions
from hypar_opt.export.jax.site import OperatorSite

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.export.planned import PlannedStep

FILE: Final = '''"""The loss of a training step on one device."""

import itertools

import jax
import jax.numpy as jnp
from jax import lax

AXES = {{}}


{runtime}


def loss(parameters, inputs):
    """Of whole arrays."""
    loss = 0.0
{lines}
    return loss
'''


def whole_program(step: PlannedStep) -> str:
    """Return the text of a module with the loss of whole arrays, by the names that an exported program has for them.

    Raises
    ------
    Refusal
        If an operator is of a kind that is not exported.
    """
    graph = step.graph
    names = identifiers(
        graph.tensors, ("jax", "jnp", "lax", "loss", "parameters", "inputs", "AXES", *runtime_functions())
    )
    lines = [
        f'{names[name]} = {"inputs" if tensor.role == "input" else "parameters"}["{name}"]'
        for name, tensor in graph.tensors.items()
        if tensor.role != "activation" and graph.readers[name]
    ]
    layers = {number: layer for layer in step.layers for number in layer.operators}
    for number, operator in enumerate(graph.operators):
        site = OperatorSite(graph, operator, layers[number], {})
        lines += _lines(site, names)
    text = "\n".join(f"    {line}" for line in lines)
    return FILE.format(lines=text, runtime=needed_functions(text))


def _lines(site: OperatorSite, names: Mapping[str, str]) -> list[str]:
    operator, graph = site.operator, site.graph
    output = operator.output.tensor
    name = names[output]
    lines = list(kind_of(operator).whole(site, [names[one.tensor] for one in operator.operands], name))
    if graph.tensors[output].has_gradient and not graph.readers[output]:
        first = graph.tensors[output].sizes[0]
        lines.append(f'loss += 0.5 / {first} * (({name} - inputs["{output}:target"]) ** 2).sum()')
    return lines
