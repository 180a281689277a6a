"""A plan as a Python file for PyTorch: a dict of DTensor placements by module, and what applies it to a model.

Modules of a model have to be called as the layers are. Hooks redistribute what a module reads and writes; gradients
follow by DTensor's own rules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, needed, written
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement
from hypar_opt.export.planned import refuse_second_runs
from hypar_opt.util.errors import Refusal

if TYPE_CHECKING:
    from hypar_opt.evaluation.operators.placements import Placement
    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.instance.operators import Operator

FILE: Final = '''"""Where the tensors of {name} lie on {axes}, module by module, for PyTorch's DTensor.

Written by hypar-opt. Call it under `torchrun --nproc-per-node {devices}`:

    mesh = init_device_mesh("cuda", {sizes}, mesh_dim_names={names})
    apply_plan(model, mesh)
"""

from torch import nn
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor

R = Replicate()
S = Shard

# By module: what its parameters, inputs and output lie like, one placement for each axis of the mesh.
PLAN = {{
{plan}
}}


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

    def read(_, inputs):
        return tuple(map(_placed, inputs, plan["inputs"], [mesh] * len(inputs)))

    def write(_, __, output):
        return _placed(output, plan["output"], mesh)

    module.register_forward_pre_hook(read)
    module.register_forward_hook(write)


def _placed(tensor, placements, mesh):
    if not isinstance(tensor, DTensor):
        tensor = DTensor.from_local(tensor, mesh, [R] * mesh.ndim, run_check=False)
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
    kept = next((name for name, how in step.plan.storage.items() if how != "replicated"), None)
    if kept is not None:
        raise Refusal(
            f"'{kept}' keeps its parameters in parts ({step.plan.storage[kept]}): FSDP does that, not DTensor"
        )
    axes = " x ".join(f"{axis.name} ({axis.size})" for axis in step.partition.axes)
    plan = "\n".join(_module(step, operator) for operator in step.graph.operators)
    return FILE.format(
        name=step.name, axes=axes, devices=step.partition.leaves, sizes=step.sizes, names=step.axes, plan=plan
    )


def _module(step: PlannedStep, operator: Operator) -> str:
    graph, word = step.graph, step.plan.words[operator.name]
    parameters, inputs = [], []
    for operand in operator.operands:
        tensor = graph.tensors[operand.tensor]
        need = _listed(needed(operand, word))
        if tensor.role == "parameter":
            parameters.append(f'"{tensor.name.rpartition(".")[2]}": {need}')
        else:
            inputs.append(need)
    output = operator.output.tensor
    if is_shared(graph, output):
        lies = shared_placement(graph, output, step.plan.shared[output][0])
    elif graph.readers[output]:
        number, place = graph.readers[output][0]
        reader = graph.operators[number]
        lies = needed(reader.operands[place], step.plan.words[reader.name])
    else:
        lies = tuple(WHOLE if entry == PARTIAL else entry for entry in written(operator, word))
    return (
        f'    "{operator.name}": {{\n'
        f'        "parameters": {{{", ".join(parameters)}}},\n'
        f'        "inputs": [{", ".join(inputs)}],\n'
        f'        "output": {_listed(lies)},\n'
        "    },"
    )


def _listed(placement: Placement) -> str:
    return f"[{', '.join('R' if entry.position is None else f'S({entry.position})' for entry in placement)}]"
