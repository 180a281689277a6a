"""The comparison with counted elements can fail: each of these faults of the evaluator is seen."""

from __future__ import annotations

import pytest
from test_elements import compare

from hypar_opt.evaluation.operators import conversion, program, step
from hypar_opt.evaluation.operators.placements import PARTIAL, WHOLE, needed


def added_in_every_group(operator, operand, word):
    return tuple(PARTIAL if entry == WHOLE else entry for entry in needed(operand, word))


def one_after_the_other(have, need, fastest):
    """Change what is split axis by axis, not in one exchange."""
    for axes, before, after in STAGES(have, need, fastest):
        now = before
        for axis in axes:
            changed = (*now[:axis], after[axis], *now[axis + 1 :])
            yield (axis,), now, changed
            now = changed


def without_corners(one, other):
    return None if any(digit in other for digit in one) else {**one, **other}


STAGES = conversion._stages


@pytest.mark.parametrize(
    ("module", "name", "faulty"),
    [
        (program, "produced", added_in_every_group),
        (step, "halo", lambda *_, is_padded: {}),
        (conversion, "_stages", one_after_the_other),
        (conversion, "common", without_corners),
    ],
)
def test_a_fault_is_seen(monkeypatch, module, name, faulty):
    monkeypatch.setattr(module, name, faulty)
    conversion.converted.cache_clear()
    try:
        with pytest.raises(AssertionError):
            for seed in range(60):
                compare(seed, most=4)
    finally:
        conversion.converted.cache_clear()
