"""Small networks, and steps of plans of them."""

from __future__ import annotations

from contextlib import suppress
from random import Random

from hypar_opt.evaluation.operators import operator_plan
from hypar_opt.evaluation.operators.plan import COPY, SHARED, copied
from hypar_opt.evaluation.operators.recomputation import recomputation
from hypar_opt.export.jax.program import jax_program
from hypar_opt.export.planned import planned_step
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.util.errors import Refusal
from tests.evaluation.operators.random_operators import random_storage, random_strategies

CHAIN = {
    "input": [48],
    "layers": [
        {"name": "fc1", "linear": {"features": 48}},
        {"name": "fc2", "linear": {"features": 96, "bias": True}},
        {"name": "fc3", "linear": {"features": 48}},
    ],
}
SFC = {
    "input": [98],
    "layers": [
        {"name": "fc1", "linear": {"features": 64}},
        {"name": "fc2", "linear": {"features": 64}},
        {"name": "fc3", "linear": {"features": 64}},
        {"name": "fc4", "linear": {"features": 10}},
    ],
}
"""SFC with 1/8 of its inputs and 1/128 of its features: what conversions move is in proportion to that."""
LENET = {
    "input": [1, 28, 28],
    "layers": [
        {"name": "conv1", "conv": {"filters": 20, "kernel": 5}},
        {"name": "pool1", "pool": {"kernel": 2, "stride": 2}},
        {"name": "conv2", "conv": {"filters": 52, "kernel": 5}},
        {"name": "pool2", "pool": {"kernel": 2, "stride": 2}},
        {"name": "fc1", "linear": {"features": 64}},
        {"name": "fc2", "linear": {"features": 8}},
    ],
}
RESNET = {
    "input": [4, 8, 8],
    "layers": [
        {"name": "stem", "conv": {"filters": 8, "kernel": 3, "pad": 1, "bias": True}},
        {"name": "bn1", "norm": {"kind": "batch"}},
        {"name": "relu1", "activation": {}},
        {"name": "conv2", "conv": {"filters": 8, "kernel": 3, "pad": 1}},
        {"name": "join", "inputs": ["relu1", "conv2"], "add": {}},
        {"name": "pool", "pool": {"kernel": 3, "stride": 2, "pad": 1}},
        {"name": "fc", "linear": {"features": 8}},
        {"name": "loss", "loss": {}},
    ],
}
TRANSFORMER = {
    "inputs": {"tokens": {"sequence": 8}},
    "layers": [
        {"name": "embed", "embedding": {"vocabulary": 24, "features": 16}},
        {"name": "ln", "norm": {"kind": "layer"}},
        {"name": "q", "inputs": ["ln"], "linear": {"features": 16}},
        {"name": "k", "inputs": ["ln"], "linear": {"features": 16}},
        {"name": "v", "inputs": ["ln"], "linear": {"features": 16}},
        {"name": "attention", "inputs": ["q", "k", "v"], "attention": {"heads": 4, "causal": True}},
        {"name": "proj", "linear": {"features": 16}},
        {"name": "res", "inputs": ["embed", "proj"], "add": {}},
        {"name": "ln2", "norm": {"kind": "rms"}},
        {"name": "up", "linear": {"features": 32}},
        {"name": "relu", "activation": {}},
        {"name": "down", "linear": {"features": 16}},
        {"name": "res2", "inputs": ["res", "down"], "add": {}},
        {"name": "head", "shared": "embed", "linear": {"features": 24}},
        {"name": "loss", "loss": {}},
    ],
}
BLOCKS = {
    "inputs": {"tokens": {"sequence": 8}},
    "layers": [
        {"name": "embed", "embedding": {"vocabulary": 24, "features": 16}},
        {
            "name": "h",
            "repeat": {
                "times": 2,
                "layers": [
                    {"name": "ln", "norm": {"kind": "layer"}},
                    {"name": "q", "inputs": ["ln"], "linear": {"features": 16, "bias": True}},
                    {"name": "kv", "inputs": ["ln"], "linear": {"features": 16}},
                    {"name": "attention", "inputs": ["q", "kv", "kv"], "attention": {"heads": 4}},
                    {"name": "share", "softmax": {"over": "features"}},
                    {"name": "res", "inputs": ["block", "share"], "add": {}},
                    {"name": "ln2", "norm": {"kind": "rms"}},
                ],
            },
        },
        {"name": "head", "shared": "embed", "linear": {"features": 24}},
        {"name": "loss", "loss": {}},
    ],
}
"""Blocks with norms in front of and behind what they add, some of whose maps several read."""
MAPS = {
    "input": [4, 8, 8],
    "layers": [
        {"name": "conv", "conv": {"filters": 8, "kernel": 3, "pad": 2, "dilation": 2, "groups": 2, "bias": True}},
        {"name": "gelu", "activation": {"kind": "gelu"}},
        {"name": "drop", "dropout": {}},
        {"name": "up", "transposed_conv": {"filters": 4, "kernel": 2, "stride": 2}},
        {"name": "down", "pool": {"kernel": 2, "kind": "avg"}},
        {"name": "halves", "inputs": ["gelu"], "split": {"over": "channels", "into": 2}},
        {"name": "beside", "inputs": ["down", "halves.1"], "concat": {}},
        {"name": "squeeze", "global_pool": {"kind": "avg"}},
        {"name": "gate", "linear": {"features": 8}},
        {"name": "sigmoid", "activation": {"kind": "sigmoid"}},
        {"name": "map", "reshape": {"channels": 8, "height": 1, "width": 1}},
        {"name": "scaled", "inputs": ["beside", "map"], "elementwise": {"function": "multiply"}},
        {"name": "larger", "upsample": {"factor": 2, "kind": "linear"}},
        {"name": "most", "global_pool": {"kind": "max"}},
        {"name": "fc", "linear": {"features": 8}},
        {"name": "loss", "loss": {}},
    ],
}
ROWS = {
    "inputs": {"tokens": {"sequence": 8}},
    "layers": [
        {"name": "embed", "embedding": {"vocabulary": 24, "features": 16}},
        {"name": "mish", "activation": {"kind": "mish"}},
        {
            "name": "q",
            "einsum": {
                "equation": "batch sequence in, heads in out -> batch sequence heads out",
                "sizes": {"heads": 4, "out": 4},
                "bias": True,
            },
        },
        {"name": "queries", "reshape": {"sequence": 8, "features": 16}},
        {"name": "kv", "inputs": ["mish"], "linear": {"features": 16}},
        {"name": "parts", "split": {"over": "features", "into": {"k": 8, "v": 8}}},
        {
            "name": "attention",
            "inputs": ["queries", "parts.k", "parts.v"],
            "attention": {"heads": 4, "key_heads": 2, "causal": True},
        },
        {"name": "first", "part": {"over": "sequence", "size": 1}},
        {"name": "wide", "expand": {"sequence": 8}},
        {"name": "most", "inputs": ["attention", "wide"], "elementwise": {"function": "maximum"}},
        {"name": "square", "elementwise": {"function": "square"}},
        {"name": "fc", "linear": {"features": 8}},
        {"name": "loss", "loss": {}},
    ],
}
STAGES = {
    "input": [4, 8, 8],
    "layers": [
        {"name": "stem", "conv": {"filters": 4, "kernel": 1}},
        {
            "name": "h",
            "repeat": {
                "times": 2,
                "layers": [
                    {"name": "first", "conv": {"filters": 4, "kernel": 3, "pad": 1}},
                    {"name": "relu", "activation": {}},
                    {"name": "second", "conv": {"filters": 4, "kernel": 5, "pad": 2}},
                    {"name": "most", "pool": {"kernel": 3, "stride": 1, "pad": 1}},
                    {"name": "join", "inputs": ["block", "relu", "most"], "add": {}},
                ],
            },
        },
        {"name": "last", "conv": {"filters": 4, "kernel": 1}},
    ],
}
"""Blocks of windows that read what others read, too, and what is made anew."""
MASKED = {
    "input": {"sequence": 4, "features": 16},
    "layers": [
        {"name": "fc", "linear": {"features": 16, "bias": True}},
        {
            "name": "h",
            "repeat": {
                "times": 2,
                "layers": [
                    {"name": "drop", "dropout": {}},
                    {"name": "gate", "inputs": ["drop"], "linear": {"features": 16}},
                    {"name": "sigmoid", "activation": {"kind": "sigmoid"}},
                    {"name": "off", "inputs": ["block", "sigmoid"], "elementwise": {"function": "subtract"}},
                    {"name": "neg", "elementwise": {"function": "neg"}},
                    {"name": "sum", "inputs": ["neg", "drop"], "elementwise": {"function": "add"}},
                    {"name": "last", "linear": {"features": 16}},
                ],
            },
        },
        {"name": "loss", "loss": {}},
    ],
}
"""Masks and sums, of which the backward phase reads nothing that it would have to convert once more."""
EXPERTS = {
    "input": {"sequence": 4, "features": 16},
    "layers": [
        {"name": "fc", "linear": {"features": 16}},
        {"name": "moe", "experts": {"count": 4, "top": 2, "hidden": 24, "gated": True, "activation": "silu"}},
        {"name": "head", "linear": {"features": 8}},
        {"name": "loss", "loss": {}},
    ],
}
"""All kinds that the networks above have not."""
UNEVEN = {
    "input": {"sequence": 5, "features": 7},
    "layers": [
        {"name": "fc1", "linear": {"features": 9, "bias": True}},
        {"name": "ln", "norm": {}},
        {"name": "sigmoid", "activation": {"kind": "sigmoid"}},
        {"name": "fc2", "linear": {"features": 11, "bias": True}},
        {"name": "share", "softmax": {}},
        {"name": "fc3", "linear": {"features": 9}},
        {"name": "sum", "inputs": ["fc1", "fc3"], "add": {}},
        {"name": "fc4", "linear": {"features": 7}},
        {"name": "loss", "loss": {}},
    ],
}
"""Sizes that few parts divide."""


def instance_of(network, batch, cost=(), **axes):
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "small",
            "batch": batch,
            "network": network,
            "array": {"axes": [{"name": name, "size": size} for name, size in axes.items()]},
            "cost": dict(cost),
        }
    )


def step_of(instance, strategies, storage=(), **others):
    plan = operator_plan(instance.graph, instance.partition, strategies, dict(storage), **others)
    return planned_step(instance, plan)


def padded_steps(instance, seeds):
    """Yield steps of random plans whose parts are filled up, those that can be exported."""
    for seed in seeds:
        strategies = random_strategies(seed, instance.graph, instance.partition, divisible=False)
        step = step_of(instance, strategies, padded=True)
        with suppress(Refusal):
            jax_program(step)
            yield step


def random_step(instance, seed, stored=False, recompute="none"):
    graph = instance.graph
    strategies = random_strategies(seed, graph, instance.partition)
    kept = random_kept(seed, graph, recompute)
    return step_of(instance, strategies, random_storage(seed, graph) if stored else {}, kept=kept, recompute=recompute)


def random_kept(seed, graph, recompute):
    """Return, of what others read, too, what operators keep a copy of."""
    random, recomputed = Random(f"kept {seed}"), recomputation(graph, recompute)
    count = {one.name: len(copied(graph, one, recomputed)) for one in graph.operators}
    return {name: " ".join(random.choice([COPY, SHARED]) for _ in range(many)) for name, many in count.items() if many}
