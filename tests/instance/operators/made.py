"""Small networks of operators."""

from __future__ import annotations

from hypar_opt.instance.faults import checked
from hypar_opt.instance.operators import (
    Operand,
    Operator,
    OperatorGraph,
    OperatorNetworkSpec,
    Tensor,
    compile_network,
)

SEQUENCE = {"sequence": 6, "features": 8}


def spec_of(layers, shape=SEQUENCE, **inputs):
    """Return the specification of layers, one input or several."""
    read = {"inputs": inputs} if inputs else {"input": shape}
    return checked(OperatorNetworkSpec, {**read, "layers": layers})


def graph_of(layers, shape=SEQUENCE, batch=4, **inputs):
    """Return their operators."""
    return compile_network(spec_of(layers, shape, **inputs), batch, 4)


def one(kind, shape=SEQUENCE, /, **fields):
    """Return the operator of a network of one layer, and the sizes of its output."""
    graph = graph_of([{"name": "it", kind: fields}], shape)
    operator = graph.operators[-1]
    return operator, graph.tensors[operator.output.tensor].sizes


def reads(operator):
    """Return by tensor along which dimensions an operator reads it."""
    return {operand.tensor: operand.dims for operand in operator.operands}


def tapped(graph, *names):
    """Return a network with operators at its end that read some of its maps and parameters once more."""
    tensors, operators = dict(graph.tensors), list(graph.operators)
    for number, read in enumerate(names):
        sizes = {f"d{place}": size for place, size in enumerate(graph.tensors[read].sizes)}
        name, dims = f"tap{number}", tuple(sizes)
        tensors[name] = Tensor(name, tuple(sizes.values()))
        operators.append(Operator(name, "add", name, sizes, dims, (Operand(read, dims),), Operand(name, dims)))
    return OperatorGraph(tensors, tuple(operators), graph.repeats)
