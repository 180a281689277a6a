"""The layout rule gives the tables as they are printed; every expected value is written out by hand."""

from __future__ import annotations

import pytest

from hypar_opt.cost.layout import TensorLayout, layout_of, remote_quarters
from hypar_opt.instance.choices import CHOICES, LETTERS, WEIGHTED, Dimension, LayerTensor

B, C, R = TensorLayout.B, TensorLayout.C, TensorLayout.R
SPLITS = {CHOICES[name].letter: CHOICES[name].weighted for name in WEIGHTED}

LAYOUTS = {  # of F[l] and E[l], of F[l+1] and E[l+1]
    "d": (B, B),
    "m": (C, R),
    "o": (R, C),
}
REMOTE = {  # quarters that one side reads to go from what it has to what it needs
    (B, B): 0, (B, C): 1, (B, R): 2,
    (C, B): 1, (C, C): 0, (C, R): 2,
    (R, B): 0, (R, C): 0, (R, R): 0,
}  # fmt: skip
TABLE_2 = {  # HyPar: quarters of F[l+1] and of E[l+1]
    ("d", "d"): (0, 0), ("d", "m"): (1, 1),
    ("m", "d"): (0, 2), ("m", "m"): (0, 2),
}  # fmt: skip
ACCPAR = {  # the same with Type-III, nine entries
    ("d", "d"): (0, 0), ("d", "m"): (1, 1), ("d", "o"): (2, 0),
    ("m", "d"): (0, 2), ("m", "m"): (0, 2), ("m", "o"): (0, 0),
    ("o", "d"): (1, 1), ("o", "m"): (0, 0), ("o", "o"): (2, 0),
}  # fmt: skip


@pytest.mark.parametrize("letter", SPLITS)
def test_layouts_of_a_layers_input_and_output(letter):
    split = SPLITS[letter]
    assert (layout_of(split, LayerTensor.F_IN), layout_of(split, LayerTensor.F_OUT)) == LAYOUTS[letter]


@pytest.mark.parametrize(
    ("name", "tensor"), [("dp", LayerTensor.WEIGHT), ("mp", LayerTensor.F_OUT), ("op", LayerTensor.F_IN)]
)
def test_table_1_the_tensor_whose_partial_sums_are_exchanged(name, tensor):
    split = CHOICES[name].weighted
    assert split.partial_sums is tensor
    assert [t for t in LayerTensor if not split.halves(t)] == [tensor]


@pytest.mark.parametrize("split", [Dimension.GROUPS, Dimension.NOTHING, Dimension.COPIES])
def test_what_all_tensors_have_or_none_leaves_no_partial_sums(split):
    assert split.partial_sums is None


@pytest.mark.parametrize("pair", REMOTE, ids=lambda pair: f"{pair[0].name}-{pair[1].name}")
def test_what_a_side_reads_remotely(pair):
    assert remote_quarters(*pair) == REMOTE[pair]


@pytest.mark.parametrize("pair", ACCPAR, ids="-".join)
def test_accpars_nine_entries(pair):
    out, into = layout_of(SPLITS[pair[0]], LayerTensor.F_OUT), layout_of(SPLITS[pair[1]], LayerTensor.F_IN)
    assert (remote_quarters(out, into), remote_quarters(into, out)) == ACCPAR[pair]


def test_table_2_is_the_part_without_op():
    assert {pair: amounts for pair, amounts in ACCPAR.items() if "o" not in pair} == TABLE_2


def test_ties_are_broken_in_the_order_dp_mp_op_none_replicate():
    assert "".join(LETTERS.values()) == "dmonr"
