"""The same step on one device, to compare with: a loss of whole arrays, whose gradients JAX finds by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.export.jax.expressions import LOCAL
from hypar_opt.export.jax.identifiers import identifiers
from hypar_opt.export.jax.site import Site
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.instance.operators import Operator

FILE: Final = '''"""The loss of a training step on one device."""

import jax
import jax.numpy as jnp
from jax import lax


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
    names = identifiers(graph.tensors, ("jax", "jnp", "lax", "loss", "parameters", "inputs"))
    lines = [
        f'{names[name]} = {"inputs" if tensor.role == "input" else "parameters"}["{name}"]'
        for name, tensor in graph.tensors.items()
        if tensor.role != "activation" and graph.readers[name]
    ]
    layers = {number: layer for layer in step.layers for number in layer.operators}
    for number, operator in enumerate(graph.operators):
        site = Site(graph, operator, layers[number], {})
        lines += _lines(site, names)
    return FILE.format(lines="\n".join(f"    {line}" for line in lines))


def _lines(site: Site, names: Mapping[str, str]) -> list[str]:
    operator, graph = site.operator, site.graph
    if operator.kind not in LOCAL:
        raise Refusal(f"'{operator.name}' is of a kind that is not exported yet: {operator.kind}")
    output = operator.output.tensor
    name = names[output]
    reads = [names[one.tensor] for one in operator.operands if not one.is_added]
    lines = [f"{name} = {LOCAL[operator.kind](site, reads)}"]
    lines += [f"{name} = {name} + {_spread(operator, site, names[one.tensor], one.dims)}" for one in operator.operands
              if one.is_added]  # fmt: skip
    if graph.tensors[output].has_gradient and not graph.readers[output]:
        first = graph.tensors[output].sizes[0]
        lines.append(f'loss += 0.5 / {first} * (({name} - inputs["{output}:target"]) ** 2).sum()')
    return lines


def _spread(operator: Operator, site: Site, name: str, dims: tuple[str | None, ...]) -> str:
    sizes = site.local_output()
    shape = tuple(size if dim in dims else 1 for dim, size in zip(operator.output.dims, sizes, strict=True))
    return f"{name}.reshape({', '.join(map(str, shape))})"
