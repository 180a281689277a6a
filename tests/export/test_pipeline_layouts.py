"""Plans of pipelines as numbers, layouts and lists of modules, and what none of these can say."""

from __future__ import annotations

import json
import re

import pytest

from hypar_opt.evaluation.pipeline import JudgedPipeline
from hypar_opt.export.pipeline_layouts import PlannedStages, planned_stages
from hypar_opt.export.targets import LAYOUTS
from hypar_opt.instance.pipeline import DeviceKind, PipelineInstance, PipelineOperator, StageDevices
from hypar_opt.util.errors import Refusal


def judged(names, devices):
    operators = [PipelineOperator(name, "forward", {"gpu": 1}) for name in names]
    backward = PipelineOperator("back", "backward", {"gpu": 1}, together=None)
    instance = PipelineInstance("it", "", (*operators, backward), (DeviceKind("gpu", 9, replicas=3),))
    strategies = {name: StageDevices.read(one) for name, one in zip([*names, "back"], devices, strict=True)}
    return JudgedPipeline(instance, strategies)


def read(layout):
    """Return the letters of every stage of a layout of Megatron."""
    return re.sub(r"(.)\*(\d+)", lambda found: found[1] * int(found[2]), layout.strip()).split("|")


def test_the_targets():
    stages = PlannedStages((("embed", "layers.0", "layers.1"), ("layers.2",), ("layers.3", "mtp", "norm", "output")))
    texts = {name: target.text(stages, "file") for name, target in LAYOUTS.items()}
    assert texts["list"] == "3,1,4\n"
    assert json.loads(texts["torchtitan"]) == [list(own) for own in stages.stages]
    assert texts["megatron-layout"] == "Et*2|t|tmtL\n"
    assert read(texts["megatron-layout"]) == ["Ett", "t", "tmtL"]


def test_embedding_and_loss_that_are_no_operators_stand_where_megatron_has_them():
    layers = PlannedStages((("a", "b", "c"), ("d",)))
    assert layers.megatron_text == "Et*3|tL\n"
    parts = PlannedStages((("embedding", "embed_norm", "a"), ("b", "lm_head", "loss")))
    assert read(parts.megatron_text) == ["Et", "tL"]


def test_arguments_say_the_degree_and_what_is_computed_anew():
    stages = (("embed", "a", "b"), ("c", "head"))
    sizes = "--pipeline-model-parallel-size 2 --pipeline-model-parallel-layout 'Et*2|tL' --tensor-model-parallel-size 4"
    assert PlannedStages(stages, 4, (0, 0)).arguments_text == f"{sizes}\n"
    anew = "--recompute-granularity full --recompute-method uniform --recompute-num-layers 1"
    assert PlannedStages(stages, 4, (2, 1)).arguments_text == f"{sizes} {anew}\n"
    for some in ((1, 1), (2, 0)):
        with pytest.raises(Refusal, match=f"this plan has {some[0]}, {some[1]}; expected all"):
            _ = PlannedStages(stages, 4, some).arguments_text


def test_backward_operators_are_not_counted():
    plan = judged(["a", "b", "c"], ["gpu 1", "gpu 1", "gpu 2", "gpu 2"])
    assert planned_stages(plan) == PlannedStages((("a", "b"), ("c",)), anew=(0, 0))
    alike = judged(["a", "b"], ["gpu 1-2", "gpu 3-4", "gpu 3-4"])
    assert planned_stages(alike).numbers_text == "1,1\n"  # as many replicas of each: the layout within one of them


def test_what_no_layout_says():
    with pytest.raises(Refusal, match=r"split over as many devices, of every stage, .*: gpu 1-2 tensor 2, gpu 3"):
        planned_stages(judged(["a", "b"], ["gpu 1-2 tensor 2", "gpu 3", "gpu 3"]))
    with pytest.raises(Refusal, match="different numbers: gpu 1-2, gpu 3"):
        planned_stages(judged(["a", "b"], ["gpu 1-2", "gpu 3", "gpu 3"]))
    with pytest.raises(Refusal, match="'c' of stage 1 is behind 'b' of the next"):
        planned_stages(judged(["a", "b", "c"], ["gpu 1", "gpu 2", "gpu 1", "gpu 1"]))
