"""Blocks that run once more backward: what that costs and keeps, compiled and recounted, and the best plans."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from random import Random

import pytest

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.evaluation.operators import costs, movements, operator_plan
from hypar_opt.evaluation.operators.placements import needed
from hypar_opt.evaluation.operators.plan import copied, shared_placement
from hypar_opt.evaluation.operators.recomputation import recomputation
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import Axis, Partition
from tests.cost.operators.random_problems import agrees_at_every_moment, problem
from tests.cost.operators.test_enumerated_operators import agree, decided, in_turn
from tests.cost.operators.test_operator_components import KNOWN, STORAGES, random_device, random_links
from tests.evaluation.operators.random_operators import random_graph, random_partition, with_blocks
from tests.evaluation.operators.test_likeness import network
from tests.helpers import each
from tests.instance.operators.made import graph_of


def compiled(seed):
    random = Random(f"recompute {seed}")
    drawn = with_blocks(random_graph(seed, steps=6), seed) if seed % 3 else network(random)
    graph, partition = drawn, random_partition(seed, most=12)
    memory = Fraction(10**9) if random.random() < 0.7 else None
    padded = seed % 4 == 0
    options = {"padded": padded, "recompute": "choose" if seed % 5 < 3 else "blocks"}
    model = OperatorModel(partition, None, bool(seed % 2), STORAGES, memory, random.randrange(3), **options)
    return CompiledComponents(graph, model, random_links(random, partition), random_device(random))


def drawn(found, random):
    """Return random choices, of which those of a block agree, and the plan that they are."""
    domains, graph, decisions = found.operators.domains, found.graph, found.operators.decisions
    wanted = {key: random.choice((False, True)) for key in dict.fromkeys(decisions.values())}

    def choice(domain):
        offered = {value.again for value in domain.values}
        again = wanted[decisions[domain.name]] if len(offered) > 1 else None
        return random.choice([place for place, one in enumerate(domain.values) if again in (None, one.again)])

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


@each("seed", range(600), quick=3)
def test_every_component_and_the_memory_are_what_the_evaluator_derives(seed):
    found = compiled(seed)
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


@each("seed", range(400), quick=3)
def test_exact_formulations_agree_with_all_plans(seed):
    found = tight(seed, "choose" if seed % 2 else "blocks")
    if found is not None:
        agree(found, in_turn(seed))


@pytest.mark.slow
def test_the_default_agrees_with_all_plans():
    for seed in range(200):
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
