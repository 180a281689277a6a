"""Blocks that run once more: what that is of a block, whether a memory holds it, and what is said where none does."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random

import pytest

from hypar_opt.cost.operators.recompute import recomputed
from hypar_opt.evaluation.operators.recomputation import recomputation
from hypar_opt.formulation.run import Limits
from hypar_opt.instance.operators import OperatorInstance, network
from hypar_opt.solver.block_bound import BlockBound
from hypar_opt.solver.infeasibility.operator_memory import operator_shortage
from hypar_opt.solver.operator_blocks import DecidedBlocks
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.solve import solve
from hypar_opt.util.errors import InputError, NetworkError
from hypar_opt.verification import verify
from tests.helpers import each
from tests.instance.operators.made import graph_of

BLOCK = [
    {"name": "norm", "norm": {"kind": "rms"}},
    {"name": "up", "linear": {"features": 32}},
    {"name": "act", "activation": {}},
    {"name": "down", "linear": {"features": 8}},
    {"name": "sum", "inputs": ["block", "down"], "add": {}},
]
FIRST = {"name": "first", "linear": {"features": 8}}
ROOF = {"model": "roofline", "rate": 1e6}


def blocks(times=3):
    return {"name": "h", "repeat": {"times": times, "layers": BLOCK}}


def instance(capacity, batch=8, axes=1, **cost):
    """Return three blocks on axes of two devices of so much memory."""
    return OperatorInstance.from_dict(
        {
            "schema": "hypar-opt/instance/1",
            "name": "blocks",
            "batch": batch,
            "network": {"input": {"sequence": 16, "features": 8}, "layers": [FIRST, blocks()]},
            "array": {
                "axes": [{"name": f"a{n}", "size": 2, "link": {"bandwidth": 1e6}} for n in range(axes)],
                "accelerator": {**ROOF, "memory": {"capacity": capacity}},
            },
            "cost": {"storage": ["replicated"], **cost},
        }
    )


def kept(*options, **more):
    """Return what a plan of the fewest bytes keeps."""
    problem = OperatorProblem(instance(10**9, *options, **more))
    plan = solve(problem, "joint-dp")
    return problem.kept(problem.plan_of(plan.strategies))


def test_of_a_block_only_runs_again_what_the_backward_phase_needs():
    """What is added and what is added to is not read again, so neither sum nor last layer runs."""
    graph = graph_of([FIRST, blocks()])
    inside = {f"h.{n}.{name}" for n in range(3) for name in ("norm", "up", "act", "down")}
    again = {f"h.{n}.{name}" for n in range(3) for name in ("norm", "up", "act")}
    for found in (recomputed(graph, "blocks").operators, recomputation(graph, "blocks").again):
        assert found == again
    assert set(recomputed(graph, "blocks").interior) == set(recomputation(graph, "blocks").inside) == inside
    assert recomputed(graph, "none").operators == recomputation(graph, "none").again == frozenset()


def test_a_first_block_that_is_not_like_the_others_keeps_its_maps():
    """The input, which has no gradient, is what the first block reads."""
    again = recomputation(graph_of([blocks()]), "blocks").again
    assert {name.rpartition(".")[0] for name in again} == {"h.1", "h.2"}


def test_maps_inside_are_counted_of_one_block():
    """What is not inside, the inputs of the first layer and of each block, stays; of the others a third is left."""
    without, with_ = kept(), kept(recompute="blocks")
    maps, inputs, inside = (
        sum(kinds.get(kind, 0) for kinds in found.values())
        for found, kind in ((without, "maps"), (with_, "maps"), (with_, "recomputed"))
    )
    assert inputs == 4 * 8 * 16 * 8 * 4 / 2
    assert maps - inputs == 3 * inside


def test_a_memory_that_holds_only_what_is_not_recomputed():
    note = solve(instance(60_000, choices=["batch"])).note
    assert note.endswith("enough would be: --recompute choose; or --batch 4")
    assert solve(instance(60_000, recompute="blocks", choices=["batch"])).status == "OPTIMAL"


@pytest.mark.slow
@pytest.mark.parametrize("name", ["portfolio", "milp-highs"])
def test_a_plan_with_recomputation_is_verified(name, tmp_path):
    problem = OperatorProblem(instance(60_000, recompute="blocks", choices=["batch", "none"]))
    plan = solve(problem, name)
    assert plan.status == "OPTIMAL"
    assert problem.kept_in_all(problem.plan_of(plan.strategies)) <= 60_000
    plan.save(tmp_path / "plan.json")
    assert verify(problem.instance, tmp_path / "plan.json").outcome.value == "confirmed"


def test_running_again_takes_time_and_moves_nothing_by_the_batch_alone():
    free = [OperatorProblem(instance(10**9, recompute=how, choices=["batch"])) for how in ("none", "blocks")]
    without, with_ = (one.costs(one.plan_of(solve(one).strategies)) for one in free)
    assert with_["communication"] == without["communication"]
    elements = 8 * 16 * (8 + 32) // 2  # of norm and activation, an operation for each
    assert with_["compute-time"] - without["compute-time"] == Fraction(3 * (8 * 16 * 8 * 32 + elements), 10**6)


@pytest.mark.parametrize(
    ("capacity", "says"),
    [
        (11_000, "--recompute choose; or sequence among cost.choices; or all choices, not only those of cost.choices"),
        (
            7_800,
            "--recompute choose with sequence among cost.choices; or --recompute choose with all choices, not only",
        ),
    ],
)
def test_what_makes_room_alone_or_two_changes_together(capacity, says):
    note = solve(instance(capacity, batch=1, axes=2, choices=["in", "none"])).note
    assert f"enough would be: {says}" in note


def test_a_smaller_batch_that_cannot_be_split_as_is_given_is_no_way_out():
    """One sample cannot be split, which is found when it is compiled; nothing is wrong with the instance."""
    plan = solve(instance(7_000, batch=2, choices=["batch", "none"]).replace(fix=("first=batch",)))
    assert plan.status == "INFEASIBLE"
    assert "--batch" not in plan.note


def test_a_batch_that_layers_do_not_go_together_with_is_no_way_out(monkeypatch):
    one = instance(60_000, choices=["batch"])

    def refused(*_):
        raise NetworkError("expected a batch of 8")

    monkeypatch.setattr(network, "compile_network", refused)
    assert operator_shortage(one).levers == ("--recompute choose",)


def test_no_certificate_knows_what_runs_once_more():
    assert OperatorProblem(instance(10**9)).uncertifiable is None
    assert "run once more" in OperatorProblem(instance(10**9, recompute="blocks")).uncertifiable


def test_what_is_no_way_of_recomputing():
    with pytest.raises(InputError, match=r"cost\.recompute: expected 'none', 'blocks' or 'choose', got 'all'"):
        instance(10**9, recompute="all")


def chosen(plan):
    """Return the decisions of a plan."""
    return {name: said for name, said in plan.strategies.items() if name.endswith(":recompute")}


@pytest.mark.parametrize("objective", ["communication", "time"])
@pytest.mark.parametrize(
    ("capacity", "blocks"),
    [(88_768, 0), (88_767, 1), (70_336, 1), (70_335, 2), (51_904, 2)],
)
def test_only_as_many_blocks_run_once_more_as_the_memory_needs(capacity, blocks, objective):
    """Each of three has 18,432 bytes inside; when that of the last is needed, 33,472 are there of all else.

    So each of the first two makes room for its own, and the last none: what it drops is made again at the peak.
    """
    made = instance(capacity, recompute="choose", choices=["batch"]).replace(objective=objective)
    problem = OperatorProblem(made)
    plan = solve(problem)
    assert plan.status == "OPTIMAL"
    assert list(chosen(plan).values()).count("yes") == blocks
    costs = problem.costs(problem.plan_of(plan.strategies))
    elements = 8 * 16 * (8 + 32) // 2
    free = solve(instance(10**9, choices=["batch"]).replace(objective="time"))
    assert costs["time"] - free.objective == Fraction(blocks * (8 * 16 * 8 * 32 + elements), 10**6)


@pytest.mark.parametrize("rule", ["data-parallel", "megatron"])
def test_rules_run_blocks_once_more_where_the_memory_needs_it(rule):
    """They take a price on what is kept, under which no block may be half run again."""
    problem = OperatorProblem(instance(58_048, recompute="choose", choices=["batch"]))
    plan = solve(problem, rule)
    assert plan.status == "FEASIBLE", plan.note
    assert list(chosen(plan).values()).count("yes") >= 2
    assert problem.kept_in_all(problem.plan_of(plan.strategies)) <= 58_048


def test_nothing_runs_once_more_where_the_memory_is_not_known():
    document = instance(10**9, recompute="choose").to_dict()
    del document["array"]["accelerator"]["memory"]
    assert set(chosen(solve(OperatorInstance.from_dict(document))).values()) == {"no"}


@each("seed", range(20), quick=2)
def test_choosing_is_never_worse_than_all_or_nothing(seed):
    random = Random(f"choose {seed}")
    capacity, some = random.randrange(38_000, 80_000), ["batch", random.choice(("none", "sequence"))]
    objective = random.choice(("communication", "time"))
    made = (instance(capacity, recompute=how, choices=some) for how in ("none", "blocks", "choose"))
    *others, plan = (solve(one.replace(objective=objective)) for one in made)
    least = min((one.objective for one in others if one.objective is not None), default=None)
    assert plan.status == ("INFEASIBLE" if least is None else "OPTIMAL")
    assert least is None or plan.objective <= least


def test_a_decision_can_be_given_and_is_verified(tmp_path):
    made = instance(71_000, recompute="choose", choices=["batch"]).replace(fix={"h.0:recompute": "no"})
    plan = solve(made)
    assert chosen(plan) == {"h.0:recompute": "no", "h.1:recompute": "yes", "h.2:recompute": "no"}
    plan.save(tmp_path / "plan.json")
    assert verify(made, tmp_path / "plan.json").outcome.value == "confirmed"
    other = solve(made.replace(fix={"h.1:recompute": "no"}))
    assert other.status == "INFEASIBLE"


def test_a_plan_of_another_decision_is_refuted(tmp_path):
    made = instance(60_000, recompute="choose", choices=["batch"])
    plan = solve(made)
    path = tmp_path / "plan.json"
    plan.save(path)
    path.write_text(path.read_text().replace('"yes"', '"no"', 1))
    assert verify(made, path).outcome.value == "refuted"


@pytest.mark.parametrize(
    ("recompute", "fix", "says"),
    [
        ("choose", {"h.7:recompute": "yes"}, "'h.7:recompute' is no block that is repeated; did you mean"),
        ("choose", {"h.0:recompute": "maybe"}, "expected yes or no for 'h.0:recompute', got 'maybe'"),
        ("choose", {"*:recompute": "yes", "h.0:recompute": "no"}, "contradicts what is given above it"),
        ("blocks", {"h.0:recompute": "no"}, "cost.recompute: choose alone leaves that to decide"),
    ],
)
def test_what_is_wrong_with_a_decision_that_is_given(recompute, fix, says):
    with pytest.raises(InputError, match=re.escape(says)):
        instance(10**9, recompute=recompute).replace(fix=fix)


@pytest.mark.parametrize(
    ("recompute", "key", "said", "says"),
    [
        ("choose", "h.9:recompute", "yes", "'h.9' is no repeated block that could run once more"),
        ("choose", "h.1:recompute", "perhaps", "'h.1' has 'perhaps', expected yes or no"),
        ("none", "h.1:recompute", "yes", "'h.1' has 'yes', and none does here: cost.recompute is none"),
    ],
)
def test_what_is_wrong_with_a_decision_of_a_plan(recompute, key, said, says):
    problem = OperatorProblem(instance(10**9, recompute=recompute))
    strategies = solve(problem).strategies
    with pytest.raises(InputError, match=re.escape(says)):
        problem.plan_of({**strategies, key: said})


@each("seed", range(40), quick=4)
def test_passes_over_the_number_of_blocks_bound_what_plans_cost(seed):
    random = Random(f"passes {seed}")
    some = random.choice((["batch", "none"], ["batch", "sequence"], ["batch", "in", "none"]))
    made = instance(random.randrange(38_000, 80_000), recompute="choose", choices=some)
    problem = OperatorProblem(made.replace(objective=random.choice(("communication", "time"))))
    compiled = problem.compiled
    decided = DecidedBlocks(problem.apart, compiled.domains, compiled.decisions, compiled.occupancy, Limits())
    passes = BlockBound(decided)
    passes.begin()
    bound = passes.bound()
    plan = solve(problem, "milp-highs")
    assert plan.status in ("OPTIMAL", "INFEASIBLE")
    if plan.objective is None:
        assert passes.best is None
    elif passes.best is not None:
        assert decided.fits(passes.best)
        assert bound <= plan.objective * problem.whole.objective.denominator <= passes.value


@pytest.mark.parametrize("again", [(), (0,), (1,), (0, 1)])
def test_a_plan_says_until_when_a_map_from_outside_lies_for_all(again):
    """Blocks that run once more keep it, the first one longest; without them, who reads it last of all."""
    block = [{"name": "sum", "inputs": ["block", "map"], "add": {}}, {"name": "act", "activation": {}}]
    layers = [FIRST, {"name": "map", "activation": {}}, {"name": "other", "inputs": ["first"], "activation": {}},
              {"name": "h", "repeat": {"times": 2, "layers": block}},
              {"name": "last", "inputs": ["h", "map"], "multiply": {}}]  # fmt: skip
    document = instance(10**6, recompute="choose", choices=["batch"]).to_dict()
    problem = OperatorProblem(
        OperatorInstance.from_dict({**document, "network": {**document["network"], "layers": layers}})
    )
    assert problem.compiled.kept_longer == {"map:forward": ("h.0:recompute", "h.1:recompute")}
    keepers = "map", "other", "last", *(f"h.{n}.sum" for n in again)
    runs, bare = {f"h.{n}:recompute": "yes" for n in again}, {f"{one}:kept": "shared" for one in keepers}
    strategies = {**solve(problem, "joint-dp").strategies, **runs, **bare}
    choices = problem.choices(strategies)
    assert problem.apart.feasible(choices)
    until = problem.compiled.domains[problem.compiled.index["map:forward"]].values
    assert until[choices[problem.compiled.index["map:forward"]]].until == (again[0] + 1 if again else 0)
    peak = problem.peak(problem.plan_of(strategies)).bytes
    assert max(problem.compiled.occupancy.used(choices)) == peak * problem.compiled.occupancy.unit
