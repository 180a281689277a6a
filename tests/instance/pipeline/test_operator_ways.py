"""In which ways operators may be done, by what a file says, and how plans spell it."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.instance.pipeline import OperatorWay, PlannedOperator, StageDevices, read_pipeline
from hypar_opt.util.errors import InputError

NUMBERS = st.integers(1, 999)
KINDS = st.sampled_from(("gpu", "machine-5", "a 1", "tensor", "recompute"))


def pipeline(*operators, **others):
    devices = [{"kind": "gpu", "count": 4, "speed": 2}]
    fields = {"schema": "hypar-opt/pipeline/1", "name": "it", "devices": devices, "operators": list(operators)}
    return read_pipeline(fields | others, lambda message, path, **_: InputError(f"{path}: {message}"))


def operator(**others):
    return {"name": "a", "seconds": 2, "backward": 6, "memory": 5, "activations": 8, "parameters": 3} | others


@given(KINDS, NUMBERS, NUMBERS, st.integers(1, 8), st.booleans())
def test_plans_spell_devices_and_ways(kind, first, replicas, tensor, anew):
    planned = PlannedOperator(StageDevices(kind, first, replicas * tensor, tensor), anew)
    assert PlannedOperator.read(str(planned)) == planned


def test_what_no_plan_spells():
    for text in ("gpu", "gpu 0", "gpu 1-3 tensor 2", "gpu 1 tensor 1", "gpu 1 recompute recompute"):
        assert PlannedOperator.read(text) is None


def test_an_operator_computes_activations_anew_by_the_rule():
    first = {"name": "first", "seconds": 1, "output": 3}
    made = pipeline(first, operator(reads=["first"]), schedule="1f1b", recompute="operators").operators[1]
    assert made.way(anew=True) == OperatorWay({"gpu": 1}, {"gpu": 3 + 1}, Fraction(5 + 5), Fraction(3), Fraction(3))
    assert made.way() == OperatorWay({"gpu": 1}, {"gpu": 3}, Fraction(5), Fraction(8), Fraction(3))
    plain = pipeline(first, operator(reads=["first"]), schedule="1f1b").operators[1]
    assert plain.way(anew=True) is None


def test_what_is_said_goes_before_the_rule():
    said = {"backward": 9, "activations": 2}
    made = pipeline(operator(recompute=said), schedule="1f1b", recompute="stages").operators[0]
    assert made.way(anew=True) == OperatorWay(
        {"gpu": 1}, {"gpu": Fraction(9, 2)}, Fraction(5 + 6), Fraction(2), Fraction(3)
    )
    more = {"seconds": 4, "memory": 1}
    made = pipeline(operator(recompute=more), schedule="1f1b", recompute="stages").operators[0]
    assert made.way(anew=True) == OperatorWay({"gpu": 2}, {"gpu": 3}, Fraction(1), Fraction(0), Fraction(3))


def test_a_way_that_keeps_no_less_is_none():
    made = pipeline(
        {"name": "first", "seconds": 1, "output": 9, "activations": 1}, operator(reads=["first"]), schedule="1f1b",
        recompute="operators",
    )  # fmt: skip
    assert made.operators[1].way(anew=True) is None


def test_what_says_nothing_of_degrees_is_done_whole_by_each_device():
    split = {"degree": 2, "seconds": 1, "memory": 2, "read_bytes": {"b": Decimal("0.5")}}
    made = pipeline({"name": "b", "seconds": 2}, operator(reads=["b"], read_bytes={"b": 4}, tensor=[split]))
    whole, own = made.operators
    assert made.degrees == (1, 2)
    assert whole.way(2) == whole.way()
    assert own.way(2) == OperatorWay(
        {"gpu": Fraction(1, 2)}, {"gpu": 3}, Fraction(2), Fraction(8), Fraction(3), {"b": Fraction(1, 2)}
    )
    assert own.way(4) is None
