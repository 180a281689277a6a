"""HyPar's four worked examples, from a network to bytes."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest
import yaml

from hypar_opt.cost.compile import compile_workload
from hypar_opt.cost.layout import CostModel
from hypar_opt.costgraph import Objective
from hypar_opt.instance.network import INPUT, Conv, Layer, Linear, Network, workload
from hypar_opt.instance.objective.components import COMMUNICATION
from hypar_opt.util.partition import halves

FILE = Path(__file__).parents[2] / "reports" / "published" / "hypar_hpca19.yaml"
PRINTED = yaml.safe_load(FILE.read_text(encoding="utf-8"))
NETWORKS = {
    "linear": Network((70,), (Layer("fc", Linear(100), (INPUT,)),)),
    "convolution": Network((20, 12, 12), (Layer("conv", Conv(50, (5, 5)), (INPUT,)),)),
}


@pytest.mark.parametrize("choice", ["dp", "mp"])
@pytest.mark.parametrize("network", NETWORKS)
def test_one_layer_on_two_accelerators(network, choice):
    model = CostModel(batch=32, partition=halves(1))
    graph = compile_workload(workload(NETWORKS[network]), model, Objective({COMMUNICATION: Fraction(1)}))
    word = graph.variables[0].words.index(choice[0])
    printed = Decimal(PRINTED["worked_examples_kB"][network][choice])
    assert graph.value((word,)) == printed * 1000


def test_the_convolutions_output_is_8_by_8():
    assert NETWORKS["convolution"].shapes["conv"] == (50, 8, 8)
