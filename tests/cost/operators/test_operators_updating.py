"""What the update of parameters takes, by hand, which both codes say."""

from __future__ import annotations

from fractions import Fraction

import pytest
from test_operators_computing import PARTITION, linear

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.domains import operator_domain
from hypar_opt.cost.operators.updating import Updating
from hypar_opt.evaluation.operators import OperatorPlan, updates
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.instance.operators.device import Device

SLOW_MEMORY, SLOW = Device(Fraction(10**9), Fraction(1)), Device(Fraction(1))
STORAGES = ("replicated", "zero-1", "zero-2", "zero-3")


def works(word, device, storage="replicated", optimiser="sgd", **others):
    """Return seconds, multiplications, additions and bytes of the update of a layer with 8 x 16 weights of 4 bytes."""
    graph = linear(16, **others)
    model = OperatorModel(PARTITION, ("batch", "in", "out", "none"), storages=(storage,), fix={"y": (word,)})
    rule = OPTIMISERS[optimiser]
    domain = operator_domain(graph.operators[0], graph, model)
    (compiled,) = Updating(graph, model, device, rule).works(domain, graph.operators[0])
    done = list(updates(graph, PARTITION, OperatorPlan({"y": (word,)}, storage={"y": storage}), device, rule))
    recounted = (
        sum(one.seconds for one in done),
        sum(one.products + one.multiplies for one in done),
        sum(one.products + one.others for one in done),
        sum(one.bytes for one in done),
    )
    assert recounted == (compiled.seconds, compiled.multiplies, compiled.adds, compiled.bytes)
    return recounted


@pytest.mark.parametrize(
    ("optimiser", "multiplies", "adds", "accesses"), [("sgd", 1, 1, 3), ("momentum", 2, 2, 5), ("adam", 8, 4, 7)]
)
def test_what_is_done_to_each_weight(optimiser, multiplies, adds, accesses):
    moved = 8 * 16 * 4 * accesses
    assert works("none", SLOW_MEMORY, optimiser=optimiser) == (moved, 128 * multiplies, 128 * adds, moved)
    assert works("none", SLOW, optimiser=optimiser)[0] == 128 * (multiplies + adds)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize(("word", "held"), [("batch", 128), ("in", 32), ("out", 32), ("none", 128)])
def test_a_device_updates_what_it_has_the_states_of(storage, word, held):
    parts = 4 if word == "batch" and storage != "replicated" else 1
    assert works(word, SLOW, storage)[0] == Fraction(2 * held, parts)


def test_a_bias_is_updated_as_well():
    assert works("batch", SLOW, bias=True)[0] == 2 * (128 + 16)
    assert works("in", SLOW, "zero-1", bias=True)[0] == 2 * (32 + 16)  # its gradient is whole everywhere


def test_with_measured_times_the_update_takes_what_its_bytes_take():
    timed = {("linear", (("batch", 4),)): (Fraction(1), Fraction(1))}
    assert works("none", Device(Fraction(1), times=timed))[0] == 0
    assert works("none", Device(Fraction(10**9), Fraction(2), times=timed))[0] == 128 * 4 * Fraction(3, 2)
