"""Compiled loops are kept: a second process finds them."""

from __future__ import annotations

import subprocess
import sys

import pytest

COUNTING = """
import gc
from numba.core.dispatcher import Dispatcher
from hypar_opt.costgraph.presolve import presolve
from tests.costgraph.presolve.presolve_checks import tables_of

presolve(tables_of([2, 3], [[3, 0], [0, 1, 5]], [(0, 1, [[0, 4, 1], [5, 0, 2]])], [(0, 0, 1, [1, 2])], [2]))
found = [one.stats for one in gc.get_objects() if isinstance(one, Dispatcher) and "hypar_opt" in one.py_func.__module__]
print(sum(sum(one.cache_hits.values()) for one in found), sum(sum(one.cache_misses.values()) for one in found))
"""


@pytest.mark.slow
def test_a_second_process_compiles_nothing(pytestconfig):
    for _ in range(2):
        ran = subprocess.run(
            [sys.executable, "-c", COUNTING], cwd=pytestconfig.rootpath, capture_output=True, text=True, check=True
        )
    hits, misses = map(int, ran.stdout.split())
    assert hits > 0
    assert misses == 0
