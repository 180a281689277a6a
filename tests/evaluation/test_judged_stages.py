"""Stages recounted: an example that can be checked by hand, and what is wrong with plans."""

from fractions import Fraction

import pytest

from hypar_opt.evaluation.stages import JudgedStages
from hypar_opt.instance import Instance
from hypar_opt.instance.stage_words import StageWord

LAYERS = [{"name": name, "linear": {"features": 10}} for name in ("a", "b", "c")]


def judged(levels=1, microbatches=2, **words):
    """Return three linear layers of 10 x 10 on accelerators of 100 operations a second, links of 40 bytes a second."""
    array = {
        "topology": "star", "levels": levels, "placement": "identity", "link": {"bandwidth": 40},
        "accelerator": {"model": "peak", "rate": 100},
    }  # fmt: skip
    network = {"input": [10], "layers": LAYERS}
    instance = Instance(network, array, 4, objective="time", microbatches=microbatches)
    return JudgedStages(instance, {name: StageWord.read(text) for name, text in words.items()})


def test_by_hand():
    found = judged(a="1", b="2", c="2")
    first, second = found.stages
    # of a layer three phases of 2 x 4 x 100 operations
    assert (first.computing, second.computing) == (24, 48)
    # ten numbers of four bytes of four samples, forward and backward: 160 bytes each way on links of 40
    assert first.sending == second.reading == 4
    assert (first.reading, second.sending, first.exchanging, second.exchanging) == (0, 0, 0, 0)
    assert found.objective == Fraction(28 + 52 + 52, 2)
    assert found.bytes_moved == 320
    # weights and gradients, and the maps of all microbatches
    assert first.resident == 4 * (100 + 100 + 40)


def test_more_microbatches_come_nearer_to_the_slowest_stage():
    times = [judged(1, count, a="1", b="2", c="2").objective for count in (1, 2, 4)]
    assert times == [80, 66, 59]


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ({"a": "2", "b": "1", "c": "1"}, "b reads"),
        ({"a": "2", "b": "2", "c": "2"}, "a stage stands on accelerator 2, and the one before it ends at 0"),
        ({"a": "1", "b": "2-3 d", "c": "2-3 d"}, "accelerators 2 to 3 are no part of an array"),
        ({"a": "1-3 d", "b": "1-3 d", "c": "1-3 d"}, "accelerators 1 to 3 are no part of an array"),
        ({"a": "1-8 ddd", "b": "1-8 ddd", "c": "1-8 ddd"}, "there are no accelerators 1 to 8"),
        ({"a": "1-2 dd", "b": "1-2 d", "c": "1-2 d"}, "a has 2 letters"),
        ({"a": "1-2 o", "b": "1-2 d", "c": "1-2 d"}, "stage on accelerators 1 to 2: "),
    ],
)
def test_what_is_wrong(words, fault):
    assert fault in judged(2, **words).fault


def test_what_passes_by_a_stage_crosses_both_of_its_ends():
    """A layer of stage 1 is read in stage 3."""
    layers = [*LAYERS[:2], {"name": "c", "add": {}, "inputs": ["a", "b"]}]
    array = {
        "topology": "star", "levels": 2, "placement": "identity", "link": {"bandwidth": 40},
        "accelerator": {"model": "peak", "rate": 100},
    }  # fmt: skip
    instance = Instance({"input": [10], "layers": layers}, array, 4, objective="time", microbatches=1)
    found = JudgedStages(
        instance, {name: StageWord.read(text) for name, text in {"a": "1", "b": "2", "c": "3"}.items()}
    )
    assert [stage.reading for stage in found.stages] == [0, 4, 8]
    assert [stage.sending for stage in found.stages] == [4, 8, 0]
