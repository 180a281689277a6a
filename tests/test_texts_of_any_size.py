"""What stands in messages and where Python shows a value: of a size that can be read, whatever names are given."""

from __future__ import annotations

from dataclasses import replace

import pytest

import hypar_opt
from hypar_opt import Array, Instance, Layer, Linear, Network, load, solve
from hypar_opt.util.errors import LONGEST_TEXT, InputError, MachineError, NetworkError, Refusal, readable

LONG = "x" * 10**6
MOST = LONGEST_TEXT + 100


@pytest.mark.parametrize("kind", ["refusal", "input", "words", "network", "machine"])
def test_messages_keep_their_ends(kind):
    error = {
        "refusal": Refusal(LONG),
        "input": InputError(LONG, file=LONG, field=LONG),
        "words": InputError("x " * 10**6),
        "network": NetworkError(LONG, layer=LONG),
        "machine": MachineError(LONG, field=LONG),
    }[kind]
    assert len(str(error)) <= MOST and len(repr(error)) <= MOST
    assert "..." in str(error)


def test_what_can_be_read_stays():
    path = "/" + "folder/" * 140
    assert readable(f"{path}: layers[3]: expected 'a'") == f"{path}: layers[3]: expected 'a'"
    assert str(InputError("no\nlines", file="f")) == r"f: no\nlines"
    assert readable(f"'{LONG}' is none; did you mean 'y'?").endswith("xxx' is none; did you mean 'y'?")


WRONG = {
    "a name": lambda: load(LONG),
    "a file": lambda: load(f"/tmp/{LONG}.yaml"),
    "an array": lambda: load("lenet-c", array=LONG),
    "a pattern": lambda: load("lenet-c", fix={LONG: "dddd"}),
    "a pattern of an instance": lambda: instance(fix={LONG: "dd"}),
    "a field": lambda: Instance.from_dict({LONG: 1}),
    "a formulation": lambda: solve("lenet-c", LONG),
    "a start": lambda: solve("lenet-c", start={LONG: "dddd"}),
    "a plan": lambda: hypar_opt.Plan.load(LONG),
    "components": lambda: hypar_opt.pareto_front("lenet-c", LONG),
    "a limit": lambda: solve("lenet-c", time_limit=LONG),
    "an override": lambda: load("lenet-c", **{LONG: 2}),
    "a cycle": lambda: Network((4,), [Layer(f"l{i}", Linear(4), inputs=[f"l{(i - 1) % 900}"]) for i in range(900)]),
}


@pytest.mark.parametrize("ask", WRONG.values(), ids=WRONG)
def test_wrong_values_of_any_size(ask):
    with pytest.raises((hypar_opt.HyparError, TypeError)) as raised:
        ask()
    assert len(str(raised.value)) <= MOST and len(repr(raised.value)) <= MOST


def instance(**fields):
    return Instance(Network((4,), [Layer("a", Linear(4))]), Array("h-tree", levels=2), batch=8, **fields)


def test_results_are_shown_short():
    timed = load("lenet-c", array="hypar-16")
    plan = solve(timed)
    long = replace(plan, instance=LONG, formulation=LONG, native_status=LONG, objective=None)
    front = hypar_opt.pareto_front(timed)
    shown = [plan, long, replace(front, instance=LONG, formulation=LONG, components=(LONG, LONG))]
    shown += [hypar_opt.explain(timed, plan), hypar_opt.verify(timed, plan), hypar_opt.simulate_plan(timed, plan)]
    shown += [hypar_opt.compare_plans(plan, plan, timed), hypar_opt.load("five-operators")]
    assert max(len(repr(one)) for one in shown) < 500
    assert len(long.summary()) < MOST
    assert repr(shown[-1]) == "StrategyGraph('five-operators', 5 nodes, 6 edges)"
    assert repr(shown[-2]) == "PlanComparison('lenet-c', 0 changes, 0 B more)"
