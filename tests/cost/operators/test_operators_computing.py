"""What operators take by roofline and by measured times, by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from hypar_opt.cost.operators import OperatorModel
from hypar_opt.cost.operators.computing import Computing
from hypar_opt.cost.operators.domains import operator_domain
from hypar_opt.evaluation.operators import OperatorPlan, works
from hypar_opt.instance.operators import Operand, Operator, OperatorGraph, Tensor
from hypar_opt.instance.operators.device import Device
from hypar_opt.util.errors import InputError
from hypar_opt.util.partition import Axis, Partition

PARTITION = Partition((Axis("gpu", 4),))


def linear(batch, gradient=True, bias=False, **others):
    """Return a linear layer of 8 inputs and 16 outputs; its input has a gradient or none."""
    tensors = {
        "x": Tensor("x", (batch, 8), "input", 4, gradient),
        "w": Tensor("w", (8, 16), "parameter", 4),
        "b": Tensor("b", (16,), "parameter", 4),
        "y": Tensor("y", (batch, 16), "activation", 4),
    }
    operands = [Operand("x", ("batch", "in")), Operand("w", ("in", "out"))]
    operands += [Operand("b", ("out",), saved=False, is_added=True)] if bias else []
    sizes = {"batch": batch, "in": 8, "out": 16}
    one = Operator(
        "y", "linear", "y", sizes, tuple(sizes), tuple(operands), Operand("y", ("batch", "out")),
        multiply_adds=others.pop("multiply_adds", batch * 8 * 16), **others,
    )  # fmt: skip
    return OperatorGraph(tensors, (one,))


def seconds(graph, word, device):
    """Return what the phases take, which both codes say."""
    plan = OperatorPlan({"y": (word,)})
    found = [work.seconds for work in works(graph, PARTITION, plan, device)]
    model = OperatorModel(PARTITION, ("batch", "in", "out", "none"), fix={"y": (word,)})
    compiled, unit = Computing(graph, model, [operator_domain(graph.operators[0], graph, model)], device).unary(
        "compute-time"
    )
    assert Fraction(compiled[0].value(0), unit) == sum(found)
    return found


def test_both_sides_of_the_ridge():
    # 2 x 16 x 8 x 16 = 4,096 operations forward, of two gradients twice as many; 4 (128 + 128 + 256) = 2,048 bytes
    fast, slow = Device(Fraction(1), Fraction(10**6)), Device(Fraction(10**6), Fraction(1))
    assert seconds(linear(16), "none", fast) == [4096, 2 * 4096]
    # backward: x, w and y's gradient are read, the gradients of x and w written
    assert seconds(linear(16), "none", slow) == [2048, 2048 + 4 * (128 + 128)]
    assert seconds(linear(16), "none", Device(Fraction(1))) == [4096, 2 * 4096]
    assert seconds(linear(16, gradient=False), "none", fast) == [4096, 4096]


@pytest.mark.parametrize(("word", "share"), [("batch", 4), ("in", 4), ("out", 4), ("none", 1)])
def test_a_part_takes_its_share(word, share):
    assert seconds(linear(16), word, Device(Fraction(1)))[0] == Fraction(4096, share)


def test_the_largest_part_counts():
    assert seconds(linear(5), "batch", Device(Fraction(1))) == [2 * 2 * 8 * 16, 2 * 2 * 2 * 8 * 16]


def test_a_bias_is_added_up_over_the_output():
    assert seconds(linear(16, bias=True), "none", Device(Fraction(1))) == [4096, 2 * 4096 + 16 * 16]


def test_what_lies_between_two_products_has_a_gradient():
    assert seconds(linear(16, products=2), "none", Device(Fraction(1))) == [4096, 4096 * Fraction(2 + 1, 2)]


def test_what_multiplies_nothing_does_an_operation_an_element():
    assert seconds(linear(16, multiply_adds=0), "none", Device(Fraction(1))) == [256, 128 + 128]


def test_measured_times():
    shape = (("batch", 4), ("in", 8), ("out", 16))
    table = Device(Fraction(1), times={("linear", shape): (Fraction(3), Fraction(5))})
    assert seconds(linear(16), "batch", table) == [3, 5]
    with pytest.raises(InputError, match=r"has no row 'linear,batch=16 in=8 out=16'.* nearest row is 'linear,batch=4"):
        seconds(linear(16), "none", table)
