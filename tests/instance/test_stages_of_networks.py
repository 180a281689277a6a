"""What an instance says of stages: the field, what does not go with it, a part of a network, and a layer's word."""

import pytest

from hypar_opt.instance import Instance
from hypar_opt.instance.parts import on_leaves, stage_of
from hypar_opt.instance.read import load
from hypar_opt.instance.stage_words import StageWord
from hypar_opt.util.errors import InputError

GIVEN = {"array": "hypar-16", "objective": "time", "microbatches": 4}


@pytest.mark.parametrize(
    ("name", "more", "message"),
    [
        ("lenet-c", {"microbatches": 3}, "--microbatches: expected a number that divides the batch of 256, got 3"),
        ("lenet-c", {"objective": "communication"}, "expected time alone, which is what stages are cut for"),
        ("lenet-c", {"objective": "time=1,energy=1"}, "expected time alone"),
        ("lenet-c", {"placement": "free"}, "expected a placement that is given"),
        ("lenet-c", {"levels": 9}, "expected at most 8 levels where layers are put into stages, got 9"),
        ("lenet-c", {"fix": {"conv*": "dddd"}}, "a word has as many letters as its stage has levels"),
        ("lenet-c", {"at_most": "time=1"}, "expected none where layers are put into stages"),
        ("accpar-resnet-18", {"as_released": True}, "expected adds that are decided"),
        ("mixed-alexnet", {"array": None, "objective": "time"}, "expected accelerators of one kind, got several"),
    ],
)
def test_what_does_not_go_with_stages(name, more, message):
    with pytest.raises(InputError) as caught:
        load(name, **GIVEN | more)
    every = "\n".join([str(caught.value), *map(str, caught.value.others)])
    assert message in every


def test_no_hash_changes_without_it_and_each_number_has_its_own():
    plain, staged = load("lenet-c", array="hypar-16"), load("lenet-c", **GIVEN)
    assert plain.microbatches is None
    assert "microbatches" not in plain.to_dict()
    assert staged.to_dict()["microbatches"] == 4
    assert Instance.from_dict(staged.to_dict()).samples_at_once == 64


def test_a_stage_is_a_network_of_its_own():
    whole = load("resnet-18", **GIVEN)
    part = stage_of(whole, ["s2b1_conv2", "s2b1_add"], 4, 1)
    assert part.network.decision_names == ("s2b1_conv2", "s2b1_add")
    assert part.placement == (4, 5)
    assert part.levels == 1
    made = {layer.name: layer.op.layer_kind for layer in part.network.layers}
    outside = [name for name, kind in made.items() if kind == "assume"]
    assert len(outside) == 2  # what the convolution reads, and what passes by it
    assert all(part.network.shapes[name] == whole.network.shapes[name] for name in outside)
    assert on_leaves(whole, 8, 3).placement == tuple(range(8, 16))


def test_errors_of_what_a_stage_reads_are_computed():
    whole = load("lenet-c", **GIVEN, input_error=False)
    assert not stage_of(whole, ["conv1"], 0, 1).input_error
    assert stage_of(whole, ["conv2"], 2, 1).input_error


@pytest.mark.parametrize("text", ["3", "1-2 d", "5-8 dm", "33-64 ddmmo"])
def test_words_are_read_as_they_are_written(text):
    word = StageWord.read(text)
    assert str(word) == text
    assert 2**word.levels == word.count


@pytest.mark.parametrize("text", ["", "0", "3-3", "1-2  d", "1-2 D", "dm", "5-8dm", "01", 3, None])
def test_anything_else_is_no_word(text):
    word = StageWord.read(text)
    assert word is None or word.count < 1
