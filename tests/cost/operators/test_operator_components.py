"""Components of operators' costs, compiled, against the evaluator; and the best plans that there are."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.evaluation.operators import costs, operator_plan
from hypar_opt.formulation.registry import load_formulation
from hypar_opt.formulation.run import Limits, Run
from hypar_opt.instance.hardware.accelerator import OPTIMISERS, Energies
from hypar_opt.instance.operators.device import Device
from hypar_opt.instance.operators.links import AxisLink
from hypar_opt.util.errors import InputError
from tests.evaluation.operators.random_operators import random_graph, random_partition
from tests.helpers import each

STORAGES = ("replicated", "zero-1", "zero-2", "zero-3")
KNOWN = (
    "communication", "comm-time", "comm-energy", "compute-time", "multiply-energy", "add-energy", "dram-energy",
    "time", "energy",
)  # fmt: skip


def random_links(random, partition):
    return tuple(
        AxisLink(
            Fraction(random.choice([1, 2, 2, 7, 100])),
            Fraction(random.randrange(4), 3),
            Fraction(random.randrange(5), 7),
        )
        for _ in partition.axes
    )


def random_device(random):
    energies = Energies(*(Fraction(random.randrange(1, 9), 5) for _ in range(4)))
    return Device(Fraction(random.choice([1, 10, 300])), random.choice([None, Fraction(3), Fraction(70)]), energies)


def compiled(seed, most=12, **options):
    random = Random(f"machine {seed}")
    graph, partition = random_graph(seed, **options), random_partition(seed, most=most)
    plain = seed % 3 == 0 or most < 12
    model = OperatorModel(partition, divisible=bool(seed % 2) or plain, storages=STORAGES[:1] if plain else STORAGES)
    optimiser = random.choice(list(OPTIMISERS.values()))
    return CompiledComponents(graph, model, random_links(random, partition), random_device(random), optimiser=optimiser)


def plan_of(found, choices):
    values = [(one.name, one.values[choice]) for one, choice in zip(found.operators.domains, choices, strict=True)]
    operators = {one.name for one in found.graph.operators}
    words = {name: value.text for name, value in values}
    stored = {name: value.storage for name, value in values if name in operators}
    return operator_plan(found.graph, found.model.partition, words, stored)


@each("seed", range(200), quick=5)
def test_every_component_is_what_the_evaluator_derives(seed):
    found = compiled(seed)
    try:
        domains = found.operators.domains
    except InputError as none:  # some operators cannot be split so often
        assert "has no word" in str(none)
        return
    random = Random(seed)
    choices = tuple(random.randrange(len(domain.values)) for domain in domains)
    recounted = costs(
        found.graph, found.model.partition, plan_of(found, choices), found.links, found.device, found.optimiser
    )
    assert recounted.keys() == set(KNOWN)
    for name in KNOWN:
        graph = found.costgraph({name: Fraction(1)})
        assert Fraction(graph.value(choices), graph.objective.denominator) == recounted[name], name


@each("seed", range(70), quick=3)
def test_exact_formulations_find_the_least_time(seed):
    found = compiled(seed, most=6, steps=1, pool=(2, 4, 6))
    try:
        graph = found.costgraph({"time": Fraction(1)})
    except InputError as none:
        assert "has no word" in str(none)
        return
    bounds = {}
    for name in ("joint-dp", "cp-sat", "milp-highs", "brute-force"):
        formulation, run = load_formulation(name), Run(name, Limits())
        if formulation.accepts(graph, run) is None:
            best = formulation.solve(graph, run)
            bounds[name] = best.bound
            assert graph.value(best.choices) == best.bound
    assert "joint-dp" in bounds
    assert len(set(bounds.values())) == 1, bounds
