"""A plan as a Python file for PyTorch: a dict of DTensor placements by module, and what applies it to a model.

Modules of a model have to be called as the layers are. Hooks redistribute what a module reads and writes; gradients
follow by DTensor's own rules.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, needed, produced, written
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement
from hypar_opt.export.mesh_order import mesh_order
from hypar_opt.export.planned import refuse_padding, refuse_second_runs
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypar_opt.evaluation.operators.placements import AxisPlacement, Placement
    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.instance.operators import Operator
    from hypar_opt.instance.operators.made import MadeLayer

LOCAL: Final[Mapping[str, frozenset[str]]] = MappingProxyType(
    {
        **dict.fromkeys(("linear", "einsum", "pool", "activation", "add", "multiply", "dropout"), frozenset()),
        "conv": frozenset({"groups"}),
        "attention": frozenset({"sequence"}),
    }
)
"""Kinds of operators that compute of parts what they do of the whole, and along what they do not."""

FILE: Final = '''"""Where the tensors of {name} lie on {axes}, module by module, for PyTorch's DTensor.

Written by hypar-opt. Call it under `torchrun --nproc-per-node {devices}`:

    apply_plan(model, device_mesh("cuda"))
"""

from itertools import combinations

import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Partial, Replicate, Shard, distribute_tensor

P = Partial()
R = Replicate()
S = Shard

# The array's axes, and their order in the mesh, in which shards of one dimension lie within each other.
SIZES = {{{sizes}}}
ORDER = {order}

# By module: what its parameters, inputs and output lie like, one placement for each axis of the mesh. Where devices
# compute parts as they would the whole, `local` is how gradients lie behind the module, and what it writes.
PLAN = {{
{plan}
}}


def device_mesh(device) -> DeviceMesh:
    """Return the mesh; axes have the devices that they have in the array, whatever their order."""
    places = [list(SIZES).index(name) for name in ORDER]
    ids = torch.arange(torch.tensor(list(SIZES.values())).prod().item()).reshape(*SIZES.values()).permute(places)
    mesh = DeviceMesh(device, ids, mesh_dim_names=ORDER)
    for count in range(2, len(ORDER) + 1):
        for names in combinations(ORDER, count):
            # so that sums and gathers along several axes can be one call, whose groups have devices by their numbers
            if sorted(names, key=list(SIZES).index) == list(names):
                mesh[names]._flatten()
    return mesh


def apply_plan(model: nn.Module, mesh) -> nn.Module:
    """Distribute the parameters of a model's modules, and let its inputs and outputs be redistributed as planned."""
    modules = dict(model.named_modules())
    missing = [name for name in PLAN if name not in modules and PLAN[name]["parameters"]]
    if missing:
        raise ValueError(f"the model has no module called {{missing[0]!r}}, whose parameters the plan places")
    for name, plan in PLAN.items():
        if name in modules:
            _apply(modules[name], plan, mesh)
    return model


def _apply(module: nn.Module, plan: dict, mesh) -> None:
    for name, placements in plan["parameters"].items():
        placed = distribute_tensor(getattr(module, name).data, mesh, placements)
        module.register_parameter(name, nn.Parameter(placed))
    if plan["local"]:
        module.forward = _of_parts(module, module.forward, plan["local"], mesh)

    def read(_, inputs):
        return tuple(map(_placed, inputs, plan["inputs"], [mesh] * len(inputs)))

    def write(_, __, output):
        return _placed(output, plan["output"], mesh, is_written=True)

    module.register_forward_pre_hook(read)
    module.register_forward_hook(write)


def _of_parts(module, forward, local, mesh):
    def run(*inputs):
        parts = [x.to_local(grad_placements=one) for x, one in zip(inputs, local["inputs"], strict=True)]
        whole = dict(module._parameters)
        for name, one in local["parameters"].items():
            module._parameters[name] = whole[name].to_local(grad_placements=one)
        try:
            found = forward(*parts)
        finally:
            module._parameters.update(whole)
        return DTensor.from_local(found, mesh, local["output"], run_check=False)

    return run


def _placed(tensor, placements, mesh, is_written=False):
    if not isinstance(tensor, DTensor):
        tensor = DTensor.from_local(tensor, mesh, [R] * mesh.ndim, run_check=False)
    if list(tensor.placements) == placements and not is_written:
        return tensor  # and its gradient goes on as it is; that of what is written becomes what the module needs
    return tensor.redistribute(mesh, placements)
'''


def torch_plan(step: PlannedStep, _: str = "") -> str:
    """Return the text of a file with a plan for PyTorch, and of what applies it.

    Raises
    ------
    Refusal
        If parameters are kept in parts, which DTensor leaves to others (FSDP), or blocks run once more.
    """
    refuse_second_runs(step, "torch")
    refuse_padding(step, "torch")
    kept = next((name for name, how in step.plan.storage.items() if how != "replicated"), None)
    if kept is not None:
        raise Refusal(
            f"'{kept}' keeps its parameters in parts ({step.plan.storage[kept]}): FSDP does that, not DTensor"
        )
    order = mesh_order(step)
    axes = " x ".join(f"{axis.name} ({axis.size})" for axis in step.partition.axes)
    sizes = ", ".join(f'"{axis.name}": {axis.size}' for axis in step.partition.axes)
    layers = {number: layer for layer in step.layers for number in layer.operators}
    plan = "\n".join(
        _module(step, operator, order, is_local=computes_parts(step, operator, layers[number]))
        for number, operator in enumerate(step.graph.operators)
    )
    return FILE.format(
        name=step.name, axes=axes, devices=step.partition.leaves, sizes=sizes,
        order=tuple(step.axes[axis] for axis in order), plan=plan,
    )  # fmt: skip


def computes_parts(step: PlannedStep, operator: Operator, layer: MadeLayer) -> bool:
    """Return whether a module computes of parts what it does of the whole, with nothing of its neighbours.

    Parameters
    ----------
    step
        What is planned.
    operator, layer
        One of its operators, and the layer that this belongs to.
    """
    word = step.plan.words[operator.name]
    if operator.kind not in LOCAL or any(one.views for one in layer.inputs):
        return False
    slides = any(dim in one.windows for one in operator.operands for dim in word)
    adds = any(one.is_added for one in operator.operands) and PARTIAL in written(operator, word)
    return not (slides or adds or LOCAL[operator.kind] & set(word))


def _module(step: PlannedStep, operator: Operator, order: Sequence[int], *, is_local: bool) -> str:
    graph, word = step.graph, step.plan.words[operator.name]
    parameters, inputs, slopes, parts = [], [], [], []
    for operand in operator.operands:
        tensor = graph.tensors[operand.tensor]
        if tensor.is_mask:
            continue  # the module draws it by itself
        need, made = _listed(needed(operand, word), order), _listed(produced(operator, operand, word), order)
        if tensor.role == "parameter":
            name = tensor.name.rpartition(".")[2]
            parameters.append(f'"{name}": {need}')
            parts.append(f'"{name}": {made}')
        else:
            inputs.append(need)
            slopes.append(made)
    output = operator.output.tensor
    if is_shared(graph, output):
        lies = shared_placement(graph, output, step.plan.shared[output][0])
    elif graph.readers[output]:
        number, place = graph.readers[output][0]
        reader = graph.operators[number]
        lies = needed(reader.operands[place], step.plan.words[reader.name])
    else:
        lies = tuple(WHOLE if entry == PARTIAL else entry for entry in written(operator, word))
    found = _listed(written(operator, word), order)
    local = f'{{"inputs": [{", ".join(slopes)}], "parameters": {{{", ".join(parts)}}}, "output": {found}}}'
    return (
        f'    "{operator.name}": {{\n'
        f'        "parameters": {{{", ".join(parameters)}}},\n'
        f'        "inputs": [{", ".join(inputs)}],\n'
        f'        "output": {_listed(lies, order)},\n'
        f'        "local": {local if is_local else None},\n'
        "    },"
    )


def _listed(placement: Placement, order: Sequence[int]) -> str:
    return f"[{', '.join(_letter(placement[axis]) for axis in order)}]"


def _letter(entry: AxisPlacement) -> str:
    return "P" if entry == PARTIAL else "R" if entry.position is None else f"S({entry.position})"
