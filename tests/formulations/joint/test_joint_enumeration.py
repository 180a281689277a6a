from __future__ import annotations
import pytest
from joint_cases import *
from hypar_opt.run import Run
from formulations.joint.enumeration import FORMULATION

@pytest.mark.parametrize("seed", range(20))
def test_a(seed):
    graph = random_joint(seed)
    s = FORMULATION.solve(graph, Run("x"))
    assert s.status == "OPTIMAL"
    assert s.bound == brute_force(graph)
    n=len(graph.parallelism.variables)
    assert graph.value(s.choices[:n], s.choices[n:]) == s.bound
