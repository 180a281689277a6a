from __future__ import annotations
import pytest
from joint_cases import *
from hypar_opt.run import Run
from formulations.joint.enumeration import FORMULATION
from formulations.joint.cp_sat import JointCpSat
from formulations.joint.alternating import FORMULATION as ALT

@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("f", [FORMULATION, JointCpSat(), JointCpSat(helped=False), ALT])
def test_a(seed,f):
    graph = random_joint(seed)
    assert f.accepts(graph, Run("x")) is None
    s = f.solve(graph, Run("x"))
    b=brute_force(graph)
    if f.capabilities.exact:
        assert s.status == "OPTIMAL"
        assert s.bound == b
    else: assert s.bound<=b
    n=len(graph.parallelism.variables)
    assert graph.value(s.choices[:n], s.choices[n:]) >= s.bound
