"""Figures of an instance's page: which there are, how they are called, and what becomes of one that fails."""

import pytest

from hypar_opt import load
from hypar_opt.report.content import gather
from hypar_opt.report.pages.beside import Beside
from hypar_opt.report.pages.parts import parts
from hypar_opt.report.pages.plans import alike
from hypar_opt.util.errors import Refusal

NAMES = ["hypar-dp", "joint-dp", "data-parallel", "model-parallel"]


def parts_of(name, sections=(), **overrides):
    """Return the parts of an instance's page by their places, and what stands beside it."""
    ((subject,), _) = gather([load(name, **overrides)], NAMES, sections=sections)
    beside = Beside()
    return {part.id: part for part in parts(subject, alike(subject.plans), beside, "lenet-c")}, beside


@pytest.fixture(scope="module")
def known():
    return parts_of("lenet-c", array="hypar-row-stationary-16")


def test_costs_of_all_plans_and_layers_of_the_best(known):
    costs = known[0]["costs"]
    assert [shown.id for shown in costs.shown] == ["costs", "stages"]
    assert costs.shown[1].figure.title.startswith("joint-dp: seconds that one accelerator computes")


def test_costs_of_an_array_of_which_only_links_are_known():
    found, _ = parts_of("lenet-c", array="hypar-16")
    links, _ = parts_of("lenet-c", array="h-tree-16", placement="identity")
    assert [shown.id for shown in found["costs"].shown] == ["costs", "stages"]
    assert [shown.id for shown in links["costs"].shown] == ["costs"]
    assert links["costs"].shown[0].figure.title.endswith("accelerators not known")


def test_costs_of_an_array_of_which_nothing_is_known():
    costs = parts_of("lenet-c")[0]["costs"]
    assert (costs.shown, costs.missing) == ((), "nothing is known of the time or the energy of these plans")


def test_links_are_named_by_their_plans_and_the_page_says_whose_are_left_out(known):
    array = known[0]["array"]
    assert [shown.id for shown in array.shown] == ["links-joint-dp", "links-data-parallel"]
    assert [value for value, _ in array.choices] == [shown.id for shown in array.shown]
    assert array.lead.startswith("Of 4 different plans these are the links of the best, joint-dp")
    assert ", and of what it is compared with, data-parallel; " in array.lead


def test_no_two_figures_of_a_page_are_called_the_same(known):
    (costs, _), beside = known[0]["costs"].shown, known[1]
    with pytest.raises(ValueError, match="two figures of a page are called 'costs'"):
        beside.figure(costs.figure, "lenet-c")
    assert beside.figure(costs.figure, "sfc").id == "costs"


def test_a_chart_that_fails_is_named_and_a_refusal_is_none():
    def failing():
        return {}["no such key"]

    def refusing():
        raise Refusal("too large")

    beside = Beside()
    drawn = beside.drawn(failing, "sfc", "costs")
    assert drawn.shown is None
    assert drawn.fault.startswith("sfc: the chart 'costs' failed: KeyError: 'no such key' (test_page_figures.py, line ")
    assert beside.faults == [drawn.fault]
    assert beside.drawn(refusing, "sfc", "costs").missing == "too large"
    assert len(beside.faults) == 1
