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


def test_what_has_no_program_is_named():
    nothing = {"input": [8], "layers": [{"name": "fc", "linear": {"features": 8}},
                                        {"name": "mine", "opaque": {"shape": {"features": 8}}}]}  # fmt: skip
    step = step_of(instance_of(nothing, 8, a=2), {"fc": "batch", "mine": "none"})
    with pytest.raises(Refusal, match="'mine' is opaque: only its sizes are known"):
        TARGETS["jax"].text(step, "step.py")
    with pytest.raises(Refusal, match="'fc' splits its batch of 7 into 2 parts; programs are exported of plans"):
        step_of(instance_of(nothing, 7, {"splits": "any"}, a=2), {"fc": "batch", "mine": "none"})


def test_parts_that_are_filled_up():
    step = step_of(instance_of(CHAIN, 7, {"splits": "padded"}, a=2), dict.fromkeys(("fc1", "fc2", "fc3"), "batch"),
                   padded=True)  # fmt: skip
    text = TARGETS["jax"].text(step, "step.py")
    assert 'fc1 = filled(fc1, (0, 7, ("a", 0, 1, 7)))' in text
    with pytest.raises(Refusal, match="batch of 7 into 2 parts; parts that are filled up are exported to jax and"):
        TARGETS["torch"].text(step, "")


def test_modules_of_torch():
    plan = TARGETS["torch"].text(chain(), "")
    assert "if sorted(names, key=list(SIZES).index) == list(names):" in plan
    assert "ORDER = ('b', 'a')" in plan  # what fc2 writes is split along b before it is along a
    assert '"parameters": {"weight": [R, S(1)], "bias": [R, R]},' in plan
    assert '"output": [S(0), S(0)],' in plan
    assert '"local": {"inputs": [[S(0), S(0)]], "parameters": {"weight": [P, P]}, "output": [S(0), S(0)]},' in plan
    assert plan.count('"local": None') == 1  # a bias beside partial sums
