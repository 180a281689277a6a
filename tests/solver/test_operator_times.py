"""Time and energy of operators from the instance's file to the plan's, and back through verify."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import hypar_opt
from hypar_opt.evaluation.operators import costs
from hypar_opt.formulation.solution import Status
from hypar_opt.instance.operators import OperatorInstance
from hypar_opt.solver.operator_problem import OperatorProblem
from hypar_opt.solver.pareto import pareto_front
from hypar_opt.solver.plan import Plan
from hypar_opt.util.errors import InputError

LINKS = [{"bandwidth": 1000, "latency": 0.001, "energy": 1e-9}, {"bandwidth": 10000, "energy": 1e-10}]
ENERGY = {"add": 0.9e-12, "multiply": 3.7e-12, "sram": 5.0e-12, "dram": 640.0e-12}


def document(**changes):
    axes = [{"name": name, "size": 2, "link": link} for name, link in zip(("node", "gpu"), LINKS, strict=True)]
    accelerator = {"model": "roofline", "rate": 1e6, "utilisation": 0.5, "memory": {"bandwidth": 1e5}, "energy": ENERGY}
    layers = [
        {"name": "a", "linear": {"features": 32}},
        {"name": "r", "activation": {}},
        {"name": "b", "linear": {"features": 16}},
    ]
    return {
        "schema": "hypar-opt/instance/1",
        "name": "two-layers",
        "batch": 8,
        "network": {"input": {"sequence": 4, "features": 16}, "layers": layers},
        "array": {"axes": axes, "accelerator": accelerator},
        "cost": {"choices": ["batch", "in", "out", "features"]},
        "objective": {"time": 1},
        **changes,
    }


def problem(**changes):
    return OperatorProblem(OperatorInstance.from_dict(document(**changes)))


@cache
def every_cost():
    """Return what every plan costs, by the evaluator alone."""
    one = problem()
    instance, domains = one.instance, one.compiled.domains
    return [
        costs(
            instance.graph, instance.partition, one.plan_of(words), instance.links, instance.device, instance.optimiser
        )
        for values in product(*(domain.values for domain in domains))
        for words in [{domain.name: value.text for domain, value in zip(domains, values, strict=True)}]
    ]


@pytest.mark.parametrize("formulation", ["joint-dp", "cp-sat", "milp-highs", "brute-force"])
@pytest.mark.parametrize("objective", ["time", "comm-time", "compute-time", "energy"])
def test_the_least_of_all_plans_is_found(formulation, objective):
    one = problem(objective={objective: 1})
    least = min(found[objective] for found in every_cost())
    plan = hypar_opt.solve(one, formulation)
    assert (plan.status, plan.objective, plan.bound) == (Status.OPTIMAL, least, least)


@pytest.mark.parametrize("formulation", ["joint-dp", "cp-sat", "milp-highs", "brute-force"])
def test_a_bound_on_time_is_kept(formulation):
    fastest = min(found["time"] for found in every_cost())
    within = [found["energy"] for found in every_cost() if found["time"] <= fastest * Fraction(11, 10)]
    bound = fastest * Fraction(11, 10)
    plan = hypar_opt.solve(problem(objective={"energy": 1}, subject_to={"time": float(bound)}), formulation)
    assert plan.objective == min(within)
    none = hypar_opt.solve(problem(objective={"energy": 1}, subject_to={"time": float(fastest) * 0.9}), formulation)
    assert none.status is Status.INFEASIBLE


def test_plans_say_every_known_cost_and_verify_recounts_them(tmp_path):
    one = problem()
    plan = hypar_opt.solve(one)
    assert plan.costs["time"] == plan.costs["compute-time"] + plan.costs["comm-time"] == plan.objective
    assert plan.costs["energy"] == sum(cost for name, cost in plan.costs.items() if name.endswith("-energy"))
    (tmp_path / "instance.json").write_text(json.dumps(document()), encoding="utf-8")
    plan.save(tmp_path / "plan.json")
    verdict = hypar_opt.verify(tmp_path / "instance.json", tmp_path / "plan.json")
    assert {check.name for check in verdict.checks} >= {"time", "energy", "comm-time", "compute-time", "dram-energy"}
    assert verdict.outcome.value == "confirmed"
    assert Plan.load(tmp_path / "plan.json").costs["dram-energy"] == plan.costs["dram-energy"]


def test_a_front_of_bytes_and_time():
    found = pareto_front(problem(), ("communication", "time"))
    values = {(one["communication"], one["time"]) for one in every_cost()}
    best = {a for a in values if not any(b != a and b[0] <= a[0] and b[1] <= a[1] for b in values)}
    assert found.complete and {one.values for one in found.points} == best


@pytest.mark.parametrize(
    ("path", "value", "field", "said"),
    [
        (("axes", 0, "link", "bandwidth"), 0, "array.axes[0].link.bandwidth", "expected a bandwidth above 0, got 0"),
        (("axes", 1, "link"), None, "array.axes[1].link", "missing of axis 'gpu', and time needs its bandwidth"),
        (
            ("axes", 1, "link", "bandwidth"),
            None,
            "array.axes[1].link.bandwidth",
            "missing of axis 'gpu', and time needs",
        ),
        (("accelerator",), None, "array.accelerator", "missing, and time needs it"),
        (("accelerator", "model"), "as-evaluated", "array.accelerator.model", "expected roofline, by which time of"),
        (("accelerator", "utilisation"), "grid", "array.accelerator", "missing; expected the rows and columns"),
    ],
)
def test_what_an_array_lacks_is_named(path, value, field, said):
    data = document()
    *parents, last = path
    into = data["array"]
    into = {**into, "axes": [{**one, "link": dict(one["link"])} for one in into["axes"]]}
    data["array"] = into
    for key in parents:
        into = into[key]
    if value is None:
        del into[last]
    else:
        into[last] = value
    with pytest.raises(InputError) as error:
        OperatorInstance.from_dict(data)
    assert error.value.field.startswith(field)
    assert said in error.value.message


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"objective": {"hop-bytes": 1}}, "array.topology: missing, and hop-bytes needs it"),
        ({"subject_to": {"sram-energy": 1}}, "operators have no sram-energy"),
        (
            {"objective": {"product": ["time", "energy"]}},
            "expected a weighted sum: of operators there is no product yet",
        ),
        ({"array": {"levels": 2}}, "expected axes with links, and time needs the bandwidth of each"),
    ],
)
def test_what_operators_do_not_have_is_refused(changes, said):
    with pytest.raises(InputError, match=said):
        OperatorInstance.from_dict(document(**changes))


def test_a_front_of_what_is_not_known_is_refused():
    with pytest.raises(InputError, match="no sram-energy"):
        problem().front(("time", "sram-energy"))
    with pytest.raises(InputError, match="missing of axis 'outer'"):
        OperatorProblem(problem().instance.replace(axes="outer=2,inner=2", objective="communication")).front(("time",))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("operator,shape,forward\n", "expected a column backward, once"),
        ("operator,shape,forwards,backward\n", "got 'forwards'; did you mean 'forward'"),
        ("operator,shape,forward,backward\nlinear,in=4,fast,1\n", "expected seconds, got 'fast'"),
        ("operator,shape,forward,backward\nlinear,in=4,1\n", "expected 4 columns, got 3"),
        ("operator,shape,forward,backward\nlinear,in=x,1,1\n", "expected NAME=SIZE with spaces between"),
        (
            "operator,shape,forward,backward\nlinear,batch=8 sequence=4 in=16 out=32,1,1\n",
            r"times.csv:2: .* no row 'linear,batch=.* nearest",
        ),
        ("operator,shape,forward,backward\nconv,in=4,1,1\n", r"times.csv: .* of 'a' on a device; it has rows of conv"),
    ],
)
def test_tables_of_measured_times(tmp_path, text, said):
    (tmp_path / "times.csv").write_text(text, encoding="utf-8")
    data = document()
    data["array"]["accelerator"] = {**data["array"]["accelerator"], "times": {"file": "times.csv"}}
    instance = tmp_path / "instance.json"
    instance.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(InputError, match=said.replace("(", r"\(")):
        hypar_opt.solve(hypar_opt.load(instance))


def test_what_a_front_lacks_is_named_where_it_came_from():
    problem = OperatorProblem(hypar_opt.load("gpt2-block", array="a100-2x8"))
    with pytest.raises(InputError, match=r"--array axes\[0\].link.energy: missing of axis 'node', and energy needs it"):
        problem.front(("time", "energy"))
