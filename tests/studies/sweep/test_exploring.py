"""Weighing every combination: against the cost of each plan by itself, and by hand."""

from __future__ import annotations

from fractions import Fraction
from threading import Event

import numpy as np
import pytest
from helpers import document, linear_chain, problem_of
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.formulation.run import Limits, Stopped
from hypar_opt.instance import load
from hypar_opt.report.exploration import title
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies.sweep import exploration as recomputing
from hypar_opt.studies.sweep import explore, usual_component
from hypar_opt.util.errors import InputError, Refusal

MACHINE = {
    "topology": "h-tree",
    "placement": "identity",
    "link": {"bandwidth": 3, "at": "root", "energy": 0.5},
    "accelerator": {"model": "as-evaluated", "rate": 7, "energy": {"add": 1, "multiply": 2, "sram": 3, "dram": 5}},
}


def machine_of(whole, **accelerator):
    """Put a document's network on a machine with numbers that do not divide each other."""
    levels = whole["array"]["levels"]
    return {**whole, "array": {**MACHINE, "levels": levels, "accelerator": MACHINE["accelerator"] | accelerator}}


def of_chain(*features, levels=2, shape=(8,), **more):
    return problem_of(machine_of(document(linear_chain(*features), shape, levels=levels, **more)))


@pytest.mark.parametrize("component", ["time", "energy", "communication", "comm-time", "dram-energy"])
@pytest.mark.parametrize("free", [(None, None), (["fc2"], None), (None, [2]), (["fc1", "fc3"], [1])])
def test_every_combination_costs_what_its_plan_costs(component, free):
    problem = of_chain(6, 4, 3)
    plan = {"fc1": "dm", "fc2": "md", "fc3": "mm"}
    found = explore(problem, *free, plan=plan, components=[component])
    assert found.fault == ""
    for index in range(found.space.count):
        strategies = found.space.strategies(index)
        costs = problem.costs(problem.bytes_of(strategies), problem.sites)
        assert found.value(component, index) == costs[component]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=3),
    st.sampled_from(["published", "receiver", "as-evaluated"]),
    st.integers(0, 2),
    st.integers(1, 40),
    st.data(),
)
def test_the_best_is_the_best_of_all_by_boxes_and_routes(features, accounting, levels, batch, data):
    problem = of_chain(*features, levels=levels, batch=batch, accounting=accounting)
    base = {f"fc{i}": data.draw(st.text("dm", min_size=levels, max_size=levels)) for i in range(1, len(features) + 1)}
    found = explore(problem, plan=base, components=["time", "energy"])
    times = []
    for index in range(found.space.count):
        costs = problem.costs(problem.bytes_of(found.space.strategies(index)), problem.sites)
        times.append(costs["time"])
        assert found.value("energy", index) == costs["energy"]
    assert [found.value("time", i) for i in range(found.space.count)] == times
    assert found.best == tuple(i for i, one in enumerate(times) if one == min(times))
    assert found.space.strategies(found.space.base_index) == base
    at = times[found.space.base_index]
    assert found.rank(found.space.base_index) == 1 + sum(one < at for one in times)
    assert [times[i] for i in found.order(5)] == sorted(times)[:5]
    assert found.gain("time", found.winner) == found.reference["time"] / min(times)


def test_a_graph_with_a_join_and_parallel_edges():
    layers = [
        {"name": "a", "linear": {"features": 6}},
        {"name": "b", "linear": {"features": 6}},
        {"name": "sum", "add": {}, "inputs": ["a", "b"]},
        {"name": "c", "linear": {"features": 3}, "inputs": ["sum"]},
    ]
    problem = problem_of(machine_of(document(layers, [8], levels=2)))
    found = explore(problem, ["a", "sum"], formulation="joint-dp")
    for index in range(found.space.count):
        strategies = found.space.strategies(index)
        assert found.value("time", index) == problem.costs(problem.bytes_of(strategies), problem.sites)["time"]
    assert found.base == "joint-dp's for the objective communication"


def test_one_layer_by_hand():
    """8 -> 4 on 2 accelerators, batch 8: dp exchanges W of 32 elements, mp F of 32: 8 bytes an element."""
    found = explore(of_chain(4, levels=1), components=["communication", "time"])
    assert [found.space.strategies(i) for i in range(2)] == [{"fc1": "d"}, {"fc1": "m"}]
    assert [found.value("communication", i) for i in range(2)] == [256, 256]
    assert found.best == (0, 1)
    assert found.winner == found.space.base_index == 0
    # 256 multiply-accumulates a phase, two operations each, on two accelerators; 128 bytes each way at 3 B/s
    assert found.value("time", 0) == Fraction(3 * 2 * 256, 2 * 7) + Fraction(128, 3)
    assert found.gain("time", 1) == 1
    assert found.base == "hypar-dp's for the least communication"
    assert found.against == "data parallelism"


def test_gains_over_the_base_plan():
    problem = of_chain(64, 4, levels=1)
    plan = {"fc1": "m", "fc2": "m"}
    found = explore(problem, plan=plan, against="plan", components=["communication"])
    own = problem.bytes_of(plan).total
    assert found.reference == {"communication": own}
    assert found.gain("communication", found.space.base_index) == 1
    assert found.against == "the base plan"


def test_what_costs_nothing_has_no_gain():
    found = explore(of_chain(4, levels=0), components=["communication"])
    assert found.gain("communication", 0) is None
    assert found.best == (0,)


def test_a_memory_that_some_plans_do_not_fit_into():
    whole = document(linear_chain(64, 4), [8], levels=1)
    problem = problem_of(machine_of(whole, memory={"capacity": 5000}))
    plan = {"fc1": "m", "fc2": "m"}
    found = explore(problem, plan=plan, against="plan")
    fits = [problem.graph.feasible(found.space.choices(i)) for i in range(found.space.count)]
    assert list(found.allowed) == fits
    assert 0 < sum(fits) < 4
    assert all(fits[i] for i in (*found.best, *found.order(10)))
    tight = problem_of(machine_of(whole, memory={"capacity": 4400}))
    nothing = explore(tight, ["fc2"], plan={"fc1": "d", "fc2": "d"}, against="plan")
    assert (nothing.best, nothing.winner, list(nothing.order(5))) == ((), None, [])


def test_costs_beyond_64_bits():
    problem = problem_of(machine_of(document(linear_chain(10**10, 10**10), [10**9], levels=1)))
    found = explore(problem, components=["energy", "time"])
    assert found.values["energy"].dtype == np.dtype(object)
    for index in range(4):
        strategies = found.space.strategies(index)
        assert found.value("energy", index) == problem.costs(problem.bytes_of(strategies), problem.sites)["energy"]


def test_time_where_it_is_known_else_communication():
    assert usual_component(of_chain(4)) == "time"
    assert usual_component(NetworkProblem(load("lenet-c"))) == "communication"
    assert usual_component(NetworkProblem(load("lenet-c", array="hypar-16", placement="free"))) == "communication"
    assert explore(NetworkProblem(load("lenet-c")), levels=[1]).components == ("communication",)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["tim"], "got 'tim'; did you mean 'time'?"),
        (["time", "time"], "--components: 'time' comes twice"),
        ([], "--components: names none; leave it out for time"),
    ],
)
def test_components_that_cannot_be(names, message):
    with pytest.raises(InputError) as error:
        explore(of_chain(4), components=names)
    assert str(error.value).endswith(message)


def test_a_component_that_the_array_says_nothing_of():
    with pytest.raises(InputError, match=r"array\.accelerator: missing, and energy needs it"):
        explore(NetworkProblem(load("lenet-c")), levels=[1], components=["energy"])


def test_no_data_parallelism_to_compare_with():
    problem = problem_of(document(linear_chain(4, 4), [8], levels=2, batch=2, splits="divisible"))
    with pytest.raises(Refusal) as error:
        explore(problem)
    why = "the rule's plan breaks a split or capacity rule of this instance: 'fc1' cannot have 'dd'"
    assert str(error.value) == f"data parallelism is not allowed here ({why}); try --against plan"
    assert explore(problem, against="plan").fault == ""


def test_no_base_plan():
    problem = problem_of(machine_of(document(linear_chain(64, 4), [8], levels=1), memory={"capacity": 1100}))
    with pytest.raises(Refusal) as error:
        explore(problem, formulation="data-parallel")
    assert str(error.value) == (
        "data-parallel has no base plan here (rule not allowed); try another: -f joint-dp, or --plan"
    )


def test_a_cost_model_that_disagrees_with_boxes_is_found_out(monkeypatch):
    problem = of_chain(4, 4)
    honest = recomputing.recomputed_costs
    monkeypatch.setattr(
        recomputing,
        "recomputed_costs",
        lambda *given: {name: cost + (name == "time") for name, cost in honest(*given).items()},
    )
    found = explore(problem, components=["energy", "time"])
    time = found.reference["time"]
    assert found.fault == f"the reference: boxes and routes give {time + 1} of time, the cost model {time}"


def test_a_stop_before_the_end():
    stop = Event()
    stop.set()
    with pytest.raises(Stopped):
        explore(of_chain(4, 4), plan={"fc1": "dd", "fc2": "dd"}, limits=Limits(stop=stop))


def test_phases_are_told():
    heard = []
    explore(of_chain(4, 4), levels=[1], listener=lambda event: heard.append(event.text))
    assert "4 combinations" in heard
    assert heard[-1] == "recomputing by boxes and routes"


def test_a_plan_that_just_fits_is_allowed():
    """8 -> 4 features, batch 8, levels 1: the capacity is exactly what dp keeps, then one byte less."""
    whole = document(linear_chain(64, 4), [8], levels=1)
    roomy = problem_of(machine_of(whole, memory={"capacity": 10**9}))
    plan = {"fc1": "d", "fc2": "d"}
    need = sum(roomy.resident(plan).values())
    assert need.denominator == 1
    for capacity, fits in ((need, True), (need - 1, False)):
        problem = problem_of(machine_of(whole, memory={"capacity": int(capacity)}))
        found = explore(problem, plan=plan, against="plan")
        assert bool(found.allowed[found.space.base_index]) is fits
        assert list(found.allowed) == [problem.graph.feasible(found.space.choices(i)) for i in range(4)]


def test_gains_are_said_to_be_over_data_parallelism_with_what_is_fixed():
    problem = of_chain(64, 4, levels=1, fix={"fc1": "m"})
    found = explore(problem, components=["communication"])
    assert found.against == "data parallelism with fc1 as fixed"
    assert found.reference == {"communication": problem.bytes_of({"fc1": "m", "fc2": "d"}).total}
    many = of_chain(*[4] * 6, levels=1, fix={f"fc{i}": "m" for i in range(1, 6)})
    assert explore(many).against == "data parallelism with 5 layers as fixed"
    assert explore(many, against="plan").against == "the base plan"


def test_one_combination_is_told_in_the_singular():
    heard = []
    found = explore(
        of_chain(4, levels=0), components=["communication"], listener=lambda event: heard.append(event.text)
    )
    assert "1 combination" in heard
    assert title(found) == (
        "of-a-test: 1 combination, one accelerator having no levels to choose at; the base plan, "
        "hypar-dp's for the least communication"
    )
    assert title(explore(of_chain(4, 4, levels=1, fix={"fc1": "m"}), ["fc1"])).startswith(
        "of-a-test: 1 combination of fc1 at level 1; the rest as in the base plan, "
    )


def test_where_hypar_dp_declines_the_base_is_joint_dp_s():
    problem = NetworkProblem(load("resnet-18", array="hypar-16"))
    found = explore(problem, ["fc"], [1], components=["time"])
    assert found.base == "joint-dp's for the least communication"
