"""Models of torchvision and transformers: parameters and operations are those that PyTorch itself counts.

The graphs are kept as torch 2.14 exported them, with torchvision 0.29 and transformers 5.24; multiply-adds are half of
what `torch.utils.flop_counter` counts of a forward pass of four samples, attention written out.
"""

from __future__ import annotations

import sys

import pytest
import yaml

from hypar_opt.importers.assembly import imported
from hypar_opt.importers.records.torch import RECORDS
from hypar_opt.importers.wishes import Wishes
from hypar_opt.instance.formats import read_document
from hypar_opt.instance.operators.network import describe
from hypar_opt.instance.shipped import shipped_folder
from hypar_opt.util.errors import InputError
from tests.importers.captured import read

KNOWN = {
    "alexnet": (61_100_840, 2_856_753_920),
    "resnet50": (25_557_032, 16_356_737_024),
    "mobilenet_v2": (3_504_872, 1_203_097_088),
    "vit_b_16": (86_567_656, 70_255_312_896),
    "gpt2": (124_439_808, 64_456_359_936),
    "llama": (3_283_200, 1_682_964_480),
}


@pytest.mark.parametrize("name", KNOWN)
def test_parameters_and_operations_are_pytorchs(name):
    made = imported(read(name), RECORDS, Wishes())
    instance = made.instance
    rows = describe(instance.spec.network, instance.batch, instance.bytes_per_element)
    assert (instance.graph.parameters, sum(row.multiply_adds for row in rows)) == KNOWN[name]
    assert made.warnings == ()


def test_layers_have_the_names_of_modules_and_blocks_are_folded():
    instance = imported(read("resnet50"), RECORDS, Wishes(batch=256)).instance
    names = [one.name for one in instance.graph.operators]
    assert {"conv1", "layer1.0.downsample.0", "fc"} <= set(names)
    assert "layer3.1-5.4.conv3" in names
    repeated = [layer.name for layer in instance.spec.network.layers if layer.repeat]
    assert repeated == ["layer1.1-2", "layer2.1-3", "layer3.1-5", "layer4.1-2"]
    (repeat,) = imported(read("gpt2"), RECORDS, Wishes()).instance.graph.repeats
    assert repeat.times in (11, 12)


def test_a_loss_reads_what_the_model_returns():
    instance = imported(read("gpt2"), RECORDS, Wishes(has_loss=True)).instance
    assert [one.name for one in instance.graph.operators][-2:] == ["lm_head", "loss"]


def test_fewer_keys_than_heads_are_read_as_they_are():
    instance = imported(read("llama"), RECORDS, Wishes()).instance
    attention = next(one for one in instance.graph.operators if one.kind == "attention")
    assert (attention.sizes["heads"], attention.sizes["batch"]) == (2, 4)


MODULE = """
import torch

class Branch(torch.nn.Module):
    def forward(self, x):
        return x if x.sum() > 0 else -x

def small():
    return torch.nn.Sequential(torch.nn.Linear(12, 7), torch.nn.ReLU()), (torch.zeros(8, 12),)

def branch():
    return Branch(), (torch.zeros(8, 12),)

def nothing():
    return 3
"""


@pytest.fixture
def functions(tmp_path, monkeypatch):
    """Have a module of functions in the working directory, and return the source that reads them."""
    pytest.importorskip("torch", reason="PyTorch is gigabytes, and tried where it is installed only")
    from hypar_opt.importers.sources import SOURCES

    (tmp_path / "of_torch.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delitem(sys.modules, "of_torch", raising=False)
    return lambda name: SOURCES["torch"].read(f"of_torch:{name}", Wishes())


def test_a_module_is_traced_without_numbers(functions):
    made = functions("small")
    assert made.instance.graph.parameters == 12 * 7 + 7
    assert [one.kind for one in made.instance.graph.operators] == ["linear", "activation"]


def test_what_depends_on_numbers_cannot_be_traced(functions):
    with pytest.raises(InputError, match=r"of_torch:branch: cannot be traced: .* no `if` or loop"):
        functions("branch")


def test_functions_return_a_module_and_inputs(functions):
    with pytest.raises(InputError, match="expected a module and its example inputs"):
        functions("nothing")
    with pytest.raises(InputError, match="has no function 'smal'; did you mean 'small'"):
        functions("smal")


def test_torchvisions_resnet50_is_the_one_that_is_shipped(tmp_path, monkeypatch):
    pytest.importorskip("torchvision")
    from hypar_opt.cli.invoke import invoke

    made = "torchvision.models.resnet50(), (torch.zeros(8, 3, 224, 224),)"
    text = f"import torch\nimport torchvision\n\n\ndef resnet50():\n    return {made}\n"
    (tmp_path / "models_of_a_test.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    assert invoke(["import", "torch", "models_of_a_test:resnet50", "--batch", "256", "--loss", "-o", "made.yaml"]) == 0
    assert read_document(tmp_path / "made.yaml").data == shipped_resnet50()


def test_the_shipped_resnet50_is_the_captured_one():
    made = imported(read("resnet50"), RECORDS, Wishes(batch=256, has_loss=True)).text
    assert yaml.safe_load(made)["network"] == shipped_resnet50()["network"]


def shipped_resnet50():
    return read_document(shipped_folder() / "operators" / "resnet50.yaml").data
