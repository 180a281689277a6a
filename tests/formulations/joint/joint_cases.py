"""Small arrays and joint problems for the tests, and their optimum by listing everything."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations, product
from random import Random

from hypar_opt.cost.compile import compile_workload
from hypar_opt.cost.layout import CostModel
from hypar_opt.cost.links import compile_placement
from hypar_opt.costgraph import Objective
from hypar_opt.costgraph.placement import JointGraph
from hypar_opt.instance.hardware import Link, Machine
from hypar_opt.instance.network import Layer, Linear, Network, workload
from hypar_opt.util.partition import halves

HOPS = {"hop-bytes": Fraction(1)}
TIME = {"comm-time": Fraction(1)}
MIXED = {"hop-bytes": Fraction(1), "comm-time": Fraction(3), "communication": Fraction(1, 2)}
UNIT = Objective({"communication": Fraction(1)})


def machine(sites, pairs, switches=0, bandwidths=None):
    """An array with links of bandwidth 1, or of the bandwidths given."""
    widths = bandwidths or [1] * len(pairs)
    links = [Link(pair, Fraction(width)) for pair, width in zip(pairs, widths, strict=True)]
    return Machine("of-a-test", names("a", sites), names("s", switches), tuple(links))


def names(letter, number):
    return tuple(f"{letter}{i}" for i in range(number))


def ring(sites):
    return machine(sites, [(i, (i + 1) % sites) for i in range(sites)] if sites > 2 else [(0, 1)])


def line(sites):
    return machine(sites, [(i, i + 1) for i in range(sites - 1)])


def star(sites):
    return machine(sites, [(i, sites) for i in range(sites)], switches=1)


def cube(levels):
    sites = 1 << levels
    return machine(sites, [(i, i | 1 << b) for i in range(sites) for b in range(levels) if not i >> b & 1])


def random_machine(seed, sites):
    """A random tree with some more links, of random bandwidths."""
    rng = Random(seed)
    pairs = {(rng.randrange(i), i) for i in range(1, sites)}
    pairs |= {tuple(sorted(rng.sample(range(sites), 2))) for _ in range(rng.randrange(3))} if sites > 1 else set()
    ordered = sorted(pairs)
    return machine(sites, ordered, bandwidths=[rng.choice((1, 2, 3, 4)) for _ in ordered])


def chain(
    levels, *features, batch=8, accounting="receiver", choices="dm", divisible=False, fix=None, bytes_per_element=2
):
    """The CostGraph of linear layers; the first number of features is the input's."""
    layers = tuple(
        Layer(f"fc{i}", Linear(size), (f"fc{i - 1}" if i > 1 else "input",)) for i, size in enumerate(features[1:], 1)
    )
    model = CostModel(batch, halves(levels), accounting, choices, bytes_per_element, divisible, fix)
    return compile_workload(workload(Network((features[0],), layers)), model, UNIT)


def joint(parallelism, array, weights=HOPS):
    levels = parallelism.variables[0].words.length if parallelism.variables else 0
    return JointGraph(parallelism, "communication", compile_placement(array, weights, halves(levels), (0,) * levels))


def random_joint(seed, levels=2, weights=None):
    """Two or three layers of random sizes on a random array."""
    rng = Random(seed)
    sizes = [rng.randint(1, 60) for _ in range(rng.randint(3, 4))]
    spare = rng.choice((0, 0, 1)) if levels < 3 else 0
    parallelism = chain(
        levels,
        *sizes,
        batch=rng.randint(1, 40),
        accounting=rng.choice(("published", "receiver", "as-evaluated")),
    )
    array = random_machine(seed, (1 << levels) + spare)
    return joint(parallelism, array, weights or rng.choice((HOPS, TIME, MIXED)))


def all_plans(parallelism):
    every = product(*(range(variable.size) for variable in parallelism.variables))
    return (choices for choices in every if parallelism.feasible(choices))


def brute_force(graph):
    """The joint optimum, every strategy with every placement; weights and volumes are listed once."""
    placement = graph.placement
    weights = {placement.weights(placed) for placed in permutations(range(placement.sites), placement.leaves)}
    volumes = {graph.volumes(choices) for choices in all_plans(graph.parallelism)}
    return min(sum(c * w for c, w in zip(one, other, strict=True)) for one in volumes for other in weights)


def dot(volumes, weights):
    return sum(c * w for c, w in zip(volumes, weights, strict=True))
