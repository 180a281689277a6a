"""What devices receive in a collective, by kind and axis, on 2 x 4 devices."""

from __future__ import annotations

import pytest

from hypar_opt.count.hlo import Collective
from hypar_opt.count.received import Mesh, received

MESH = Mesh((2, 4), (1, 0))
INNER = ((0, 1, 2, 3), (4, 5, 6, 7))
ALL = (tuple(range(8)),)


@pytest.mark.parametrize(
    ("kind", "groups", "elements", "expected"),
    [
        ("all-gather", INNER, 8, {("all-gather", 1): 8 * 6 * 4}),
        ("reduce-scatter", INNER, 2, {("reduce-scatter", 1): 8 * 6 * 4}),
        ("all-reduce", INNER, 8, {("reduce-scatter", 1): 192, ("all-gather", 1): 192}),
        # three quarters along the fast axis, and of the quarter that is left one half along the slow one
        ("all-gather", ALL, 8, {("all-gather", 1): 8 * 6 * 4, ("all-gather", 0): 8 * 1 * 4}),
        # of eight parts one is at home and three beside it
        ("all-to-all", ALL, 8, {("all-to-all", 1): 8 * 3 * 4, ("all-to-all", 0): 8 * 4 * 4}),
        ("collective-permute", ((0, 1), (3, 4), (5, 5)), 2, {("halo", 1): 8, ("halo", 0): 8}),
    ],
)
def test_bytes(kind, groups, elements, expected):
    assert received(Collective(kind, groups, 4 * elements, elements, ""), MESH, 4) == expected
