"""One choice more, by its record alone: everybody knows of it."""

from __future__ import annotations

import pytest
from cost.further import changes_of, record_of, spelt, told

from hypar_opt.instance.choices import ANYWHERE, CHOICES, LETTERS

pytestmark = pytest.mark.slow
"""A process of its own reads the changed package anew."""


@pytest.fixture(scope="module")
def said(tmp_path_factory):
    return told(tmp_path_factory.mktemp("further"), record_of("choice.md"), "asking_of_choices.py")


def test_it_takes_three_places():
    assert list(changes_of("choice.md")) == [
        "hypar_opt/instance/choices.py",
        "hypar_opt/evaluation/choices.py",
        "hypar_opt/verification/certificate/check.py",
    ]


def test_it_is_one_more(said):
    assert said["choices"] == [*CHOICES, "twice"]


@pytest.mark.parametrize("place", ["schema", "form", "page"])
def test_all_are_offered(said, place):
    assert said[place] == said["choices"]


def test_the_letters_of_campaigns_begin_with_the_papers(said):
    assert said["campaign"] == ["dm", "dmo"]


def test_fields_and_help_say_what_it_is(said):
    assert said["field"] == (
        "how a layer may be split: its batch (dp), its input (mp), its output dimension (op), nothing where halves are "
        "unlike (none), nothing of an add or concat, whole on both halves (replicate) or nothing (twice)"
    )
    assert "one letter (d, m, o, n, r, t) a level" in said["fix"]
    assert "(d: dp, m: mp, o: op, n: none, r: replicate, t: twice; root level first)" in said["help"]


def test_charts_and_the_terminal_have_a_colour_for_it(said):
    assert said["colours"]["t"] == "#56B4E9"
    assert len(set(said["colours"].values())) == len(said["colours"])
    assert said["meaning"] == "t: computed twice, splits nothing"
    assert said["style"] == "bold blue"


def test_layers_have_it_as_its_record_says(said):
    assert said["alphabets"] == {"conv1": "dmo", "conv2": "dmt", "add": "dmr", "fc": "dmo"}


def test_an_accounting_that_does_not_know_it_refuses_it(said):
    assert said["refused"] == "accounting 'as-evaluated' knows dp and mp only, got twice as well"


def test_without_the_evaluator_no_plan_that_has_it_is_believed(said):
    assert said["unjudged"] == ["ERROR", "layer 'conv2' has 't', expected 1 letters of 'dm' with 4 groups"]


@pytest.mark.parametrize("names", [ANYWHERE, [LETTERS[name] for name in ANYWHERE]], ids=["names", "letters"])
def test_no_name_is_spelt_elsewhere(names):
    """The judge and the checker are told apart from the records; rules that formulations follow have their letters.

    What a source decides between stays as it is, whatever is added; vectors of conjugate gradients have letters, too.
    """
    apart = (
        "instance/choices",
        "evaluation/choices",
        "verification/certificate/check",
        "studies/claims/legality",
        "studies/altsplit",
        "studies/formulae",
        "studies/conjugate_gradient/variants",
    )
    assert spelt(names, apart, "[\"']({0})[\"'][,:][^\n]*?[\"']({0})[\"']") == []
