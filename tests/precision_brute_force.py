"""Small instances whose layers choose bits, and their best plan by trying all: bytes by a formula of its own."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

from hypar_opt.instance import Instance
from tests.helpers import document, linear_chain

TENSORS = ("gradient", "feature-map", "error")
FULL = 32


def drawn(seed):
    """Return a drawn instance of two or three layers on two or four accelerators."""
    rng = Random(seed)
    layers = linear_chain(*(rng.randint(1, 9) for _ in range(2 if rng.random() < 0.9 else 3)))
    bits = sorted(rng.sample([4, 8, 12, 16, 24, 32], rng.choice([2, 3])))
    sensitivities = {}
    for layer in rng.sample(layers, rng.randint(1, 2)):
        names = ["all"] if rng.random() < 0.4 else rng.sample(TENSORS, rng.choice([1, 1, 2]))
        sensitivities[layer["name"]] = {name: [rng.randint(0, 9) for _ in bits] for name in names}
    precision = {"bits": bits, "sensitivities": sensitivities}
    whole = document(layers, [rng.randint(1, 9)], batch=rng.choice([2, 4, 8]), levels=1 if rng.random() < 0.9 else 2)
    least = sum(min(own) for given in sensitivities.values() for own in given.values())
    most = sum(max(own) for given in sensitivities.values() for own in given.values())
    whole["subject_to"] = {"rounding-error": rng.randint(least, most)}
    if rng.random() < 0.3:
        name = rng.choice(list(sensitivities))
        precision["limits"] = {name: sum(min(own) for own in sensitivities[name].values()) + rng.randint(0, 5)}
    whole["objective"] = {"communication": 1} if rng.random() < 0.7 else {"communication": 3, "rounding-error": 500}
    whole["cost"] = {"accounting": rng.choice(["published", "receiver", "leaf-exact"])}
    whole["precision"] = precision
    return Instance.from_dict(whole)


def every_plan(problem):
    """Yield what every plan exchanges and errs by: bytes of a tensor in b bits are b / 32 of what these are in full."""
    instance, network = problem.instance, problem.network
    layers, precision = [layer.name for layer in network.work.layers], instance.precision
    slots = [(name, own) for name in layers for own in precision.sensitivities.get(name, {})]
    words = ["".join(word) for word in product(instance.choices, repeat=instance.levels)]
    ways = []
    for counts in product(precision.bits, repeat=len(slots)):
        errors, bits = dict.fromkeys(layers, 0), {}
        for (name, own), count in zip(slots, counts, strict=True):
            errors[name] += int(precision.sensitivities[name][own][precision.bits.index(count)])
            bits |= {(name, tensor): count for tensor in (TENSORS if own == "all" else (own,))}
        if all(errors[name] <= most for name, most in precision.limits.items()):
            ways.append((bits, sum(errors.values())))
    for plan in product(words, repeat=len(layers)):
        whole = in_full(network, dict(zip(layers, plan, strict=True)))
        for bits, error in ways:
            yield Fraction(sum(count * bits.get(tensor, FULL) for tensor, count in whole.items()), FULL), error


def in_full(network, words):
    """Return the bytes of every layer's tensors, by the letters of its own word and the ends of boundaries."""
    found, breakdown = {}, network.bytes_of(words)
    for layer, row in zip(network.work.layers, breakdown.intra, strict=True):
        for letter, count in zip(words[layer.name], row, strict=True):
            key = layer.name, {"d": "gradient", "m": "feature-map", "o": "error"}[letter]
            found[key] = found.get(key, 0) + count
    for edge, forward, backward in zip(network.work.boundaries, breakdown.forward, breakdown.backward, strict=True):
        for end, tensor, row in ((edge.producer, "feature-map", forward), (edge.reader, "error", backward)):
            key = network.work.layers[end].name, tensor
            found[key] = found.get(key, 0) + sum(row)
    return found
