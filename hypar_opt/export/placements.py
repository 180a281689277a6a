"""Where tensors lie by a plan, layer by layer, one placement an axis: for programs that place tensors themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from hypar_opt.evaluation.operators.placements import PARTIAL, needed, produced, written
from hypar_opt.evaluation.operators.plan import is_shared, shared_placement

if TYPE_CHECKING:
    from hypar_opt.evaluation.operators.placements import AxisPlacement, Placement
    from hypar_opt.export.planned import PlannedStep
    from hypar_opt.instance.operators import Operator

SCHEMA: Final = "hypar-opt/placements/1"


def placements_document(step: PlannedStep) -> dict[str, Any]:
    """Return the placements of a plan.

    Returns
    -------
    dict
        `schema`, `name`, `mesh_shape`, `mesh_dim_names`, and `placements`, by operator: `layer`, `kind`, `parameters`
        by name with `used`, `gradient` and `storage`; `inputs` with `tensor`, `needed` and `gradient`; `output` with
        `written` and, of its gradient, `gradient`; and `shared`, by tensor that several read, where it lies. Where
        blocks run once more in the backward phase, `recomputed`: the operators that do.
    """
    graph, again = step.graph, step.plan.recomputed.again
    return {
        "schema": SCHEMA,
        "name": step.name,
        "mesh_shape": list(step.sizes),
        "mesh_dim_names": list(step.axes),
        "placements": {operator.name: _of_operator(step, operator) for operator in graph.operators},
        "shared": {name: _of_shared(step, name) for name in graph.tensors if is_shared(graph, name)},
        **({"recomputed": [one.name for one in graph.operators if one.name in again]} if again else {}),
    }


def placements_text(step: PlannedStep, _: str = "") -> str:
    """Return the document as text."""
    return json.dumps(placements_document(step), indent=1) + "\n"


def letters(placement: Placement) -> list[str]:
    """Return a placement as PyTorch's DTensor prints it: S(i), R or P for each axis."""
    return [_letter(entry) for entry in placement]


def _letter(entry: AxisPlacement) -> str:
    return "P" if entry == PARTIAL else "R" if entry.position is None else f"S({entry.position})"


def _of_operator(step: PlannedStep, operator: Operator) -> dict[str, Any]:
    tensors, word = step.graph.tensors, step.plan.words[operator.name]
    parameters: dict[str, Any] = {}
    inputs = []
    for operand in operator.operands:
        tensor = tensors[operand.tensor]
        if tensor.is_mask:
            continue  # who reads it draws it as it needs it
        gradient = letters(produced(operator, operand, word)) if step.graph.has_gradient(operand) else None
        used = letters(needed(operand, word))
        if tensor.role == "parameter":
            storage = step.plan.storage.get(operator.name, "replicated")
            parameters[tensor.name] = {"used": used, "gradient": gradient, "storage": storage}
        else:
            inputs.append({"tensor": tensor.name, "needed": used, "gradient": gradient})
    back = letters(needed(operator.output, word)) if tensors[operator.output.tensor].has_gradient else None
    output = {"tensor": operator.output.tensor, "written": letters(written(operator, word)), "gradient": back}
    return {
        "layer": operator.layer, "kind": operator.kind, "parameters": parameters, "inputs": inputs, "output": output,
    }  # fmt: skip


def _of_shared(step: PlannedStep, name: str) -> dict[str, Any]:
    forward, gradient = step.plan.shared[name]
    return {
        "lies": letters(shared_placement(step.graph, name, forward)),
        "gradient": letters(shared_placement(step.graph, name, gradient)) if gradient else None,
    }
