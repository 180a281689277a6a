"""Blocks that run once more backward: what that costs and keeps, compiled and recounted, and the best plans."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from random import Random

import pytest

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.cost.operators.domains import placement_domain
from hypar_opt.evaluation.operators import costs, movements, operator_plan
from hypar_opt.evaluation.operators.placements import needed
from hypar_opt.evaluation.operators.plan import copied, shared_placement
from hypar_opt.evaluation.operators.recomputation import recomputation
from hypar_opt.instance.operators.graph import Repeat, Tensor
from hypar_opt.util.errors import InputError, Refusal
from hypar_opt.util.partition import Axis, Partition
from tests.cost.operators.random_problems import agrees_at_every_moment, problem
from tests.cost.operators.test_enumerated_operators import agree, decided, in_turn
from tests.cost.operators.test_operator_components import KNOWN, STORAGES, random_device, random_links
from tests.evaluation.operators.random_operators import random_graph, random_partition, with_blocks
from tests.evaluation.operators.test_likeness import network
from tests.helpers import each
from tests.instance.operators.made import graph_of


def read_by_blocks(random, most=3):
    """Return a network with a map that several blocks read if they run once more, and, last of all, a layer anyway.

    Of some its writer keeps it for itself as well.
    """
    layers, now, repeats = [{"name": "map", "linear": {"features": 4}}], "map", []
    if random.random() < 0.5:
        layers.append({"name": "shares", "softmax": {}})
        now = "shares"
    last = now
    for n in range(random.randint(1, most)):
        block = [
            {"name": f"sum{n}", "inputs": [last, now], "add": {}},
            {"name": f"act{n}", "activation": {}},
            {"name": f"up{n}", "linear": {"features": 4}},
        ][: random.randint(2, 3)]
        repeats.append(Repeat(len(layers), len(block), 1))
        layers, last = layers + block, block[-1]["name"]
    layers.append({"name": "last", "inputs": [last, now], "multiply": {}})
    shape = {"sequence": random.choice((2, 4)), "features": 4}
    return replace(graph_of(layers, shape, batch=random.choice((2, 4))), repeats=tuple(repeats))


def compiled(seed):
    random = Random(f"recompute {seed}")
    drawn = with_blocks(random_graph(seed, steps=6), seed) if seed % 3 else network(random)
    return of_graph(drawn, seed, random)


def of_graph(graph, seed, random):
    """Return a random problem of a graph, with a memory that everything fits into, or none."""
    partition = random_partition(seed, most=12)
    memory = Fraction(10**9) if random.random() < 0.7 else None
    padded = seed % 4 == 0
    options = {"padded": padded, "recompute": "choose" if seed % 5 < 3 else "blocks"}
    model = OperatorModel(partition, None, bool(seed % 2), STORAGES, memory, random.randrange(3), **options)
    return CompiledComponents(graph, model, random_links(random, partition), random_device(random))


def drawn(found, random):
    """Return random choices, of which those of a block agree, and the plan that they are."""
    domains, graph, decisions = found.operators.domains, found.graph, found.operators.decisions
    wanted = {key: random.choice((False, True)) for key in dict.fromkeys(decisions.values())}
    longer = found.operators.kept_longer

    def choice(domain):
        offered = {value.again for value in domain.values}
        again = wanted[decisions[domain.name]] if len(offered) > 1 else None
        until = next((number for number, key in enumerate(longer.get(domain.name, ()), start=1) if wanted[key]), 0)
        fitting = [place for place, one in enumerate(domain.values)
                   if again in (None, one.again) and one.until == until]  # fmt: skip
        return random.choice(fitting)

    choices = tuple(map(choice, domains))
    values = {one.name: one.values[choice] for one, choice in zip(domains, choices, strict=True)}
    operators = [one.name for one in graph.operators]
    plan = operator_plan(
        graph,
        found.model.partition,
        {name: value.text for name, value in values.items()},
        {name: values[name].storage for name in operators},
        {name: values[name].kept_text for name in operators if values[name].kept_text},
        padded=found.model.padded,
        recompute=found.model.recompute,
        again=decided(found.operators, values),
    )
    return choices, plan


def idle_copies(graph, plan):
    """Return whether an operator keeps a copy of what lies as it needs it: the cost model has no eye for that."""
    return any(
        needed(one.operands[place], plan.words[one.name])
        == shared_placement(graph, one.operands[place].tensor, plan.shared[one.operands[place].tensor][0])
        and not plan.keeps_no_copy(graph, one, place)
        for one in graph.operators
        for place in copied(graph, one, plan.recomputed)
    )


@each("seed", range(75), quick=3)
def test_every_component_and_the_memory_are_what_the_evaluator_derives(seed):
    is_derived(compiled(seed), seed)


@each("seed", range(0, 300, 10), quick=3)
def test_maps_that_some_blocks_alone_keep_are_there_as_long_as_the_evaluator_derives(seed):
    random = Random(f"by blocks {seed}")
    is_derived(of_graph(read_by_blocks(random), seed, random), seed)


def is_derived(found, seed):
    """Check a random plan's costs and memory against the evaluator's."""
    try:
        assert found.operators.domains
    except InputError as none:  # some operators cannot be split so often
        assert "has no word" in str(none)
        return
    choices, plan = drawn(found, Random(seed))
    recounted = costs(found.graph, found.model.partition, plan, found.links, found.device)
    assert recounted.keys() == set(KNOWN)
    for name in KNOWN:
        graph = found.costgraph({name: Fraction(1)})
        assert graph.feasible(choices) or found.model.memory is not None
        assert Fraction(graph.value(choices), graph.objective.denominator) == recounted[name], name
    agrees_at_every_moment(found.operators, plan, choices, idle=idle_copies(found.graph, plan))


def tight(seed, recompute="blocks"):
    """Return a problem of blocks wherever, with a memory that its plan of the fewest bytes just fits into, or less."""
    graph = with_blocks(random_graph(seed, steps=4, pool=(2, 3, 4, 6, 8, 12)), seed)
    return problem(graph, seed, most=2_000, recompute=recompute)


@each("seed", range(80), quick=3)
def test_exact_formulations_agree_with_all_plans(seed):
    found = tight(seed, "choose" if seed % 2 else "blocks")
    if found is not None:
        agree(found, in_turn(seed))


@each("seed", range(30), quick=2)
def test_exact_formulations_agree_where_blocks_alone_keep_a_map(seed):
    found = problem(read_by_blocks(Random(f"by blocks {seed}"), 2), seed, most=2_000, recompute="choose")
    if found is not None:
        agree(found, in_turn(seed))


def test_a_map_that_too_many_blocks_may_keep_is_refused():
    tensor, model = Tensor("map", (2, 4)), OperatorModel(Partition((Axis("gpu", 2),)))
    with pytest.raises(Refusal, match=r"'map:forward' has 3 words, each with how long it stays for 100,000 blocks"):
        placement_domain(tensor, ("batch", "out"), model, "map:forward", longer=10**5)


@pytest.mark.slow
def test_the_default_agrees_with_all_plans():
    for seed in range(60):
        found = tight(seed)
        if found is not None:
            agree(found, ["portfolio"])


@pytest.mark.slow
def test_what_is_drawn():
    """Blocks of which something runs once more, and memories that hold nothing."""
    seen = Counter()
    for seed in range(200):
        found = tight(seed)
        if found is not None:
            again = recomputation(found.compiled.graph, "blocks")
            seen["again"] += bool(again.again)
            seen["infeasible"] += found.least is None
    assert seen["again"] > 100 and seen["infeasible"], seen


def test_what_runs_once_more_has_its_parameters_gathered_once_for_both():
    layers = [{"name": "up", "linear": {"features": 8, "bias": True}}, {"name": "bend", "activation": {}},
              {"name": "down", "linear": {"features": 8, "bias": True}}]  # fmt: skip
    first = {"name": "first", "linear": {"features": 8}}
    graph = graph_of([first, {"name": "run", "repeat": {"times": 2, "layers": layers}}])
    partition = Partition((Axis("gpu", 2),))
    words = {one.name: "batch" for one in graph.operators}
    storage = {one.name: "zero-3" for one in graph.operators if one.kind == "linear"}
    plan = operator_plan(graph, partition, words, storage, recompute="blocks")
    gathered = Counter((one.tensor, one.phase) for one in movements(graph, partition, plan) if one.kind == "all-gather")
    assert "run.1.up" in plan.recomputed.again
    assert "run.1.down" not in plan.recomputed.again
    of = {name: {phase for tensor, phase in gathered if tensor == name} for name in graph.tensors}
    assert of["run.1.up.weight"] == of["run.1.down.weight"] == {"forward", "backward"}
    assert of["run.1.up.bias"] == {"forward", "recompute"}
    assert of["run.1.down.bias"] == of["first.weight"] == {"forward"}
