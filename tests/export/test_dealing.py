"""What is dealt out to two axes: no part is larger than it has to be, and what is taken apart is put together again."""

from __future__ import annotations

from itertools import product
from math import ceil, prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hypar_opt.util.extras import installed

pytestmark = pytest.mark.skipif(not installed("jax"), reason="JAX is not installed: pip install 'hypar-opt[jax]'")
SIZES = st.integers(2, 6)


@pytest.mark.slow
@given(size=st.integers(1, 60), first=SIZES, second=SIZES)
def test_no_part_is_larger_than_it_has_to_be(size, first, second):
    from hypar_opt.export.jax.runtime import dealing

    axes = {"a": first, "b": second}
    patch = pytest.MonkeyPatch()
    patch.setattr(dealing, "AXES", axes)
    for there in ((), ("a",), ("b",)):
        for axis in axes.keys() - set(there):
            parts, back = dealing.dealt(axis, size, ("a", "b"), there)
            left = ceil(size / prod(axes[one] for one in there))
            own = ceil(size / prod(axes[one] for one in (*there, axis)))
            assert parts.shape == (*(axes[one] for one in there), axes[axis] * own)
            for place in product(*(range(axes[one]) for one in there)):
                held = back[place] < axes[axis] * own  # each that there is, is in one place
                assert (parts[place][back[place][held]] == np.arange(left)[held]).all()
                assert (parts[place] < left).sum() == held.sum()
    patch.undo()


@pytest.mark.slow
@pytest.mark.parametrize(("size", "first", "second"), [(5, 2, 2), (11, 2, 3), (14, 4, 6), (3, 2, 4)])
def test_what_is_taken_apart_is_put_together(size, first, second, monkeypatch):
    from hypar_opt.export.jax.runtime import dealing

    axes = {"a": first, "b": second}
    monkeypatch.setattr(dealing, "AXES", axes)
    whole = np.arange(2 * size).reshape(2, size)
    for one, other in (("a", "b"), ("b", "a")):
        left = ceil(size / axes[one])
        cuts = [(one, 1, 1, size, size, ("a", "b"), ()), (other, 1, 1, left, size, ("a", "b"), (one,))]
        parts = dealing.apart(whole, cuts, fill=-1)
        assert parts.shape == (axes[one], axes[other], 2, ceil(size / first / second))
        assert sorted(parts[parts >= 0].tolist()) == list(range(2 * size))
        assert (dealing.together(parts, cuts) == whole).all()
