"""The networks whose random plans are ranked, on 2 x 4 devices."""

from __future__ import annotations

from hypar_opt import load
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_problem import OperatorProblem

AXES = "node=2,gpu=4"
BLOCK = {
    "input": [64, 16, 16],
    "layers": [
        {"name": "conv0", "conv": {"filters": 64, "kernel": 3, "pad": 1}},
        {"name": "bn0", "norm": {"kind": "batch"}},
        {"name": "relu0", "activation": {}},
        {"name": "conv1", "conv": {"filters": 64, "kernel": 3, "pad": 1}},
        {"name": "bn1", "norm": {"kind": "batch"}},
        {"name": "relu1", "activation": {}},
        {"name": "conv2", "conv": {"filters": 64, "kernel": 3, "pad": 1}},
        {"name": "bn2", "norm": {"kind": "batch"}},
        {"name": "join", "inputs": ["relu0", "bn2"], "add": {}},
        {"name": "relu2", "activation": {}},
        {"name": "pool", "global_pool": {}},
        {"name": "fc", "linear": {"features": 8}},
        {"name": "loss", "loss": {}},
    ],
}
"""Two convolutions with a sum around them, as in residual networks, behind a first one."""


def problems():
    """Return by name what is planned, charged as a partitioner emits it."""
    block = OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "residual-block",
            "batch": 32,
            "network": BLOCK,
            "array": {"axes": [{"name": "node", "size": 2}, {"name": "gpu", "size": 4}]},
        }
    )
    lenet = load("lenet-c", axes=AXES, splits="divisible")
    instances = {
        "sfc": load("sfc", axes=AXES, splits="divisible"),
        "lenet-c": lenet,
        "residual-block": block,
        "gpt2-block": load("gpt2-block", axes=AXES, batch=8),
        "lenet-c, no rows": without_rows(lenet),
        "residual-block, no rows": without_rows(block),
    }
    return {name: OperatorProblem(one.replace(accounting="gspmd")) for name, one in instances.items()}


def without_rows(instance):
    """Return an instance of maps whose rows and columns are not split, so that no window needs its neighbours."""
    names = (name for one in instance.graph.operators for name in (*one.splits, "none"))
    return instance.replace(choices=",".join(name for name in dict.fromkeys(names) if name not in ("height", "width")))
