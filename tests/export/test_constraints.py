"""What a compiler is told of where tensors lie."""

from __future__ import annotations

import pytest

from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, AxisPlacement
from hypar_opt.export.jax.constraints import reduced

ENTRIES = {"R": WHOLE, "P": PARTIAL}


def placement(text):
    return tuple(ENTRIES.get(one) or AxisPlacement(int(one)) for one in text)


@pytest.mark.parametrize(
    ("have", "need", "behind"),
    [
        ("01", "10", "01"),  # no partial sums: as it lies
        ("0P", "0R", "0R"),
        ("0P", "01", "01"),  # scattered as it is needed
        ("0P", "00", "0R"),  # not along what is split already, in another order maybe
        ("0P", "10", "0R"),
        ("RP", "0R", "0R"),  # whole before: sliced first
        ("PP", "0P", "0R"),  # nothing is left partial
    ],
)
def test_behind_the_reduction(have, need, behind):
    assert reduced(placement(have), placement(need)) == placement(behind)
