"""However an instance is made, it is checked as one that is read from a file."""

from __future__ import annotations

import pytest
from helpers import document, instance_of, linear_chain

from hypar_opt.instance import Instance, load
from hypar_opt.solver.infeasibility.memory import shortage_of
from hypar_opt.solver.network_problem import NetworkProblem
from hypar_opt.studies import random_instances as campaign
from hypar_opt.util.errors import InputError

WHOLE = document(linear_chain(8, 8), [8], batch=4, levels=2, choices=["dp", "mp"])


def small(capacity):
    """Return an array whose accelerators have little memory."""
    accelerator = {"model": "as-evaluated", "rate": 7, "memory": {"capacity": capacity}}
    return {"topology": "h-tree", "levels": 2, "accelerator": accelerator}


INVALID = {
    "fewer accelerators than leaves": (
        {"array": {"topology": "torus", "levels": 2, "accelerators": 3}},
        r"^array.accelerators: ",
    ),
    "a placement on one twice": (
        {"array": {"topology": "ring", "levels": 2, "placement": ["a0", "a1", "a2", "a2"]}},
        r"^array.placement\[3\]: expected each accelerator once, and 'a2' is given to leaf 2 already",
    ),
    "an objective that the array knows nothing of": (
        {"objective": {"comm-time": 1}},
        r"^array.link.bandwidth: missing, and comm-time needs it",
    ),
    "a memory too small for any split": (
        {"array": small(3)},
        r"^array.accelerator.memory.capacity: expected at least 64 bytes, which the weights of 'fc1' alone take",
    ),
}
FIXED = {
    "a layer that is none": ({"fc9": "dd"}, r"^fix.fc9: 'fc9' is no layer"),
    "a word too short": ({"fc1": "d"}, r"^fix.fc1: expected 2 letters, one a level, or . where it is open, got 'd'"),
}


@pytest.mark.parametrize(("change", "message"), INVALID.values(), ids=INVALID)
def test_from_data(change, message):
    with pytest.raises(InputError, match=message):
        campaign.instance_of({**WHOLE, **change})


@pytest.mark.parametrize(("change", "message"), INVALID.values(), ids=INVALID)
def test_by_its_fields(change, message):
    """A spec whose fields are right one by one, with the network that goes with it."""
    valid = instance_of(WHOLE)
    spec = type(valid.spec).model_validate({**WHOLE, **change})
    with pytest.raises(InputError, match=message):
        Instance.from_spec(spec, valid.network, "0" * 64, {})


@pytest.mark.parametrize(("change", "message"), [({"fix": fix}, message) for fix, message in FIXED.values()], ids=FIXED)
def test_given_strategies(change, message):
    valid = instance_of(WHOLE)
    with pytest.raises(InputError, match=message):
        valid.changed(**change)
    assert valid.changed(fix={"fc1": "dd"}).fix == {"fc1": "dd"}


def test_changes_are_checked_one_by_one_and_together():
    valid = load("lenet-c", array="hypar-16")
    with pytest.raises(InputError, match=r"^batch: expected an integer of at least 1"):
        valid.changed(batch=0)
    leaf_exact = valid.spec.cost.model_copy(update={"accounting": "leaf-exact"})
    with pytest.raises(InputError, match="comm-time weighs the bytes of each level, and accounting 'leaf-exact'"):
        valid.changed(cost=leaf_exact, objective={"comm-time": 1})
    other = valid.changed(batch=8)
    assert (other.batch, other.sha256, other.source, valid.batch) == (8, valid.sha256, valid.source, 256)


def test_a_problem_of_another_placement_is_checked():
    problem = NetworkProblem(load("lenet-c", array="ring-16", objective="hop-bytes"))
    with pytest.raises(InputError, match=r"placement\[1\]: expected each .*, and 'a0' is given to leaf 0 already"):
        problem.at(["a0"] * 16)


def test_what_would_make_room_is_an_instance():
    """One accelerator's weights have to fit before it helps that there are more."""
    problem = NetworkProblem(instance_of({**WHOLE, "array": small(100)}))
    short = shortage_of(problem)
    assert short is not None and all("0 levels" not in lever for lever in short.levers)


NO_ARRAY = "array: expected an array, or the name or the file of one, got 3"


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda valid: valid.replace(array=3), NO_ARRAY),
        (lambda valid: Instance(valid.network, 3, 1), NO_ARRAY),
        (lambda _: load("lenet-c", array=3), f"--{NO_ARRAY}"),
        (lambda valid: valid.replace(objective=3), "objective: expected text, for example product:time,energy, got 3"),
    ],
)
def test_what_is_no_array_and_no_objective_is_named(made, message):
    with pytest.raises(InputError) as caught:
        made(load("lenet-c"))
    assert str(caught.value) == message
