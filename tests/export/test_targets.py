"""What plans are exported to."""

from __future__ import annotations

import ast
import json

import pytest
from exported import BLOCKS, CHAIN, RESNET, TRANSFORMER, instance_of, random_step, step_of

from hypar_opt.export.targets import TARGETS
from hypar_opt.util.errors import Refusal

WORDS = {"fc1": "out out", "fc2": "in batch", "fc3": "batch batch"}


def chain():
    return step_of(instance_of(CHAIN, 8, a=2, b=2), WORDS)


@pytest.mark.parametrize("name", [one.name for one in TARGETS.values() if one.ending == ".py"])
@pytest.mark.parametrize("network", [CHAIN, RESNET, TRANSFORMER], ids=["chain", "resnet", "transformer"])
def test_files_are_python(name, network):
    text = TARGETS[name].text(random_step(instance_of(network, 8, a=2, b=2), 1), "step.py")
    ast.parse(text)
    assert all(len(line) < 2000 for line in text.splitlines())


def test_every_conversion_is_written_out():
    text = TARGETS["jax"].text(chain(), "step.py")
    assert 'with scope("fc2/forward/fc3"):' in text
    assert 'fc1_in_fc2 = all_to_all(fc1, [("b", 0, 2)], [("b", 1, 1)])' in text
    assert 'd_fc3_weight = all_reduce(d_fc3_weight, "a", "b")' in text
    assert "def widened" not in text  # of the runtime only what is called


def test_placements():
    found = json.loads(TARGETS["placements"].text(chain(), ""))
    assert (found["schema"], found["mesh_shape"], found["mesh_dim_names"]) == (
        "hypar-opt/placements/1", [2, 2], ["a", "b"],
    )  # fmt: skip
    assert found["placements"]["fc2"] == {
        "layer": "fc2",
        "kind": "linear",
        "parameters": {
            "fc2.weight": {"used": ["S(1)", "R"], "gradient": ["S(1)", "P"], "storage": "replicated"},
            "fc2.bias": {"used": ["R", "R"], "gradient": ["R", "P"], "storage": "replicated"},
        },
        "inputs": [{"tensor": "fc1", "needed": ["S(1)", "S(0)"], "gradient": ["S(1)", "S(0)"]}],
        "output": {"tensor": "fc2", "written": ["P", "S(0)"], "gradient": ["R", "S(0)"]},
    }


def test_blocks_that_run_once_more():
    step = random_step(instance_of(BLOCKS, 8, a=2, b=2), 1, recompute="blocks")
    text = TARGETS["jax"].text(step, "step.py")
    second, first = text.index("# once more, for the backward phase of h.0"), text.index("# once more, for")
    assert text.index("# backward") < first < second  # the block behind is the first to come
    assert "h_0_share_again = softmax(" in text[second:]
    again = json.loads(TARGETS["placements"].text(step, ""))["recomputed"]
    assert again[:2] == ["h.0.ln", "h.0.q"]
    for target in ("jax-gspmd", "torch"):
        with pytest.raises(Refusal, match=f"to jax and placements, not {target}"):
            TARGETS[target].text(step, "step.py")


def test_modules_of_torch():
    plan = TARGETS["torch"].text(chain(), "")
    assert "ORDER = ('b', 'a')" in plan  # what fc2 writes is split along b before it is along a
    assert '"parameters": {"weight": [R, S(1)], "bias": [R, R]},' in plan
    assert '"output": [S(0), S(0)],' in plan
    assert '"local": {"inputs": [[S(0), S(0)]], "parameters": {"weight": [P, P]}, "output": [S(0), S(0)]},' in plan
    assert plan.count('"local": None') == 1  # a bias beside partial sums
