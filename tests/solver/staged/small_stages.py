"""Random small networks to be put into stages, and all their plans tried: cuts, parts of the array and words."""

from __future__ import annotations

from itertools import combinations, product
from random import Random

from hypar_opt.evaluation.evaluator import Evaluator
from hypar_opt.evaluation.stages import JudgedStages
from hypar_opt.instance import Instance
from hypar_opt.instance.objective.components import TIME
from hypar_opt.instance.parts import stage_of
from hypar_opt.instance.stage_words import StageWord

ACCELERATOR = {"model": "peak", "rate": 1000}


def random_stages(seed, *, most=4):
    """Return an instance of 2 to `most` decided layers on two or four accelerators, with joins or without."""
    draw = Random(seed)
    layers = _layers(draw, draw.randint(2, most))
    levels = draw.choice((1, 2, 2))
    array = {
        "levels": levels,
        "placement": "identity",
        "accelerator": ACCELERATOR | _memory(draw),
        "link": {"bandwidth": draw.choice((10, 300, 2000))},
        **draw.choice(({"topology": "h-tree"}, {"topology": "ring"}, {"topology": "mesh", "dims": [1, 2**levels]})),
    }
    cost = {"accounting": draw.choice(("published", "receiver", "as-evaluated"))}
    cost |= draw.choice(({}, {"splits": "divisible"}))
    network = {"input": [4, 4, 4], "layers": layers}
    microbatches = draw.choice((1, 2, 4, 8))
    return Instance(network, array, 8, cost=cost, objective="time", microbatches=microbatches, name=f"random-{seed}")


def _memory(draw):
    room = draw.choice((None, None, 3000, 6000, 12000))
    return {} if room is None else {"memory": {"capacity": room}}


def _layers(draw, count):
    """Return convolutions of maps of one size with pools that change nothing, a join now and then, a linear one."""
    made, layers = ["input"], []
    for place in range(count):
        name = f"l{place}"
        if len(made) > 2 and draw.random() < 0.4 and place < count - 1:
            layers.append({"name": name, "add": {}, "inputs": draw.sample(made[1:], 2)})
        elif place == count - 1 and draw.random() < 0.5:
            layers.append({"name": name, "linear": {"features": draw.choice((2, 10))}, "inputs": [made[-1]]})
        else:
            reads = draw.choice(made[-2:])
            layers.append(
                {"name": name, "conv": {"filters": 4, "kernel": draw.choice((1, 3)), "pad": 1}, "inputs": [reads]}
            )
            layers[-1]["conv"]["pad"] = layers[-1]["conv"]["kernel"] // 2
        made.append(name)
        if draw.random() < 0.3 and place < count - 1:
            layers.append({"name": f"p{place}", "pool": {"kernel": 1}})
            made[-1] = f"p{place}"
    return layers


def best_of_all(instance):
    """Return the least objective of all plans; None where there is none."""
    every = (judged(instance, plan) for plan in plans_of(instance))
    return min((one.objective for one in every if one.fault is None), default=None)


def judged(instance, plan):
    """Return a plan judged, of stages as they follow each other: layers, first leaf, how many, words."""
    words = {
        name: StageWord(first, count, word)
        for own, first, count, strategies in plan
        for name, word in zip(own, strategies, strict=True)
    }
    return JudgedStages(instance, words)


def plans_of(instance):
    """Yield all ways of cutting a network into stages on parts of the array, each stage by its own best words."""
    names, best = instance.network.decision_names, {}

    def further(left, leaf):
        if not left:
            yield ()
        for size in range(1, len(left) + 1):
            for own in combinations(left, size):
                rest = tuple(name for name in left if name not in own)
                for levels in range(instance.levels + 1):
                    count = 2**levels
                    if leaf % count or leaf + count > instance.partition.leaves:
                        continue
                    key = own, leaf, levels
                    if key not in best:
                        best[key] = best_words(instance, *key)
                    if best[key] is not None:
                        yield from (((own, leaf, count, best[key]), *more) for more in further(rest, leaf + count))

    yield from further(names, 0)


def best_words(instance, layers, first, levels):
    """Return the words of a stage that take least, by the evaluator; None where none are allowed."""
    evaluator = Evaluator(stage_of(instance, layers, first, levels))
    every = (dict(zip(layers, words, strict=True)) for words in product(*[_words(instance, levels)] * len(layers)))
    allowed = [words for words in every if evaluator.fault_of(words) is None]
    if not allowed:
        return None
    placed = evaluator.instance.placement
    least = min(allowed, key=lambda words: evaluator.costs(evaluator.bytes_of(words), placed)[TIME])
    return tuple(least[name] for name in layers)


def _words(instance, levels):
    return ["".join(letters) for letters in product(instance.choices, repeat=levels)]
