"""Equations in named dimensions, and what they become."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hypar_opt.instance.operators.layers.equation import Equation, parse
from hypar_opt.util.errors import InputError, NetworkError
from tests.instance.operators.made import graph_of, one, reads

names = st.sampled_from(["sequence", "in", "out", "heads", "features", "x_1"])
sides = st.lists(names, unique=True, max_size=4)


@st.composite
def equations(draw):
    operands = draw(st.lists(sides, min_size=1, max_size=3))
    operands = [("batch", *operands[0]), *(tuple(one) for one in operands[1:] if one)]
    known = sorted({name for one in operands for name in one} - {"batch"})
    output = draw(st.lists(st.sampled_from(known), unique=True)) if known else []
    return Equation(tuple(operands), ("batch", *output))


@settings(max_examples=50)
@given(equation=equations())
def test_an_equation_is_read_as_it_is_written(equation):
    assert parse(str(equation)) == equation


@given(text=st.text(st.sampled_from("ab ,->"), max_size=12))
def test_whatever_is_written_is_read_or_refused(text):
    try:
        equation = parse(text)
    except ValueError as refused:
        assert "expected" in str(refused)
    else:
        assert parse(str(equation)) == equation


@pytest.mark.parametrize(
    ("equation", "message"),
    [
        ("batch in -> batch in in", "expected every dimension once in 'batch in in', got 'in' 2 times"),
        ("batch in in -> batch in", "expected every dimension once in 'batch in in', got 'in' 2 times"),
        ("batch whole -> batch whole", "expected another name of a dimension than 'whole', which stands for"),
        ("batch in -> batch inn", "expected a dimension of an operand in the output, got 'inn'; did you mean 'in'?"),
        ("batch in", "expected operands, `->` and one output"),
        ("batch in -> in batch", "expected an output that begins with batch"),
        ("batch i*n -> batch", "expected names of dimensions"),
    ],
)
def test_equations_that_cannot_be(equation, message):
    with pytest.raises(InputError, match=r"layers\[0\].einsum.equation: ") as refused:
        one("einsum", equation=equation)
    assert message in str(refused.value)


def test_operands_that_are_not_read_are_parameters():
    operator, sizes = one("einsum", equation="batch s i, h i o -> batch h s o", sizes={"h": 2, "o": 3}, bias=True)
    assert sizes == (4, 2, 6, 3)
    assert reads(operator) == {"input": ("batch", "s", "i"), "it.weight": ("h", "i", "o"), "it.bias": ("h", "o")}
    assert operator.splits == ("batch", "h", "s", "o", "i")
    assert operator.multiply_adds == 4 * 2 * 6 * 3 * 8


def test_two_activations_can_be_multiplied():
    layer = {"name": "e", "inputs": ["a", "input"], "einsum": {"equation": "batch s i, batch t i -> batch s t"}}
    assert graph_of([{"name": "a", "activation": {}}, layer]).tensors["e"].sizes == (4, 6, 6)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"equation": "batch s i, i o -> batch s o"}, "expected the size of 'o', which no input has"),
        ({"equation": "batch s i, i o -> batch s o", "sizes": {"o": 2, "s": 6}}, "expected sizes of o, got one of 's'"),
        ({"equation": "batch s -> batch s"}, "expected batch and 2 more for"),
    ],
)
def test_sizes_have_to_be_known(fields, message):
    with pytest.raises(NetworkError, match=message):
        one("einsum", **fields)


def test_matmul_multiplies_batches_of_matrices():
    layers = [
        {"name": "t", "transpose": ["features", "sequence"]},
        {"name": "m", "inputs": ["input", "t"], "matmul": {}},
    ]
    graph = graph_of(layers)
    assert graph.tensors["m"].sizes == (4, 6, 6)
    assert [operand.dims for operand in graph.operators[0].operands] == [
        ("batch", "sequence", "in"),
        ("batch", "out", "in"),
    ]
    with pytest.raises(NetworkError, match="matmul reads"):
        graph_of([{"name": "m", "inputs": ["input", "input"], "matmul": {}}])
