"""Padded parts: what is charged against what devices receive, and against programs that pad their buffers."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.components import CompiledComponents
from hypar_opt.cost.operators.domains import copied
from hypar_opt.cost.operators.padding import received_padded
from hypar_opt.evaluation.operators import costs, faults, operator_plan
from hypar_opt.instance.hardware.accelerator import OPTIMISERS
from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import Axis, Partition
from tests.cost.operators.random_problems import agrees_at_every_moment
from tests.cost.operators.test_operator_components import KNOWN, random_device, random_links
from tests.evaluation.operators.random_operators import random_graph, random_partition
from tests.helpers import each

STORAGES = ("replicated", "zero-1", "zero-2", "zero-3")
DIM, WHOLE, SUMS = 0, -1, -2


def compiled(seed, pool, **options):
    """Return a random graph on random axes, every plan of which has a size in memory; or None where it has no plan."""
    random = Random(f"padded {seed}")
    graph, partition = random_graph(seed, pool=pool), random_partition(seed, most=12)
    memory = {"memory": Fraction(10**9), "states": random.randrange(3), "storages": STORAGES}
    model = OperatorModel(partition, **memory, **options)
    links, device = random_links(random, partition), random_device(random)
    found = CompiledComponents(graph, model, links if random.randrange(3) else (), device, optimiser=OPTIMISERS["adam"])
    try:
        found.operators.domains  # noqa: B018 - kept
    except InputError as none:
        assert "has no word" in str(none)
        return None
    return found


def drawn(found, seed, padded=True):
    """Return random choices, and the plan that they are."""
    random = Random(seed)
    choices = tuple(random.randrange(len(one.values)) for one in found.operators.domains)
    values = {one.name: one.values[at] for one, at in zip(found.operators.domains, choices, strict=True)}
    names = [one.name for one in found.graph.operators]
    plan = operator_plan(
        found.graph,
        found.model.partition,
        {name: value.text for name, value in values.items()},
        {name: values[name].storage for name in names},
        {name: values[name].kept_text for name in names if values[name].kept_text},
        padded=padded,
    )
    return choices, plan


def recounted(found, plan):
    return costs(found.graph, found.model.partition, plan, found.links, found.device, found.optimiser)


def charged(found, choices):
    known = [name for name in KNOWN if found.links or name in ("communication", "compute-time")]
    graphs = {name: found.costgraph({name: Fraction(1)}) for name in known}
    return {name: Fraction(one.value(choices), one.objective.denominator) for name, one in graphs.items()}


def copies(found):
    """Return whether some operator may keep a copy: one that lies as it is needed takes nothing when recounted."""
    return any(copied(one, found.graph) for one in found.graph.operators)


@each("seed", range(75), quick=2)
def test_what_is_charged_is_what_devices_receive_and_keep(seed):
    found = compiled(seed, (2, 3, 5, 7, 8, 11), padded=True)
    if found is None:
        return
    choices, plan = drawn(found, seed)
    assert list(faults(found.graph, found.model.partition, plan, divisible=False)) == []
    assert charged(found, choices).items() <= recounted(found, plan).items()
    agrees_at_every_moment(found.operators, plan, choices, idle=copies(found))


@each("seed", range(20), quick=1)
def test_what_divides_costs_the_same(seed):
    devices = random_partition(seed, most=12).leaves
    pool = (devices**2, 2 * devices**2)
    whole, padded = (compiled(seed, pool, divisible=True, padded=one) for one in (False, True))
    assert whole is not None
    choices, _ = drawn(whole, seed, padded=False)
    again, _ = drawn(padded, seed)
    assert again == choices
    assert charged(whole, choices) == charged(padded, choices)
    assert whole.operators.occupancy.used(choices) == padded.operators.occupancy.used(choices)


def parts(array, count, axis=0):
    """Return an array cut into parts of the size of the largest, the last ones padded."""
    size = -(-array.shape[axis] // count)
    widths = [(0, size * count - length if at == axis else 0) for at, length in enumerate(array.shape)]
    return np.split(np.pad(array, widths, constant_values=-1), count, axis)


def received(shape, axes, have, need):
    places = (np.array([one], dtype=np.int8) for one in (have, need))
    moved = received_padded(shape, *places, axes, range(len(axes))[::-1], np.int64)
    return Fraction(int(moved.sum()), int(np.prod(axes)))


@pytest.mark.parametrize(("rows", "columns", "devices"), [(7, 5, 3), (5, 4, 4), (6, 8, 2), (9, 10, 7)])
def test_a_program_that_pads_its_buffers_sends_so_much(rows, columns, devices):
    matrix = np.arange(rows * columns).reshape(rows, columns)
    shards = parts(matrix, devices)
    assert (np.concatenate(shards)[:rows] == matrix).all()
    assert received(matrix.shape, (devices,), [DIM], [WHOLE]) == sum(one.size for one in shards[1:])
    assert received(matrix.shape, (devices,), [SUMS], [DIM]) == (devices - 1) * shards[0].size
    sent = [parts(shard, devices, axis=1) for shard in shards]
    columns_of_first = np.concatenate([pieces[0] for pieces in sent])[:rows]
    assert (columns_of_first == parts(matrix, devices, axis=1)[0]).all()
    assert received(matrix.shape, (devices,), [DIM], [DIM + 1]) == sum(pieces[0].size for pieces in sent[1:])


def test_parts_of_parts_are_gathered_axis_by_axis():
    """Five numbers in two parts of three, each of these in two of two; gathered, the outer axis first."""
    outer = parts(np.arange(5), 2)
    inner = [parts(one, 2) for one in outer]
    assert {len(one) for two in inner for one in two} == {2}
    assert (np.concatenate([np.concatenate(two)[:3] for two in inner])[:5] == np.arange(5)).all()
    assert received((5,), (2, 2), [DIM, DIM], [DIM, WHOLE]) == 2
    assert received((5,), (2, 2), [DIM, DIM], [WHOLE, WHOLE]) == 2 + 3


def test_sums_that_nobody_needs_in_parts_are_not_padded():
    assert received((5,), (4,), [SUMS], [WHOLE]) == 2 * 3 * Fraction(5, 4)


def test_heads_in_features_have_to_divide():
    operand, output = Operand("x", ("batch", "heads")), Operand("y", ("batch", "heads"))
    one = Operator("y", "scale", "y", {"batch": 5, "heads": 3}, ("batch", "heads"), (operand,), output)
    graph = OperatorGraph({"x": Tensor("x", (5, 12), "input"), "y": Tensor("y", (5, 12))}, (one,))
    partition = Partition((Axis("gpu", 2),))
    words = CompiledComponents(graph, OperatorModel(partition, padded=True)).operators.domains[0].words
    assert words == (("batch",),)
    plan = operator_plan(graph, partition, {"y": "heads"}, padded=True)
    assert list(faults(graph, partition, plan, divisible=False)) == ["'y' splits its heads of 3 into 2 parts"]
