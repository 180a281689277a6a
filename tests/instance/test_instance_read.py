"""Instances that are good, in all the ways to write them down."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import get_args

import pytest
import yaml
from pydantic import ValidationError

from hypar_opt.instance import Overrides, find_instance, load, read_instance, shipped_names
from hypar_opt.instance.array_schema import ArraySpec
from hypar_opt.instance.data import canonical_json
from hypar_opt.instance.hardware import TOPOLOGIES
from hypar_opt.instance.network import INPUT, Conv, Layer, Linear, Pool
from hypar_opt.instance.shipped import shipped_operators, shipped_problems
from hypar_opt.util.errors import InputError


def test_a_small_instance_with_its_defaults(write, small):
    path = write("small.yaml", small)
    instance = read_instance(path)
    assert instance.network.input == (1, 8, 8)
    assert instance.network.layers == (
        Layer("conv1", Conv(4, (3, 3)), (INPUT,)),
        Layer("pool1", Pool((2, 2), (2, 2)), ("conv1",)),
        Layer("fc1", Linear(10), ("pool1",)),
    )
    assert (instance.name, instance.batch, instance.levels) == ("small", 8, 2)
    assert (instance.accounting, instance.choices, instance.splits) == ("published", "dm", "any")
    assert (instance.bytes_per_element, instance.fix, instance.source) == (4, {}, path)
    assert instance.objective.weights == {"communication": Fraction(1)}
    assert instance.overrides == {}


def test_everything_that_can_be_said(write):
    text = """\
    schema: hypar-opt/instance/1
    name: all
    batch: 8
    network:
      input: [4, 9, 9]
      layers:
        - {name: c, conv: {filters: 4, kernel: [3, 1], stride: [2, 1], pad: [1, 0], groups: 2,
                           dilation: [1, 2]}}
        - {name: a, activation: {}}
        - {name: p, pool: {kernel: [2, 3], stride: 1, pad: 1, kind: avg}}
        - {name: q, pool: {kernel: [2, 3], stride: 1, pad: 1, kind: max}, inputs: [a]}
        - {name: add, add: {}, inputs: [p, q]}
        - {name: cat, concat: {}, inputs: [p, add]}
        - {name: g, global_pool: {kind: max}}
        - {name: f, flatten: {}}
        - {name: fc, linear: {features: 10}}
    array: {topology: h-tree, levels: 2}
    cost: {accounting: receiver, choices: [op, mp, dp], bytes_per_element: 2, splits: divisible}
    objective: {communication: 0.10}
    fix: {c: dm, add: dm}
    """
    instance = read_instance(write("all.yaml", text))
    assert instance.network.layers[0].op == Conv(4, (3, 1), (2, 1), (1, 0), 2, (1, 2))
    assert [layer.op.layer_kind for layer in instance.network.layers] == (
        ["conv", "activation", "pool", "pool", "add", "concat", "global_pool", "flatten", "linear"]
    )
    assert (instance.accounting, instance.choices, instance.splits) == ("receiver", "dmo", "divisible")
    assert instance.objective.weights == {"communication": Fraction(1, 10)}
    assert instance.fix == {"c": "dm", "add": "dm"}


def test_one_hash_for_one_instance(write, small):
    data = yaml.safe_load(small)
    network, array = data["network"], data["array"]
    referring = {**data, "network": {"file": "parts/network.json"}, "array": {"file": "parts/array.yaml"}}
    write("parts/network.json", json.dumps(network))
    write("parts/array.yaml", yaml.safe_dump(array))
    written_out = small.replace("{kernel: 2}}", "{kernel: 2, stride: [2, 2]}, inputs: [conv1]}").replace(
        "array:", "objective: {communication: 1.00}\nfix: {}\ncost: {choices: [mp, dp]}\narray:"
    )
    paths = [
        write("a.yaml", small),
        write("b.json", json.dumps(data)),
        write("c.json", json.dumps(data, indent=2, sort_keys=True)),
        write("d.yaml", yaml.safe_dump(referring)),
        write("e.yaml", written_out),
    ]
    hashes = {read_instance(path).sha256 for path in paths}
    hashes.add(read_instance(paths[0], Overrides(batch=16, accounting="receiver")).sha256)
    assert len(hashes) == 1
    assert read_instance(write("f.yaml", small.replace("batch: 8", "batch: 16"))).sha256 not in hashes


def test_the_canonical_json(write, small):
    spec = read_instance(write("a.yaml", small + "objective: {communication: 10.50}\n")).spec
    assert canonical_json(spec) == (
        '{"array":{"levels":2,"topology":"h-tree"},"batch":8,'
        '"cost":{"accounting":"published","bytes_per_element":4,"choices":["dp","mp"],"splits":"any"},'
        '"fix":{},"name":"small","network":{"input":[1,8,8],"layers":['
        '{"conv":{"dilation":[1,1],"filters":4,"groups":1,"kernel":[3,3],"pad":[0,0],"stride":[1,1]},'
        '"inputs":["input"],"name":"conv1"},'
        '{"inputs":["conv1"],"name":"pool1","pool":{"kernel":[2,2],"kind":"max","pad":[0,0],"stride":[2,2]}},'
        '{"inputs":["pool1"],"linear":{"features":10},"name":"fc1"}]},'
        '"objective":{"communication":"10.5"},"schema":"hypar-opt/instance/1"}'
    )


@pytest.mark.parametrize(("weight", "text"), [("100", "100"), ("1e2", "100"), ("2.50", "2.5"), ("1e-3", "0.001")])
def test_weights_are_exact(write, small, weight, text):
    instance = read_instance(write("a.yaml", f"{small}objective: {{communication: {weight}}}\n"))
    assert instance.objective.weights == {"communication": Fraction(Decimal(weight))}
    assert f'"communication":"{text}"' in canonical_json(instance.spec)


def test_overrides_replace_fields(write, small):
    path = write("a.yaml", small)
    instance = read_instance(path, Overrides(accounting="as-evaluated", batch=64, levels=0))
    assert (instance.accounting, instance.batch, instance.levels) == ("as-evaluated", 64, 0)
    assert instance.overrides == {"accounting": "as-evaluated", "batch": 64, "levels": 0}
    assert instance.sha256 == read_instance(path).sha256
    assert read_instance(path, Overrides(levels=3)).overrides == {"levels": 3}
    assert Overrides().given() == {}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (Overrides(batch=0), "--batch: expected an integer of at least 1, got 0"),
        (Overrides(batch=True), "--batch: expected an integer, got true"),
        (Overrides(levels=25), "--levels: expected at most 24 levels (2^24 accelerators), got 25"),
        (Overrides(levels=-1), "--levels: expected an integer of at least 0, got -1"),
        (
            Overrides(accounting="publised"),
            "--accounting: expected 'published', 'as-evaluated', 'receiver', 'leaf-exact' or 'collective', "
            "got 'publised'; did you mean 'published'?",
        ),
        (
            Overrides(accounting="as-evaluated"),
            "--accounting: accounting 'as-evaluated' knows dp and mp only, got op as well",
        ),
        (
            Overrides(accounting="leaf-exact", levels=7),
            "--accounting: accounting 'leaf-exact' has dense tables and takes at most 6 levels, got 7",
        ),
    ],
)
def test_an_error_names_the_override(write, small, overrides, message):
    path = write("a.yaml", small + "cost: {choices: [dp, mp, op]}\n")
    with pytest.raises(InputError) as caught:
        read_instance(path, overrides)
    assert str(caught.value) == message


def test_words_have_the_length_that_the_override_says(write, small):
    path = write("a.yaml", small + "fix: {fc1: dm}\n")
    assert read_instance(path).fix == {"fc1": "dm"}
    with pytest.raises(InputError) as caught:
        read_instance(path, Overrides(levels=3))
    assert (
        str(caught.value)
        == f"{path}:11: fix.fc1: expected 3 letters, one a level (--levels 3), or . where it is open, got 'dm'"
    )


def test_the_spec_is_frozen(write, small):
    spec = read_instance(write("a.yaml", small)).spec
    with pytest.raises(ValidationError):
        spec.batch = 3


def test_shipped_instances(monkeypatch, tmp_path):
    names = shipped_names()
    assert names == tuple(sorted(names))
    assert {"vgg-e", "lenet-c", "sfc", "resnet-18"} <= set(names)
    assert "h-tree-16" not in names
    monkeypatch.chdir(tmp_path)
    for name in names:
        assert load(name).name == name


def test_names_of_shipped_instances_are_unique():
    folder = find_instance("vgg-e").parent.parent
    parts = ("networks", "arrays", "axes", "claims")
    inside = [path for path in folder.rglob("*.yaml") if not {*path.relative_to(folder).parts[:-1]} & {*parts}]
    assert len(inside) == len({*shipped_names(), *shipped_operators(), *shipped_problems()})


def test_a_file_wins_over_a_name_and_a_name_over_a_folder(write, small, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    write("vgg-e", small)
    (tmp_path / "vgg-a").mkdir()
    assert load("vgg-e").name == "small"
    assert load("vgg-a", batch=2).batch == 2
    with pytest.raises(InputError, match="is a folder, expected a file"):
        load(tmp_path)


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("vggg-e", "; did you mean 'vgg-e'?"),
        ("resnet_50", "; did you mean 'resnet-50' (layers split in halves) or 'resnet50' (operators)?"),
        ("there/lenet-c.yml", "; did you mean 'lenet-c'?"),
        ("zzz", ""),
        ("x" * 300, ""),
    ],
)
def test_a_name_that_is_not_there(name, hint):
    with pytest.raises(InputError) as caught:
        find_instance(name)
    assert str(caught.value) == f"{name}: neither a file nor the name of a shipped instance{hint}"


def test_the_topologies_are_those_of_the_array_package():
    assert set(get_args(ArraySpec.model_fields["topology"].annotation)) == set(TOPOLOGIES)


def test_pydantic_is_imported_only_to_read():
    code = (
        "import sys; from hypar_opt.instance import shipped_names; assert shipped_names();"
        "sys.exit('pydantic' in sys.modules or 'networkx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def with_layers(small: str, count: int) -> str:
    data = yaml.safe_load(small)
    data["network"]["layers"] = [{"name": f"fc{i}", "linear": {"features": 4}} for i in range(count)]
    return json.dumps(data)


@pytest.mark.slow
def test_a_hundred_thousand_layers(write, small):
    path = write("a.json", with_layers(small, 100_000))
    assert len(read_instance(path).network.layers) == 100_000


@pytest.mark.slow
def test_more_layers_are_refused(write, small):
    path = write("b.json", with_layers(small, 100_001))
    with pytest.raises(InputError) as caught:
        read_instance(path)
    assert str(caught.value) == (f"{path}:1: network.layers: expected a list of at most 100,000, got a list of 100001")


def test_in_features_is_a_check_and_changes_nothing(tmp_path):
    text = (
        "schema: hypar-opt/instance/1\nname: a\nbatch: 4\narray: {topology: h-tree, levels: 1}\n"
        "network: {input: [4, 6, 6], layers: [{name: fc1, linear: {features: 10CHECK}}]}\n"
    )
    plain, checked = tmp_path / "plain.yaml", tmp_path / "checked.yaml"
    plain.write_text(text.replace("CHECK", ""), encoding="utf-8")
    checked.write_text(text.replace("CHECK", ", in_features: 144"), encoding="utf-8")
    assert read_instance(plain).sha256 == read_instance(checked).sha256


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{topology: ring, levels: 2}", "{topology: ring, levels: 2, accelerators: 4}"),
        ("{topology: ring, levels: 2}", "{topology: ring, levels: 2, link: {}}"),
        ("{topology: ring, levels: 2}", "{topology: ring, levels: 2, link: {latency: 0}}"),
        ("{topology: ring, levels: 2}", "{topology: ring, levels: 2, routing: own, placement: free}"),
    ],
)
def test_one_hash_for_one_array(write, small, one, other):
    texts = [small.replace("{topology: h-tree, levels: 2}", array) for array in (one, other)]
    assert texts[0] != texts[1] != small
    hashes = {read_instance(write(f"{i}.yaml", text)).sha256 for i, text in enumerate(texts)}
    assert len(hashes) == 1


def test_a_count_of_accelerators_is_not_spelt_out(write, small):
    """A placement on an array of a trillion accelerators is looked at name by name."""
    array = "{topology: star, levels: 1, accelerators: 1099511627776, placement: [a0, a1099511627775]}"
    assert read_instance(write("a.yaml", small.replace("{topology: h-tree, levels: 2}", array))).accelerators == 2**40
    wrong = array.replace("a1099511627775", "a01")
    with pytest.raises(InputError, match="expected an accelerator, got 'a01'; there are a0 to a1099511627775"):
        read_instance(write("b.yaml", small.replace("{topology: h-tree, levels: 2}", wrong)))


@pytest.mark.parametrize("bandwidth", [Decimal("Infinity"), Decimal("NaN"), Decimal("0.12345678901234567890")])
def test_numbers_of_an_array_that_a_plan_file_could_not_hold(bandwidth):
    with pytest.raises(InputError, match=r"^--array: expected a "):
        load("sfc", array={"topology": "ring", "levels": 2, "link": {"bandwidth": bandwidth}})


def test_a_custom_graph_of_too_many_nodes(write, small):
    nodes = ", ".join(f'{{"id": {i}}}' for i in range(2**16 + 1))
    write("big.json", f'{{"nodes": [{nodes}], "links": []}}')
    array = "{topology: custom, levels: 2, graph: {file: big.json}}"
    with pytest.raises(InputError, match=r"has 65,537 nodes, a custom graph has at most 65,536; try one of the other"):
        read_instance(write("a.yaml", small.replace("{topology: h-tree, levels: 2}", array)))


def test_every_fault_is_said(write, small):
    data = yaml.safe_load(small)
    wrong = {**data, "batch": "x", "name": 5, "cost": {"choices": "xyz"}}
    with pytest.raises(InputError) as caught:
        read_instance(write("a.json", json.dumps(wrong)))
    said = str(caught.value)
    assert all(word in said for word in ("name", "batch", "cost.choices")) and "\n" not in said
    many = {**data, **{f"unknown-{i}": 0 for i in range(30)}}
    with pytest.raises(InputError, match=r"; 20 more, which a file without these will show$"):
        read_instance(write("b.json", json.dumps(many)))
