"""What PyTorch is to run: the operators of a planned step, as plain data."""

from __future__ import annotations

from string import ascii_letters
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.operators.plan import is_shared
from hypar_opt.export.jax.site import OperatorSite
from hypar_opt.export.torch import computes_parts
from hypar_opt.instance.operators.layers.equation import parse
from hypar_opt.instance.operators.layers.windows import margins, spread
from hypar_opt.util.errors import Refusal, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hypar_opt.count.comparison import Source
    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.instance.operators import Operator


def job_of(step: PlannedStep, plan: str, *, runs: bool = False) -> dict[str, Any]:
    """Return what the process of PyTorch is told.

    Parameters
    ----------
    step
        What is planned.
    plan
        The path of the exported file.
    runs
        Whether it is run with numbers rather than counted.

    Raises
    ------
    Refusal
        If an operator is of a kind that is not counted in PyTorch.
    """
    graph = step.graph
    trained = [one.name for one in graph.tensors.values() if one.role == "parameter"]
    shared = next((name for name in trained if is_shared(graph, name)), None)
    if shared is not None:
        raise Refusal(f"'{shared}' is trained by several operators, of which PyTorch's modules have a copy each")
    layers = {number: layer for layer in step.layers for number in layer.operators}
    sites = [OperatorSite(graph, one, layers[number], {}) for number, one in enumerate(graph.operators)]
    loaded = (one for one in graph.tensors.values() if one.role == "input" and not one.is_mask)
    inputs = {one.name: one for one in loaded if graph.readers[one.name]}
    return {
        "plan": plan,
        "runs": runs,
        "sizes": list(step.sizes),
        "inputs": {
            name: {"sizes": list(one.sizes), "below": _below(step, name)} for name, one in inputs.items()
        },
        "operators": [_operator(step, site) for site in sites],
    }  # fmt: skip


def sources(step: PlannedStep) -> dict[str, Source]:
    """Return the conversions by what the process calls them, sums of an operator's own by the operator's name."""
    found: dict[str, Source] = {}
    for operator in step.graph.operators:
        for tensor in (*(one.tensor for one in operator.operands), operator.output.tensor):
            for phase in ("forward", "backward", "update"):
                for reader in (operator.name, None):
                    found["/".join((tensor, phase, reader or ""))] = (tensor, phase, reader)
        own = f"{operator.name}:statistic" if operator.statistics else operator.output.tensor
        for phase in ("forward", "backward"):
            found[f"{operator.name}/within/{phase}"] = (own, phase, operator.name)
    return found


def _below(step: PlannedStep, name: str) -> int | None:
    """Return below which number indices are that an input is of; None of one that has numbers."""
    number, _ = step.graph.readers[name][0]
    reader = step.graph.operators[number]
    return reader.sizes["vocabulary"] if reader.kind == "embedding" else None


def _operator(step: PlannedStep, site: OperatorSite) -> dict[str, Any]:
    graph, operator = step.graph, site.operator
    if not computes_parts(step, operator, site.layer):
        _refuse_whole(operator, step.plan.words[operator.name])
    if operator.kind not in FIELDS:
        hint = did_you_mean(operator.kind, FIELDS)
        raise Refusal(f"'{operator.name}' is of a kind that is not counted in PyTorch yet: {operator.kind}{hint}")
    output = operator.output.tensor
    tensors = [graph.tensors[one.tensor] for one in operator.operands]
    places = [place for place, one in enumerate(tensors) if one.role != "parameter" and not one.is_mask]
    names = {one.tensor.rpartition(".")[2]: one.tensor for one in operator.operands
             if graph.tensors[one.tensor].role == "parameter"}  # fmt: skip
    readers = graph.readers[output]
    alone = readers and not is_shared(graph, output)
    return {
        "name": operator.name,
        "kind": operator.kind,
        "fields": FIELDS[operator.kind](site),
        "inputs": [operator.operands[place].tensor for place in places],
        "views": [_views(site, place) for place in places],
        "names": names,
        "parameters": {name: list(graph.tensors[tensor].sizes) for name, tensor in names.items()},
        "output": output,
        "read_by": graph.operators[readers[0][0]].name if alone else "",
        "is_end": not readers and (graph.tensors[output].has_gradient or operator.kind == "loss"),
    }  # fmt: skip


def _refuse_whole(operator: Operator, word: Sequence[str]) -> None:
    """Refuse an operator that does not compute of parts what it does of the whole, where DTensor cannot either."""
    if operator.kind == "einsum":
        why = "is an einsum of reshaped maps, or adds a bias to sums"
    elif operator.kind == "conv" and any(dim in one.windows for one in operator.operands for dim in word):
        why = "is a convolution of split rows, whose neighbours DTensor exchanges along the last dimension alone"
    else:
        return
    raise Refusal(f"'{operator.name}' {why}, which is not counted in PyTorch")


def _views(site: OperatorSite, place: int) -> list[tuple[str, list[int]]]:
    if site.operator.kind == "linear" and site.layer.inputs[place].is_map and not site.layer.inputs[place].views:
        return [("flatten", [])]  # of parts, too
    return [
        ("reshape", [dim.size for dim in view.dims]) if view.order is None else ("permute", list(view.order))
        for view in site.value(place).views
    ]


def _nothing(_: OperatorSite) -> dict[str, Any]:
    return {}


def _linear(site: OperatorSite) -> dict[str, Any]:
    if len(site.graph.tensors[site.operator.operands[1].tensor].sizes) != 2:
        raise Refusal(f"'{site.operator.name}' has a matrix for each of several parts, which is not counted in PyTorch")
    return {"is_turned": site.operator.operands[1].dims == ("in", "out")}


def _einsum(site: OperatorSite) -> dict[str, Any]:
    equation = parse(site.fields.equation)
    letter = dict(zip(equation.dims, ascii_letters, strict=False))
    of = ["".join(letter[name] for name in dims) for dims in (*equation.operands, equation.output)]
    added = [operand.dims for operand in site.operator.operands if operand.is_added]
    return {
        "equation": f"{','.join(of[:-1])}->{of[-1]}",
        "bias": [equation.output.index(name) for dims in added for name in dims],
    }


def _conv(site: OperatorSite) -> dict[str, Any]:
    fields, count = site.fields, len(site.value(0).dims) - 2
    return {
        "stride": spread(fields.stride, count, ("conv", "stride")),
        "dilation": spread(fields.dilation, count, ("conv", "dilation")),
        "pad": _pad(site, count),
        "groups": fields.groups,
    }


def _pool(site: OperatorSite) -> dict[str, Any]:
    fields, count = site.fields, len(site.value(0).dims) - 2
    kernel = spread(fields.kernel, count, ("pool", "kernel"))
    stride = kernel if fields.stride is None else spread(fields.stride, count, ("pool", "stride"))
    return {"of": fields.kind, "kernel": kernel, "stride": stride, "pad": _pad(site, count), "ceil": fields.ceil}


def _pad(site: OperatorSite, count: int) -> list[int]:
    sides = margins(site.fields.pad, count, (site.operator.kind, "pad"))
    if any(before != behind for before, behind in sides):
        raise Refusal(f"'{site.operator.name}' has another padding on each side, which is not counted in PyTorch")
    return [before for before, _ in sides]


def _norm(site: OperatorSite) -> dict[str, Any]:
    value = site.value(0)
    if site.fields.kind != "batch" and value.features != len(value.dims) - 1:
        raise Refusal(f"'{site.operator.name}' normalises channels of maps, which is not counted in PyTorch")
    return {"of": site.fields.kind}


def _over(site: OperatorSite) -> dict[str, Any]:
    value = site.value(0)
    return {"over": value.features if site.fields.over is None else value.names.index(site.fields.over)}


def _attention(site: OperatorSite) -> dict[str, Any]:
    fields = site.fields
    groups = fields.key_heads or fields.heads
    return {
        "width": site.value(0).sizes[-1] // fields.heads,
        "value_width": site.value(2).sizes[-1] // groups,
        "each": fields.heads // groups,
        "causal": fields.causal,
    }


def _embedding(site: OperatorSite) -> dict[str, Any]:
    if site.fields.is_summed:
        raise Refusal(f"'{site.operator.name}' adds rows up, which is not counted in PyTorch")
    return {}


FIELDS: Final[Mapping[str, Callable[[OperatorSite], dict[str, Any]]]] = MappingProxyType(
    {
        "linear": _linear,
        "matmul": _nothing,
        "einsum": _einsum,
        "conv": _conv,
        "pool": _pool,
        "global_pool": lambda site: {"of": site.fields.kind},
        "activation": _nothing,
        "dropout": _nothing,
        "add": _nothing,
        "multiply": _nothing,
        "norm": _norm,
        "softmax": _over,
        "embedding": _embedding,
        "attention": _attention,
        "loss": _over,
    }
)
"""By an operator's kind, what PyTorch is told of it."""
