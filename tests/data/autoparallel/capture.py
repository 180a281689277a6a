"""Capture what autoparallel's optimiser is for two small models, as figures: run where autoparallel is installed.

    python capture.py blocks.json layer.json

It needs no accelerator: ranks and tensors are fake, and speeds are those that autoparallel has of an H100. Each file
has the nodes with their strategies and costs, the constraints that are not those of its form, and its solver's optima.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import pulp
import torch
from autoparallel.api import AutoParallel
from autoparallel.cost_models import compute_estimation
from torch import nn
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.tensor._op_schema import _pretty_print_spec as shown
from torch.testing._internal.distributed.fake_pg import FakeStore

STRUCTURE = ("unique_decision", "same_across_args", "output_input_consistent")
CASES = {"free": "", "ends": "ends", "ends, memory": "ends memory"}


class Block(nn.Module):
    """A residual block of two matrix products after a normalisation."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, inner, bias=False), nn.Linear(inner, width, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.down(torch.relu(self.up(self.norm(x))))


MODELS = {
    "two blocks, the second linked to the first": (lambda: nn.Sequential(Block(48, 96), Block(48, 96)), (96, 48), (3,)),
    "a layer and its function": (lambda: nn.Sequential(nn.Linear(64, 256, bias=False), nn.ReLU()), (64, 64), (2, 2)),
}


def optimiser(model, rows, mesh, constraints):
    """Return an entered AutoParallel, with the optimiser's answer."""
    with torch.device("meta"):
        made = model()
    autop = AutoParallel(made, lambda: torch.rand(*rows), mesh, repeated_subgraphs=True)
    with autop:
        if "ends" in constraints:
            autop.add_input_constraints(None)
            autop.add_output_constraints(None)
        if "memory" in constraints:
            autop.add_parameter_memory_constraint(low=None, high=None)
        found = autop.sharding_optimizer
        found.get_solution()
    return found


def captured(optimizer):
    """Return the nodes, costs and constraints of an optimiser whose links are by variable."""
    roots = {linked[0]: root[0] for linked, root in optimizer.cluster_links.items()}
    key_of = {variable.name: key for key, variable in optimizer.pulp_variables.items()}
    constraints = optimizer.prob.constraints.items()
    costs = {key: one.cost for key, one in optimizer.decision_vars.items()}
    costs |= {
        key_of[one.name]: math.inf for name, found in constraints if name.startswith("inf_cases") for one in found
    }
    values = sorted({cost for cost in costs.values() if math.isfinite(cost)})
    place_of = {value: place for place, value in enumerate(values)} | {math.inf: -1}
    return {
        "values": values,
        "nodes": [
            {
                "name": node.name,
                "op": node.op,
                "reads": [optimizer.node_map[one] for one in optimizer._all_input_nodes(node)],
                **({"root": roots[place]} if place in roots else of_root(optimizer, place, costs, place_of)),
            }
            for place, node in enumerate(optimizer.nodes)
            if node.op != "output"
        ],
        "constraints": [
            [name, found.sense, -found.constant, [[*key_of[one.name], factor] for one, factor in found.items()]]
            for name, found in constraints
            if not name.startswith((*STRUCTURE, "inf_cases"))
        ],
    }


def of_root(optimizer, place, costs, place_of):
    """Return the strategies of a node, and its costs by argument, strategy and what is read, as places of values."""
    strategies = optimizer.strats[optimizer.nodes[place]].strategies
    return {
        "strategies": [[shown(one.output_specs), *map(shown, one.input_specs)] for one in strategies],
        "costs": [
            [
                [place_of[costs[place, argument, output, read]] for read in range(len(one.redistribute_cost[argument]))]
                for output, one in enumerate(strategies)
            ]
            for argument in range(len(strategies[0].redistribute_cost))
        ],
    }


def main(*paths: str) -> None:
    """Write a file for each model."""
    compute_estimation._get_device_limit = lambda: next(
        one for one in compute_estimation.DEVICE_LIMITS if one.name == "H100"
    )
    for path, (title, (model, rows, shape)) in zip(paths, MODELS.items(), strict=True):
        torch.distributed.init_process_group("fake", store=FakeStore(), rank=0, world_size=math.prod(shape))
        mesh = init_device_mesh("cpu", shape, mesh_dim_names=("dp", "tp")[: len(shape)])
        optimizers = {case: optimiser(model, rows, mesh, constraints) for case, constraints in CASES.items()}
        found = {
            "what": f"{title}, on {'x'.join(map(str, shape))} devices: figures of autoparallel's optimiser",
            "torch": torch.__version__,
            "mesh_shape": list(shape),
            "mesh_dim_names": list(mesh.mesh_dim_names),
            "optima": {case: pulp.value(one.prob.objective) for case, one in optimizers.items()},
            **captured(optimizers["ends, memory"]),
        }
        Path(path).write_text(
            json.dumps(found, separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n", encoding="utf-8"
        )
        torch.distributed.destroy_process_group()


if __name__ == "__main__":
    main(*sys.argv[1:])
