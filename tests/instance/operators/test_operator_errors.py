"""What is wrong with an instance of operators: its file, line and field, what was expected, and the nearest name."""

from __future__ import annotations

import re

import pytest

import hypar_opt
from hypar_opt.util.errors import InputError

HEAD = "schema: hypar-opt/instance/1\nname: small\nbatch: 8\n"
NETWORK = """network:
  input: {sequence: 4, features: 8}
  layers:
    - {name: q, linear: {features: 8}}
    - {name: attend, inputs: [q, q, q], attention: {heads: 4}}
"""
AXES = "array: {axes: [{name: node, size: 2}, {name: gpu, size: 2}]}\n"
GOOD = HEAD + NETWORK + AXES
EXPERTS = "{count: 8, top: 2, hidden: 4, capacity: "


def error_of(write, text, **overrides):
    with pytest.raises(InputError) as caught:
        hypar_opt.load(write("small.yaml", text), **overrides)
    return re.sub(r"^.*/(?=small\.yaml)", "", str(caught.value))


def test_what_is_changed_below_is_right_as_it_is(write):
    assert hypar_opt.load(write("small.yaml", GOOD)).devices == 4


def test_a_memory_that_holds_the_parameters_is_no_mistake(write):
    """Whether a plan fits is another question, which is decided by solving; of fewer devices each has more."""
    text = GOOD.replace("size: 2}]}", "size: 2}], accelerator: {rate: 1, memory: {capacity: 128}}}")
    assert hypar_opt.load(write("small.yaml", text)).accelerator.capacity == 128
    assert error_of(write, text, axes="gpu=2").startswith("--axes accelerator.memory.capacity: expected at least 256 b")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("size: 2}, {name: gpu, size: 2}]", "size: 2}, {name: gpu, size: 1}]",
         "small.yaml:9: array.axes[1].size: expected an integer of at least 2, got 1"),
        ("size: 2}, {name: gpu, size: 2}]", "size: 2}, {name: gpu, size: 70000}]",
         "small.yaml:9: array.axes[1].size: expected an integer of at most 65536, got 70000"),
        ("size: 2}, {name: gpu, size: 2}]", "size: 512}, {name: gpu, size: 256}]",
         "small.yaml:9: array.axes: expected at most 65,536 devices, got 512 x 256 = 131,072"),
        ("size: 2}]}", "size: 2}], devices: 6}",
         "small.yaml:9: array.devices: expected 2 x 2 = 4, the product of the axes, got 6"),
        ("name: gpu,", "name: node,", "small.yaml:9: array.axes: expected names that differ, got 'node' twice"),
        ("name: gpu,", "name: a b,",
         "small.yaml:9: array.axes[1].name: expected a name without spaces, '=' and ',', got 'a b'"),
        ("name: gpu, size", "name: gpu, sise",
         "small.yaml:9: array.axes[1].sise: unknown field 'sise'; did you mean 'size'?; array.axes[1].size: missing"),
        (AXES, "array: {levels: 2, axes: [{name: a, size: 2}]}\n",
         "small.yaml:9: array.levels: expected axes or levels, got both"),
        (AXES, "array: {devices: 2}\n",
         "small.yaml:9: array.axes: missing; expected axes, or how many levels of two there are"),
        (AXES, "array: {topology: h-tree, axes: [{name: a, size: 6}]}\n",
         "small.yaml:9: array.axes: an h-tree does not take the product of the axes: expected a power of two, got 6"),
        (AXES, "array: {topology: torus, dims: [2, 3], levels: 2}\n",
         "small.yaml:9: array.levels: 2 x 2 = 4 devices on a torus of 6 accelerators; expected as many"),
        (AXES, "array: {topology: fat-tree, axes: [{name: a, size: 6}]}\n",
         "small.yaml:9: array.axes: 6 devices on a fat-tree of 16 accelerators; expected as many"),
        (AXES, "array: {topology: torsu, levels: 2}\n", "small.yaml:9: array.topology: expected "),
        (AXES, "array: {topology: ring, dims: [4], levels: 2}\n",
         "small.yaml:9: array.dims: 'ring' takes no dims; it takes accelerators"),
        (AXES, "array: {topology: custom, levels: 2}\n", "small.yaml:9: array.graph: a custom topology needs a graph"),
        (AXES, "array: {topology: ring, levels: 2, link: {bandwidth: 1, at: root}}\n",
         "small.yaml:9: array.link.at: a root's bandwidth is given of an h-tree only, and this is a ring"),
        (AXES, "array: {topology: ring, axes: [{name: a, size: 4, link: {bandwidth: 1}}]}\n",
         "small.yaml:9: array.axes: axis 'a' has a link of its own; where there is a topology, expected what its"),
        (AXES, "array: {levels: 2, link: {bandwidth: 1}}\n",
         "small.yaml:9: array.link: is of arrays with a topology, and this one has none"),
        (AXES, "array: {topology: ring, levels: 2, placement: [a0, a1, a2]}\n",
         "small.yaml:9: array.placement: expected 4 accelerators, one for every device, got 3"),
        (AXES, "array: {topology: ring, levels: 2, placement: [a0, a1, a2, a4]}\n",
         "small.yaml:9: array.placement[3]: expected an accelerator, got 'a4'; there are a0 to a3"),
        (AXES, "array: {topology: ring, levels: 2, placement: [a0, a1, a2, a1]}\n",
         "small.yaml:9: array.placement[3]: expected each accelerator once, and 'a1' is given to device 1 already"),
        (AXES, "array: {topology: ring, levels: 2, placement: [0, 1, 2, 3]}\n",
         "small.yaml:9: array.placement: expected free, identity or a list of accelerators, by their names, got 0 at"),
        (AXES, "array: {topology: ring, levels: 2, placement: identiy}\n",
         "small.yaml:9: array.placement: expected free, identity or a list of accelerators, got 'identiy'; did you"),
        (AXES, f"{AXES}objective: {{hop-bytes: 1}}\n",
         "small.yaml:9: array.topology: missing, and hop-bytes needs it: links that bytes cross"),
        (AXES, "array: {topology: ring, levels: 2}\nobjective: {comm-time: 1}\n",
         "small.yaml:9: array.link.bandwidth: missing, and comm-time needs it"),
        (AXES, f"{AXES}cost: {{accounting: published}}\n",
         "small.yaml:10: cost.accounting: published charges layers with d, m, o on halves; of operators on axes expe"),
        (AXES, f"{AXES}cost: {{accounting: colective}}\n",
         "small.yaml:10: cost.accounting: expected collective or gspmd, got 'colective'; did you mean 'collective'?"),
        (AXES, f"{AXES}cost: {{choices: [batch, head]}}\n",
         "small.yaml:10: cost.choices[1]: no operator can be split along 'head', expected one of batch, sequence, "),
        (AXES, f"{AXES}cost: {{choices: [batch, dp]}}\n",
         "small.yaml:10: cost.choices: expected each choice once, got 'batch' twice"),
        (AXES, f"{AXES}cost: {{storage: [zero-4]}}\n",
         "small.yaml:10: cost.storage[0]: expected 'replicated', 'zero-1'"),
        (AXES, f"{AXES}cost: {{input_error: false}}\n",
         "small.yaml:10: cost.input_error: unknown field 'input_error', expected one of"),
        (AXES, f"{AXES}objective: {{time: 1}}\n",
            "small.yaml:9: array.axes[0].link: missing of axis 'node', and time needs its bandwidth"),
        (AXES, f"{AXES}fix: {{q: batch}}\n",
         "small.yaml:10: fix.q: expected 2 entries with spaces between, one an axis (node, gpu), got 'batch'"),
        (AXES, f"{AXES}fix: {{q: batch heads}}\n",
         "small.yaml:10: fix.q: expected one of batch, sequence, out, in for 'q', or . where it is open, got 'heads'"),
        (AXES, f"{AXES}fix: {{'a*': heads heads, attend: batch .}}\n",
         "small.yaml:10: fix.attend: contradicts what is given above it"),
        (AXES, f"{AXES}fix: {{atend: heads heads}}\n",
         "small.yaml:10: fix.atend: 'atend' is no operator; did you mean 'attend'?"),
        (AXES, f"{AXES}fix: {{'x*': heads heads}}\n",
         "small.yaml:10: fix['x*']: 'x*' matches no operator; the nearest is "),
        ("size: 2}, {name: gpu, size: 2}]}", "size: 2}, {name: gpu, size: 4}]}\nfix: {attend: heads heads}",
         "small.yaml:10: fix.attend: heads of 'attend' has size 4, which 8 parts do not divide"),
        ("features: 8}}", "features: 9}}", "small.yaml:8: network.layers[1]"),
        ("heads: 4", "heads: 3", "small.yaml:8: network.layers[1]"),
        ("attention: {heads", "atention: {heads", "small.yaml:8: network.layers[1].atention: unknown "),
        ("inputs: [q, q, q]", "inputs: [q, q, p]", "small.yaml:8: network.layers[1]"),
        *(("attention: {heads: 4}}", f"attention: {{heads: 4}}}}\n    - {{name: m, experts: {EXPERTS}{given}}}}}",
           f"small.yaml:9: network.layers[2].experts.capacity: expected {said}, got {got}")
          for given, said, got in (
              ("0", "at least 1/8, one position for each expert", "0"),
              ("0.124", "at least 1/8, one position for each expert", "0.124"),
              ("-1", "a number of at least 0", "-1"),
              ("much", "a number of at least 0", "'much'"))),
        *(("size: 2}]}", f"size: 2}}], accelerator: {{rate: 1, memory: {{capacity: {given}}}}}}}",
           f"small.yaml:9: array.accelerator.memory.capacity: expected a number of {said}, got {given}")
          for given, said in (("0", "bytes above 0"), ("-5", "at least 0"))),
        ("size: 2}]}", "size: 2}], accelerator: {rate: 1, memory: {capacity: 127.5}}}",
         "small.yaml:9: array.accelerator.memory.capacity: expected at least 128 bytes, which parameters with their "
         "gradients alone take on each of 4 devices if nothing is kept twice, got 127"),
        (AXES, "array:\n  axes: [{name: a, size: 3}]\n  accelerator: {rate: 1, memory: {capacity: 341}}\n"
         "cost: {optimiser: adam}\n",
         "small.yaml:11: array.accelerator.memory.capacity: expected at least 342 bytes, which parameters with their "
         "gradients and adam's states alone take on each of 3 devices"),
        ("    - {name: q, linear: {features: 8}}",
         "    - {name: q, linear: {features: 8}}\n"
         "    - {name: h, repeat: {times: 1000000000, layers: [{name: a, linear: {features: 8}}]}}",
         "small.yaml:8: network.layers[1].repeat.times: expected at most 100,000 layers in all, got 1,000,000,0"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file(write, old, new, said):
    assert GOOD.count(old) >= 1
    assert error_of(write, GOOD.replace(old, new, 1)).startswith(said)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"axes": "node"}, "--axes: expected NAME=SIZE, for example node=4,gpu=8, got 'node'"),
        ({"axes": "node=1"}, "--axes: expected of axis 'node' a size of at least 2, got 1"),
        ({"axes": "node=1e3"}, "--axes: expected NAME=SIZE"),
        ({"axes": "a=300,b=300"}, "--axes: expected at most 65,536 devices, got 300 x 300 = 90,000"),
        ({"axes": "a=2,a=2"}, "--axes: expected names that differ, got 'a' twice"),
        ({"levels": 17}, "--levels: expected an integer of at most 16, got 17"),
        ({"choices": "head"}, "--choices: no operator can be split along 'head'"),
        ({"accounting": "receiver"}, "--accounting: receiver charges layers with d, m, o on halves"),
        ({"placement": "identity"}, "--placement: is of arrays with a topology, and this one has none"),
        ({"input_error": False}, "--input-error: replaces a field of an instance of layers that are split in halves"),
        ({"fix": {"q": "batch"}}, "--fix q: expected 2 entries"),
        ({"batch": 0}, "--batch: expected an integer of at least 1, got 0"),
        (
            {"axes": "node=2", "array": {"axes": [], "accelerator": {"memory": {"capacity": 1}}}},
            "--array accelerator.rate: missing",
        ),
    ],
)
def test_what_is_wrong_with_what_is_given(write, given, said):
    assert error_of(write, GOOD, **given).startswith(said)


def test_an_array_s_own_file_is_to_blame_for_what_it_says(write):
    path = write("array.yaml", "axes:\n  - {name: a, size: 2}\n  - {name: b, size: 1}\n")
    assert "array.yaml:3: axes[1].size: expected an integer of at least 2" in error_of(write, GOOD, array=path)
    path = write("ring.yaml", "axes:\n  - {name: a, size: 2}\ntopology: torus\ndims: [3]\n")
    assert "ring.yaml:1: axes: 2 devices on a torus of 3 accelerators" in error_of(write, GOOD, array=path)


def test_layers_in_halves_have_no_axes_to_replace():
    with pytest.raises(InputError, match=r"^axes: replaces a field of an instance of operators; "):
        hypar_opt.load("lenet-c").replace(axes="a=2")
