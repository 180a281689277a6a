"""Every number of Figures 6 to 13 is a claim, with the digits that are printed."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from hypar_opt.studies.claims import read_claims

PRINTED = yaml.safe_load(Path(__file__).with_name("figures.yaml").read_text(encoding="utf-8"))
WORD = str.maketrans("01", "dm")


@pytest.fixture(scope="module")
def said():
    return {claim.id: claim for claim in read_claims("hypar-hpca19").claims}


def value(claim):
    """The number of a claim with its digits, whichever its kind."""
    return claim.statement.printed.text


@pytest.mark.parametrize(("figure", "kind"), [("figure6", "performance_gain"), ("figure7", "energy_gain")])
def test_gains_over_data_parallelism(said, figure, kind):
    short = figure.replace("figure", "fig")
    for network, printed in PRINTED[figure]["hypar"].items():
        claim = said[f"{short}-{network}"]
        assert (claim.kind, value(claim), claim.statement.over) == (kind, printed, "data-parallel")
        assert claim.statement.formulation == "hypar-dp"
        assert claim.cases[0].array == "hypar-16"
        assert network in ("gmean", claim.spec.instance)


@pytest.mark.parametrize("figure", ["figure6", "figure7"])
@pytest.mark.parametrize("suffix", ["", "-from-bytes"])
def test_all_mp(said, figure, suffix):
    for network, printed in PRINTED[figure]["mp"].items():
        claim = said[f"{figure.replace('figure', 'fig')}-mp-{network}{suffix}"]
        assert value(claim) == printed
        if network == "gmean":
            assert [part.spec.instance for part in claim.parts] == list(PRINTED["figure6"]["mp"])[:-1]
        else:
            assert claim.spec.instance == network
            assert claim.statement.formulation == "model-parallel"
            assert claim.statement.communication_GB.text == PRINTED["figure8_mp_GB"][network]
            assert claim.statement.exchanges == ("printed" if suffix else "own")


def test_figure_8_in_all_mp(said):
    assert {name: value(said[f"fig8-mp-{name}"]) for name in PRINTED["figure8_mp_GB"]} == PRINTED["figure8_mp_GB"]


def test_headline(said):
    assert value(said["headline-performance"]) == PRINTED["headline"]["performance"]
    assert value(said["headline-energy"]) == PRINTED["headline"]["energy"]
    assert said["headline-performance"].spec.instances == said["headline-energy"].spec.instances
    assert said["headline-energy"].spec.instances == tuple(PRINTED["figure6"]["hypar"])[:-1]


def test_space_exploration(said):
    printed = PRINTED["figure9"]
    words = said["fig9-peak"].statement.strategies
    for level in (1, 4):
        assert "".join(word[level - 1] for word in words.values()) == printed[f"level{level}"].translate(WORD)
    assert list(words) == ["conv1", "conv2", "fc1", "fc2"]
    assert words == said["fig9-plan"].statement.strategies
    assert (said["fig9-peak"].statement.levels, said["fig9-peak"].statement.layers) == ((1, 4), None)
    assert value(said["fig9-performance"]) == printed["performance"]
    for name, which in (("plan", "hypar"), ("peak", "peak")):
        printed = dict(PRINTED["figure10"][which])
        assert value(said["fig10-performance" if which == "hypar" else "fig10-peak-performance"]) == printed.pop(
            "performance"
        )
        words = {layer: word.translate(WORD) for layer, word in printed.items()}
        assert said[f"fig10-{name}"].statement.strategies == words
    assert said["fig10-peak-performance"].statement.strategies.items() >= words.items()
    assert set(said["fig10-peak"].statement.layers) == set(words)


@pytest.mark.parametrize(("name", "formulation"), [("hypar", "hypar-dp"), ("dp", "data-parallel")])
def test_scaling(said, name, formulation):
    for count, printed in PRINTED["figure11"][f"performance_gain_{name}"].items():
        claim = said[f"fig11-{name}-{count}"]
        assert (value(claim), claim.statement.formulation) == (printed, formulation)
        assert (claim.spec.overrides.levels, claim.statement.against.levels) == (count.bit_length() - 1, 0)
    for count, printed in PRINTED["figure11"][f"total_communication_GB_{name}"].items():
        claim = said[f"fig11-{name}-{count}-bytes"]
        assert (value(claim), claim.statement.formulation) == (printed, formulation)
        assert claim.spec.overrides.levels == count.bit_length() - 1


def test_topologies(said):
    for row in ("torus", "h-tree"):
        for network, printed in PRINTED["figure12"][row].items():
            claim = said[f"fig12-{row}-{network}"]
            assert value(claim) == printed
            own, against = (cases[0].instance.spec.array.topology for cases in claim.by_reading)
            assert (own, against) == (row, "h-tree")
            assert network in ("gmean", claim.spec.instance)


def test_one_weird_trick(said):
    for case, numbers in PRINTED["figure13"].items():
        layer, _, rest = case.partition("-")
        for printed, suffix in zip(numbers, ("", "-energy"), strict=True):
            name = f"fig13-{case}" if case == "gmean" else f"fig13-{layer}-{rest.split('-')[1]}"
            claim = said[f"{name}{suffix}"]
            assert value(claim) == printed
            if case == "gmean":
                assert len(claim.parts) == 6
                continue
            assert claim.statement.over == "one-weird-trick"
            instance = claim.cases[0].instance
            assert (f"b{instance.batch}", f"h{instance.levels}") == tuple(rest.split("-"))


def test_numbers_read_off_an_axis_say_how_well(said):
    rough = [claim for claim in said.values() if getattr(claim.statement, "within", None) and value(claim)[0] == "~"]
    assert {claim.statement.within.text for claim in rough} == {"3 %"}
    assert len(rough) == 2 * 6 + 2 * 5 + 10


def test_what_rests_on_the_fitted_constant_says_so(said):
    for claim in said.values():
        if claim.kind == "performance_gain" and claim.spec.overrides.levels != 0 and "-mp-" not in claim.id:
            known = ("0.25 GB/s", "conv5's shape", "HyPar's own plan is another of the peaks")
            assert any(one in (claim.spec.finding or "") for one in known), claim.id
