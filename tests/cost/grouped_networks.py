"""Random networks of grouped convolutions, and all their plans, by rules and formulas written for the tests."""

from __future__ import annotations

from itertools import product
from random import Random

from cost.direct_formula import by_parts, keeps
from helpers import document

MODELS = (
    ("published", ["dp", "mp"]),
    ("published", ["dp", "mp", "op"]),
    ("published", ["mp", "op"]),
    ("as-evaluated", ["dp", "mp"]),
    ("receiver", ["dp", "mp", "op"]),
    ("leaf-exact", ["dp", "mp", "op"]),
)


def grouped_document(seed, most_levels=2):
    """Return two to four layers, of which some have 2 to 8 groups, are joined, or stand before a pool."""
    rng, channels = Random(seed), 24
    accounting, choices = rng.choice(MODELS)
    layers = [_conv(rng, "a", channels)]
    if rng.random() < 0.4:
        layers.append({"name": "pool", "pool": {"kernel": 2}})
    layers.append(_conv(rng, "b", channels))
    if rng.random() < 0.4:
        layers.append({"name": "join", rng.choice(("add", "concat")): {}, "inputs": [layers[-2]["name"], "b"]})
    if rng.random() < 0.6:
        layers.append({"name": "fc", "linear": {"features": rng.choice((3, 8, 40))}})
    return document(
        layers,
        [channels, 4, 4],
        batch=rng.choice((1, 2, 8, 64)),
        levels=rng.randint(1, most_levels),
        accounting=accounting,
        choices=choices,
        splits=rng.choice(("any", "divisible")),
        input_error=rng.random() < 0.5,
    )


def _conv(rng, name, channels):
    kernel = rng.choice((1, 3))
    groups = rng.choice((1, 2, 3, 4, 8, 24))
    return {"name": name, "conv": {"filters": channels, "kernel": kernel, "pad": kernel // 2, "groups": groups}}


def may_be(layer, word, instance):
    """Whether a layer may have a word: no op and whole groups in groups, and with `divisible` nothing cut unevenly."""
    d, m, o = (2 ** word.count(letter) for letter in "dmo")
    if keeps(layer) and o > 1:
        return False
    if layer.groups > 1 and layer.groups % m:
        return False
    if instance.splits == "any":
        return True
    inside = layer.groups > 1 or all(size % m == 0 for size in layer.in_sizes)
    return instance.batch % d == 0 and inside and (o == 1 or layer.out_sizes[0] % o == 0)


def costs_of_all_plans(problem):
    """Yield every plan that there is, with its bytes."""
    instance, layers = problem.instance, problem.work.layers
    words = ["".join(word) for word in product(instance.choices, repeat=instance.levels)]
    allowed = [[word for word in words if may_be(layer, word, instance)] for layer in layers]
    for plan in product(*allowed):
        strategies = {layer.name: word for layer, word in zip(layers, plan, strict=True)}
        own, boundaries = by_parts(problem, strategies)
        yield sum(map(sum, own)) + sum(map(sum, boundaries)), strategies
